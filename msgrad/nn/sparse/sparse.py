"""Layers of sparse matrices, given by indices, values and a shape."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Bare
from msgrad.nn.cell import Cell


class SparseToDense(Bare):
    """A dense Tensor of a sparse one, which has ``indices``, ``values`` and ``shape``."""

    def construct(self, sparse_tensor: Any) -> Tensor:
        parts = (sparse_tensor.indices, sparse_tensor.values, tuple(sparse_tensor.shape))
        return ops.SparseToDense()(*parts)


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
        self.sparse_dense_matmul = ops.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(
        self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor
    ) -> Tensor:
        return self.sparse_dense_matmul(indices, values, sparse_shape, dense)


__all__ = public_names(globals())
