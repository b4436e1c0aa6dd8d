"""Sums, means, products, variances, truth of all elements, and running sums.

The largest and smallest elements are in ``extremes``, norms in ``linalg``.

An axis may be an int, a tuple, a list, a Tensor or None; None and () mean all dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.context import platform
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import WIDE_UNSIGNED, convert, is_inexact, wide
from msgrad._core.registry import function, method
from msgrad._core.rounding import mean_of, quotient
from msgrad._core.spelling import ABSENT, given
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import axes, one_axis, refuse
from msgrad.ops.arithmetic import add
from msgrad.ops.cast import cast

# Other names of the arguments in the methods.
DIM = {"dim": "axis", "keepdim": "keepdims"}
DIM_KEEP = {"dim": "axis", "keepdim": "keep_dims"}


def _cast(x: Array, dtype: Any) -> Array:
    return x if dtype is None else convert(x, dtype.np_dtype)


def _as(result: Tensor, dtype: Any) -> Tensor:
    return result if dtype is None else cast(result, dtype)


def _wide(x: Array, dtype: Any = None) -> Array:
    """Cast to ``dtype``; without one bools and integers to int64, but for uint16, 32 and 64."""
    if dtype is None and not is_inexact(x.dtype) and str(x.dtype) not in WIDE_UNSIGNED:
        return x.astype(jnp.int64)
    return _cast(x, dtype)


def total(x: Array, named: tuple[int, ...], keep: bool) -> Array:
    """Return the sum, in the dtype of ``x``."""
    return jnp.sum(x, axis=named, keepdims=keep, dtype=_kept(x))


def _kept(x: Array) -> Any:
    """Return the dtype to name to a reduction of JAX, which computes in one that is named.

    In 16 bits what is small against a sum is lost (of 6000 bfloat16 in [0, 1) a third); where none
    is named, JAX computes in float32, and returns 16 bits too.
    """
    return None if is_inexact(x.dtype) and x.dtype.itemsize == 2 else x.dtype


def once(x: Array) -> Array:
    """Return ``x`` as a value that a program computes once, though much reads it.

    XLA's CPU compiler computes what is normalised anew in each kernel that reads it, with all
    additions that led to it, back to the first layer: 8 small blocks compile 4 times as fast so.
    """
    return jax.lax.optimization_barrier(x) if platform() == "cpu" else x


def _mean(x: Array, named: tuple[int, ...], keep: bool) -> Array:
    """Return the mean; of integers in their own dtype, rounded towards zero."""
    if is_inexact(x.dtype):
        # A mean to subtract, as in a normalisation by hand.
        x = once(x) if keep and len(named) < x.ndim else x
        return mean_of(x, named, keep)
    total = jnp.sum(x.astype(jnp.int64), axis=named, keepdims=keep)
    # XLA stops the process at an integer divided by a constant 0.
    return jax.lax.div(total, jnp.full_like(total, max(_count(x, named), 1))).astype(x.dtype)


def _count(x: Array, named: tuple[int, ...]) -> int:
    return math.prod(x.shape[a] for a in named)


@operator("SumExt", primitive="(input, dim=None, keepdim=False, dtype=None, /)", int_grad=True)
def sum(input: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    """Sum over ``dim``; bools, signed integers and uint8 give int64."""
    return total(_wide(input, dtype), axes(dim, input.ndim), keepdim)


@operator(
    "ReduceMean",
    primitive="MeanExt(input: x, dim: axis = None, keepdim: keep_dims = False, dtype=None, /)",
    method=True,
    also=DIM_KEEP,
    int_grad="float",
    product=True,
)
def mean(x: Array, axis: Any = None, keep_dims: bool = False, *, dtype: Any = None) -> Array:
    """Mean over ``axis``; integers stay integers, rounded towards zero.

    Raises:
        RuntimeError: For a bool Tensor.
    """
    x = _cast(x, dtype)
    if x.dtype == jnp.bool_:
        raise KernelError("a bool Tensor is not supported; cast it first.")
    return _mean(x, axes(axis, x.ndim), keep_dims)


def _running_product(x: Array, axis: int, dtype: Any = None) -> Array:
    """Return running products; JAX cannot differentiate its own while 64 bits are only explicit."""
    if x.dtype not in (jnp.float64, jnp.complex128):
        return jnp.cumprod(x, axis=axis, dtype=x.dtype)
    rows = jnp.moveaxis(x, axis, 0)
    start = jnp.ones(rows.shape[1:], x.dtype)
    products = jax.lax.scan(lambda total, row: (total * row, total * row), start, rows)[1]
    return jnp.moveaxis(products, 0, axis)


def _product(x: Array, named: tuple[int, ...], keep: bool) -> Array:
    if x.dtype not in (jnp.float64, jnp.complex128):
        return jnp.prod(x, axis=named, keepdims=keep, dtype=_kept(x))
    for axis in named:
        rows = jnp.moveaxis(x, axis, 0)
        start = jnp.ones(rows.shape[1:], x.dtype)
        total = jax.lax.scan(lambda total, row: (total * row, None), start, rows)[0]
        x = jnp.expand_dims(total, axis)
    return x if keep else jnp.squeeze(x, named)


@operator("ReduceProd", method=True, also=DIM_KEEP, int_grad=True)
def prod(input: Array, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Array:
    """Product over ``axis``; bools, signed integers and uint8 give int64.

    Over a tuple of axes they stay what they are.
    """
    if isinstance(axis, tuple) and dtype is None:
        return _reduce_prod.kernel(input, axis, keep_dims)
    named = axes(axis, input.ndim)
    return _product(_wide(input, dtype), named, keep_dims)


@operator("ReduceSum", primitive="(keep_dims=False, skip_mode=False)", int_grad=True)
def reduce_sum(x: Array, axis: Any = (), keep_dims: bool = False, skip_mode: bool = False) -> Array:
    """Sum over ``axis`` in the dtype of ``x``; with ``skip_mode``, an axis () changes nothing."""
    if skip_mode and axis == ():
        return x
    named = axes(axis, x.ndim, none=False)
    if x.dtype == jnp.bool_:
        return jnp.any(x, axis=named, keepdims=keep_dims)
    return total(x, named, keep_dims)


@operator("ReduceMean", primitive="(keep_dims=False)", int_grad="float", product=True)
def reduce_mean(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""
    axes(axis, x.ndim, none=False)
    return mean.kernel(x, axis, keep_dims)


@operator("ReduceProd", primitive="(keep_dims=False)", int_grad=True)
def _reduce_prod(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    """Product over ``axis`` in the dtype of ``x``."""
    named = axes(axis, x.ndim, none=False)
    if x.dtype == jnp.bool_:
        return jnp.all(x, axis=named, keepdims=keep_dims)
    return _product(x, named, keep_dims)


@operator("ReduceAll", primitive="(keep_dims=False)", method=True, also=DIM_KEEP)
def all(input: Array, axis: Any = None, keep_dims: bool = False) -> Array:
    """Whether all elements over ``axis`` are true or not zero."""
    named = axes(axis, input.ndim)
    return jnp.all(input.astype(jnp.bool_), axis=named, keepdims=keep_dims)


@operator("ReduceAny", primitive="(keep_dims=False)", method=True, also=DIM_KEEP)
def any(input: Array, axis: Any = None, keep_dims: bool = False) -> Array:
    """Whether some element over ``axis`` is true or not zero; of uint8, 0 or 1."""
    found = jnp.any(input.astype(jnp.bool_), axis=axes(axis, input.ndim), keepdims=keep_dims)
    return found.astype(input.dtype) if input.dtype == jnp.uint8 else found


@operator("CountNonZero", method=True, also=DIM_KEEP)
def count_nonzero(
    x: Array, axis: Any = (), keep_dims: bool = False, dtype: Any = mstype.int32
) -> Array:
    """How many elements over ``axis`` are not zero, in ``dtype``."""
    named, dtype = axes(axis, x.ndim, none=False), dtype or mstype.int32
    return jnp.sum(x != 0, axis=named, keepdims=keep_dims, dtype=dtype.np_dtype)


@operator("Var", method=True, also={**DIM, "correction": "ddof"}, int_grad=True, product=True)
def var(input: Array, axis: Any = None, ddof: int | bool = 0, keepdims: bool = False) -> Array:
    """Variance over ``axis``, divided by the count less ``ddof``, be that 0 or negative.

    Integers give float32; their mean is rounded towards zero first, as MindSpore does.

    Differs from MindSpore: squares of integers do not overflow.
    """
    refuse(input, jnp.bool_)
    named = axes(axis, input.ndim)
    count = _count(input, named)
    if is_inexact(input.dtype):
        whole = wide(input)
        deviation = whole - _mean(whole, named, True)
        squares = (deviation * jnp.conj(deviation)).real
        total = jnp.sum(squares, axis=named, keepdims=keepdims)
    else:
        whole, middle = (x.astype(jnp.int64) for x in (input, _mean(input, named, True)))
        deviation = (whole - middle).astype(jnp.float32)
        total = jnp.sum(jnp.square(deviation), axis=named, keepdims=keepdims)
    found = quotient(total, jnp.asarray(count - int(ddof), total.dtype))
    return found.astype(jnp.finfo(input.dtype).dtype) if is_inexact(input.dtype) else found


@operator("Std", method=True, also={**DIM, "correction": "ddof"}, lists=False)
def std(
    input: Array,
    axis: int | tuple[int, ...] | None = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
) -> Array:
    """Square root of the variance; see ``var``."""
    return jnp.sqrt(var.kernel(input, axis, ddof, keepdims))


@function
def std_mean(
    input: Any, axis: Any = None, ddof: int | bool = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean; see ``var``."""
    return std(input, axis, ddof, keepdims), mean(input, axis, keepdims)


