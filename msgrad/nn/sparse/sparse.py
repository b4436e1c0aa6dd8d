"""Layers of sparse matrices, given by indices, values and a shape."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell


@operator("SparseToDense")
def _to_dense(indices: Array, values: Array, shape: tuple[int, ...]) -> Array:
    return jnp.zeros(shape, values.dtype).at[tuple(indices.T)].add(values)


@operator("SparseTensorDenseMatmul", product=True)
def _product(
    indices: Array,
    values: Array,
    dense: Array,
    shape: tuple[int, ...],
    adjoint_st: bool,
    adjoint_dt: bool,
) -> Array:
    rows, columns = indices.T[::-1] if adjoint_st else indices.T
    dense = dense.T if adjoint_dt else dense
    out = jnp.zeros((shape[adjoint_st], dense.shape[1]), values.dtype)
    return out.at[rows].add(values[:, None] * dense[columns])


class SparseToDense(Cell):
    """A dense Tensor of a sparse one, which has ``indices``, ``values`` and ``shape``."""

    def construct(self, sparse_tensor: Any) -> Tensor:
        """Convert it."""
        return _to_dense(sparse_tensor.indices, sparse_tensor.values, tuple(sparse_tensor.shape))


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse matrix and a dense one.

    Args:
        adjoint_st: Whether the sparse matrix is transposed.
        adjoint_dt: Whether the dense one is.

    Inputs: indices (n, 2) int, values (n,), sparse_shape, a tuple of two ints, and dense, a Tensor
    of two dimensions.
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None:
        super().__init__()
        self.adj_st = adjoint_st
        self.adj_dt = adjoint_dt

    def construct(
        self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor
    ) -> Tensor:
        """Compute the product."""
        return _product(indices, values, dense, tuple(sparse_shape), self.adj_st, self.adj_dt)


__all__ = public_names(globals())
