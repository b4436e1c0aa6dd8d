"""Triangles and diagonals of matrices, and the coordinate grids that 1-D Tensors span.

Their products and decompositions are in ``linalg``, permuting dimensions is in ``array``.
"""

from __future__ import annotations

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.declared import Word
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Arrays, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._axis import normal_axes


@operator("meshgrid", primitive="Meshgrid(indexing='xy')", autocast=False)
def _meshgrid(inputs: Arrays, indexing: Word = "xy") -> tuple[Array, ...]:
    """Return the coordinates of a grid, one Tensor for each axis; see ``ops.meshgrid``.

    Args:
        inputs: A tuple of 1-d Tensors of one dtype.
        indexing: ``'xy'`` or ``'ij'``: whether the first two axes are exchanged.
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentValueError(f"'indexing' must be 'xy' or 'ij', but got '{indexing}'.")
    if len({x.dtype for x in inputs}) > 1:
        raise ArgumentValueError(
            "For Primitive [Meshgrid], all tensors should have the same type, but got "
            f"{[str(x.dtype) for x in inputs]}; cast them first."
        )
    return tuple(jnp.meshgrid(*inputs, indexing=indexing))


@function
def meshgrid(*inputs: Tensor, indexing: Word = "xy") -> tuple[Tensor, ...]:
    """Return coordinate Tensors of the grid that 1-D Tensors span.

    Raises:
        TypeError: If the inputs are given as a list.
        ValueError: If ``indexing`` is neither ``'xy'`` nor ``'ij'``, or the dtypes differ.
    """
    if any(not is_tensor(x) for x in inputs):
        raise ArgumentTypeError("every input must be a Tensor: meshgrid(x, y).")
    return _meshgrid(inputs, indexing)


@operator("Tril", primitive="(diagonal=0)", method=True, int_grad=True)
def tril(input: Array, diagonal: int = 0) -> Array:
    """Zero the elements above a diagonal of the last two dimensions."""
    return jnp.tril(_matrix(input), diagonal)


@operator("Triu", primitive="(diagonal=0)", method=True, int_grad=True)
def triu(input: Array, diagonal: int = 0) -> Array:
    """Zero the elements below a diagonal of the last two dimensions."""
    return jnp.triu(_matrix(input), diagonal)


def _matrix(x: Array) -> Array:
    if x.ndim < 2:
        raise ArgumentValueError(f"at least 2 dimensions are needed, got {x.ndim}.")
    return x


@operator("Diag", primitive=True, method=True, int_grad=True)
def diag(input: Array) -> Array:
    """Return the Tensor of twice the rank whose diagonal is ``input``, and zeros elsewhere."""
    return jnp.diag(input.reshape(-1)).reshape(input.shape + input.shape)


@operator("diagonal", method=True, int_grad=True, view=True)
def diagonal(input: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """Return a diagonal of two dimensions, as a view whose last dimension it is."""
    return jnp.diagonal(input, offset, *normal_axes((dim1, dim2), input.ndim))
