"""What parity cases cannot show of the other rules: Lamb and LARS, which MindSpore has no CPU
kernel for, against a plain NumPy computation; all of them compiled once and inside a program.
"""

from __future__ import annotations

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad._core import compiles
from msgrad.nn.optim import _rule

STEPS = 10
SHAPES = ((3,), (2, 4), (1,))


def params() -> list[Parameter]:
    rng = np.random.default_rng(7)
    names = ("fc.weight", "conv.gamma", "fc.bias")
    return [
        Parameter(Tensor(rng.normal(size=shape).astype(np.float32)), name=name)
        for name, shape in zip(names, SHAPES, strict=True)
    ]


def grads(step: int) -> tuple[Tensor, ...]:
    rng = np.random.default_rng(100 + step)
    return tuple(Tensor(rng.normal(size=shape).astype(np.float32)) for shape in SHAPES)


def doubles(values) -> list[np.ndarray]:
    return [value.asnumpy().astype(np.float64) for value in values]


def assert_close(weights: list[Parameter], wanted: list[np.ndarray], steps: int = STEPS) -> None:
    for weight, value in zip(weights, wanted, strict=True):
        # Ten roundings a step of numbers below 4, whose unit in the last place is 2**-22.
        np.testing.assert_allclose(weight.asnumpy(), value, rtol=0, atol=steps * 10 * 2**-22)


@pytest.mark.parametrize("decay", [0.0, 0.1])
@pytest.mark.parametrize("listed", [False, True])
def test_lamb(decay: float, listed: bool) -> None:
    rates = [0.05 / (1 + step) for step in range(STEPS)] if listed else [0.05] * STEPS
    weights = params()
    optimizer = nn.Lamb(weights, rates if listed else 0.05, weight_decay=decay)
    wanted = doubles(weights)
    m = [np.zeros_like(w) for w in wanted]
    v = [np.zeros_like(w) for w in wanted]
    for step in range(STEPS):
        optimizer(grads(step))
        for i, g in enumerate(doubles(grads(step))):
            m[i] = 0.9 * m[i] + 0.1 * g
            v[i] = 0.999 * v[i] + 0.001 * g * g
            way = m[i] / (1 - 0.9 ** (step + 1))
            way = way / (np.sqrt(v[i] / (1 - 0.999 ** (step + 1))) + 1e-6)
            # `gamma` stands in the name of the second.
            way = way + (decay if i != 1 else 0.0) * wanted[i]
            trust = np.linalg.norm(wanted[i]) / np.linalg.norm(way)
            wanted[i] = wanted[i] - rates[step] * trust * way
    assert_close(weights, wanted)


def test_lamb_where_a_norm_is_0() -> None:
    weight = Parameter(Tensor(np.zeros(2, np.float32)), name="w")
    nn.Lamb([weight], 0.5)((Tensor(np.array([1.0, -2.0], np.float32)),))
    np.testing.assert_allclose(weight.asnumpy(), [-0.5, 0.5], rtol=1e-5)


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("scale", [1.0, 8.0])
def test_lars(clip: bool, scale: float) -> None:
    weights = params()
    inner = nn.Momentum(weights, 0.05, 0.9, weight_decay=0.1, loss_scale=scale)
    optimizer = nn.LARS(inner, epsilon=1e-5, coefficient=0.02, use_clip=clip)
    wanted = doubles(weights)
    moments = [np.zeros_like(w) for w in wanted]
    for step in range(STEPS):
        assert optimizer(tuple(grad * scale for grad in grads(step))) == (True,) * 3
        for i, g in enumerate(doubles(grads(step))):
            if i != 2:  # the third has `bias` in its name
                decay = 0.1 if i == 0 else 0.0
                size = np.linalg.norm(wanted[i])
                factor = 0.02 * size / (np.linalg.norm(g) + decay * size + 1e-5)
                factor = min(factor / 0.05, 1.0) if clip else factor
                g = factor * (g + decay * wanted[i])
            moments[i] = 0.9 * moments[i] + g
            wanted[i] = wanted[i] - 0.05 * moments[i]
    assert_close(weights, wanted)
    assert int(optimizer.global_step) == STEPS


