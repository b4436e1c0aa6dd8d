"""Element-wise functions: gradients to second order, and dtypes beyond MindSpore's CPU kernels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from jax.test_util import check_grads

import msgrad as ms
from msgrad import Tensor, ops
from msgrad._core.registry import ROWS
from msgrad.ops import unary

INSIDE = (
    *("abs", "neg", "square", "exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "sqrt"),
    *("rsqrt", "reciprocal", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("asinh", "atanh", "sigmoid", "erf", "erfc", "erfinv", "lgamma", "digamma", "deg2rad"),
)


@pytest.mark.parametrize("name", INSIDE)
def test_gradients_of_first_and_second_order(name: str) -> None:
    x = np.array([0.3, 0.45, 0.6], np.float32)
    check_grads(getattr(unary, name).kernel, (x,), order=2, rtol=3e-2, atol=3e-2, eps=1e-2)


@pytest.mark.parametrize("name", ["abs", "exp", "sqrt", "tanh", "floor", "isnan", "erf"])
def test_bfloat16_keeps_its_dtype(name: str) -> None:
    result = getattr(ops, name)(Tensor([0.5, 1.0], ms.bfloat16))
    assert result.dtype == (ms.bool_ if name == "isnan" else ms.bfloat16)


METHODS = [
    name
    for row in ROWS.values()
    if row.method and row.target.__module__ == unary.__name__
    for name in row.names
]


@pytest.mark.parametrize("name", [n for n in METHODS if hasattr(Tensor, n) and n != "nan_to_num"])
def test_float64_stays_float64(name: str) -> None:
    x = Tensor(np.array([0.25, 0.5]))
    result = getattr(x, name)()
    truths = ("isnan", "isnan_ext", "isinf", "isfinite", "logical_not")
    assert result.dtype == (ms.bool_ if name in truths else ms.float64)


def test_round_takes_decimals() -> None:
    x = Tensor([12.346, -0.55])
    np.testing.assert_allclose(ops.round(x, decimals=1).asnumpy(), [12.3, -0.6], rtol=1e-6)
    assert ops.round(Tensor([17]), decimals=-1).asnumpy().tolist() == [20]


def test_abs_has_derivative_zero_at_zero_to_any_order() -> None:
    second = ms.grad(ms.grad(lambda x: ops.abs(x)))
    assert ms.grad(lambda x: ops.abs(x))(Tensor([0.0])).asnumpy().tolist() == [0.0]
    assert second(Tensor([0.0, 2.0])).asnumpy().tolist() == [0.0, 0.0]


def test_abs_of_complex_numbers_has_a_second_derivative() -> None:
    x = Tensor(np.array([0.0, 0.3, -0.7]))

    def second(real: Callable[[Tensor], Tensor]) -> np.ndarray:
        return ms.grad(ms.grad(lambda t: ops.abs(ops.Complex()(real(t), t))))(x).asnumpy()

    np.testing.assert_allclose(second(ops.ones_like), (1 + x.asnumpy() ** 2) ** -1.5)
    np.testing.assert_allclose(second(lambda t: t), 0, atol=1e-12)
