"""Sparse Tensors by their parts; and optimizer steps and suppression of few users."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, outcome


def places(dtype=ms.int32):
    return Tensor([[0, 1], [1, 2]], dtype)


def shape():
    return Tensor([3, 4], ms.int64)


def columns():
    return Tensor([[1, 0, 1], [2, 1, 2]], ms.int64)


@case.table(
    {
        "to_dense": (lambda: ops.SparseToDense(), lambda: (places(), numbers(2), (3, 4)), (1,)),
        "to_dense_count": (lambda: ops.SparseToDense(), lambda: (places(), numbers(3), (3, 4))),
        "matmul": (
            lambda: ops.SparseTensorDenseMatmul(),
            lambda: (places(), numbers(2), (3, 4), numbers(4, 2)),
            (1, 3),
        ),
        "matmul_transposed": (
            lambda: ops.SparseTensorDenseMatmul(True, True),
            lambda: (places(), numbers(2), (3, 4), numbers(2, 3)),
            (1, 3),
        ),
        "matmul_shapes": (
            lambda: ops.SparseTensorDenseMatmul(),
            lambda: (places(), numbers(2), (3, 4), numbers(4)),
        ),
        "add": (
            lambda: ops.SparseTensorDenseAdd(),
            lambda: (places(), numbers(2), Tensor([3, 4], ms.int32), numbers(3, 4)),
        ),
        "add_shapes": (
            lambda: ops.SparseTensorDenseAdd(),
            lambda: (places(), numbers(2), Tensor([3, 4], ms.int32), numbers(4, 3)),
        ),
        "slice": (
            lambda: ops.SparseSlice(),
            lambda: (
                *(places(ms.int64), numbers(2), shape()),
                *(Tensor([1, 1], ms.int64), Tensor([2, 9], ms.int64)),
            ),
        ),
        "coalesce": (lambda: ops.Coalesce(), lambda: (columns(), numbers(3), shape())),
        "coalesce_function": (lambda: ops.coalesce, lambda: (columns(), numbers(3), shape())),
        "coalesce_count": (lambda: ops.coalesce, lambda: (columns(), numbers(2), shape())),
        "segment_mean": (
            lambda: ops.sparse_segment_mean,
            lambda: (
                *(numbers(3, 2), Tensor([0, 2, 1], ms.int32)),
                Tensor([0, 0, 1], ms.int32),
            ),
        ),
        "segment_mean_gap": (
            lambda: ops.sparse_segment_mean,
            lambda: (
                *(numbers(3, 2), Tensor([0, 2, 1], ms.int32)),
                Tensor([0, 0, 2], ms.int32),
            ),
        ),
        "segment_mean_counts": (
            lambda: ops.sparse_segment_mean,
            lambda: (numbers(3, 2), Tensor([0, 2], ms.int32), Tensor([0, 0, 2], ms.int32)),
        ),
        "rrelu": (lambda: lambda x: ops.rrelu(x, 0.2, 0.2), lambda: (numbers(2, 3),), (0,)),
        "rrelu_of_zero": (
            lambda: lambda x: ops.rrelu(x, lower=0, upper=0.0),
            lambda: (Tensor([0.0, -1.0, 2.0], ms.float16),),
            (0,),
        ),
        "rrelu_of_ints": (lambda: ops.rrelu, lambda: (Tensor([0, -9, 2]),)),
        "rrelu_number": (lambda: ops.rrelu, lambda: (1.0,)),
        "rrelu_text": (lambda: ops.rrelu, lambda: (numbers(2, 3), "a")),
        "rrelu_bounds": (lambda: ops.rrelu, lambda: (numbers(2, 3), 0.5, 0.2)),
    },
    tol=1e-5,
)
def operator(make, inputs, *positions):
    return outcome(make(), inputs(), *positions)
