"""Comparisons, tests of elements, logical functions and sets: results are bool."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array, Indices, operator
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import binary, unary
from msgrad.numpy.utils import axes_of, tensor, tensors, typed

not_equal = binary(
    "not_equal", ops.not_equal, "Whether elements differ; Tensors only.", strict=True
)
less_equal = binary("less_equal", ops.le, "Whether ``x1 <= x2``; Tensors only.", strict=True)
less = binary("less", ops.less, "Whether ``x1 < x2`` element by element.")
greater_equal = binary("greater_equal", ops.ge, "Whether ``x1 >= x2`` element by element.")
greater = binary("greater", ops.gt, "Whether ``x1 > x2`` element by element.")
equal = binary("equal", ops.equal, "Whether elements are equal.")
logical_or = binary("logical_or", ops.logical_or, "Whether either element is true.")
logical_and = binary("logical_and", ops.logical_and, "Whether both elements are true.")
logical_xor = binary(
    "logical_xor", ops.logical_xor, "Whether just one element is true; Tensors only.", strict=True
)
isfinite = unary("isfinite", ops.isfinite, "Whether each element is neither nan nor infinite.")
isnan = unary("isnan", ops.isnan, "Whether each element is nan.")
isinf = unary("isinf", ops.isinf, "Whether each element is infinite.")


@checked
def isposinf(x: Tensor) -> Tensor:
    """Whether each element is positive infinity."""
    return ops.logical_and(ops.isinf(x), ops.gt(x, 0))


@checked
def isneginf(x: Tensor) -> Tensor:
    """Whether each element is negative infinity."""
    return ops.logical_and(ops.isinf(x), ops.less(x, 0))


def isscalar(element: Any) -> bool:
    """Whether ``element`` is a Python number or a string."""
    return isinstance(element, (bool, int, float, str))


@checked
def isclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether ``|a - b| <= atol + rtol * |b|`` element by element."""
    return ops.isclose(*tensors(a, b), rtol=rtol, atol=atol, equal_nan=equal_nan)


@operator("in1d")
def _among(x: Indices, values: Indices) -> Array:
    return (x[..., None] == values.ravel()).any(-1)


@checked
def in1d(ar1: Any, ar2: Any, invert: bool = False) -> Tensor:
    """Whether each element of ``ar1``, flattened, stands in ``ar2``; the opposite by ``invert``."""
    found = _among(tensor(ar1).ravel(), tensor(ar2))
    return ops.logical_not(found) if invert else found


@checked
def isin(element: Any, test_elements: Any, invert: bool = False) -> Tensor:
    """Whether each element stands in ``test_elements``, in the shape of ``element``."""
    element = tensor(element)
    return in1d(element, test_elements, invert).reshape(element.shape)


@checked
def logical_not(a: Any, dtype: Any = None) -> Tensor:
    """Whether each element is false."""
    return typed(ops.logical_not(tensor(a)), dtype)


@checked
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Tensor:
    """Whether two arrays have one shape and equal elements, as a 0-d bool Tensor."""
    a1, a2 = tensors(a1, a2)
    if a1.shape != a2.shape:
        return Tensor(False)
    same = ops.equal(a1, a2)
    if equal_nan:
        same = ops.logical_or(same, ops.logical_and(ops.isnan(a1), ops.isnan(a2)))
    return same.all()


@checked
def array_equiv(a1: Any, a2: Any) -> Tensor:
    """Whether two arrays broadcast to equal elements, as a 0-d bool Tensor."""
    a1, a2 = tensors(a1, a2)
    try:
        jnp.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return Tensor(False)
    return ops.equal(a1, a2).all()


@checked
def signbit(x: Any, dtype: Any = None) -> Tensor:
    """Whether each element is below zero; ``dtype`` may only be bool."""
    if dtype is not None and dtype is not mstype.bool_:
        raise ArgumentTypeError(f"For 'signbit', the dtype must be bool_ or None, but got {dtype}.")
    return ops.less(tensor(x), 0)


@checked
def sometrue(a: Any, axis: Any = None, keepdims: bool | int = False) -> Tensor:
    """Whether any element along the axes is true."""
    a = tensor(a)
    return ops.not_equal(a, 0).any(axes_of("sometrue", axis, a.ndim), bool(keepdims))


@checked
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    """Return the elements of ``ar1`` that ``ar2`` lacks, sorted unless ``assume_unique``."""
    ar1, ar2 = tensors(ar1, ar2)
    ar1 = ar1.ravel() if assume_unique else ops.sort(ops.unique(ar1)[0].astype(ar1.dtype))[0]
    return ops.masked_select(ar1, in1d(ar1, ar2, invert=True))


__all__ = [
    *("not_equal", "less_equal", "less", "greater_equal", "greater", "equal", "isfinite", "isnan"),
    *("isinf", "isposinf", "isneginf", "isscalar", "logical_and", "logical_not", "logical_or"),
    *("logical_xor", "in1d", "isin", "isclose", "signbit", "sometrue", "array_equal"),
    *("array_equiv", "setdiff1d"),
]
