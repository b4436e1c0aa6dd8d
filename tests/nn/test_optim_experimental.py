"""What parity cases cannot show of ``experimental.optim``: compiling, copies, own subclasses."""

from __future__ import annotations

import copy

import numpy as np
import optax
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor
from msgrad.experimental import optim


def params() -> list[Parameter]:
    return [
        Parameter(Tensor([1.0, -2.0, 0.5], ms.float32), name="w"),
        Parameter(Tensor([[0.25]], ms.float32), name="q"),
    ]


def grads(step: int = 1) -> tuple[Tensor, ...]:
    return Tensor([0.1 * step, -0.2, 0.3], ms.float32), Tensor([[1.0]], ms.float32)


def test_compiled_once_for_all_rates_and_all_alike_optimizers() -> None:
    first, second = optim.AdamW(params(), lr=0.1), optim.AdamW(params(), lr=0.7)
    scheduler = optim.lr_scheduler.ExponentialLR(first, 0.5)
    for step in range(3):
        first(grads(step))
        scheduler.step()
    step = first.plan().compiled_for[first][1]
    assert step._cache_size() == 1
    second(grads())
    assert second.plan() is first.plan()
    assert step._cache_size() == 1


def test_an_option_changed_in_a_group_counts() -> None:
    weights = params()
    optimizer = optim.SGD(weights, lr=1.0)
    optimizer.param_groups[0]["weight_decay"] = 0.5
    optimizer((Tensor([0.0, 0.0, 0.0], ms.float32), Tensor([[0.0]], ms.float32)))
    np.testing.assert_allclose(weights[0].asnumpy(), [0.5, -1.0, 0.25])


def test_an_added_group_takes_part() -> None:
    weights = params()
    optimizer = optim.NAdam(weights[:1], lr=0.1)
    optimizer(grads()[:1])
    optimizer.add_param_group({"params": weights[1:], "lr": 0.5})
    before = weights[1].asnumpy()
    optimizer(grads())
    assert not np.array_equal(weights[1].asnumpy(), before)
    assert [param.name for param in optimizer.exp_avg] == ["exp_avg.w", "exp_avg.q"]
    with pytest.raises(ValueError, match="more than one"):
        optimizer.add_param_group({"params": weights[1:]})


def test_a_failed_step_changes_nothing() -> None:
    optimizer = optim.Adam(params(), lr=0.1)
    with pytest.raises(ValueError, match="shape"):
        optimizer((grads()[0], Tensor([1.0], ms.float32)))
    with pytest.raises(TypeError, match="Tensor"):
        optimizer((grads()[0], 1.0))
    assert int(optimizer.state_step) == 0


def test_a_copy_goes_its_own_way() -> None:
    optimizer = optim.Adam(params(), lr=0.1)
    optimizer(grads())
    twin = copy.deepcopy(optimizer)
    optimizer(grads())
    assert int(optimizer.state_step) == 2
    assert int(twin.state_step) == 1
    twin(grads())
    for one, other in zip(optimizer.parameters, twin.parameters, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_adamw_agrees_with_optax() -> None:
    weights = params()
    optimizer = optim.AdamW(weights, lr=0.1, weight_decay=0.05)
    rule = optax.adamw(0.1, weight_decay=0.05)
    values = [weight._read() for weight in weights]
    state = rule.init(values)
    for step in range(5):
        optimizer(grads(step))
        changes, state = rule.update([grad._read() for grad in grads(step)], state, values)
        values = optax.apply_updates(values, changes)
    for weight, value in zip(weights, values, strict=True):
        # 1 - 0.999**t carries the rounding of the power, 2**-24 of 1e-3; half of it in the root.
        np.testing.assert_allclose(weight.asnumpy(), value, rtol=5e-5, atol=5e-6)


def test_an_optimizer_of_ones_own() -> None:
    class Mine(optim.Optimizer):
        def __init__(self, parameters) -> None:
            super().__init__(parameters, {"lr": 0.5})

        def construct(self, gradients):
            for group in self.param_groups:
                for param, grad in zip(group["params"], gradients, strict=True):
                    ms.ops.assign(param, param - group["lr"] * grad)
            return True

    weights = params()
    assert Mine(weights)(grads()) is True
    np.testing.assert_allclose(weights[1].asnumpy(), [[-0.25]])
    with pytest.raises(NotImplementedError, match="construct"):
        optim.Optimizer(params(), {"lr": 0.1})(grads())


def test_a_sequence_needs_schedulers_of_its_optimizer() -> None:
    own, other = (optim.SGD(params(), lr=0.1) for _ in range(2))
    schedulers = [optim.lr_scheduler.StepLR(one, 1) for one in (own, other)]
    with pytest.raises(ValueError, match="same optimizer"):
        optim.lr_scheduler.SequentialLR(own, schedulers, [1])
