"""Optimizer steps as operators: compiled, refused, and those that MindSpore has on no CPU."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, mint, ops


def _parameters(*values: float) -> list[Parameter]:
    return [
        Parameter(Tensor(np.full((2, 3), value, np.float32)), name=f"p{i}")
        for i, value in enumerate(values)
    ]


def test_compiled_as_eagerly():
    eager, compiled = _parameters(1.0, 0.5), _parameters(1.0, 0.5)
    grad = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    step = ms.jit(lambda g: ops.ApplyMomentum()(*compiled, 0.1, g, 0.9))
    for _ in range(3):
        want = ops.ApplyMomentum()(*eager, 0.1, grad, 0.9)
        np.testing.assert_allclose(step(grad).asnumpy(), want.asnumpy(), rtol=1e-6)
    for a, b in zip(eager, compiled, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)


def test_nothing_is_written_after_an_error():
    params = _parameters(1.0, 0.5)
    with pytest.raises(ValueError, match="one shape"):
        ops.ApplyMomentum()(*params, 0.1, Tensor(np.ones(3, np.float32)), 0.9)
    assert [p.asnumpy()[0, 0] for p in params] == [1.0, 0.5]
    with pytest.raises(TypeError, match="must be Parameters"):
        ops.ApplyMomentum()(1.0, params[1], 0.1, params[0], 0.9)


def test_momentum_with_weight_decay_and_scale():
    weight, accum = _parameters(1.0, 0.5)
    grad = Tensor(np.full((2, 3), 0.2, np.float32))
    scalars = [Tensor(v, ms.float32) for v in (0.01, 2.0)]
    result = ops.FusedWeightScaleApplyMomentum()(*scalars, weight, accum, 0.1, grad, 0.9)
    moment = 0.9 * 0.5 + (1.0 * 0.01 + 0.2) * 2.0
    np.testing.assert_allclose(accum.asnumpy(), np.full((2, 3), moment), rtol=1e-6)
    np.testing.assert_allclose(result.asnumpy(), np.full((2, 3), 1 - 0.1 * moment), rtol=1e-6)


@pytest.mark.parametrize("amsgrad", [False, True])
@pytest.mark.parametrize("maximize", [False, True])
def test_adamw_is_a_step_of_the_optimizer(amsgrad, maximize):
    (weight,), states = _parameters(1.0), _parameters(1.0, 0.0, 0.0, 0.0)
    options = {"amsgrad": amsgrad, "maximize": maximize}
    optimizer = mint.optim.AdamW([weight], lr=0.1, weight_decay=0.05, **options)
    for step in (1.0, 2.0, 3.0):
        grad = Tensor(np.arange(-2, 4, dtype=np.float32).reshape(2, 3) / step)
        optimizer([grad])
        ops.AdamW()(*states, grad, Tensor(step), 0.1, 0.9, 0.999, 0.05, 1e-8, amsgrad, maximize)
    np.testing.assert_allclose(states[0].asnumpy(), weight.asnumpy(), rtol=1e-5, atol=1e-6)
