"""Primitives of MindSpore's newer kernels, ``AddExt`` and its like: older operators, other options.

MindSpore keeps them in ``ops.auto_generate``; its own functions are made of them.
"""

from __future__ import annotations

from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops.arithmetic import add, mul, sub
from msgrad.ops.array import broadcast_to, repeat_interleave
from msgrad.ops.clip import clamp
from msgrad.ops.creation import arange, zeros_like
from msgrad.ops.joining import chunk
from msgrad.ops.matrices import tril
from msgrad.ops.reduction import mean, sum
from msgrad.ops.sorting import sort


def _times(other: Any, alpha: Any) -> Any:
    return other if not is_tensor(alpha) and alpha == 1 else mul(other, alpha)


@function(primitive="AddExt")
def _add_ext(input: Any, other: Any, alpha: Any = 1) -> Tensor:
    """Compute ``input + alpha * other``."""
    return add(input, _times(other, alpha))


@function(primitive="SubExt")
def _sub_ext(input: Any, other: Any, alpha: Any = 1) -> Tensor:
    """Compute ``input - alpha * other``."""
    return sub(input, _times(other, alpha))


@function(primitive="SumExt")
def _sum_ext(input: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """Sum over dimensions; integers and bools give int64."""
    return sum(input, dim, keepdim, dtype=dtype)


@function(primitive="MeanExt")
def _mean_ext(input: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """Compute the mean over dimensions."""
    return mean(input, dim, keepdim, dtype=dtype)


@function(primitive="SortExt")
def _sort_ext(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False
) -> tuple[Tensor, Tensor]:
    """Sort along a dimension, and return the positions that the elements had."""
    return sort(input, dim, descending)


@function(primitive="ZerosLikeExt")
def _zeros_like_ext(input: Tensor, dtype: Any = None) -> Tensor:
    """Return zeros of the shape of a Tensor."""
    return zeros_like(input, dtype=dtype)


@function(primitive="InplaceCopy")
def _inplace_copy(input: Tensor, src: Tensor) -> Tensor:
    """Write ``src`` into ``input``, in place; returns ``input``."""
    input._write_elements(broadcast_to(src.astype(input.dtype), input.shape)._peek())
    return input


@function(primitive="Chunk")
def _chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut a Tensor along a dimension into at most ``chunks`` pieces."""
    return chunk(input, chunks, dim)


@function(primitive="ClampScalar")
def _clamp_scalar(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], numbers."""
    return clamp(input, min, max)


@function(primitive="SliceExt")
def _slice_ext(input: Tensor, dim: int, start: int, end: int, step: int) -> Tensor:
    """Return the elements ``start:end:step`` of a dimension, as a view."""
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


@function(primitive="Muls")
def _muls(input: Tensor, other: Any) -> Tensor:
    """Compute a Tensor times a number."""
    return mul(input, other)


@function(primitive="Arange")
def _arange(start: Any, end: Any, step: Any, dtype: Any = None) -> Tensor:
    """Return ``start, start + step, ...`` below ``end``."""
    return arange(start, end, step, dtype=dtype)


@function(primitive="RepeatInterleaveTensor")
def _repeat_interleave(
    input: Tensor, repeats: Tensor, dim: Any = None, output_size: Any = None
) -> Tensor:
    """Repeat elements along a dimension, each as often as a Tensor says."""
    return repeat_interleave(input, repeats, dim)


@function(primitive="TrilExt")
def _tril_ext(input: Tensor, diagonal: int = 0) -> Tensor:
    """Zero the elements above a diagonal of the last two dimensions."""
    return tril(input, diagonal)
