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


def bits(x):
    """Return what a float32 Tensor is to the last bit."""
    return Tensor(x.asnumpy().view(np.int32))


@case.table({str(divisor): (divisor,) for divisor in (10.0, 41.0, 49.0)})
def exact_quotients(divisor):
    x = of("float32", *range(1, 16))
    multiples, one = x * divisor, Tensor([divisor], ms.float32)
    whole = of("int32", *range(1, 16)) * int(divisor)
    found = [
        *(x / divisor, x / one, ops.div(x, divisor), mnp.divide(x, divisor)),
        *(multiples / divisor, multiples // divisor, multiples % divisor, multiples // one),
        *(mnp.remainder(multiples, divisor), mnp.fmod(multiples, divisor), whole / int(divisor)),
        *(ops.floor_div(multiples, divisor), ops.remainder(multiples, divisor)),
        ops.div(multiples, divisor, rounding_mode="trunc"),
        mnp.around(x / divisor, 1),
        (x.astype(ms.float64) * divisor // divisor).astype(ms.float32),
    ]
    return [bits(v) for v in found]


@case
def exact_steps():
    ends = of("float32", -2, 1.25), of("float32", 3, 7.7)
    return [
        *(bits(mnp.linspace(-2, 3, 11)), bits(mnp.linspace(0.1, 0.9, 9, False))),
        *(bits(mnp.linspace(*ends, 7)), bits(mnp.linspace(*ends, 7, axis=-1))),
        mnp.linspace(-1.3, 7.7, 23, dtype=ms.int32),
        mnp.linspace(0, 1, 1, retstep=True),
        bits(mnp.logspace(0.1, 0.7, 7)),
        bits(ops.linspace(Tensor(-1.3), Tensor(7.7), 23)),
        bits(ops.logspace(Tensor(-1.3), Tensor(2.7), 9)),
        bits(ops.arange(0.3, 7.7, 0.37)),
        bits(mnp.histogram_bin_edges(of("float32", 0.1, 0.9), 9)),
        mnp.histogram(of("int32", 3, -2, 1), 10),
    ]


@case
def exact_means():
    sizes = (41, 49, 55, 82)
    return [
        *(bits(ops.ones((size,), ms.float32).mean()) for size in sizes),
        *(bits(mnp.mean(ops.ones((2, size), ms.float32), 1)) for size in sizes),
        *(bits(ops.l1_loss(ops.ones((n,)), ops.zeros((n,)))) for n in sizes),
        bits(ops.avg_pool2d(ops.ones((1, 1, 11, 11), ms.float32), 11)),
    ]


@case
def gcd_of_nan():
    return mnp.gcd(of("float32", np.nan, np.inf), 6).shape


@case
def numbers_for_flags():
    x = rows()
    return [
        *(mnp.isin(x, [1, 2], invert=1), mnp.in1d(x, [1, 2], invert=0)),
        *(mnp.unique(of("int32", 1, 2, 1), 1), mnp.digitize(x, [0, 2], right=1)),
        *(mnp.average(x, returned=1), mnp.array(x, copy=0)),
        mnp.histogram2d(x[0], x[1], 2, density=0),
    ]


@case
def dtypes_of_several():
    x, mask, narrow = rows(), of("bool", 1, 0, 1), of("float16", [1, 2, 3], [4, 5, 7])
    return [
        *(mnp.divmod(x, 2, dtype="int64"), mnp.divmod(x, 2, dtype=float)),
        *(mnp.around([x[0].astype(ms.float64), of("int32", 1, 2, 3)]), narrow.cross(x)),
        *(narrow.masked_scatter(mask, x), x.masked_scatter(mask, narrow)),
        *(x.min(axis=1, where=True), x.count_nonzero(dtype=None)),
    ]
