"""Sums, means, extremes, running sums and differences along axes."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.checks import at_least, of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array
from msgrad._core.promotion import as_inexact, is_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Function, Like, functions, kernel, row
from msgrad.numpy.array_ops import concatenate
from msgrad.numpy.dtypes import promoted
from msgrad.numpy.utils import axes_of, tensor
from msgrad.ops._checks import normal_axes, normal_axis
from msgrad.ops.extremes import extreme

# Running sums and products of these have 32 bits.
_SMALL = (mstype.bool_, mstype.int8, mstype.int16)
_SMALL_UNSIGNED = (mstype.uint8, mstype.uint16)


def mean(a: Like, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Tensor:
    """Return the mean over axes, by default in the dtype of the input."""
    found = ops.ReduceMean(keepdims)(a, axes_of(axis, a.ndim))
    return ops.cast(found, a.dtype if dtype is None else mstype.as_dtype(dtype))


sum = row(
    "a: Like, axis=None, dtype=None, keepdims: bool = False, initial=None",
    Tensor.sum,
    "Return the sum over axes, ``initial`` added.",
)
_SPREAD = "x: Like, axis=None, ddof: int = 0, keepdims: bool = False"
std = row(
    _SPREAD,
    lambda x, axis, *rest: x.std(axes_of(axis, x.ndim), *rest),
    "Return the standard deviation over axes; the divisor is N - ``ddof``.",
)
var = row(
    _SPREAD,
    lambda x, axis, *rest: x.var(axes_of(axis, x.ndim), *rest),
    "Return the variance over axes; the divisor is N - ``ddof``.",
)


def _extreme(reduce: Any, compare: Any, word: str) -> Any:
    def computed(a: Tensor, axis: Any, keepdims: bool, initial: Any, where: Any) -> Tensor:
        axes = axes_of(axis, a.ndim)
        if initial is not None:
            if not isinstance(initial, (int, float)) and getattr(initial, "ndim", 1):
                raise ArgumentTypeError(f"initial must be a number, not {initial!r}.")
            initial = tensor(initial).astype(a.dtype)
            a = compare(a, initial)
        if isinstance(where, Tensor):
            if initial is None:
                raise ArgumentValueError("where needs an initial value.")
            shape = jnp.broadcast_shapes(where.shape, a.shape)
            three = (where.astype(mstype.bool_), a, initial)
            a = ops.select(*(ops.broadcast_to(x, shape) for x in three))
        return reduce(keepdims)(a, axes)

    return row(
        "a: Tensor, axis=None, keepdims: bool = False, initial=None, where=True",
        computed,
        f"Return the {word} element over axes; among those where ``where`` is true.",
    )


amax = _extreme(ops.ReduceMax, ops.maximum, "largest")
amin = _extreme(ops.ReduceMin, ops.minimum, "smallest")


def ptp(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the largest minus the smallest element over axes."""
    axes = axes_of(axis, x.ndim)
    return ops.ReduceMax(keepdims)(x, axes) - ops.ReduceMin(keepdims)(x, axes)


def _place_of(find: Function, word: str) -> Any:
    return row(
        "a: Like, axis: int | None = None",
        lambda a, axis: find(a.astype(mstype.int32) if a.dtype is mstype.bool_ else a, axis),
        f"Return the position of the {word} element along an axis, or in the flattened array.",
    )


argmax = _place_of(Tensor.argmax, "largest")
argmin = _place_of(Tensor.argmin, "smallest")
count_nonzero = row(
    "x: Tensor, axis=None, keepdims: bool = False",
    lambda x, axis, keepdims: ops.count_nonzero(x, () if axis is None else axis, keepdims),
    "Return how many elements over axes are not 0.",
)


def average(x: Tensor, axis: Any = None, weights: Any = None, returned: bool | int = False) -> Any:
    """Return the weighted mean over axes, and by ``returned`` also the sum of the weights."""
    axes = axes_of(axis, x.ndim)
    if weights is None:
        found = mean(x, axes)
        total = ops.full_like(found, math.prod(x.shape[place] for place in axes))
    else:
        of_type("", "weights", weights, Tensor)
        if weights.shape != x.shape:
            if weights.ndim != 1 or len(axes) != 1 or axis is None:
                raise ArgumentTypeError(
                    "weights must have the shape of x, or be 1-d beside one axis."
                )
            weights = weights.reshape([-1 if i == axes[0] else 1 for i in range(x.ndim)])
        total = ops.ReduceSum()(weights, axes)
        found = ops.tensor_div(ops.ReduceSum()(ops.mul(x, weights), axes), total)
        total = ops.broadcast_to(total, found.shape)
    return (found, total) if returned else found


@kernel("NanReduce")
def _nan_reduced(a: Array, kind: str, axes: tuple, ddof: int, keepdims: bool, dtype: Any) -> Array:
    named: dict[str, Any] = {"axis": axes, "keepdims": keepdims}
    if kind in ("nanvar", "nanstd"):
        return getattr(jnp, kind)(as_inexact(a), ddof=ddof, **named).astype(dtype)
    if kind == "nanmean":
        return jnp.nanmean(as_inexact(a), **named).astype(promoted(dtype, a.dtype))
    # Integers have no nan, and JAX's functions refuse 64-bit ones.
    name = kind if is_inexact(a.dtype) else kind.removeprefix("nan")
    if name in ("max", "min"):
        return extreme(a, axes, keepdims, name == "max").astype(dtype)
    return getattr(jnp, name)(a, **named).astype(dtype)


