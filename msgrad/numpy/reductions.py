"""Sums, means, extremes, running sums and differences along axes."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy.array_ops import concatenate
from msgrad.numpy.dtypes import promoted
from msgrad.numpy.utils import axes_of, tensor
from msgrad.ops._axis import normal_axes, normal_axis
from msgrad.ops.extremes import extreme

Flag = bool | int
# Running sums and products of these have 32 bits.
_SMALL = (mstype.bool_, mstype.int8, mstype.int16)
_SMALL_UNSIGNED = (mstype.uint8, mstype.uint16)


def _float32(x: Array) -> Array:
    return x if is_inexact(x.dtype) else x.astype(jnp.float32)


@checked
def mean(a: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Tensor:
    """Return the mean over axes, by default in the dtype of the input."""
    a = tensor(a)
    found = ops.ReduceMean(keepdims)(a, axes_of("mean", axis, a.ndim))
    return ops.cast(found, a.dtype if dtype is None else mstype.as_dtype(dtype))


@checked
def sum(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None
) -> Tensor:
    """Return the sum over axes, ``initial`` added."""
    return tensor(a).sum(axis, dtype, keepdims, initial)


@checked
def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """Return the standard deviation over axes; the divisor is N - ``ddof``."""
    x = tensor(x)
    return x.std(axes_of("std", axis, x.ndim), ddof, keepdims)


@checked
def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """Return the variance over axes; the divisor is N - ``ddof``."""
    x = tensor(x)
    return x.var(axes_of("var", axis, x.ndim), ddof, keepdims)


def _extreme(name: str, reduce: Any, compare: Any, word: str) -> Any:
    def call(
        a: Tensor, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
    ) -> Tensor:
        axes = axes_of(name, axis, a.ndim)
        if initial is not None:
            if not isinstance(initial, (int, float)) and getattr(initial, "ndim", 1):
                raise ArgumentTypeError(f"For '{name}', initial must be a number, not {initial!r}.")
            initial = tensor(initial).astype(a.dtype)
            a = compare(a, initial)
        if isinstance(where, Tensor):
            if initial is None:
                raise ArgumentValueError(f"For '{name}', where needs an initial value.")
            a = ops.select(*_alike(where, a, initial))
        return reduce(keepdims)(a, axes)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return the {word} element over axes; among those where ``where`` is true."
    return checked(call)


def _alike(where: Tensor, a: Tensor, initial: Tensor) -> Any:
    shape = jnp.broadcast_shapes(where.shape, a.shape)
    return [ops.broadcast_to(x, shape) for x in (where.astype(mstype.bool_), a, initial)]


amax = _extreme("amax", lambda keep: ops.ReduceMax(keep), ops.maximum, "largest")
amin = _extreme("amin", lambda keep: ops.ReduceMin(keep), ops.minimum, "smallest")


@checked
def ptp(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the largest minus the smallest element over axes."""
    axes = axes_of("ptp", axis, x.ndim)
    return ops.ReduceMax(keepdims)(x, axes) - ops.ReduceMin(keepdims)(x, axes)


@checked
def argmax(a: Any, axis: int | None = None) -> Tensor:
    """Return the position of the largest element along an axis, or in the flattened array."""
    return _for_order(a).argmax(axis)


@checked
def argmin(a: Any, axis: int | None = None) -> Tensor:
    """Return the position of the smallest element along an axis, or in the flattened array."""
    return _for_order(a).argmin(axis)


def _for_order(a: Any) -> Tensor:
    a = tensor(a)
    return a.astype(mstype.int32) if a.dtype is mstype.bool_ else a


