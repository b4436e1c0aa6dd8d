"""Comparisons, tests of elements, logical functions and sets: results are bool."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Like, Places, functions, kernel, row
from msgrad.numpy.elementwise import _of_any, _of_tensors, _of_two
from msgrad.numpy.utils import axes_of

not_equal = _of_tensors(ops.not_equal, "Whether elements differ; Tensors only.")
less_equal = _of_tensors(ops.le, "Whether ``x1 <= x2``; Tensors only.")
less = _of_two(ops.less, "Whether ``x1 < x2`` element by element.")
greater_equal = _of_two(ops.ge, "Whether ``x1 >= x2`` element by element.")
greater = _of_two(ops.gt, "Whether ``x1 > x2`` element by element.")
equal = _of_two(ops.equal, "Whether elements are equal.")
logical_or = _of_two(ops.logical_or, "Whether either element is true.")
logical_and = _of_two(ops.logical_and, "Whether both elements are true.")
logical_xor = _of_tensors(ops.logical_xor, "Whether just one element is true; Tensors only.")
logical_not = row("a: Like", ops.logical_not, "Whether each element is false.", cast=True)
isfinite = _of_any(ops.isfinite, "Whether each element is neither nan nor infinite.")
isnan = _of_any(ops.isnan, "Whether each element is nan.")
isinf = _of_any(ops.isinf, "Whether each element is infinite.")
isposinf = row("x: Tensor", ops.isposinf, "Whether each element is positive infinity.")
isneginf = row("x: Tensor", ops.isneginf, "Whether each element is negative infinity.")
isclose = row(
    "a: Like, b: Like, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False",
    ops.isclose,
    "Whether ``|a - b| <= atol + rtol * |b|`` element by element.",
)


def isscalar(element: Any) -> bool:
    """Whether ``element`` is a Python number or a string."""
    return isinstance(element, (bool, int, float, str))


@kernel("in1d")
def isin(element: Places, test_elements: Places, invert: bool | int = False) -> Array:
    """Whether each element stands in ``test_elements``, in the shape of ``element``."""
    return jnp.isin(element, test_elements, invert=bool(invert))


def in1d(ar1: Like, ar2: Any, invert: bool | int = False) -> Tensor:
    """Whether each element of ``ar1``, flattened, stands in ``ar2``; the opposite by ``invert``."""
    return isin(ar1.ravel(), ar2, invert)


@kernel("array_equal")
def array_equal(a1: Places, a2: Places, equal_nan: bool = False) -> Array:
    """Whether two arrays have one shape and equal elements, as a 0-d bool Tensor."""
    return jnp.array_equal(a1, a2, equal_nan)


def array_equiv(a1: Like, a2: Like) -> Tensor:
    """Whether two arrays broadcast to equal elements, as a 0-d bool Tensor."""
    try:
        jnp.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return Tensor(False)
    return ops.equal(a1, a2).all()


def signbit(x: Like, dtype: Any = None) -> Tensor:
    """Whether each element is below zero; ``dtype`` may only be bool."""
    if dtype is not None and dtype is not mstype.bool_:
        raise ArgumentTypeError(f"the dtype must be bool_ or None, but got {dtype}.")
    return ops.less(x, 0)


def sometrue(a: Like, axis: Any = None, keepdims: bool | int = False) -> Tensor:
    """Whether any element along the axes is true."""
    return ops.not_equal(a, 0).any(axes_of(axis, a.ndim), bool(keepdims))


def setdiff1d(ar1: Like, ar2: Like, assume_unique: bool = False) -> Tensor:
    """Return the elements of ``ar1`` that ``ar2`` lacks, sorted unless ``assume_unique``."""
    ar1 = ar1.ravel() if assume_unique else ops.sort(ops.unique(ar1)[0].astype(ar1.dtype))[0]
    return ops.masked_select(ar1, in1d(ar1, ar2, invert=True))


__all__ = functions(globals())