def test_lars_scales_a_gradient_as_the_documentation_of_its_operator_shows() -> None:
    start = np.array([[0.5, 0.8, 0.2], [0.6, 0.4, 0.2]], np.float32)
    weight = Parameter(Tensor(start), name="w")
    grad = np.array([[0.4, 0.4, 0.5], [0.2, 0.4, 0.3]], np.float32)
    nn.LARS(nn.Momentum([weight], 1.0, 0.0))((Tensor(grad),))
    shown = [[0.0005265, 0.0005265, 0.00065813], [0.00026325, 0.0005265, 0.00039488]]
    # The shown numbers have four digits and more; the weights round theirs by 2**-25.
    np.testing.assert_allclose(start - weight.asnumpy(), shown, atol=1e-7)


def test_lars_filter() -> None:
    weights = params()
    optimizer = nn.LARS(nn.SGD(weights, 1.0), lars_filter=lambda param: "fc" in param.name)
    assert optimizer.lars_flag == (True, False, True)


MAKERS = {
    "AdamWeightDecay": lambda p, lr=0.1: nn.AdamWeightDecay(p, lr, weight_decay=0.1),
    "AdaMax": lambda p, lr=0.1: nn.AdaMax(p, lr),
    "RMSProp": lambda p, lr=0.1: nn.RMSProp(p, lr, centered=True),
    "Adagrad": lambda p, lr=0.1: nn.Adagrad(p, learning_rate=lr),
    "FTRL": lambda p, lr=0.1: nn.FTRL(p, learning_rate=lr, l1=0.1),
    "Rprop": lambda p, lr=0.1: nn.Rprop(p, lr),
    "ASGD": lambda p, lr=0.1: nn.ASGD(p, lr),
    "AdaFactor": lambda p, lr=0.1: nn.AdaFactor(p, lr, relative_step=False),
    "Lamb": lambda p, lr=0.1: nn.Lamb(p, lr),
    "LARS": lambda p, lr=0.1: nn.LARS(nn.SGD(p, lr, momentum=0.9)),
}
each_optimizer = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@each_optimizer
def test_compiled_once_for_all_steps_and_all_alike_optimizers(make) -> None:
    first = make(params())
    compiled = first.plan().compiled
    for step in range(3):
        first(grads(step))
    traced = compiled._cache_size()
    second = make(params(), 0.7)
    second(grads(0))
    assert second.plan() is first.plan()
    assert compiled._cache_size() == traced


