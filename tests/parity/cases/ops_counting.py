"""Counts, histograms, quantiles, runs and orders."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    "bincount": lambda ints: (ops.bincount(ints), ops.bincount(ints, minlength=12)),
    "bincount_w": lambda ints, three: ops.bincount(ints, three),
    "bincount_negative": lambda three: (
        ops.bincount(Tensor([-1, 2, -4], ms.int32), three),
        ops.bincount(Tensor([-1, -4], ms.int32), minlength=2),
        ops.bincount(Tensor([-1, -4], ms.int32)),
    ),
    "Bincount": lambda ints, three: ops.Bincount()(ints, Tensor(8, ms.int32), three),
    "bucketize": lambda line: (
        ops.bucketize(line, [0.0, 1.0, 2.0]),
        ops.bucketize(line, [0.5, 2.0], right=True),
    ),
    "Bucketize": lambda line: ops.Bucketize([0.0, 0.5, 2.0])(line),
    "histc": lambda line: (ops.histc(line, 4), ops.histc(line, 3, 0.0, 2.0)),
    "Histogram": lambda line: ops.Histogram(4)(line),
    "unique_consecutive": lambda reps: (
        ops.unique_consecutive(reps, True, True),
        ops.unique_consecutive(reps),
    ),
    "UniqueConsecutive": lambda reps: ops.UniqueConsecutive(True, True)(reps),
    "unique_consecutive_d": lambda: ops.unique_consecutive(
        Tensor([[1, 1], [1, 1], [2, 1]], ms.int32), True, True, 0
    ),
    "unique_with_pad": lambda reps: ops.unique_with_pad(reps, 0),
    "UniqueWithPad": lambda reps: ops.UniqueWithPad()(reps, -1),
    "Median": lambda square: ops.Median(axis=1)(square),
    "Median_g": lambda square: ops.Median(True)(square)[0],
    "Median_n": lambda square: ops.Median(False, 0, True, True)(square),
    "nanmedian": lambda square: ops.nanmedian(square),
    "nanmedian1": lambda square: ops.nanmedian(square, 0, True),
    "Cummax": lambda square: ops.Cummax(1)(square),
    "Cummin": lambda square: ops.Cummin(0)(square),
    "CumulativeLogsumexp": lambda square: ops.CumulativeLogsumexp()(square, Tensor(0, ms.int32)),
    "CumulativeLogsumexp_r": lambda square: ops.CumulativeLogsumexp(True, True)(
        square, Tensor(1, ms.int32)
    ),
    "logcumsumexp": lambda square: ops.logcumsumexp(square, 0),
    "NthElement": lambda square: (ops.NthElement()(square, 1), ops.NthElement(True)(square, 0)),
    "ListDiff": lambda: ops.ListDiff()(Tensor([1, 2, 3, 4, 2], ms.int32), Tensor([2, 4], ms.int32)),
    "InvertPermutation": lambda: ops.InvertPermutation()((2, 0, 1)),
    "LowerBound": lambda: ops.LowerBound()(
        Tensor([[0.0, 1, 1, 3]], ms.float32), Tensor([[1.0, 4.0]], ms.float32)
    ),
    "UpperBound": lambda: ops.UpperBound()(
        Tensor([[0.0, 1, 1, 3]], ms.float32), Tensor([[1.0, 4.0]], ms.float32)
    ),
    "SearchSorted": lambda: ops.SearchSorted(ms.int32, True)(
        Tensor([0.0, 1, 1, 3], ms.float32), Tensor([1.0, 4.0], ms.float32)
    ),
    "ReduceStd": lambda square: (ops.ReduceStd(1)(square), ops.ReduceStd((), False, True)(square)),
    "InTopK": lambda square: ops.InTopK(2)(square, Tensor([1, 0, 2], ms.int32)),
    "intopk": lambda square: ops.intopk(square, Tensor([1, 0, 2], ms.int32), 1),
    "EqualCount": lambda ints, ints2: ops.EqualCount()(ints, ints2),
    "msort": lambda square: ops.msort(square),
    "diff": lambda square: (ops.diff(square), ops.diff(square, axis=0)),
    "diff_p": lambda wide: ops.diff(wide, prepend=Tensor([[0.0], [1.0]], ms.float32)),
    "diff_ext": lambda square: ops.diff_ext(square),
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = (
    "Bincount",
    "Bucketize",
    "histc",
    "Histogram",
    "Cummax",
    "Cummin",
    "InTopK",
    "intopk",
)


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT)