@checked
def count_nonzero(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return how many elements over axes are not 0."""
    return ops.count_nonzero(x, () if axis is None else axis, keepdims)


@checked
def average(x: Tensor, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """Return the weighted mean over axes, and by ``returned`` also the sum of the weights."""
    axes = axes_of("average", axis, x.ndim)
    if weights is None:
        found = mean(x, axes)
        count = 1
        for place in axes:
            count *= x.shape[place]
        total = ops.full_like(found, count)
    else:
        if not isinstance(weights, Tensor):
            raise ArgumentTypeError(f"For 'average', weights must be a Tensor, not {weights!r}.")
        if weights.shape != x.shape:
            if weights.ndim != 1 or len(axes) != 1 or axis is None:
                raise ArgumentTypeError(
                    "For 'average', weights must have the shape of x, or be 1-d beside one axis."
                )
            shape = [weights.size if i == axes[0] else 1 for i in range(x.ndim)]
            weights = weights.reshape(shape)
        total = ops.ReduceSum()(weights, axes)
        found = ops.tensor_div(ops.ReduceSum()(ops.mul(x, weights), axes), total)
        total = ops.broadcast_to(total, found.shape)
    return (found, total) if returned else found


@operator("NanReduce")
def _nan_reduced(a: Array, kind: str, axes: tuple, ddof: int, keepdims: Flag, dtype: Any) -> Array:
    named: dict[str, Any] = {"axis": axes, "keepdims": bool(keepdims)}
    if kind in ("nanvar", "nanstd"):
        return getattr(jnp, kind)(_float32(a), ddof=ddof, **named).astype(dtype)
    if kind == "nanmean":
        return jnp.nanmean(_float32(a), **named).astype(promoted(dtype, a.dtype))
    # Integers have no nan, and JAX's functions refuse 64-bit ones.
    name = kind if is_inexact(a.dtype) else kind.removeprefix("nan")
    if name in ("max", "min"):
        return extreme(a, axes, bool(keepdims), name == "max").astype(dtype)
    return getattr(jnp, name)(a, **named).astype(dtype)


def _nan_ignoring(name: str, word: str, floats: bool = False, deviation: bool = False) -> Any:
    def reduced(a: Any, axis: Any, dtype: Any, ddof: int, keepdims: Flag) -> Tensor:
        a = tensor(a)
        found = (mstype.float32 if floats else a.dtype) if dtype is None else dtype
        target = mstype.to_numpy(mstype.as_dtype(found))
        return _nan_reduced(a, name, axes_of(name, axis, a.ndim), ddof, keepdims, target)

    def plain(a: Any, axis: Any = None, dtype: Any = None, keepdims: Flag = False) -> Tensor:
        return reduced(a, axis, dtype, 0, keepdims)

    def spread(
        a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: Flag = False
    ) -> Tensor:
        return reduced(a, axis, dtype, ddof, keepdims)

    call = spread if deviation else plain
    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return the {word} over axes, nan left out."
    return checked(call)


nanmax = _nan_ignoring("nanmax", "largest element")
nanmin = _nan_ignoring("nanmin", "smallest element")
nansum = _nan_ignoring("nansum", "sum")
nanmean = _nan_ignoring("nanmean", "mean, float32 by default,", floats=True)
nanvar = _nan_ignoring("nanvar", "variance", floats=True, deviation=True)
nanstd = _nan_ignoring("nanstd", "standard deviation", floats=True, deviation=True)


@checked
def cumsum(a: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the running sum along an axis, or of the flattened array."""
    if axis is None:
        a, axis = a.ravel(), 0
    kind = mstype.int32 if a.dtype in (*_SMALL, *_SMALL_UNSIGNED) else a.dtype
    return ops.cumsum(ops.cast(a, kind), axis, mstype.as_dtype(dtype or kind))


@checked
def nancumsum(a: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the running sum along an axis, nan counted as 0."""
    return cumsum(ops.masked_fill(a, ops.isnan(a), 0), axis, dtype)


@checked
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


@operator("diff", int_grad=True)
def _differences(a: Array, n: int, axis: int) -> Array:
    for _ in range(n):
        ahead = jnp.take(a, jnp.arange(1, a.shape[axis], dtype=jnp.int32), axis)
        a = ahead - jnp.take(a, jnp.arange(a.shape[axis] - 1, dtype=jnp.int32), axis)
    return a


@checked
def diff(a: Tensor, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Return the n-th difference along an axis, with numbers or arrays put before and after."""
    axis = normal_axis(axis, a.ndim)
    if n < 0:
        raise ArgumentValueError(f"For 'diff', n must not be below 0, but got {n}.")
    if n == 0:
        return a
    shape = tuple(1 if i == axis else s for i, s in enumerate(a.shape))
    ends = [None if e is None else ops.broadcast_to(_scalar(e), shape) for e in (prepend, append)]
    a = concatenate([part for part in (ends[0], a, ends[1]) if part is not None], axis)
    if n >= a.shape[axis]:
        raise ArgumentValueError(f"For 'diff', n = {n} leaves nothing of {a.shape[axis]} elements.")
    return _differences(a, n, axis)


def _scalar(value: Any) -> Tensor:
    if not isinstance(value, (int, float, Tensor)):
        raise ArgumentTypeError(f"For 'diff', a number or a Tensor is needed, but got {value!r}.")
    return tensor(value)


@checked
def ediff1d(ary: Tensor, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """Return the differences of the flattened array, with more put at either end."""
    parts = [None if v is None else tensor(v).ravel().astype(ary.dtype) for v in (to_begin, to_end)]
    made = [parts[0], diff(ary.ravel()), parts[1]]
    return concatenate([part for part in made if part is not None])


@operator("trapz")
def _trapezoids(y: Array, x: Array, axis: int, spaced: bool) -> Array:
    y = _float32(y)
    rows = jnp.moveaxis(y, axis, -1)
    if spaced:
        axis = axis % y.ndim
        x = _differences.kernel(x, 1, -1)
        step = jnp.broadcast_to(
            x.reshape(x.shape + (1,) * (y.ndim - axis - x.ndim)),
            tuple(s - (i == axis) for i, s in enumerate(y.shape)),
        )
        step = jnp.moveaxis(step, axis, -1)
    else:
        step = x
    return ((rows[..., :-1] + rows[..., 1:]) * step.astype(y.dtype) / 2).sum(-1)


@checked
def trapz(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Tensor:
    """Return the integral along an axis by trapezoids, ``dx`` wide or between the points ``x``."""
    y = tensor(y)
    normal_axis(axis, y.ndim)
    return _trapezoids(y, tensor(dx if x is None else x), axis, x is not None)


@operator("gradient")
def _slope(f: Array, spacing: Array, axis: int) -> Array:
    f = jnp.moveaxis(f if f.dtype == jnp.float64 else f.astype(jnp.float32), axis, -1)
    middle = (f[..., 2:] - f[..., :-2]) * 0.5
    ends = f[..., 1:2] - f[..., :1], f[..., -1:] - f[..., -2:-1]
    return jnp.moveaxis(jnp.concatenate([ends[0], middle, ends[1]], -1), -1, axis) / spacing


@checked
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Return the slope by central differences, one-sided at the edges; a list of several axes."""
    if edge_order != 1:
        raise UnsupportedError("For 'gradient', only edge_order=1 is there.")
    f = tensor(f)
    axes = range(f.ndim) if axis is None else sorted(normal_axes(axis, f.ndim))
    if len(varargs) not in (0, 1, len(axes)):
        raise ArgumentTypeError(f"For 'gradient', {len(axes)} spacings are needed or one.")
    spacings = varargs * len(axes) if len(varargs) == 1 else varargs or (1,) * len(axes)
    slopes = []
    for place, spacing in zip(axes, spacings, strict=True):
        if f.shape[place] < 2:
            raise ArgumentValueError("For 'gradient', each axis must have two elements or more.")
        if not isinstance(spacing, (int, float)) and getattr(spacing, "ndim", 1):
            raise UnsupportedError("For 'gradient', a spacing must be a number.")
        slopes.append(_slope(f, tensor(spacing), place))
    return slopes[0] if len(slopes) == 1 else slopes


@operator("unwrap")
def _unwrapped(p: Array, discont: float, axis: int) -> Array:
    return jnp.unwrap(_float32(p), discont, axis)


@checked
def unwrap(p: Any, discont: float = 3.141592653589793, axis: int = -1) -> Tensor:
    """Return angles without jumps: multiples of 2 pi are added along an axis."""
    p = tensor(p)
    return _unwrapped(p, discont, normal_axis(axis, p.ndim))


max, min = amax, amin

__all__ = [
    *("mean", "std", "var", "average", "amax", "amin", "ptp", "count_nonzero", "diff", "trapz"),
    *("max", "min", "ediff1d", "nansum", "nanmean", "nanvar", "nanstd", "cumsum", "nancumsum"),
    *("nanmax", "nanmin", "argmax", "argmin", "sum", "gradient", "unwrap", "cumprod"),
]