@each_optimizer
def test_the_update_runs_inside_another_compiled_function(make) -> None:
    eager, pure = make(params()), make(params())
    step = jax.jit(pure.plan().update)
    for count in range(3):
        eager(grads(count))
        pure.write_step(*step(*pure.read_step(grads(count))))
    for one, other in zip(eager.get_parameters(), pure.get_parameters(), strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


@each_optimizer
def test_a_failed_step_changes_nothing(make) -> None:
    optimizer = make(params())
    before = [param.asnumpy() for param in optimizer.get_parameters()]
    with pytest.raises(ValueError, match="shape"):
        optimizer((*grads(0)[:2], Tensor([1.0, 2.0], ms.float32)))
    for param, value in zip(optimizer.get_parameters(), before, strict=True):
        np.testing.assert_array_equal(param.asnumpy(), value)


def test_ftrl_shrinks_towards_0_by_l1() -> None:
    sizes = []
    for l1 in (0.0, 0.5, 1e6):
        weights = params()
        optimizer = nn.FTRL(weights, learning_rate=0.1, l1=l1)
        for step in range(STEPS):
            optimizer(grads(step))
        sizes.append(sum(np.abs(weight.asnumpy()).sum() for weight in weights))
    assert sizes[0] > sizes[1] > sizes[2] == 0


def test_adagrad_without_slots_keeps_its_sums() -> None:
    weights = params()
    optimizer = nn.Adagrad(weights, accum=0.25, learning_rate=0.1, update_slots=False)
    start = doubles(weights)
    optimizer(grads(0))
    for weight, value, grad in zip(weights, start, doubles(grads(0)), strict=True):
        np.testing.assert_allclose(weight.asnumpy(), value - 0.2 * grad, rtol=1e-5, atol=1e-6)
    assert all((total.asnumpy() == np.float32(0.25)).all() for total in optimizer.accum)


def test_thor_says_that_it_is_left_out() -> None:
    with pytest.raises(NotImplementedError, match=r"nn\.Lamb"):
        nn.thor(nn.Dense(2, 1), 0.1, 0.1, 0.9)


def test_parameters_that_are_alike_are_traced_once() -> None:
    traced = []

    def change(own, grad, param, slots):
        traced.append((own.rate, param.shape))
        return -own.rate * own.lr * grad, {}

    arrays = [np.ones(shape, np.float32) for shape in ((2,), (3,), (2,), (2,))]
    # 1 and 1.0 are different options, 2 and 2 the same.
    options = tuple((("rate", rate),) for rate in (1, 2, 1.0, 1))
    made = _rule.transformation(_rule.Rule(change), options)
    rates, decays = [np.float32(0.5)] * 4, [0.0] * 4

    def update(arrays, step):
        return made.update(arrays, {}, arrays, lr=rates, decay=decays, step=step)[0]

    changes = jax.jit(update)(arrays, np.zeros(1, np.int32))
    assert traced == [(1, (2,)), (2, (3,)), (1.0, (2,))]
    assert [c[0] for c in changes] == [-0.5, -1.0, -0.5, -0.5]
    assert [type(rate) for rate, _ in traced] == [int, int, float]


def test_making_an_optimizer_compiles_nothing() -> None:
    before = compiles.process_counts.programs
    weights = [Parameter(Tensor(np.ones((5, 7 + i), np.float32)), name=f"w{i}") for i in range(3)]
    optimizer = nn.Adagrad(weights, accum=0.3)
    ms.set_seed(5)
    assert compiles.process_counts.programs == before
    assert all((total.asnumpy() == np.float32(0.3)).all() for total in optimizer.accum)
    optimizer.accum[0].set_data(Tensor(np.zeros((5, 7), np.float32)))
    assert (optimizer.accum[1].asnumpy() == np.float32(0.3)).all()


def test_module_paths_of_mindspore() -> None:
    from msgrad.nn.optim.ada_grad import Adagrad
    from msgrad.nn.optim.adam import Adam, AdamOffload, AdamWeightDecay
    from msgrad.nn.optim.lazyadam import LazyAdam

    assert (Adam, AdamOffload, AdamWeightDecay) == (nn.Adam, nn.AdamOffload, nn.AdamWeightDecay)
    assert (Adagrad, LazyAdam) == (nn.Adagrad, nn.LazyAdam)


def test_bfloat16_weights_go_the_way_of_float32_ones() -> None:
    ways = []
    for dtype in (ms.float32, ms.bfloat16):
        weights = [Parameter(p.astype(dtype), name=p.name) for p in params()]
        optimizer = nn.AdamWeightDecay(weights, 0.1)
        for step in range(4):
            optimizer(tuple(grad.astype(dtype) for grad in grads(step)))
        ways.append(doubles(weight.astype(ms.float32) for weight in weights))
    for wide, narrow in zip(*ways, strict=True):
        # Four steps of numbers below 4, whose unit in the last place is 2**-6, and their moments.
        np.testing.assert_allclose(narrow, wide, rtol=0, atol=4 * 2**-6)
