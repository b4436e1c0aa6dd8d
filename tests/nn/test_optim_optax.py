"""``interop.to_optax`` and ``interop.from_optax``: the same numbers on both sides."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import optax
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Parameter, Tensor, interop, nn


def params() -> list[Parameter]:
    return [
        Parameter(Tensor([1.0, -2.0, 0.5], ms.float32), name="w"),
        Parameter(Tensor([[0.25]], ms.float32), name="a.beta"),
    ]


def grads(step: int) -> tuple[Tensor, ...]:
    return Tensor([0.1 * step, -0.2, 0.3], ms.float32), Tensor([[1.0]], ms.float32)


def tree(values) -> dict[str, jax.Array]:
    return {name: value._read() for name, value in zip(("w", "a.beta"), values, strict=True)}


def groups(p: list[Parameter]) -> list[dict]:
    rising = nn.WarmUpLR(0.1, 3)
    return [{"params": p[:1], "lr": 0.01}, {"params": p[1:], "lr": rising, "weight_decay": 0.2}]


class FallingDecay(nn.Cell):
    def construct(self, step: Tensor) -> Tensor:
        return 0.5 / (1.0 + step)


OUT = {
    "SGD": lambda p: nn.SGD(p, 0.1, momentum=0.9, weight_decay=0.1),
    "Lamb": lambda p: nn.Lamb(p, [0.1, 0.2, 0.3, 0.4], weight_decay=0.1),
    "RMSProp": lambda p: nn.RMSProp(p, nn.WarmUpLR(0.1, 3), loss_scale=4.0),
    "LARS": lambda p: nn.LARS(nn.Momentum(p, 0.1, 0.9, weight_decay=0.1)),
    "groups": lambda p: nn.Adam(groups(p)),
    "computed_decay": lambda p: nn.Momentum(p, 0.1, 0.9, weight_decay=FallingDecay()),
}


@pytest.mark.parametrize("make", OUT.values(), ids=OUT)
def test_a_rule_taken_out_makes_the_same_steps(make) -> None:
    """From the first step, and from the third, with moments and step taken over."""
    weights = params()
    optimizer = make(weights)
    update: dict[int, Any] = {}
    for step in range(4):
        if step in (0, 2):
            rule = interop.to_optax(optimizer)
            values = {p.name: p._read() for p in weights}
            update[step] = [jax.jit(rule.update), rule.init(values), values]
        optimizer(grads(step))
        for each in update.values():
            changes, each[1] = each[0](tree(grads(step)), each[1], each[2])
            each[2] = optax.apply_updates(each[2], changes)
    for weight in weights:
        for _, state, values in update.values():
            # The change is taken as a difference and added again.
            np.testing.assert_allclose(weight.asnumpy(), values[weight.name], rtol=5e-7, atol=1e-7)
            assert int(state.step[0]) == 4


def images() -> nn.Cell:
    conv = nn.Conv2d(1, 4, 3, pad_mode="valid", has_bias=True)
    return nn.SequentialCell(conv, nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dense(16, 2))


@pytest.mark.parametrize("grouped", [False, True])
def test_a_training_goes_on_in_flax_with_its_moments(grouped) -> None:
    cell = images()
    x = np.random.default_rng(0).normal(size=(2, 1, 4, 4)).astype(np.float32)
    held: Any = cell.trainable_params()
    if grouped:
        held = [{"params": held[4:], "lr": 0.1}, {"params": held[:3], "grad_centralization": True}]
    optimizer = nn.Adam(held, 0.01, weight_decay=0.1)
    step = ms.value_and_grad(lambda x: (cell(x) ** 2).mean(), None, optimizer.parameters)

    def train() -> None:
        optimizer(step(Tensor(x))[1])

    for _ in range(3):
        train()
    net = interop.to_nnx(cell)
    rule = interop.to_optax(optimizer, net, cell)
    native = nnx.Optimizer(net, rule, wrt=nnx.Param)
    for _ in range(3):
        train()
        native.update(net, nnx.grad(lambda net: (net(x) ** 2).mean())(net))
    other = images()
    interop.from_nnx(net, other)
    for ours, theirs in zip(cell.trainable_params(), other.trainable_params(), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.asnumpy(), rtol=2e-5, atol=2e-6)
    moments = native.opt_state.rule["moment1"]
    for held, raw in zip(optimizer.moment1, moments, strict=True):
        np.testing.assert_allclose(held.asnumpy(), raw[...], rtol=2e-4, atol=2e-6)
    with pytest.raises(ValueError, match="of the network: "):
        interop.to_optax(nn.SGD(params(), 0.1), net, cell)
    with pytest.raises(TypeError, match="together with its Cell"):
        interop.to_optax(optimizer, net)


def test_moments_that_stay_behind_are_told_of() -> None:
    optimizer = nn.Momentum(params(), 0.1, 0.9)
    optimizer(grads(0))
    with pytest.warns(UserWarning, match="moments of its 1 steps stay behind"):
        state: Any = interop.to_optax(optimizer).init({"other": np.ones(3, np.float32)})
    assert int(state.step[0]) == 0


def test_a_rule_taken_out_fits_another_pytree() -> None:
    rule = interop.to_optax(nn.SGD(params(), 0.5, weight_decay=0.1))
    values = {"fc": {"kernel": np.float32(2.0)}, "norm": {"beta": np.float32(2.0)}, "x": np.ones(2)}
    given = jax.tree.map(np.zeros_like, values)
    changes, _ = rule.update(given, rule.init(values), values)
    np.testing.assert_allclose(changes["fc"]["kernel"], -0.1, rtol=1e-6)
    assert float(changes["norm"]["beta"]) == 0


def test_a_rule_with_groups_fits_only_its_parameters() -> None:
    rule = interop.to_optax(nn.Adam(groups(params())))
    with pytest.raises(ValueError, match="groups"):
        rule.init([np.ones(2)] * 3)
    with pytest.raises(ValueError, match="parameters"):
        rule.update(tree(grads(0)), rule.init(tree(params())))
    with pytest.raises(TypeError, match="takes an optimizer"):
        interop.to_optax(optax.sgd(0.1))


IN = {
    "adamw": (optax.adamw(1e-2), None),
    "direction": (optax.scale_by_adam(), 1e-2),
    "chain": (optax.chain(optax.clip_by_global_norm(1.0), optax.lion(1e-3)), None),
    "masked": (optax.masked(optax.sgd(0.1), lambda p: {k: k == "w" for k in p}), None),
    "without_state": (optax.scale(-0.1), None),
}


@pytest.mark.parametrize(("rule", "lr"), IN.values(), ids=IN)
def test_any_transformation_is_an_optimizer(rule, lr) -> None:
    weights = params()
    optimizer = interop.from_optax(rule, weights, lr)
    native = rule if lr is None else optax.chain(rule, optax.scale(-lr))
    values = tree(params())
    state = native.init(values)
    for step in range(4):
        assert optimizer(grads(step)) == (True, True)
        changes, state = native.update(tree(grads(step)), state, values)
        values = optax.apply_updates(values, changes)
    for weight in weights:
        np.testing.assert_allclose(weight.asnumpy(), values[weight.name], rtol=2e-6)
    assert int(optimizer.global_step) == 4


def test_its_state_are_parameters_and_its_rate_may_follow_a_schedule() -> None:
    weights = params()
    optimizer = interop.from_optax(optax.trace(0.9), weights, nn.WarmUpLR(0.1, 2))
    assert [p.name for p in optimizer.get_parameters()][-2:] == [
        "optax.trace.a.beta",
        "optax.trace.w",
    ]
    start = weights[1].asnumpy()
    optimizer(grads(0))
    np.testing.assert_array_equal(weights[1].asnumpy(), start)
    optimizer(grads(0))
    np.testing.assert_allclose(weights[1].asnumpy(), start - 0.05 * 1.9, rtol=1e-6)
    with pytest.raises(TypeError, match="GradientTransformation"):
        interop.from_optax(nn.SGD(weights), weights)
