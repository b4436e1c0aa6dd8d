"""The generator: reproducible, advanced once per draw, committed only by calls that succeed."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad._core.random import OwnStream, generator
from msgrad._core.streams import Short, Twister
from msgrad.nn.probability import distribution as msd
from msgrad.ops.random import units_by


def state():
    return generator().asnumpy().tolist()


@pytest.mark.parametrize("seed", [0, 7, 2**31, 2**32 - 1])
def test_a_seed_gives_the_state_that_jax_has_for_it(seed):
    expected = jax.random.key_data(jax.random.key(np.uint32(seed), impl="threefry2x32"))
    ms.set_seed(seed)
    assert state() == expected.tolist()


@pytest.mark.parametrize("shape", [(), (5,), (300, 7)])
def test_units_of_a_key_are_those_of_jax(shape):
    key = jax.random.key(3)
    units, _ = units_by(Short, jax.random.key_data(key), shape)
    expected = jax.random.uniform(key, shape, jnp.float32)
    np.testing.assert_array_equal(units.view(np.int32), expected.view(np.int32))


UNSEEDED = ops.Dropout(0.5)
X = Tensor(np.ones(40, np.float32))


def test_a_gradient_call_moves_the_generator_on():
    before = state()
    ms.grad(lambda x: UNSEEDED(x)[0])(X)
    assert state() != before


@pytest.mark.parametrize("compiled", [False, True])
def test_a_failed_gradient_call_leaves_the_generator_and_streams(compiled):
    ms.set_seed(3)
    layer, other = nn.Dropout(p=0.5).set_train(), nn.Dropout(p=0.5).set_train()
    fails = True

    def f(x):
        x = layer(UNSEEDED(x)[0])
        if fails:
            raise KeyError("stop")
        return x

    before = state()
    with pytest.raises(KeyError):
        ms.grad(ms.jit(f) if compiled else f)(X)
    assert state() == before
    other._streams = OwnStream(*layer._streams.seeds)
    assert np.array_equal(layer(X).asnumpy(), other(X).asnumpy())


def test_a_call_that_cannot_be_compiled_takes_no_seeds_twice():
    def draws(x):
        found = ops.dropout(x, 0.5)
        return found if float(found.sum().asnumpy()) > -1 else x

    ms.set_seed(3)
    eager = [draws(X).asnumpy() for _ in range(2)]
    ms.set_seed(3)
    with pytest.warns(UserWarning, match="plain Python"):
        compiled = [f(X).asnumpy() for f in [ms.jit(draws)] for _ in range(2)]
    assert np.array_equal(eager, compiled)


def test_branches_of_a_compiled_call_draw_as_one_call():
    def draws(x):
        kept = ops.dropout(x, 0.5)
        return kept if x.sum() > 0 else ops.dropout(-kept, 0.5)

    ms.set_seed(3)
    expected = ops.dropout(X, 0.5).asnumpy()
    ms.set_seed(3)
    assert np.array_equal(ms.jit(draws)(X).asnumpy(), expected)


def test_numbers_of_many_calls_are_those_of_one_stream():
    shapes = [(5,), (), (3, 0), (700,), (2, 3)]
    for make in (ops.UniformReal, ops.StandardNormal, ops.StandardLaplace):
        for shape in shapes:
            one, several = make(3, 4), make(3, 4)
            size = 2 * -(-int(np.prod(shape)) // 2)
            parts = [several(shape).asnumpy().reshape(-1) for _ in range(3)]
            whole = one((3 * size,)).asnumpy().reshape(3, size)
            step = size if make is ops.StandardNormal else len(parts[0])
            whole = whole.reshape(-1)[: 3 * step].reshape(3, step)[:, : len(parts[0])]
            # A logarithm may be rounded otherwise where XLA works on other lengths.
            np.testing.assert_allclose(parts, whole, rtol=1e-5)


def test_the_generators_are_those_of_the_standard():
    # The 10,000th number of each, as the C++ standard gives it (26.6.5).
    for engine, seed, expected in ((Short, 1, 1043618065 - 1), (Twister, 5489, 4123659995)):
        numbers, after = engine.draw(jnp.asarray(engine.start(seed)), 10_000)
        assert int(numbers[-1]) == expected
        following, _ = engine.draw(after(10_000), 3)
        longer, _ = engine.draw(jnp.asarray(engine.start(seed)), 10_003)
        assert following.tolist() == longer[-3:].tolist()


def test_dropout_uses_one_mask_for_value_and_gradient():
    x = Tensor(np.ones(100, np.float32))
    value, gradient = ms.value_and_grad(lambda x: ops.dropout(x, 0.5))(x)
    assert np.array_equal(value.asnumpy(), gradient.asnumpy())


def test_an_operator_seed_is_reproduced_by_set_seed():
    ms.set_seed(1)
    first = ops.rand(3, seed=5).asnumpy()
    ops.rand(3, seed=5)
    ms.set_seed(1)
    assert np.array_equal(ops.rand(3, seed=5).asnumpy(), first)


def test_windows_and_regions_follow_the_seed():
    x = Tensor(np.random.default_rng(0).random((1, 9, 7, 1)), ms.float32)
    size, far = Tensor([2, 2], ms.int32), Tensor([[9.0, 9.0]], ms.float32)
    image = (Tensor([32, 48, 3], ms.int32), Tensor([[[0.2, 0.2, 0.7, 0.8]]], ms.float32))

    def drawn():
        ms.set_seed(2)
        pool = ops.FractionalMaxPool([1.0, 1.4, 1.6, 1.0])
        box = ops.SampleDistortedBoundingBoxV2()
        return [
            [ops.ExtractGlimpse()(x, size, far).tolist() for _ in range(2)],
            [[t.tolist() for t in pool(x)[1:]] for _ in range(4)],
            [box(*image, Tensor([0.5], ms.float32))[2].tolist() for _ in range(2)],
        ]

    first, again = drawn(), drawn()
    assert first == again
    assert all(any(one != found[0] for one in found) for found in first)


def test_seeds_of_their_own_name_windows():
    x = Tensor(np.ones((1, 19, 7, 1), np.float32))

    def windows(*seeds):
        return ops.FractionalAvgPool([1.0, 1.4, 1.0, 1.0], False, False, True, *seeds)(x)[
            1
        ].tolist()

    assert windows(3, 4) == windows(3, 4) != windows(5, 4)


def _masks(x):
    return ops.dropout(x, 0.5)


ROWS = {
    "vmap": ms.vmap(_masks),
    "nested": lambda x: ms.vmap(ms.vmap(_masks))(x.reshape(2, 2, -1)),
    "jit": ms.jit(lambda x: ms.vmap(_masks)(x)),
    "gradient_inside": ms.vmap(ms.grad(lambda x: _masks(x).sum())),
    "gradient_outside": ms.grad(lambda x: ms.vmap(_masks)(x).sum()),
    "distribution": ms.vmap(lambda x: msd.Normal(dtype=ms.float32).sample((), x, x)),
}


@pytest.mark.parametrize("mapped", ROWS.values(), ids=ROWS)
def test_each_example_of_vmap_draws_numbers_of_its_own(mapped):
    rows = mapped(Tensor(np.ones((4, 64), np.float32))).asnumpy().reshape(4, 64)
    assert len({row.tobytes() for row in rows}) == 4


def test_what_has_no_mapped_operand_is_drawn_once_for_all_examples():
    rows = ms.vmap(lambda x: x + ops.randn(8))(Tensor(np.zeros((3, 8), np.float32))).asnumpy()
    assert (rows == rows[0]).all()
