"""Sparse matrices given as their parts: places, values and a shape (COO)."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from msgrad._core.errors import KernelError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, of_ints, of_rank, same_shape, same_type
from msgrad.ops.scattering import _segments


def _check_parts(indices: Array, values: Array, shape: tuple[int, ...]) -> None:
    of_ints(indices, "indices")
    fits = values.ndim == 1 and indices.shape == (*values.shape, len(shape))
    need(fits, f"there must be {len(shape)} indices for each value", indices, values)


def _places(indices: Array) -> tuple[Array, ...]:
    return tuple(indices[:, d] for d in range(indices.shape[1]))


@operator("SparseToDense", primitive=True)
def _sparse_to_dense(indices: Indices, values: Array, sparse_shape: tuple[int, ...]) -> Array:
    """Return the Tensor with given values in given places, and zeros elsewhere.

    Args:
        indices: int Tensor (L, dimensions), the places.
        values: Tensor (L,).
        sparse_shape: The shape of the result.
    """
    _check_parts(indices, values, sparse_shape)
    return jnp.zeros(sparse_shape, values.dtype).at[_places(indices)].add(values)


@operator(
    "SparseTensorDenseMatmul",
    primitive="(indices, values, sparse_shape, dense, /, adjoint_st=False, adjoint_dt=False)",
)
def _sparse_matmul(
    indices: Indices,
    values: Array,
    dense: Array,
    sparse_shape: tuple[int, ...],
    adjoint_st: bool = False,
    adjoint_dt: bool = False,
) -> Array:
    """Compute the product of a sparse matrix and a dense one.

    Args:
        indices: int Tensor (L, 2), the places.
        values: Tensor (L,).
        sparse_shape: The two sizes, a tuple or a Tensor.
        dense: Tensor of 2 dimensions.
        adjoint_st: Whether the sparse matrix is transposed first.
        adjoint_dt: Whether the dense one is.
    """
    same_type(values, dense)
    _check_parts(indices, values, sparse_shape)
    row, column = _places(indices)[:: -1 if adjoint_st else 1]
    rows, columns = sparse_shape[:: -1 if adjoint_st else 1]
    dense = dense.T if adjoint_dt else dense
    fits = dense.ndim == 2 and dense.shape[0] == columns
    need(fits, "the matrices must fit for a product", (rows, columns), dense)
    parts = values[:, None] * dense[column]
    return jnp.zeros((rows, dense.shape[1]), dense.dtype).at[row].add(parts)


@operator("SparseTensorDenseAdd", primitive="(x1_indices, x1_values, x1_shape, x2, /)")
def _added(x1_indices: Indices, x1_values: Array, x2: Array, x1_shape: tuple[int, ...]) -> Array:
    """Add a sparse Tensor to a dense one.

    Args:
        x1_indices: int Tensor (L, dimensions), the places.
        x1_values: Tensor (L,).
        x1_shape: The shape of both, a tuple or a Tensor.
        x2: Tensor of that shape.
    """
    if x1_shape != x2.shape:
        raise KernelError(f"x2 must have the shape {x1_shape}, but got {x2.shape}.")
    same_type(x1_values, x2)
    _check_parts(x1_indices, x1_values, x2.shape)
    return x2.at[_places(x1_indices)].add(x1_values)


@function(primitive="SparseSlice")
def _sparse_slice(
    indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return a region of a sparse Tensor: its places, values and shape.

    Args:
        indices: int64 Tensor (L, dimensions), the places.
        values: Tensor (L,).
        shape: int64 Tensor (dimensions,).
        start: Where the region begins, int64 Tensor (dimensions,).
        size: How large it is, int64 Tensor (dimensions,).

    Returns:
        The parts; how many values there are depends on the places, so it cannot be compiled.
    """
    places, whole, first, sizes = (
        np.asarray(t._concrete("SparseSlice")) for t in (indices, shape, start, size)
    )
    sizes = np.minimum(sizes, whole - first)
    within = ((places >= first) & (places < first + sizes)).all(1)
    kept = Tensor(np.flatnonzero(within))
    return Tensor(places[within] - first), values[kept], Tensor(sizes)


@function(primitive="Coalesce")
def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Add up the values that stand in one place, and order the places.

    Args:
        x_indices: int64 Tensor (dimensions, L), the places.
        x_values: Tensor (L,).
        x_shape: int64 Tensor (dimensions,).

    Returns:
        The places (dimensions, M), the values (M,) and the shape. How many there are depends on the
        places, so it cannot be compiled.
    """
    places = np.asarray(x_indices._concrete("coalesce"))
    fits = places.ndim == 2 and x_values.shape == places.shape[1:]
    need(fits, "there must be a column of indices for each value", places, x_values)
    found, group = np.unique(places, axis=1, return_inverse=True)
    total = _segments(x_values, Tensor(group.reshape(-1)), "Sum", found.shape[1])
    return Tensor(found.astype(np.int64)), total, x_shape


@function
def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """Compute means of rows, row by row of a table that says which.

    Args:
        x: Tensor (N, ...), floating.
        indices: int Tensor (L,): which of N.
        segment_ids: int Tensor (L,), ascending: the row of the result that each goes to. Its last
            value, which must be known, says how many rows there are.
    """
    of_rank(indices, 1, label="indices")
    same_shape(indices, segment_ids)
    count = int(np.asarray(segment_ids._concrete("sparse_segment_mean"))[-1]) + 1
    return _segments(x[indices], segment_ids, "Mean", count)
