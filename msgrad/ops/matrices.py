"""Triangles, diagonals and bands of matrices, and the grids that 1-D Tensors span.

Their products and decompositions are in ``linalg``, permuting dimensions is in ``array``.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import one_of
from msgrad._core.declared import Word
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Arrays, Operand, operator
from msgrad._core.promotion import common_type
from msgrad._core.registry import function, spelling
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, normal_axes, of_shape, rank_at_least


@operator("meshgrid", primitive="Meshgrid(indexing='xy')", autocast=False)
def _meshgrid(inputs: Arrays, indexing: Word = "xy") -> tuple[Array, ...]:
    """Return the coordinates of a grid, one Tensor for each axis; see ``ops.meshgrid``.

    Args:
        inputs: A tuple of 1-d Tensors of one dtype.
        indexing: ``'xy'`` or ``'ij'``: whether the first two axes are exchanged.
    """
    one_of("", "indexing", indexing, "xy", "ij")
    if len({x.dtype for x in inputs}) > 1:
        raise ArgumentValueError(
            "For Primitive [Meshgrid], all tensors should have the same type, but got "
            f"{[str(x.dtype) for x in inputs]}; cast them first."
        )
    return tuple(jnp.meshgrid(*map(jnp.atleast_1d, inputs), indexing=indexing))


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


@operator(
    "Tril", primitive="(diagonal=0) TrilExt(input, diagonal=0, /)", method=True, int_grad=True
)
def tril(input: Array, diagonal: int = 0) -> Array:
    """Zero the elements above a diagonal of the last two dimensions."""
    return jnp.tril(_matrix(input), diagonal)


@operator("Triu", primitive="(diagonal=0)", method=True, int_grad=True)
def triu(input: Array, diagonal: int = 0) -> Array:
    """Zero the elements below a diagonal of the last two dimensions."""
    return jnp.triu(_matrix(input), diagonal)


def _matrix(x: Array) -> Array:
    rank_at_least(x, 2)
    return x


@operator("Diag", primitive=True, method=True, int_grad=True)
def diag(input: Array) -> Array:
    """Return the Tensor of twice the rank whose diagonal is ``input``, and zeros elsewhere."""
    return jnp.diag(input.reshape(-1)).reshape(input.shape + input.shape)


@operator(
    "diagonal",
    method="(offset=0, axis1: dim1 = 0, axis2: dim2 = 1)",
    int_grad=True,
    view=True,
)
def diagonal(input: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """Return a diagonal of two dimensions, as a view whose last dimension it is."""
    return jnp.diagonal(input, offset, *normal_axes((dim1, dim2), input.ndim))


_ALIGN = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


@operator("diag_embed", int_grad=True)
def diag_embed(input: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    """Make matrices whose diagonals are the last dimension.

    Args:
        input: Tensor.
        offset: Which diagonal: above the main one if positive.
        dim1: Where the rows of the matrices go.
        dim2: Where their columns go.
    """
    size = input.shape[-1] + abs(offset)
    places = np.arange(input.shape[-1])
    rows, columns = places + max(-offset, 0), places + max(offset, 0)
    made = jnp.zeros((*input.shape[:-1], size, size), input.dtype)
    made = made.at[..., rows, columns].set(input)
    first, second = normal_axes((dim1, dim2), made.ndim, "dim")
    return jnp.moveaxis(made, (-2, -1), (first, second))


@operator("diagflat", int_grad=True)
def diagflat(input: Array, offset: int = 0) -> Array:
    """Return the matrix with the elements along a diagonal, and zeros elsewhere."""
    return jnp.diag(input.reshape(-1), offset)


@operator("DiagPart", primitive=True, int_grad=True)
def _diag_part(x: Array) -> Array:
    """Return the diagonal of a Tensor whose second half of dimensions repeats the first."""
    half = x.ndim // 2
    if x.ndim % 2 or x.shape[:half] != x.shape[half:]:
        raise ArgumentValueError(f"the shape must repeat itself, but got {x.shape}.")
    size = int(np.prod(x.shape[:half]))
    return jnp.diagonal(x.reshape(size, size)).reshape(x.shape[:half])


@operator("diagonal_scatter", int_grad=True)
def diagonal_scatter(
    input: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Array:
    """Replace a diagonal of two dimensions by ``src``, in a copy of the dtype they meet in.

    Raises:
        ValueError: If ``src`` has not the shape of the diagonal.
    """
    first, second = normal_axes((dim1, dim2), input.ndim, "dim")
    dtype = common_type(input, src)
    moved = jnp.moveaxis(input.astype(dtype), (first, second), (-2, -1))
    size = jnp.diagonal(moved, offset, -2, -1).shape
    of_shape(src, "src", *size)
    places = np.arange(size[-1])
    at = (..., places + max(-offset, 0), places + max(offset, 0))
    changed = moved.at[at].set(src.astype(dtype))
    return jnp.moveaxis(changed, (-2, -1), (first, second))


def _band(k: Any) -> tuple[int, int]:
    """Return the lowest and the highest diagonal that ``k`` names."""
    values = np.asarray(k).reshape(-1)
    if values.size not in (1, 2) or values[0] > values[-1]:
        raise ArgumentValueError(f"'k' must be one diagonal, or the lowest and highest, not {k}.")
    return int(values[0]), int(values[-1])


def _places(low: int, high: int, rows: int, columns: int, align: str) -> tuple[Any, Any, Any]:
    """Return where packed diagonals stand: rows, columns, and which of the places are any."""
    one_of("", "align", align, *_ALIGN)
    diagonals = np.arange(high, low - 1, -1)[:, None]
    longest = min(rows + min(high, 0), columns - max(low, 0))
    lengths = np.minimum(rows + np.minimum(diagonals, 0), columns - np.maximum(diagonals, 0))
    upper, lower = align.split("_")
    right = np.where(diagonals >= 0, upper == "RIGHT", lower == "RIGHT")
    step = np.arange(longest)[None, :] - np.where(right, longest - lengths, 0)
    there = (step >= 0) & (step < lengths)
    step = np.where(there, step, 0)
    return step + np.maximum(-diagonals, 0), step + np.maximum(diagonals, 0), there


@operator("MatrixDiagV3", int_grad=True)
def _matrix_diag(
    x: Array, padding_value: Operand, k: Any, num_rows: int, num_cols: int, align: Word
) -> Array:
    """Make matrices of packed diagonals.

    Args:
        x: Tensor (..., N), or (..., diagonals, N) where ``k`` names several.
        k: int or int32 Tensor: one diagonal, or the lowest and the highest.
        num_rows: How many rows; by default as few as hold the diagonals, in a square if
            ``num_cols`` is not given either.
        num_cols: How many columns; likewise.
        padding_value: What stands elsewhere.
        align: On which side the shorter diagonals above, and below, the main one are packed:
            ``'RIGHT_LEFT'``, ``'LEFT_RIGHT'``, ``'LEFT_LEFT'`` or ``'RIGHT_RIGHT'``.
    """
    (low, high), rows, columns = _band(k), num_rows, num_cols
    packed = x[..., None, :] if low == high else x
    longest = packed.shape[-1]
    needed = longest - min(high, 0), longest + max(low, 0)
    if rows <= 0 and columns <= 0:
        rows = columns = max(needed)
    rows = rows if rows > 0 else needed[0]
    columns = columns if columns > 0 else needed[1]
    i, j, there = _places(low, high, rows, columns, align)
    shape = (*packed.shape[:-2], rows, columns)
    made = jnp.broadcast_to(jnp.asarray(padding_value).astype(x.dtype).reshape(()), shape)
    return made.at[..., i[there], j[there]].set(packed[..., there].astype(x.dtype))


matrix_diag = spelling(
    "matrix_diag(x, k=0, num_rows=-1, num_cols=-1, padding_value=0, align='RIGHT_LEFT')",
    _matrix_diag,
    primitive="MatrixDiagV3(align='RIGHT_LEFT')",
)


@operator("MatrixDiagPartV3", int_grad=True)
def _matrix_diag_part(x: Array, padding_value: Operand, k: Any, align: Word) -> Array:
    """Return diagonals of matrices (..., M, N), packed.

    Args:
        x: Tensor.
        k: int or int32 Tensor: one diagonal, or the lowest and the highest.
        padding_value: What the shorter ones are filled with.
        align: On which side they are packed, see ``matrix_diag``.
    """
    low, high = _band(k)
    padding = jnp.asarray(padding_value).astype(x.dtype).reshape(())
    i, j, there = _places(low, high, x.shape[-2], x.shape[-1], align)
    taken = jnp.where(there, x[..., i, j], padding)
    return taken[..., 0, :] if low == high else taken


matrix_diag_part = spelling(
    "matrix_diag_part(x, k, padding_value, align='RIGHT_LEFT')",
    _matrix_diag_part,
    primitive="MatrixDiagPartV3(align='RIGHT_LEFT')",
)


@operator("MatrixSetDiagV3", primitive="(align='RIGHT_LEFT')", int_grad=True)
def matrix_set_diag(x: Array, diagonal: Array, k: Any = 0, align: Word = "RIGHT_LEFT") -> Array:
    """Replace diagonals of matrices (..., M, N) by packed ones, in a copy.

    Args:
        x: Tensor.
        diagonal: Tensor (..., N), or (..., diagonals, N) where ``k`` names several.
        k: int or int32 Tensor: one diagonal, or the lowest and the highest.
        align: On which side the shorter ones are packed, see ``matrix_diag``.
    """
    x = x.astype(common_type(x, diagonal))
    low, high = _band(k)
    i, j, there = _places(low, high, x.shape[-2], x.shape[-1], align)
    packed = diagonal[..., None, :] if low == high else diagonal
    need(packed.shape[-2:] == there.shape, f"'diagonal' must end in {there.shape}", packed)
    return x.at[..., i[there], j[there]].set(packed[..., there])


@operator("MatrixBandPart", primitive=True, int_grad=True)
def matrix_band_part(x: Array, lower: int, upper: int) -> Array:
    """Zero what is further than ``lower`` below, and ``upper`` above, the main diagonal.

    Args:
        x: Tensor (..., M, N).
        lower: int or int Tensor; negative for all.
        upper: int or int Tensor; negative for all.
    """
    rank_at_least(x, 2)
    i, j = np.ogrid[: x.shape[-2], : x.shape[-1]]
    below, above = lower < 0 or (i - j) <= lower, upper < 0 or (j - i) <= upper
    return jnp.where(np.logical_and(below, above), x, jnp.zeros_like(x))


@operator(
    "FillDiagonal",
    primitive="(fill_value, wrap=False)",
    method="fill_diagonal(fill_value, wrap=False)",
    int_grad=True,
)
def _fill_diagonal(input_x: Array, fill_value: float, wrap: bool = False) -> Array:
    """Fill the main diagonal, in a copy.

    Args:
        input_x: Tensor of two dimensions or more; of more, all of one size.
        fill_value: The number.
        wrap: Whether the diagonal of a tall matrix begins anew below its end.
    """
    rows, *others = input_x.shape
    if input_x.ndim < 2 or (input_x.ndim > 2 and set(others) != {rows}):
        raise ArgumentValueError(f"the dimensions must have one size, but got {input_x.shape}.")
    step = int(np.cumprod([1, *others[::-1]]).sum())
    end = input_x.size if wrap or input_x.ndim > 2 else others[0] * others[0]
    places = np.arange(0, min(end, input_x.size), step)
    flat = input_x.reshape(-1).at[places].set(jnp.asarray(fill_value, input_x.dtype))
    return flat.reshape(input_x.shape)


def _triangle(name: str, indices: Any) -> Any:
    def triangle(
        row: int, col: int, offset: int = 0, *, dtype: mstype.DType = mstype.int64
    ) -> Tensor:
        if row < 0 or col < 0:
            raise ArgumentValueError(f"the sizes must not be negative, but got {row} and {col}.")
        if dtype not in (mstype.int32, mstype.int64):
            raise ArgumentTypeError(f"'dtype' must be int32 or int64, but got {dtype}.")
        return Tensor(np.stack(indices(row, offset, col)), dtype)

    triangle.__doc__ = f"""Return the places of the {name} triangle of a matrix (row, col).

    Args:
        row: How many rows.
        col: How many columns.
        offset: The diagonal that bounds it: above the main one if positive.
        dtype: int32 or int64.

    Returns:
        Tensor (2, n): the rows, and the columns.
    """
    label = "Tril" if name == "lower" else "Triu"
    said = f"{label}Indices(row, col, offset=0, dtype=mstype.int32)"
    return function(name=f"{label.lower()}_indices", primitive=said)(triangle)


tril_indices = _triangle("lower", np.tril_indices)
triu_indices = _triangle("upper", np.triu_indices)
