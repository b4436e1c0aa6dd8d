"""Schedules and optimizers, compiled against eager, at each step from 0 to three periods."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.experimental import optim
from msgrad.nn.optim.optimizer import Optimizer

PERIODS = (3, 4, 5, 7, 10, 100, 1000)
SCHEDULES = {
    "exponential": lambda n: nn.ExponentialDecayLR(0.1, 0.9, n),
    "exponential, stairs": lambda n: nn.ExponentialDecayLR(0.1, 0.9, n, True),
    "natural": lambda n: nn.NaturalExpDecayLR(0.1, 0.01, n),
    "natural, stairs": lambda n: nn.NaturalExpDecayLR(0.1, 0.01, n, True),
    "inverse": lambda n: nn.InverseDecayLR(0.1, 0.5, n),
    "inverse, stairs": lambda n: nn.InverseDecayLR(0.1, 0.5, n, True),
    "cosine": lambda n: nn.CosineDecayLR(0.0, 0.1, n),
    "warm up": lambda n: nn.WarmUpLR(0.1, n),
    **{
        f"polynomial {power}{', cycles' * cycles}": lambda n, power=power, cycles=cycles: (
            nn.PolynomialDecayLR(0.1, 0.0, n, power, cycles)
        )
        for power in (0.5, 2.0, 3.3)
        for cycles in (False, True)
    },
}


def exact(name, steps, n):
    """The rates in doubles, by the formulas of the documentation."""
    step = steps.astype(np.float64)
    passed = steps // n if "stairs" in name else step / n
    kind, _, rest = name.replace(",", "").partition(" ")
    if kind == "exponential":
        return 0.1 * 0.9**passed
    if kind == "natural":
        return 0.1 * np.exp(-0.01 * (passed * n))
    if kind == "inverse":
        return 0.1 / (1 + 0.5 * passed)
    if kind == "cosine":
        return 0.05 * (1 + np.cos(np.pi * np.minimum(step, n) / n))
    if kind == "warm":
        return 0.1 * np.minimum(step, n) / n
    length = n * np.maximum(-(-steps // n), 1) if "cycles" in rest else n
    return 0.1 * (1 - np.minimum(step, length) / length) ** float(rest.split()[0])


def assert_rates(got, name, steps, n):
    np.testing.assert_allclose(
        np.ravel(got), exact(name, steps, n), rtol=2e-6, atol=3e-9, err_msg=f"{name}, {n}"
    )


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_is_the_same_compiled(name):
    """All steps as one vector, all periods in one program."""
    each = {n: (SCHEDULES[name](n), np.arange(3 * n + 1, dtype=np.int32)) for n in PERIODS}
    given = [Tensor(steps) for _, steps in each.values()]
    run = ms.jit(lambda *given: [s(g) for (s, _), g in zip(each.values(), given, strict=True)])
    for n, got in zip(each, run(*given), strict=True):
        schedule, steps = each[n]
        assert_rates(got.asnumpy(), name, steps, n)
        assert_rates(schedule(Tensor(steps)).asnumpy(), name, steps, n)


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_is_the_same_step_by_step(name):
    """Each step a call of its own, as in training, where it is a number and not a vector."""
    schedule, steps = SCHEDULES[name](3), np.arange(10)
    for call in (ms.jit(lambda step: schedule(step)), schedule):
        assert_rates([call(Tensor([step], ms.int32)).item() for step in steps], name, steps, 3)


@pytest.mark.parametrize("period", [3, 7, 1000])
def test_an_optimizer_takes_its_rate_in_a_fused_loop(period):
    rules = {
        name: nn.SGD([Parameter(Tensor([0.0]), name="w")], make(period))
        for name, make in SCHEDULES.items()
    }

    def step(grad):
        rates = [rule.get_lr() for rule in rules.values()]
        for rule in rules.values():
            rule((grad,))
        return rates

    count = 3 * period + 1
    for name, rates in zip(rules, ms.fuse_steps(step, count)(ops.ones((count, 1))), strict=True):
        assert_rates(rates.asnumpy(), name, np.arange(count), period)


LISTS = {
    "cosine": lambda n: nn.cosine_decay_lr(0.0, 0.1, 3 * n, 1, n),
    "polynomial": lambda n: nn.polynomial_decay_lr(0.1, 0.0, 3 * n, 1, n, 0.5),
    "polynomial, cycles": lambda n: nn.polynomial_decay_lr(0.1, 0.0, 3 * n, 1, n, 0.5, True),
    "exponential": lambda n: nn.exponential_decay_lr(0.1, 0.9, 3 * n, 1, n, True),
    "natural": lambda n: nn.natural_exp_decay_lr(0.1, 0.01, 3 * n, 1, n, True),
    "inverse": lambda n: nn.inverse_decay_lr(0.1, 0.5, 3 * n, 1, n, True),
    "warm up": lambda n: nn.warmup_lr(0.1, 3 * n, 1, n),
    "piecewise": lambda n: nn.piecewise_constant_lr([n, 2 * n, 3 * n], [0.1, 0.05, 0.01]),
}


@pytest.mark.parametrize("period", [3, 7, 100])
def test_listed_rates_are_taken_in_turn(period):
    for name, make in LISTS.items():
        rates = make(period)
        assert np.isfinite(rates).all()
        rule = nn.SGD([Parameter(Tensor([0.0]), name="w")], rates)

        def step(grad, rule=rule):
            rate = rule.get_lr()
            rule((grad,))
            return rate

        got = ms.fuse_steps(step, len(rates))(ops.ones((len(rates), 1))).asnumpy()
        np.testing.assert_array_equal(got.ravel(), np.float32(rates), err_msg=name)


SCHEDULERS = {
    "step": lambda rule, n: optim.lr_scheduler.StepLR(rule, n),
    "linear": lambda rule, n: optim.lr_scheduler.LinearLR(rule, 0.1, 1.0, n),
    "constant": lambda rule, n: optim.lr_scheduler.ConstantLR(rule, 0.5, n),
    "polynomial": lambda rule, n: optim.lr_scheduler.PolynomialLR(rule, n, 0.5),
    "exponential": lambda rule, n: optim.lr_scheduler.ExponentialLR(rule, 0.9),
    "cosine": lambda rule, n: optim.lr_scheduler.CosineAnnealingLR(rule, n),
    "restarts": lambda rule, n: optim.lr_scheduler.CosineAnnealingWarmRestarts(rule, n),
    "cyclic": lambda rule, n: optim.lr_scheduler.CyclicLR(rule, 0.01, 0.1, n),
}


@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_scheduler_sets_the_rate_of_a_compiled_step(name):
    """At the least period of each kind; what the scheduler computes, it computes in Python."""
    paths = []
    for compiled in (False, True):
        weight = Parameter(Tensor([0.0]), name="w")
        rule = optim.SGD([weight], 0.1)
        rate = SCHEDULERS[name](rule, 3)
        step = ms.jit(lambda g, rule=rule: rule((g,))) if compiled else (lambda g, r=rule: r((g,)))
        path = []
        for _ in range(10):
            step(Tensor([1.0]))
            rate.step()
            path.append(weight.asnumpy().copy())
        paths.append(path)
        if compiled:
            assert step.stats.compiles == 1
    np.testing.assert_allclose(paths[1], paths[0], rtol=1e-6, atol=1e-8)
    assert np.isfinite(paths).all()


def made(kind, n):
    """An optimizer of its own weights, all of whose options that take a root are on."""
    weights = [
        Parameter(Tensor(np.linspace(0.5, 1.5, 6, dtype=np.float32).reshape(2, 3)), name="w"),
        Parameter(Tensor(np.float32([-1.0, 2.0])), name="b"),
    ]
    options = {name: True for name in ("centered", "use_amsgrad", "amsgrad") if name in taken(kind)}
    if kind.__module__.startswith("msgrad.experimental"):
        return kind(weights, **({"lr": 0.01} | options))
    rate = nn.PolynomialDecayLR(0.05, 0.0, n, 0.5)
    if kind is nn.LARS:
        return nn.LARS(nn.Momentum(weights, rate, 0.9))
    if kind is nn.AdaFactor:
        return kind(weights, learning_rate=None)
    if kind in (nn.Rprop, nn.ASGD, nn.FTRL, nn.ProximalAdagrad, nn.Adagrad):
        return kind(weights, learning_rate=0.05)
    if kind is nn.Momentum:
        options["momentum"] = 0.9
    return kind(weights, learning_rate=rate, **options)


def taken(kind):
    return inspect.signature(kind.__init__).parameters


KINDS = [
    kind
    for module in (nn, optim)
    for _, kind in sorted(vars(module).items())
    if inspect.isclass(kind)
    and issubclass(kind, (Optimizer, optim.Optimizer))
    and kind not in (Optimizer, optim.Optimizer, nn.thor)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: f"{k.__module__.split('.')[1]}.{k.__name__}")
def test_an_optimizer_is_the_same_compiled(kind):
    period = 7
    steps = 3 * period + 1
    first = np.float32(np.sin(np.arange(steps * 6) * 0.7)).reshape(steps, 2, 3)
    # Constant ones, whose variance is next to nothing.
    second = np.float32([[0.3, -1.7]] * steps)
    rules = [made(kind, period) for _ in range(3)]
    one, jitted = rules[0], ms.jit(lambda *g: rules[1](g))
    for a, b in zip(first, second, strict=True):
        one((Tensor(a), Tensor(b)))
        jitted(Tensor(a), Tensor(b))
    ms.fuse_steps(lambda *g: rules[2](g), steps)(Tensor(first), Tensor(second))
    for rule in rules[1:]:
        for here, there in zip(rule.get_parameters(), one.get_parameters(), strict=True):
            assert np.isfinite(here.asnumpy()).all(), here.name
            np.testing.assert_allclose(
                here.asnumpy(), there.asnumpy(), rtol=3e-5, atol=1e-7, err_msg=here.name
            )


@pytest.mark.parametrize("make", ["nn", "optim"])
def test_the_variance_of_a_constant_gradient_is_no_negative_one(make):
    """300 equal gradients: the mean of squares less the square of the mean comes to 0."""
    values = np.linspace(0.1, 7.3, 50, dtype=np.float32)
    weight = Parameter(Tensor(np.zeros(50, np.float32)), name="w")
    if make == "nn":
        rule = nn.RMSProp([weight], 1e-9, decay=0.9, centered=True)
    else:
        rule = optim.RMSprop([weight], 1e-9, alpha=0.9, centered=True)
    ms.fuse_steps(lambda g: rule((g,)), 300)(ops.stack([Tensor(values)] * 300))
    assert np.isfinite(weight.asnumpy()).all()
