"""Reductions (sum, mean, max, var, norm, ...) and running sums, with their Tensor methods.

An axis may be an int, a tuple, a list, a Tensor or None; None and () mean all dimensions.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_float, is_inexact
from msgrad.common import dtype as mstype
from msgrad.ops._checks import axes, one_axis, refuse, require_tensor
from msgrad.ops.arithmetic import add
from msgrad.ops.primitive import primitive
from msgrad.ops.unary import size


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


@operator("ReduceMean")
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


@operator("ReduceProd", int_grad=True)
def prod(input: Array, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Array:
    """Product over ``axis``; integers and bools give int64."""
    require_tensor("ReduceProd", input)
    named = axes("ReduceProd", axis, input.ndim)
    return jnp.prod(_wide(input, dtype), axis=named, keepdims=keep_dims)


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


@operator("ReduceMean")
def reduce_mean(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    """Mean over ``axis``; integers stay integers, rounded towards zero."""
    axes("ReduceMean", axis, x.ndim, none=False)
    return mean.kernel(x, axis, keep_dims)


@operator("ReduceProd", int_grad=True)
def _reduce_prod(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    require_tensor("ReduceProd", x)
    named = axes("ReduceProd", axis, x.ndim, none=False)
    if x.dtype == jnp.bool_:
        return jnp.all(x, axis=named, keepdims=keep_dims)
    return jnp.prod(x, axis=named, keepdims=keep_dims, dtype=x.dtype)


# Largest and smallest ----------------------------------------------------------------------


def _extreme(name: str, function: Callable[..., Array]) -> Any:
    def kernel(
        input: Array,
        where: Array | None,
        axis: Any = None,
        keepdims: bool = False,
        initial: Any = None,
    ) -> Array:
        require_tensor(name, input)
        refuse(name, input, jnp.bool_, jnp.complexfloating)
        named = axes(name, axis, input.ndim)
        if where is None:
            return function(input, axis=named, keepdims=keepdims, initial=initial)
        if initial is None:
            raise ArgumentValueError(f"For '{name}', 'initial' must be given with 'where'.")
        return function(input, axis=named, keepdims=keepdims, initial=initial, where=where)

    kernel.__name__ = name.lower()
    return operator(name, int_grad=True)(kernel)


_amax = _extreme("ReduceMax", jnp.max)
_amin = _extreme("ReduceMin", jnp.min)


def amax(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Largest element over ``axis``; a gradient is split evenly between equal ones.

    Args:
        input: Tensor of a real dtype.
        axis: int, tuple, list or None for all.
        keepdims: Whether reduced dimensions stay, with size 1.
        initial: A number the result is at least.
        where: Bool Tensor, the elements to look at; needs ``initial``.

    Differs from MindSpore: a nan gives nan.
    """
    return _amax(input, where, axis, keepdims, initial)


