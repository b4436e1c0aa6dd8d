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

from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import axes, one_axis, refuse, require_tensor
from msgrad.ops.arithmetic import add
from msgrad.ops.primitive import primitive


def _cast(x: Array, dtype: Any) -> Array:
    return x if dtype is None else x.astype(dtype.np_dtype)


def _wide(x: Array, dtype: Any = None) -> Array:
    """Cast to ``dtype``; without one, integers and bools to int64."""
    if dtype is None and not is_inexact(x.dtype):
        return x.astype(jnp.int64)
    return _cast(x, dtype)


def _mean(x: Array, named: tuple[int, ...], keep: bool) -> Array:
    """Give the mean; of integers in their own dtype, rounded towards zero."""
    if is_inexact(x.dtype):
        return jnp.mean(x, axis=named, keepdims=keep)
    total = jnp.sum(x.astype(jnp.int64), axis=named, keepdims=keep)
    return jax.lax.div(total, jnp.full_like(total, _count(x, named))).astype(x.dtype)


def _count(x: Array, named: tuple[int, ...]) -> int:
    return math.prod(x.shape[a] for a in named)


@operator("ReduceSum", int_grad=True)
def sum(input: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Array:
    """Sum over ``dim``; integers and bools give int64."""
    require_tensor("ReduceSum", input)
    named = axes("ReduceSum", dim, input.ndim)
    return jnp.sum(_wide(input, dtype), axis=named, keepdims=keepdim)


@operator("ReduceMean", product=True)
def mean(x: Array, axis: Any = None, keep_dims: bool = False, *, dtype: Any = None) -> Array:
    """Mean over ``axis``; integers stay integers, rounded towards zero.

    Raises:
        RuntimeError: For a bool Tensor.
    """
    require_tensor("ReduceMean", x)
    x = _cast(x, dtype)
    if x.dtype == jnp.bool_:
        raise KernelError("For 'ReduceMean', a bool Tensor is not supported; cast it first.")
    return _mean(x, axes("ReduceMean", axis, x.ndim), keep_dims)


def _running_product(x: Array, axis: int, dtype: Any = None) -> Array:
    """Give running products; JAX cannot differentiate its own while 64 bits are only explicit."""
    if x.dtype not in (jnp.float64, jnp.complex128):
        return jnp.cumprod(x, axis=axis, dtype=x.dtype)
    rows = jnp.moveaxis(x, axis, 0)
    start = jnp.ones(rows.shape[1:], x.dtype)
    products = jax.lax.scan(lambda total, row: (total * row, total * row), start, rows)[1]
    return jnp.moveaxis(products, 0, axis)


def _product(x: Array, named: tuple[int, ...], keep: bool) -> Array:
    if x.dtype not in (jnp.float64, jnp.complex128):
        return jnp.prod(x, axis=named, keepdims=keep, dtype=x.dtype)
    for axis in named:
        rows = jnp.moveaxis(x, axis, 0)
        start = jnp.ones(rows.shape[1:], x.dtype)
        total = jax.lax.scan(lambda total, row: (total * row, None), start, rows)[0]
        x = jnp.expand_dims(total, axis)
    return x if keep else jnp.squeeze(x, named)


@operator("ReduceProd", int_grad=True)
def prod(input: Array, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Array:
    """Product over ``axis``; integers and bools give int64."""
    require_tensor("ReduceProd", input)
    named = axes("ReduceProd", axis, input.ndim)
    return _product(_wide(input, dtype), named, keep_dims)


@operator("ReduceSum", int_grad=True)
def reduce_sum(x: Array, axis: Any = (), keep_dims: bool = False, skip_mode: bool = False) -> Array:
    """Sum over ``axis`` in the dtype of ``x``; with ``skip_mode``, an axis () changes nothing."""
    require_tensor("ReduceSum", x)
    if skip_mode and axis == ():
        return x
    named = axes("ReduceSum", axis, x.ndim, none=False)
    if x.dtype == jnp.bool_:
        return jnp.any(x, axis=named, keepdims=keep_dims)
    return jnp.sum(x, axis=named, keepdims=keep_dims, dtype=x.dtype)


@operator("ReduceMean", product=True)
def reduce_mean(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""
    axes("ReduceMean", axis, x.ndim, none=False)
    return mean.kernel(x, axis, keep_dims)


@operator("ReduceProd", int_grad=True)
def _reduce_prod(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    """Product over ``axis`` in the dtype of ``x``."""
    require_tensor("ReduceProd", x)
    named = axes("ReduceProd", axis, x.ndim, none=False)
    if x.dtype == jnp.bool_:
        return jnp.all(x, axis=named, keepdims=keep_dims)
    return _product(x, named, keep_dims)


@operator("ReduceAll")
def all(input: Array, axis: Any = None, keep_dims: bool = False) -> Array:
    """Whether all elements over ``axis`` are true or not zero."""
    require_tensor("ReduceAll", input)
    named = axes("ReduceAll", axis, input.ndim)
    return jnp.all(input.astype(jnp.bool_), axis=named, keepdims=keep_dims)


@operator("ReduceAny")
def any(input: Array, axis: Any = None, keep_dims: bool = False) -> Array:
    """Whether some element over ``axis`` is true or not zero."""
    require_tensor("ReduceAny", input)
    named = axes("ReduceAny", axis, input.ndim)
    return jnp.any(input.astype(jnp.bool_), axis=named, keepdims=keep_dims)


@operator("CountNonZero")
def count_nonzero(
    x: Array, axis: Any = (), keep_dims: bool = False, dtype: Any = mstype.int32
) -> Array:
    """How many elements over ``axis`` are not zero, in ``dtype``."""
    require_tensor("CountNonZero", x)
    named = axes("CountNonZero", axis, x.ndim, none=False)
    return jnp.sum(x != 0, axis=named, keepdims=keep_dims, dtype=dtype.np_dtype)


@operator("Var", product=True)
def var(input: Array, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Array:
    """Variance over ``axis``, divided by the count less ``ddof``.

    Integers give float32; their mean is rounded towards zero first, as MindSpore does.
    """
    require_tensor("Var", input)
    refuse("Var", input, jnp.bool_)
    named = axes("Var", axis, input.ndim)
    if is_inexact(input.dtype):
        return jnp.var(input, axis=named, ddof=ddof, keepdims=keepdims)
    deviation = (input - _mean(input, named, True)).astype(jnp.float32)
    total = jnp.sum(jnp.square(deviation), axis=named, keepdims=keepdims)
    return total / (_count(input, named) - int(ddof))


@operator("Std")
def std(input: Array, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Array:
    """Square root of the variance; see ``var``."""
    return jnp.sqrt(var.kernel(input, axis, ddof, keepdims))


@checked
def std_mean(
    input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean; see ``var``."""
    return std(input, axis, ddof, keepdims), mean(input, axis, keepdims)


@checked
def var_mean(
    input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Variance and mean; see ``var``."""
    return var(input, axis, ddof, keepdims), mean(input, axis, keepdims)


@operator("ReduceLogSumExp")
def logsumexp(input: Array, dim: Any, keepdim: bool = False) -> Array:
    """Logarithm of the sum of exponentials over ``dim``, safe from overflow."""
    require_tensor("logsumexp", input)
    refuse("logsumexp", input, jnp.bool_, jnp.integer)
    named = axes("logsumexp", dim, input.ndim, none=False)
    return jax.scipy.special.logsumexp(input, axis=named, keepdims=keepdim)


@operator("NanSum")
def nansum(input: Array, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Array:
    """Sum over ``axis`` with nan taken as 0; bools give int64."""
    require_tensor("nansum", input)
    named = axes("nansum", axis, input.ndim)
    x = _cast(input.astype(jnp.int64) if input.dtype == jnp.bool_ else input, dtype)
    return jnp.nansum(x, axis=named, keepdims=keepdims, dtype=x.dtype)


@operator("NanMean")
def nanmean(input: Array, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Array:
    """Mean over ``axis`` of the elements that are not nan."""
    require_tensor("nanmean", input)
    refuse("nanmean", input, jnp.bool_, jnp.integer)
    named = axes("nanmean", axis, input.ndim)
    return jnp.nanmean(_cast(input, dtype), axis=named, keepdims=keepdims)


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


@operator("CumSum", int_grad=True)
def cumsum(
    x: Array, axis: int, dtype: Any = None, *, exclusive: bool = False, reverse: bool = False
) -> Array:
    """Running sum along ``axis``, in ``dtype`` or that of ``x``."""
    require_tensor("CumSum", x)
    x = _cast(x, dtype)
    refuse("CumSum", x, jnp.bool_)
    place = place_of("CumSum", axis, x.ndim)
    return _running(jnp.cumsum, x, place, exclusive, reverse, 0)


@operator("CumProd")
def cumprod(input: Array, dim: int, dtype: Any = None) -> Array:
    """Running product along ``dim``; integers and bools give int64."""
    require_tensor("CumProd", input)
    place = place_of("CumProd", dim, input.ndim)
    return _running(_running_product, _wide(input, dtype), place, False, False, 1)


@operator("CumProd")
def _cumprod(x: Array, axis: int, exclusive: bool = False, reverse: bool = False) -> Array:
    """Running product along ``axis``."""
    place = place_of("CumProd", axis, x.ndim)
    return _running(_running_product, x, place, exclusive, reverse, 1)


def place_of(name: str, axis: Any, ndim: int) -> int:
    """Give the axis of a running reduction, which a 0-d Tensor has not."""
    place = one_axis(name, axis, ndim)
    if not ndim:
        raise ArgumentValueError(f"For '{name}', the input must have at least one dimension.")
    return place


def renamed(function: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """Make a method of ``function`` that knows some arguments by other names too."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **{names.get(key, key): v for key, v in kwargs.items()})

    return method


_sum = renamed(sum, axis="dim", keepdims="keepdim")


def _sum_method(self: Any, *args: Any, initial: Any = None, **kwargs: Any) -> Tensor:
    """``sum(dim, keepdim, *, dtype)`` or ``sum(axis, dtype, keepdims, initial)``."""
    if len(args) > 1 and not isinstance(args[1], bool):
        names = ("dtype", "keepdims", "initial")
        kwargs.update(zip(names, args[1:], strict=False))
        args = args[:1]
        initial = kwargs.pop("initial", initial)
    result = _sum(self, *args, **kwargs)
    return result if initial is None else add(result, initial)


ReduceSum = primitive("ReduceSum", reduce_sum, {"keep_dims": False, "skip_mode": False})
ReduceMean = primitive("ReduceMean", reduce_mean, {"keep_dims": False})
ReduceProd = primitive("ReduceProd", _reduce_prod, {"keep_dims": False})
ReduceAll = primitive("ReduceAll", all, {"keep_dims": False})
ReduceAny = primitive("ReduceAny", any, {"keep_dims": False})
CumSum = primitive("CumSum", cumsum, {"exclusive": False, "reverse": False})
CumProd = primitive("CumProd", _cumprod, {"exclusive": False, "reverse": False})

_DIM = {"dim": "axis", "keepdim": "keepdims"}
_DIM_KEEP = {"dim": "axis", "keepdim": "keep_dims"}

METHODS: dict[str, Callable[..., Any]] = {
    "sum": _sum_method,
    "mean": renamed(mean, **_DIM_KEEP),
    "prod": renamed(prod, **_DIM_KEEP),
    "all": renamed(all, **_DIM_KEEP),
    "any": renamed(any, **_DIM_KEEP),
    "count_nonzero": renamed(count_nonzero, **_DIM_KEEP),
    "var": renamed(var, **_DIM, correction="ddof"),
    "std": renamed(std, **_DIM, correction="ddof"),
    "logsumexp": renamed(logsumexp, axis="dim", keepdims="keepdim"),
    "nansum": renamed(nansum, **_DIM),
    "nanmean": nanmean,
    "cumsum": renamed(cumsum, dim="axis"),
    "cumprod": cumprod,
}

__all__ = [
    "CumProd",
    "CumSum",
    "ReduceAll",
    "ReduceAny",
    "ReduceMean",
    "ReduceProd",
    "ReduceSum",
    "all",
    "any",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "logsumexp",
    "mean",
    "nanmean",
    "nansum",
    "prod",
    "reduce_mean",
    "reduce_sum",
    "std",
    "std_mean",
    "sum",
    "var",
    "var_mean",
]
