"""Adaptive pooling: windows chosen so that the output has a given size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import static, too_large
from msgrad._core.checks import at_least
from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import wide
from msgrad._core.registry import function
from msgrad._core.rounding import mean_of
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating, multiple_of, need, of_length, of_rank
from msgrad.ops.extremes import position_of


def adaptive_sizes(output_size: Any, rank: int) -> tuple[int | None, ...]:
    """Return the output's size per dimension, None where it is the input's.

    Raises:
        TypeError: For a size that is not an int.
        ValueError: For another number of sizes, or a negative one.
    """
    if type(output_size) is not int and not isinstance(output_size, tuple):
        raise ArgumentTypeError(
            "the type of 'output_size' should be one of '['int', 'tuple']', but got type "
            f"'{type(output_size).__name__}'."
        )
    sizes = (output_size,) * rank if isinstance(output_size, int) else output_size
    of_length(sizes, "output_size", rank)
    for place, size in enumerate(sizes):
        if size is not None and type(size) is not int:
            raise ArgumentTypeError(
                f"each member of 'output_size' must be an int or None, but got {size!r}."
            )
        if size is not None and size >= 2**63 and rank > 1:
            raise too_large("the operator", "output_size", size)
        if size is not None:
            at_least("", f"output_size[{place}]", size, 0)
    return sizes


def _spans(size: int, count: int) -> list[tuple[int, int]]:
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def _adaptive_rank(x: Array, rank: int) -> None:
    floating(x)
    of_rank(x, rank + 1, rank + 2)


@operator("AdaptiveAvgPool")
def _adaptive_avg(x: Array, sizes: tuple[int | None, ...]) -> Array:
    _adaptive_rank(x, len(sizes))
    out = wide(x)
    for axis, count in enumerate(sizes, x.ndim - len(sizes)):
        size = out.shape[axis]
        if count is None or count == size:
            continue
        if count == 1:
            out = mean_of(out, axis, True)
            continue
        # One matrix product per axis: row i holds 1 / length on the i-th span.
        rows = np.zeros((count, size), out.dtype)
        for row, (first, last) in zip(rows, _spans(size, count), strict=True):
            row[first:last] = 1 / (last - first)
        out = jnp.moveaxis(jnp.tensordot(out, rows, (axis, 1), precision="highest"), -1, axis)
    return out.astype(x.dtype)


@operator("AdaptiveMaxPool")
def _adaptive_max(x: Array, sizes: tuple[int | None, ...], indices: bool) -> Any:
    rank = len(sizes)
    _adaptive_rank(x, rank)
    lead = x.ndim - rank
    counts = [n if c is None else c for c, n in zip(sizes, x.shape[lead:], strict=True)]
    need(not any(count == 0 for count in counts), "the output must not be empty", sizes)
    windows = _windows(x.shape[lead:], counts)
    flat = x.reshape(*x.shape[:lead], math.prod(x.shape[lead:]))
    best = position_of(jax.lax.stop_gradient(flat)[..., windows], lead + 1, True)[..., 0]
    where = jnp.asarray(windows)[jnp.arange(len(windows), dtype=jnp.int32), best]
    shape = (*x.shape[:lead], *counts)
    out = jnp.take_along_axis(flat, where, -1).reshape(shape)
    return (out, where.reshape(shape).astype(mstype.int64.np_dtype)) if indices else out


def _windows(shape: tuple[int, ...], counts: Sequence[int]) -> np.ndarray:
    """Return the places in each window, by rows; short ones name their last place again."""
    found = np.zeros((1, 1), np.int32)
    for size, count in zip(shape, counts, strict=True):
        spans = [*_spans(size, count)]
        most = max(b - a for a, b in spans)
        own = np.array([[min(a + i, b - 1) for i in range(most)] for a, b in spans], np.int32)
        found = found[:, None, :, None] * size + own[:, None]
        found = found.reshape(-1, found.shape[2] * most)
    return found


@function
def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Compute means of ``output_size`` equal parts of the last dimension of (N, C, L).

    Raises:
        TypeError: If ``output_size`` is not an int, or the input not floating.
        ValueError: If it is not positive, the length no multiple of it, or the input not 3-D.
    """
    _equal_parts(input, output_size)
    return _adaptive_avg(input, (output_size,))


def _equal_parts(x: Tensor, output_size: int) -> None:
    of_rank(x, 3)
    at_least("", "output_size", output_size, 1)
    multiple_of(output_size, "input's last dimension", x.shape[-1])


@function(primitive="AdaptiveAvgPool2D(output_size)")
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows chosen so that the output has a given size.

    Args:
        input: Tensor (N, C, H, W) or (C, H, W), floating.
        output_size: int, or tuple of two; None keeps the input's size.

    Raises:
        TypeError: For sizes that are not ints, or an input that is not floating.
        ValueError: For another length, a negative size, or another rank.
    """
    return _adaptive_avg(input, adaptive_sizes(output_size, 2))


@function(primitive="AdaptiveAvgPool3D(output_size)")
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows of (N, C, D, H, W) or (C, D, H, W); see ``adaptive_avg_pool2d``."""
    return _adaptive_avg(input, adaptive_sizes(output_size, 3))


@function
def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    """Compute maxima of ``output_size`` equal parts; see ``adaptive_avg_pool1d``."""
    _equal_parts(input, output_size)
    return _adaptive_max(input, (output_size,), False)


@function(primitive="AdaptiveMaxPool2D(input, /, output_size, _: return_indices = True)")
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows chosen so that the output has a given size.

    Args:
        input: Tensor (N, C, H, W) or (C, H, W), floating.
        output_size: int, or tuple or list of two; None keeps the input's size.
        return_indices: Whether to give also the places of the maxima, int64 Tensor.
    """
    return _adaptive_max(input, adaptive_sizes(static(output_size), 2), return_indices)