def amin(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Smallest element over ``axis``; see ``amax``."""
    return _amin(input, where, axis, keepdims, initial)


@operator("ReduceMax", int_grad=True)
def reduce_max(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    """Largest element over ``axis``; a gradient is split evenly between equal ones."""
    axes("ReduceMax", axis, x.ndim, none=False)
    return _amax.kernel(x, None, axis, keep_dims)


@operator("ReduceMin", int_grad=True)
def reduce_min(x: Array, axis: Any = (), keep_dims: bool = False) -> Array:
    """Smallest element over ``axis``; a gradient is split evenly between equal ones."""
    axes("ReduceMin", axis, x.ndim, none=False)
    return _amin.kernel(x, None, axis, keep_dims)


def _position(x: Array, axis: int, largest: bool) -> Array:
    """Give the position of the first extreme element along ``axis``, keeping the dimension."""
    if x.shape[axis] == 0:
        raise KernelError("For 'Argmax', the dimension must not be empty.")
    if x.dtype.itemsize < 8:
        function = jnp.argmax if largest else jnp.argmin
        return function(x, axis=axis, keepdims=True).astype(jnp.int32)
    # JAX's argmax mixes widths on 64-bit operands while 64 bits are only explicit.
    extreme = (jnp.max if largest else jnp.min)(x, axis=axis, keepdims=True)
    hit = (x == extreme) | (x != x)
    places = jax.lax.broadcasted_iota(jnp.int32, x.shape, axis)
    return jnp.min(jnp.where(hit, places, x.shape[axis]), axis=axis, keepdims=True)


def _arg_extreme(x: Array, axis: Any, keep: bool, largest: bool) -> Array:
    name = "Argmax" if largest else "Argmin"
    require_tensor(name, x)
    if axis is None:
        flat = _position(x.reshape(-1), 0, largest)
        return flat.reshape((1,) * x.ndim if keep else ())
    place = one_axis(name, axis, x.ndim)
    if not x.ndim:
        return jnp.zeros((), jnp.int32)
    index = _position(x, place, largest)
    return index if keep else jnp.squeeze(index, place)


@operator("Argmax")
def argmax(input: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    """Position of the first largest element, in int64; in the flattened Tensor without ``dim``."""
    return _arg_extreme(input, dim, keepdim, True).astype(jnp.int64)


@operator("Argmin")
def argmin(input: Array, axis: int | None = None, keepdims: bool = False) -> Array:
    """Position of the first smallest element, in int32 (int64 of a 0-d Tensor)."""
    refuse("Argmin", input, jnp.bool_)
    index = _arg_extreme(input, axis, keepdims, False)
    return index if input.ndim else index.astype(jnp.int64)


@operator("Argmax")
def _argmax(x: Array, axis: int = -1, output_type: Any = mstype.int32) -> Array:
    return _arg_extreme(x, axis, False, True).astype(output_type.np_dtype)


@operator("Argmin")
def _argmin(x: Array, axis: int = -1, output_type: Any = mstype.int32) -> Array:
    return _arg_extreme(x, axis, False, False).astype(output_type.np_dtype)


def _with_value(x: Array, axis: int, keep: bool, largest: bool) -> tuple[Array, Array]:
    """Give positions (int64) and values along one axis; the gradient goes to that position."""
    name = "ArgMaxWithValue" if largest else "ArgMinWithValue"
    require_tensor(name, x)
    refuse(name, x, jnp.bool_, jnp.complexfloating)
    place = one_axis(name, axis, x.ndim)
    if not x.ndim:
        return jnp.zeros((), jnp.int64), x
    if x.shape[place] == 0:
        raise ArgumentValueError(f"For '{name}', the dimension {axis} must not be empty.")
    index = _position(x, place, largest)
    value = jnp.take_along_axis(x, index, place)
    if not keep:
        index, value = jnp.squeeze(index, place), jnp.squeeze(value, place)
    return index.astype(jnp.int64), value


@operator("ArgMaxWithValue")
def _argmax_with_value(x: Array, axis: int = 0, keep_dims: bool = False) -> tuple[Array, Array]:
    return _with_value(x, axis, keep_dims, True)


@operator("ArgMinWithValue")
def _argmin_with_value(x: Array, axis: int = 0, keep_dims: bool = False) -> tuple[Array, Array]:
    return _with_value(x, axis, keep_dims, False)


@operator("Max")
def _max_of_all(x: Array) -> tuple[Array, Array]:
    return _amax.kernel(x, None), jnp.zeros((), jnp.int64)


@operator("Min")
def _min_of_all(x: Array) -> tuple[Array, Array]:
    return _amin.kernel(x, None), jnp.zeros((), jnp.int64)


@operator("Where")
def _where(x: Array, where: Array, initial: Any) -> Array:
    if initial is None:
        raise ArgumentValueError("For 'max' and 'min', 'initial' must be given with 'where'.")
    return jnp.where(where, x, jnp.asarray(initial, x.dtype))


def max(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Largest elements along ``axis`` and where they are.

    Args:
        input: Tensor of a real dtype.
        axis: int, or None for all elements.
        keepdims: Whether the dimension stays, with size 1.
        initial: A number put in place of the elements left out by ``where``.
        where: Bool Tensor, the elements to look at; needs ``initial``.

    Returns:
        Values and int64 positions; without ``axis`` the position is 0.
    """
    if where is not None:
        input = _where(input, where, initial)
    if axis is None:
        return _max_of_all(input)
    index, value = _argmax_with_value(input, axis, keepdims)
    return value, index


def min(
    input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> Any:
    """Smallest elements along ``axis`` and where they are; see ``max``."""
    if where is not None:
        input = _where(input, where, initial)
    if axis is None:
        return _min_of_all(input)
    index, value = _argmin_with_value(input, axis, keepdims)
    return value, index


def aminmax(input: Any, *, axis: Any = 0, keepdims: bool = False) -> Any:
    """Smallest and largest elements along ``axis``; without one, of all."""
    return min(input, axis, keepdims)[0], max(input, axis, keepdims)[0]


@operator("Median")
def median(input: Array, axis: int = -1, keepdims: bool = False) -> tuple[Array, Array]:
    """The lower median along ``axis`` and its int64 position; a nan counts as the median."""
    require_tensor("Median", input)
    refuse("Median", input, jnp.bool_, jnp.complexfloating)
    place = one_axis("Median", axis, input.ndim)
    if not input.ndim:
        return input, jnp.zeros((), jnp.int64)
    order = jnp.argsort(input, axis=place, stable=True)
    size = input.shape[place]
    middle = jnp.expand_dims(jnp.take(order, (size - 1) // 2, axis=place), place)
    if is_float(input.dtype):
        nan = jnp.isnan(input)
        first = jnp.argmax(nan, axis=place, keepdims=True)
        middle = jnp.where(jnp.any(nan, axis=place, keepdims=True), first, middle)
    value = jnp.take_along_axis(input, middle, place)
    if not keepdims:
        middle, value = jnp.squeeze(middle, place), jnp.squeeze(value, place)
    return value, middle.astype(jnp.int64)


# Truth and counting ------------------------------------------------------------------------


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


# Moments and norms -------------------------------------------------------------------------


@operator("Var")
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


def std_mean(input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Standard deviation and mean; see ``var``."""
    return std(input, axis, ddof, keepdims), mean(input, axis, keepdims)


def var_mean(input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Variance and mean; see ``var``."""
    return var(input, axis, ddof, keepdims), mean(input, axis, keepdims)


def _power_norm(x: Array, order: float, named: tuple[int, ...], keep: bool) -> Array:
    """Give the ``order``-norm of vectors; its gradient at 0 is 0 but for order 2, as recorded."""
    total = jnp.sum(size(x) ** order, axis=named, keepdims=keep)
    safe = jnp.where(total == 0, 1, total)
    return jnp.where(total == 0, total, safe ** (1 / order)).astype(x.dtype)


@operator("Norm")
def norm(
    A: Array, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Array:
    """Norm of vectors or matrices.

    Args:
        A: Tensor; integers are taken as float32.
        ord: None for the square root of the sum of squares; a number or infinity; for matrices
            also ``'fro'`` and ``'nuc'``.
        dim: One axis for vectors, two for matrices; None for the whole Tensor.
        keepdim: Whether reduced dimensions stay, with size 1.
        dtype: Cast to it first.

    Raises:
        TypeError: For a bool Tensor, or a text as ``ord`` of vectors.
        ValueError: For an ``ord`` that matrices have not.
    """
    require_tensor("norm", A)
    x = _cast(A, dtype)
    refuse("norm", x, jnp.bool_)
    x = x if is_inexact(x.dtype) else x.astype(jnp.float32)
    named = axes("norm", dim, x.ndim)
    if ord is None or (ord == 2 and len(named) == 1):
        return jnp.sqrt(jnp.sum(jnp.square(jnp.abs(x)), axis=named, keepdims=keepdim))
    if len(named) != 1:
        return _matrix_norm(x, ord, named, keepdim)
    if isinstance(ord, str):
        raise ArgumentTypeError(f"For 'norm', ord of vectors must be a number, but got {ord!r}.")
    if ord == 0:
        return jnp.sum(x != 0, axis=named, keepdims=keepdim).astype(x.dtype)
    if ord in (float("inf"), float("-inf")):
        return (jnp.max if ord > 0 else jnp.min)(size(x), axis=named, keepdims=keepdim)
    return _power_norm(x, ord, named, keepdim)


def _matrix_norm(x: Array, order: Any, named: tuple[int, ...], keep: bool) -> Array:
    if len(named) != 2:
        raise ArgumentValueError(
            f"For 'norm', 'ord' {order!r} needs a Tensor of 1 or 2 dimensions or a 'dim' that "
            f"names one or two, but got shape {x.shape} and {len(named)} dimensions."
        )
    if order not in ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf")):
        raise ArgumentValueError(
            "For 'norm', ord of matrices must be one of 'fro', 'nuc', inf, -inf, 1, -1, 2, -2, "
            f"but got {order!r}."
        )
    return jnp.linalg.norm(x, ord=order, axis=named, keepdims=keep)


@operator("LpNorm")
def _lp_norm(
    x: Array, axis: Any, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Array:
    named = axes("LpNorm", axis, x.ndim)
    total = jnp.sum(size(x) ** p, axis=named, keepdims=keep_dims)
    return jnp.maximum(total, epsilon) ** (1 / p)


@operator("L2Normalize")
def _l2_normalize(x: Array, axis: Any = 0, epsilon: float = 1e-4) -> Array:
    named = axes("L2Normalize", axis, x.ndim)
    total = jnp.sum(jnp.square(x), axis=named, keepdims=True)
    return x / jnp.sqrt(jnp.maximum(total, jnp.asarray(epsilon, x.dtype)))


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


# Running sums ------------------------------------------------------------------------------


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
    place = _place("CumSum", axis, x.ndim)
    return _running(jnp.cumsum, x, place, exclusive, reverse, 0)


@operator("CumProd")
def cumprod(input: Array, dim: int, dtype: Any = None) -> Array:
    """Running product along ``dim``; integers and bools give int64."""
    require_tensor("CumProd", input)
    place = _place("CumProd", dim, input.ndim)
    return _running(jnp.cumprod, _wide(input, dtype), place, False, False, 1)


@operator("CumProd")
def _cumprod(x: Array, axis: int, exclusive: bool = False, reverse: bool = False) -> Array:
    place = _place("CumProd", axis, x.ndim)
    return _running(jnp.cumprod, x, place, exclusive, reverse, 1)


def _place(name: str, axis: Any, ndim: int) -> int:
    place = one_axis(name, axis, ndim)
    if not ndim:
        raise ArgumentValueError(f"For '{name}', the input must have at least one dimension.")
    return place


def _cumulative_extreme(name: str, largest: bool, index_dtype: Any, summary: str) -> Any:
    def kernel(input: Array, axis: int) -> tuple[Array, Array]:
        require_tensor(name, input)
        refuse(name, input, jnp.bool_, jnp.complexfloating)
        place = _place(name, axis, input.ndim)
        run = jax.lax.cummax if largest else jax.lax.cummin
        best = run(jax.lax.stop_gradient(input), axis=place)
        hit = (input == best) | ((input != input) & (best != best))
        places = jax.lax.broadcasted_iota(jnp.int32, input.shape, place)
        index = jax.lax.cummax(jnp.where(hit, places, 0), axis=place)
        return jnp.take_along_axis(input, index, place), index.astype(index_dtype)

    kernel.__name__ = name.lower()
    kernel.__doc__ = summary
    return operator(name)(kernel)


cummax = _cumulative_extreme(
    "Cummax", True, jnp.int64, "Running maximum along ``axis`` and its int64 positions."
)
cummin = _cumulative_extreme(
    "Cummin", False, jnp.int32, "Running minimum along ``axis`` and its int32 positions."
)


# Tensor methods ----------------------------------------------------------------------------


def _renamed(function: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """Make a method of ``function`` that knows some arguments by other names too."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **{names.get(key, key): v for key, v in kwargs.items()})

    return method


_sum = _renamed(sum, axis="dim", keepdims="keepdim")


def _sum_method(self: Any, *args: Any, initial: Any = None, **kwargs: Any) -> Any:
    """``sum(dim, keepdim, *, dtype)`` or ``sum(axis, dtype, keepdims, initial)``."""
    if len(args) > 1 and not isinstance(args[1], bool):
        names = ("dtype", "keepdims", "initial")
        kwargs.update(zip(names, args[1:], strict=False))
        args = args[:1]
        initial = kwargs.pop("initial", initial)
    result = _sum(self, *args, **kwargs)
    return result if initial is None else add(result, initial)


def _extreme_method(pair: Callable[..., Any], single: Callable[..., Any]) -> Callable[..., Any]:
    def method(
        self: Any,
        axis: Any = None,
        keepdims: Any = False,
        *,
        initial: Any = None,
        where: Any = None,
        return_indices: bool = False,
    ) -> Any:
        if return_indices:
            return pair(self, axis, keepdims, initial=initial, where=where)
        if isinstance(axis, int) and initial is None and where is None:
            return pair(self, axis, keepdims)[0]
        return single(self, axis, keepdims, initial=initial, where=where)

    def overloaded(self: Any, *args: Any, **kwargs: Any) -> Any:
        """``max()``, ``max(dim, keepdim)`` with positions, or ``max(axis=...)`` without."""
        if "dim" in kwargs or (
            args and isinstance(args[0], int) and "return_indices" not in kwargs
        ):
            names = {"dim": "axis", "keepdim": "keepdims"}
            return pair(self, *args, **{names.get(key, key): v for key, v in kwargs.items()})
        return method(self, *args, **kwargs)

    return overloaded


ReduceSum = primitive("ReduceSum", reduce_sum, {"keep_dims": False, "skip_mode": False})
ReduceMean = primitive("ReduceMean", reduce_mean, {"keep_dims": False})
ReduceMax = primitive("ReduceMax", reduce_max, {"keep_dims": False})
ReduceMin = primitive("ReduceMin", reduce_min, {"keep_dims": False})
ReduceProd = primitive("ReduceProd", _reduce_prod, {"keep_dims": False})
ReduceAll = primitive("ReduceAll", all, {"keep_dims": False})
ReduceAny = primitive("ReduceAny", any, {"keep_dims": False})
ArgMaxWithValue = primitive("ArgMaxWithValue", _argmax_with_value, {"axis": 0, "keep_dims": False})
ArgMinWithValue = primitive("ArgMinWithValue", _argmin_with_value, {"axis": 0, "keep_dims": False})
Argmax = primitive("Argmax", _argmax, {"axis": -1, "output_type": mstype.int32})
Argmin = primitive("Argmin", _argmin, {"axis": -1, "output_type": mstype.int32})
CumSum = primitive("CumSum", cumsum, {"exclusive": False, "reverse": False})
CumProd = primitive("CumProd", _cumprod, {"exclusive": False, "reverse": False})
LpNorm = primitive(
    "LpNorm",
    _lp_norm,
    {"axis": inspect.Parameter.empty, "p": 2, "keep_dims": False, "epsilon": 1e-12},
)
L2Normalize = primitive("L2Normalize", _l2_normalize, {"axis": 0, "epsilon": 1e-4})

_DIM = {"dim": "axis", "keepdim": "keepdims"}
_DIM_KEEP = {"dim": "axis", "keepdim": "keep_dims"}

METHODS: dict[str, Callable[..., Any]] = {
    "sum": _sum_method,
    "mean": _renamed(mean, **_DIM_KEEP),
    "prod": _renamed(prod, **_DIM_KEEP),
    "max": _extreme_method(max, amax),
    "min": _extreme_method(min, amin),
    "amax": amax,
    "amin": amin,
    "aminmax": aminmax,
    "argmax": _renamed(argmax, axis="dim", keepdims="keepdim"),
    "argmin": _renamed(argmin, **_DIM),
    "median": _renamed(median, **_DIM),
    "all": _renamed(all, **_DIM_KEEP),
    "any": _renamed(any, **_DIM_KEEP),
    "count_nonzero": _renamed(count_nonzero, **_DIM_KEEP),
    "var": _renamed(var, **_DIM, correction="ddof"),
    "std": _renamed(std, **_DIM, correction="ddof"),
    "norm": norm,
    "logsumexp": _renamed(logsumexp, axis="dim", keepdims="keepdim"),
    "nansum": _renamed(nansum, **_DIM),
    "nanmean": nanmean,
    "cumsum": _renamed(cumsum, dim="axis"),
    "cumprod": cumprod,
    "cummax": cummax,
    "cummin": cummin,
}

__all__ = [
    "METHODS",
    "ArgMaxWithValue",
    "ArgMinWithValue",
    "Argmax",
    "Argmin",
    "CumProd",
    "CumSum",
    "L2Normalize",
    "LpNorm",
    "ReduceAll",
    "ReduceAny",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "all",
    "amax",
    "amin",
    "aminmax",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "logsumexp",
    "max",
    "mean",
    "median",
    "min",
    "nanmean",
    "nansum",
    "norm",
    "prod",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_sum",
    "std",
    "std_mean",
    "sum",
    "var",
    "var_mean",
]
