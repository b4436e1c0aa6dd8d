"""What parity cases cannot show of optimizers: compiled once, all or nothing, pure, Optax's."""

from __future__ import annotations

import copy

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad._compiled.program_cache import cached_on
from msgrad.nn.optim._step import make_plan


def params() -> list[Parameter]:
    return [
        Parameter(Tensor([1.0, -2.0, 0.5], ms.float32), name="w"),
        Parameter(Tensor([[0.25]], ms.float32), name="q"),
    ]


def grads(scale: float = 1.0) -> tuple[Tensor, ...]:
    return Tensor([0.1 * scale, -0.2, 0.3], ms.float32), Tensor([[1.0]], ms.float32)


MAKERS = {
    "sgd": lambda p, lr=0.1: nn.SGD(p, lr, momentum=0.9),
    "momentum": lambda p, lr=0.1: nn.Momentum(p, lr, 0.9),
    "adam": lambda p, lr=0.1: nn.Adam(p, lr),
}
each_optimizer = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def values(optimizer: nn.Optimizer) -> list[np.ndarray]:
    return [param.asnumpy() for param in optimizer.get_parameters()]


@each_optimizer
def test_compiled_once_for_all_steps_and_all_alike_optimizers(make) -> None:
    first = make(params())
    compiled = first.plan().compiled
    for step in range(4):
        first(grads(step))
    traced = compiled._cache_size()
    second = make(params(), 0.7)
    for step in range(4):
        second(grads(step))
    assert second.plan() is first.plan()
    assert compiled._cache_size() == traced


@each_optimizer
def test_a_compiled_training_step_is_one_program(make) -> None:
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.Dense(2, 1)
    step = nn.TrainOneStepCell(net, make(net.trainable_params()))
    for _ in range(3):
        step(Tensor([[1.0, 2.0]]))
    stats = cached_on(step, "call", lambda: pytest.fail("nothing is compiled")).stats
    assert (stats.compiles, stats.hits) == (1, 2)


@each_optimizer
def test_a_failed_step_changes_nothing(make) -> None:
    optimizer = make(params(), [0.1, 0.2])
    optimizer(grads())
    before = values(optimizer)
    with pytest.raises(ValueError, match="shape"):
        optimizer((grads()[0], Tensor([1.0, 2.0], ms.float32)))
    with pytest.raises(RuntimeError, match="tuple"):
        optimizer(list(grads()))
    optimizer(grads())
    after = values(optimizer)
    with pytest.raises(RuntimeError, match="no learning rate"):
        optimizer(grads())
    assert all(np.array_equal(a, b) for a, b in zip(after, values(optimizer), strict=True))
    assert int(optimizer.global_step) == 2
    assert not np.array_equal(before[1], after[1])


@each_optimizer
def test_the_update_runs_inside_another_compiled_function(make) -> None:
    eager, pure = make(params()), make(params())
    plan = pure.plan()

    @jax.jit
    def step(*raws):
        return plan.update(*raws)

    for count in range(3):
        eager(grads(count))
        pure.write_step(*step(*pure.read_step(grads(count))))
    assert all(np.array_equal(a, b) for a, b in zip(values(eager), values(pure), strict=True))


@each_optimizer
def test_a_copy_goes_its_own_way(make) -> None:
    optimizer = make(params())
    optimizer(grads())
    twin = copy.deepcopy(optimizer)
    before = values(twin)
    optimizer(grads())
    assert all(np.array_equal(a, b) for a, b in zip(before, values(twin), strict=True))
    twin(grads())
    assert all(np.array_equal(a, b) for a, b in zip(values(optimizer), values(twin), strict=True))


def test_rules_agree_with_optax() -> None:
    weights = [jnp.asarray([1.0, -2.0, 0.5]), jnp.asarray([[0.25]])]
    lr = [jnp.float32(0.1)] * 2
    momentum = {"momentum": jnp.float32(0.9)}
    ours = {
        "sgd": (nn.SGD(params(), 0.1, 0.9), momentum, optax.sgd(0.1, 0.9)),
        "nesterov": (
            nn.Momentum(params(), 0.1, 0.9, use_nesterov=True),
            momentum,
            optax.sgd(0.1, 0.9, nesterov=True),
        ),
        # With a small eps the corrections of both means are all there is, and the rules are one.
        "adam": (nn.Adam(params(), 0.1, eps=1e-30), {}, optax.adam(0.1, eps=0.0)),
    }
    for optimizer, hyper, native in ours.values():
        rule = optimizer.transformation()
        state, theirs = rule.init(weights), native.init(weights)
        mine = other = weights
        for count in range(5):
            given = [jnp.asarray(g._read()) * (count - 1.5) for g in grads()]
            extra = {**hyper, "lr": lr, "decay": [0.0] * 2, "step": jnp.int32(count)}
            changes, state = rule.update(given, state, mine, **extra)
            mine = optax.apply_updates(mine, changes)
            changes, theirs = native.update(given, theirs, other)
            other = optax.apply_updates(other, changes)
        # Five steps of one rounding each, on weights below 4; Adam's correction 1 - 0.999**t
        # carries the rounding of the power, 2**-24 of 1e-3.
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=5e-5, atol=1e-6)


def test_gradients_are_centralized_where_the_second_dimension_is_a_multiple_of_16() -> None:
    # Not to be had from MindSpore on a CPU, which has no kernel for it.
    weights = [
        Parameter(Tensor(np.zeros(shape, np.float32)), name=f"w{i}")
        for i, shape in enumerate(((2, 16), (2, 3), (16,)))
    ]
    optimizer = nn.SGD([{"params": weights, "grad_centralization": True}], 1.0)
    given = [np.arange(w.size, dtype=np.float32).reshape(w.shape) for w in weights]
    optimizer(tuple(Tensor(grad) for grad in given))
    wanted = [given[0] - given[0].mean(1, keepdims=True), given[1], given[2]]
    for weight, grad in zip(weights, wanted, strict=True):
        np.testing.assert_array_equal(weight.asnumpy(), -grad)


def test_computed_weight_decay() -> None:
    class Falling(nn.Cell):
        def construct(self, step: Tensor) -> Tensor:
            return 0.5 / (1.0 + step)

    weights = params()
    optimizer = nn.Momentum(weights, 0.1, 0.0, weight_decay=Falling())
    wanted = [w.asnumpy() for w in weights]
    for step in range(3):
        optimizer(grads())
        decay = np.float32(0.5 / (1 + step))
        wanted = [
            w - np.float32(0.1) * (g.asnumpy() + decay * w)
            for w, g in zip(wanted, grads(), strict=True)
        ]
    for weight, value in zip(weights, wanted, strict=True):
        # Three steps of three roundings on numbers below 4.
        np.testing.assert_allclose(weight.asnumpy(), value, atol=2e-6)


def test_momentum_that_is_switched_on_later_counts() -> None:
    weights = params()
    optimizer = nn.SGD(weights, 0.1)
    optimizer(grads())
    optimizer.momentum.set_data(Tensor(0.9, ms.float32))
    optimizer(grads())
    optimizer(grads())
    # First step g; then g; then 1.9 g.
    np.testing.assert_allclose(weights[1].asnumpy(), [[0.25 - 0.1 * 3.9]], rtol=1e-5)


def test_plans_are_shared() -> None:
    rule = nn.Momentum(params(), 0.1, 0.9).transformation()
    arguments = (rule, 1.0, (0.0,), (False,), (0,))
    assert make_plan(*arguments) is make_plan(*arguments)