@function
def var_mean(
    input: Any, axis: Any = None, ddof: int | bool = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Variance and mean; see ``var``."""
    return var(input, axis, ddof, keepdims), mean(input, axis, keepdims)


@operator("ReduceLogSumExp", method=True, also={"axis": "dim", "keepdims": "keepdim"})
def logsumexp(input: Array, dim: Any, keepdim: bool = False) -> Array:
    """Logarithm of the sum of exponentials over ``dim``, safe from overflow."""
    refuse(input, jnp.bool_, jnp.integer)
    named = axes(dim, input.ndim, none=False)
    return jax.scipy.special.logsumexp(input, axis=named, keepdims=keepdim)


@operator("NanSum", int_grad=True)
def _nansum(input: Array, axis: Any = None, keepdims: bool = False) -> Array:
    named = axes(axis, input.ndim)
    x = input.astype(jnp.int64) if input.dtype == jnp.bool_ else input
    if is_inexact(x.dtype):
        x = jnp.where(jnp.isnan(x), jnp.zeros((), x.dtype), x)
    return total(x, named, keepdims)


@function(method=True, also=DIM)
def nansum(input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``axis`` with nan taken as 0, then cast to ``dtype``; bools give int64."""
    return _as(_nansum(input, axis, keepdims), dtype)


@operator("NanMean")
def _nanmean(input: Array, axis: Any = None, keepdims: bool = False) -> Array:
    refuse(input, jnp.bool_, jnp.integer)
    named = axes(axis, input.ndim)
    found = jnp.nanmean(wide(input), axis=named, keepdims=keepdims)
    return found.astype(input.dtype)


@function(method=True)
def nanmean(
    input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None
) -> Tensor:
    """Mean over ``axis`` of the elements that are not nan, then cast to ``dtype``."""
    return _as(_nanmean(input, axis, keepdims), dtype)


def _running(
    function: Callable[..., Array], x: Array, axis: int, exclusive: bool, reverse: bool, unit: int
) -> Array:
    if reverse:
        x = jnp.flip(x, axis)
    if exclusive:
        first = jnp.full_like(jax.lax.slice_in_dim(x, 0, 1, axis=axis), unit)
        rest = jax.lax.slice_in_dim(x, 0, x.shape[axis] - 1, axis=axis)
        x = jnp.concatenate([first, rest], axis)
    result = function(x, axis=axis, dtype=x.dtype)
    return jnp.flip(result, axis) if reverse else result


@operator(
    "CumSum",
    primitive="(exclusive=False, reverse=False) CumsumExt",
    also={"dim": "axis"},
    int_grad=True,
)
def cumsum(
    x: Array, axis: int, dtype: Any = None, *, exclusive: bool = False, reverse: bool = False
) -> Array:
    """Running sum along ``axis``, in ``dtype`` or that of ``x``."""
    x = _cast(x, dtype)
    refuse(x, jnp.bool_)
    place = place_of(axis, x.ndim)
    return _running(jnp.cumsum, x, place, exclusive, reverse, 0)


@function(method="cumsum", also={"dim": "axis"})
def _cumsum_method(self: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Running sum along ``axis``, or of all elements; what is narrower than int32 becomes it.

    It is cast to ``dtype`` in the end, where ``ops.cumsum`` casts what it adds.
    """
    if self.dtype in (mstype.bool_, mstype.int8, mstype.int16, mstype.uint8):
        dtype = None if dtype == self.dtype else dtype
        self = self.astype(mstype.int32)
    x = self.reshape(-1) if axis is None else self
    return _as(cumsum(x, 0 if axis is None else axis), dtype)


@operator("CumProd", method=True, int_grad=True)
def cumprod(input: Array, dim: int, dtype: Any = None) -> Array:
    """Running product along ``dim``; integers and bools give int64."""
    place = place_of(dim, input.ndim)
    return _running(_running_product, _wide(input, dtype), place, False, False, 1)


@operator("CumProd", primitive="(exclusive=False, reverse=False)", int_grad=True)
def _cumprod(x: Array, axis: int, exclusive: bool = False, reverse: bool = False) -> Array:
    """Running product along ``axis``."""
    place = place_of(axis, x.ndim)
    return _running(_running_product, x, place, exclusive, reverse, 1)


def place_of(axis: Any, ndim: int) -> int:
    """Return the axis of a running reduction, which a 0-d Tensor has not."""
    place = one_axis(axis, ndim)
    if not ndim:
        raise ArgumentValueError("the input must have at least one dimension.")
    return place


@method("sum")
def _sum_method(
    self: Any,
    dim: Any = None,
    keepdim: Any = ABSENT,
    keepdims: Any = ABSENT,
    initial: Any = None,
    *,
    dtype: Any = None,
    axis: Any = ABSENT,
) -> Tensor:
    """Sum over dimensions: ``(dim, keepdim, *, dtype)`` or ``(axis, dtype, keepdims, initial)``."""
    if keepdim is not ABSENT and not isinstance(keepdim, bool):
        dtype, keepdim = keepdim, ABSENT
    if keepdim is not ABSENT and keepdims is not ABSENT:
        raise ArgumentTypeError("'keepdim' and 'keepdims' must not both be given.")
    keep = given(keepdim, given(keepdims, False))
    result = sum(self, given(axis, dim), keep, dtype=dtype)
    return result if initial is None else add(result, initial)
