"""Edges of mindspore.numpy: ends that broadcast, bools, dtypes that meet, no dimensions."""

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case


def rows():
    return Tensor([[1.0, 2.0, 4.0], [3.0, 1.0, 2.0]], ms.float32)


def of(dtype, *values):
    return Tensor(np.array(values, dtype))


def powers():
    return of("float32", 0, 0, 0, 2), of("float32", -1, 0, 1, 0)


EDGES = {
    "multiply_by_one_of_64_bits": lambda: [
        mnp.multiply(of("float32", 1, 3), Tensor(0.1, ms.float64)),
        mnp.multiply(Tensor(3, ms.int64), of("int32", 1, 3)),
        mnp.multiply(Tensor(0.1, ms.float16), Tensor(0.1, ms.float64)),
    ],
    "diff_prepend": lambda: mnp.diff(rows(), prepend=of("float32", 1, 2, 3)),
    "diff_prepend_axis_0": lambda: mnp.diff(rows(), axis=0, prepend=of("float32", 1, 2, 3)),
    "diff_append_one": lambda: mnp.diff(rows(), append=of("float32", 1)),
    "diff_append_rank": lambda: mnp.diff(rows(), append=of("float32", [[1]])),
    "diff_bool": lambda: mnp.diff(of("bool", 1, 0, 1, 1)),
    "ediff1d_bool": lambda: mnp.ediff1d(of("bool", 1, 0, 1, 1), [True], [False]),
    "intersect1d_mixed": lambda: [
        mnp.intersect1d(of("float32", 1, 2), of("int64", 1, 3)),
        mnp.intersect1d(of("int32", 1, 2), of("float16", 1, 3)),
    ],
    "corrcoef_int": lambda: mnp.corrcoef(rows(), dtype=ms.int64),
    "full_of_list": lambda: mnp.full((2, 3), [1, 2, 3], ms.float64),
    "squeeze_nothing": lambda: [
        mnp.squeeze(Tensor(2.0), -1),
        ops.squeeze(Tensor(2.0), 1),
        Tensor(2.0).squeeze((0,)),
        ops.Squeeze(0)(Tensor(2.0)),
    ],
    "power_gradient": lambda: ops.GradOperation(get_all=True)(lambda x, y: ops.pow(x, y))(
        *powers()
    ),
}


@case.table({name: (function,) for name, function in EDGES.items()})
def edge(function):
    return function()


@case
def gradient_of_flip():
    weight = Tensor([1.0, 2.0, 3.0])
    return ms.grad(lambda x: (mnp.flip(x) * weight).sum())(weight)
