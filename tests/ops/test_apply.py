"""Optimizer steps as operators: compiled, refused, and one that MindSpore has on GPU only."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, ops


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
