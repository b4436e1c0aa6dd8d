"""Medians and quantiles, and those of what is not nan."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_float
from msgrad._core.registry import function, spelling
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, one_axis, refuse
from msgrad.ops.reduction import DIM


@operator("Median", method=True, also=DIM, int_grad=True)
def median(input: Array, axis: int = -1, keepdims: bool = False) -> tuple[Array, Array]:
    """The lower median along ``axis`` and its int64 position; a nan counts as the median."""
    refuse(input, jnp.bool_, jnp.complexfloating)
    place = one_axis(axis, input.ndim)
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


@operator("Median", int_grad=True)
def nanmedian(input: Array, axis: int = -1, keepdims: bool = False) -> tuple[Array, Array]:
    """Return the medians along ``axis`` of what is not nan, and their positions, int64.

    Args:
        input: Tensor, floating or int.
        axis: The dimension.
        keepdims: Whether it stays, with size 1.
    """
    place = one_axis(axis, input.ndim)
    if not input.ndim:
        return input, jnp.zeros((), jnp.int64)
    order = jnp.argsort(jax.lax.stop_gradient(input), place)
    count = jnp.sum(~jnp.isnan(input), place, keepdims=True)
    middle = jnp.take_along_axis(order, jnp.maximum(count - 1, 0) // 2, place)
    value = jnp.take_along_axis(input, middle, place)
    if not keepdims:
        value, middle = jnp.squeeze(value, place), jnp.squeeze(middle, place)
    return value, middle.astype(jnp.int64)


@function(primitive="Median(global_median=False, axis=0, keep_dims=False, ignore_nan=False)")
def _median_primitive(
    x: Tensor,
    global_median: bool = False,
    axis: int = 0,
    keep_dims: bool = False,
    ignore_nan: bool = False,
) -> tuple[Tensor, Tensor]:
    """Return the medians and their positions, int64.

    Args:
        x: Tensor.
        global_median: Of all elements instead of those along ``axis``.
        axis: The dimension.
        keep_dims: Whether it stays, with size 1.
        ignore_nan: Whether nan does not count.
    """
    source = x.reshape(-1) if global_median else x
    place, keep = (0, False) if global_median else (axis, keep_dims)
    return (nanmedian if ignore_nan else median)(source, place, keep)


@operator("Quantile", primitive="(dim=None, keep_dims=False, ignore_nan=False)")
def _quantile(
    input: Array, q: Any, dim: int | None = None, keep_dims: bool = False, ignore_nan: bool = False
) -> Array:
    """Return the quantiles of all elements, or along a dimension, between the nearest ones.

    Args:
        input: Tensor, floating.
        q: Number in [0, 1], or Tensor (N,) of them: the first dimension of the result.
        dim: The dimension.
        keep_dims: Whether it stays, with size 1.
        ignore_nan: Whether nan does not count.

    Differs from MindSpore: it works on the CPU too.
    """
    refuse(input, jnp.bool_, jnp.integer)
    compute = jnp.nanquantile if ignore_nan else jnp.quantile
    for share in q if isinstance(q, tuple) else (q,):
        need(0 <= share <= 1, "the 'q' must in the range [0, 1]", share)
    shares = jnp.asarray(q, input.dtype)
    return compute(input, shares, dim, keepdims=keep_dims).astype(input.dtype)


quantile = spelling("quantile(input, q, axis: dim = None, keepdims: keep_dims = False)", _quantile)
nanquantile = spelling(
    "nanquantile(input, q, axis: dim = None, keepdims: keep_dims = False, _: ignore_nan = True)",
    _quantile,
    "Return the quantiles of what is not nan; see ``quantile``.",
)
