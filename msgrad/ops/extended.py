"""Primitives of MindSpore's newer kernels, ``AddExt`` and its like: older operators, other options.

MindSpore keeps them in ``ops.auto_generate``; its own functions are made of them.
"""

from __future__ import annotations

from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops import selecting
from msgrad.ops.arithmetic import add, fmod, mul, sub
from msgrad.ops.array import broadcast_to
from msgrad.ops.creation import zeros_like
from msgrad.ops.joining import split, stack
from msgrad.ops.linalg import matmul, outer
from msgrad.ops.nn_ops import silu
from msgrad.ops.reduction import cumsum, mean, sum
from msgrad.ops.sorting import sort, topk


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


@function(primitive="MatMulExt BatchMatMulExt")
def _matmul_ext(input: Tensor, other: Tensor) -> Tensor:
    """Multiply matrices, the last two dimensions."""
    return matmul(input, other)


@function(primitive="StackExt(dim=0)")
def _stack_ext(tensors: Any, dim: int = 0) -> Tensor:
    """Join Tensors along a new dimension, ``dim``."""
    return stack(tensors, dim)


@function(primitive="SplitWithSize")
def _split_with_size(input: Tensor, split_size: tuple[int, ...], dim: int = 0) -> Any:
    """Split a dimension into parts of these sizes."""
    return split(input, split_size, dim)


@function(primitive="TopkExt")
def _topk_ext(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest (or smallest) elements along a dimension, and their positions."""
    return topk(input, k, dim, largest, sorted)


@function(primitive="SortExt")
def _sort_ext(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False
) -> tuple[Tensor, Tensor]:
    """Sort along a dimension, and return the positions that the elements had."""
    return sort(input, dim, descending)


@function(primitive="CumsumExt")
def _cumsum_ext(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Return running sums along a dimension."""
    return cumsum(input, dim, dtype)


@function(primitive="IndexSelect")
def _index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """Return the slices of a dimension that the 1-D ``index`` names."""
    return selecting.index_select(input, axis, index)


@function(primitive="OneHotExt(axis=-1)")
def _one_hot_ext(tensor: Tensor, num_classes: int, on: Any, off: Any, axis: int = -1) -> Tensor:
    """Return rows that are ``on`` at the index and ``off`` elsewhere, along ``axis``."""
    return selecting.one_hot(tensor, num_classes, on, off, axis)


@function(primitive="ZerosLikeExt")
def _zeros_like_ext(input: Tensor, dtype: Any = None) -> Tensor:
    """Return zeros of the shape of a Tensor."""
    return zeros_like(input, dtype=dtype)


@function(primitive="FmodScalar")
def _fmod_scalar(input: Tensor, other: Any) -> Tensor:
    """Remainder of the division by a number that rounds towards zero."""
    return fmod(input, other)


@function(primitive="Outer")
def _outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Product of every element of one vector with every element of the other."""
    return outer(input, vec2)


@function(primitive="SiLU")
def _silu(input: Tensor) -> Tensor:
    """Compute ``x * sigmoid(x)`` of each element."""
    return silu(input)


@function(primitive="InplaceCopy")
def _inplace_copy(input: Tensor, src: Tensor) -> Tensor:
    """Write ``src`` into ``input``, in place; returns ``input``."""
    input._write_elements(broadcast_to(src.astype(input.dtype), input.shape)._peek())
    return input