def _nan_ignoring(name: str, word: str, floats: bool = False, deviation: bool = False) -> Any:
    def reduced(a: Tensor, axis: Any, dtype: Any, ddof: int, keepdims: Any) -> Tensor:
        found = (mstype.float32 if floats else a.dtype) if dtype is None else dtype
        target = mstype.to_numpy(mstype.as_dtype(found))
        return _nan_reduced(a, name, axes_of(axis, a.ndim), ddof, bool(keepdims), target)

    text, flag = f"Return the {word} over axes, nan left out.", "keepdims: bool | int = False"
    if deviation:
        return row(f"a: Like, axis=None, dtype=None, ddof: int = 0, {flag}", reduced, text)
    plain = lambda a, axis, dtype, keepdims: reduced(a, axis, dtype, 0, keepdims)  # noqa: E731
    return row(f"a: Like, axis=None, dtype=None, {flag}", plain, text)


nanmax = _nan_ignoring("nanmax", "largest element")
nanmin = _nan_ignoring("nanmin", "smallest element")
nansum = _nan_ignoring("nansum", "sum")
nanmean = _nan_ignoring("nanmean", "mean, float32 by default,", floats=True)
nanvar = _nan_ignoring("nanvar", "variance", floats=True, deviation=True)
nanstd = _nan_ignoring("nanstd", "standard deviation", floats=True, deviation=True)


def cumsum(a: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the running sum along an axis, or of the flattened array."""
    return a.cumsum(axis, None if dtype is None else mstype.as_dtype(dtype))


def nancumsum(a: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the running sum along an axis, nan counted as 0."""
    return cumsum(ops.masked_fill(a, ops.isnan(a), 0), axis, dtype)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the running product along an axis, or of the flattened array."""
    a = tensor(a, narrow=False)
    if axis is None:
        a, axis = a.ravel(), 0
    kind = mstype.int32 if a.dtype in _SMALL else a.dtype
    kind = mstype.uint32 if a.dtype in _SMALL_UNSIGNED else kind
    axis = normal_axis(axis, a.ndim)
    found = ops.cumprod(a if a.dtype is mstype.float64 else a.astype(mstype.float32), axis)
    return ops.cast(found, kind if dtype is None else mstype.as_dtype(dtype))


@kernel("diff", int_grad=True)
def _differences(a: Array, n: int, axis: int) -> Array:
    return jnp.diff(a, n, axis)


def _as_end(end: Tensor, a: Tensor, axis: int) -> Tensor:
    """Return an array broadcast to the shape of ``a``, but for its own size along an axis."""
    own = (1,) * (a.ndim - end.ndim) + end.shape
    return ops.broadcast_to(end, (*a.shape[:axis], own[axis], *a.shape[axis + 1 :]))


def diff(a: Tensor, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Return the n-th difference along an axis, with numbers or arrays put before and after."""
    axis = normal_axis(axis, a.ndim)
    if not all(isinstance(end, (int, float, Tensor, type(None))) for end in (prepend, append)):
        raise ArgumentTypeError("prepend and append must be a number or a Tensor.")
    at_least("", "n", n, 0)
    if n == 0:
        return a
    before, after = ([] if e is None else [_as_end(tensor(e), a, axis)] for e in (prepend, append))
    a = concatenate([*before, a, *after], axis)
    if n >= a.shape[axis]:
        raise ArgumentValueError(f"n = {n} leaves nothing of {a.shape[axis]} elements.")
    return _differences(a, n, axis)


def ediff1d(ary: Tensor, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """Return the differences of the flattened array, with more put at either end."""
    parts = [None if v is None else tensor(v).ravel().astype(ary.dtype) for v in (to_begin, to_end)]
    made = [parts[0], diff(ary.ravel()), parts[1]]
    return concatenate([part for part in made if part is not None])


@kernel("trapz")
def trapz(y: Like, x: Like | None = None, dx: Like = 1.0, axis: int = -1) -> Array:
    """Return the integral along an axis by trapezoids, ``dx`` wide or between the points ``x``."""
    y = as_inexact(y)
    x = None if x is None else x.astype(y.dtype)
    return jnp.trapezoid(y, x, dx.astype(y.dtype), normal_axis(axis, y.ndim))


@kernel("gradient")
def _slope(f: Array, spacing: Array, axis: int) -> Array:
    f = f if f.dtype == jnp.float64 else f.astype(jnp.float32)
    return jnp.asarray(jnp.gradient(f, axis=axis)) / spacing


def gradient(f: Like, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Return the slope by central differences, one-sided at the edges; a list of several axes."""
    if edge_order != 1:
        raise UnsupportedError("only edge_order=1 is there.")
    axes = range(f.ndim) if axis is None else sorted(normal_axes(axis, f.ndim))
    if len(varargs) not in (0, 1, len(axes)):
        raise ArgumentTypeError(f"For 'gradient', {len(axes)} spacings are needed or one.")
    spacings = varargs * len(axes) if len(varargs) == 1 else varargs or (1,) * len(axes)
    slopes = []
    for place, spacing in zip(axes, spacings, strict=True):
        if f.shape[place] < 2:
            raise ArgumentValueError("each axis must have two elements or more.")
        if not isinstance(spacing, (int, float)) and getattr(spacing, "ndim", 1):
            raise UnsupportedError("a spacing must be a number.")
        slopes.append(_slope(f, tensor(spacing), place))
    return slopes[0] if len(slopes) == 1 else slopes


@kernel("unwrap")
def unwrap(p: Like, discont: float = 3.141592653589793, axis: int = -1) -> Array:
    """Return angles without jumps: multiples of 2 pi are added along an axis."""
    return jnp.unwrap(as_inexact(p), discont, normal_axis(axis, p.ndim))


max, min = amax, amin

__all__ = functions(globals())
