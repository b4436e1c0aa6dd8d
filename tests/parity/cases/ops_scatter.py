"""Writing at positions, and reductions over segments."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import held, outcome

ROWS = {
    **{
        n: (lambda square, index, wide, n=n: getattr(ops, n)(held(square), index, wide))
        for n in ["scatter_div", "scatter_max", "scatter_min", "scatter_mul"]
    },
    **{
        n: (lambda square, index, wide, n=n: getattr(ops, n)()(held(square), index, wide))
        for n in ["ScatterDiv", "ScatterMax", "ScatterMin", "ScatterMul", "ScatterSub"]
    },
    **{
        n: (lambda square, rows, wide, n=n: getattr(ops, n)(held(square), rows, wide))
        for n in [
            "scatter_nd_add",
            "scatter_nd_div",
            "scatter_nd_max",
            "scatter_nd_min",
            "scatter_nd_mul",
            "scatter_nd_sub",
        ]
    },
    **{
        n: (lambda square, rows, wide, n=n: getattr(ops, n)()(held(square), rows, wide))
        for n in [
            "ScatterNdAdd",
            "ScatterNdDiv",
            "ScatterNdMax",
            "ScatterNdMin",
            "ScatterNdMul",
            "ScatterNdSub",
        ]
    },
    "tensor_scatter_div": lambda square, rows, wide: ops.tensor_scatter_div(square, rows, wide),
    "scatter_sub": lambda square, rows, wide: square.scatter_sub(rows, wide),
    "TensorScatterDiv": lambda square, rows, wide: ops.TensorScatterDiv()(square, rows, wide),
    "TensorScatterElements": lambda square, elements, wide: ops.TensorScatterElements(1, "add")(
        square, elements, wide
    ),
    "TensorScatterElements0": lambda square, elements, wide: ops.TensorScatterElements()(
        square, elements, wide
    ),
    "ScatterAddWithAxis": lambda square, elements, wide: ops.ScatterAddWithAxis(1)(
        square, elements, wide
    ),
    **{
        n: (lambda square, seg, n=n: getattr(ops, n)(square, seg, 3))
        for n in [
            "unsorted_segment_max",
            "unsorted_segment_min",
            "unsorted_segment_prod",
            "unsorted_segment_sum",
        ]
    },
    **{
        n: (lambda square, seg, n=n: getattr(ops, n)()(square, seg, 3))
        for n in [
            "UnsortedSegmentMax",
            "UnsortedSegmentMin",
            "UnsortedSegmentProd",
            "UnsortedSegmentSum",
        ]
    },
    **{
        n: (lambda square, sorted_seg, n=n: getattr(ops, n)()(square, sorted_seg))
        for n in ["SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd", "SegmentSum"]
    },
    "inplace_add": lambda square, wide: ops.inplace_add(square, wide, (0, 2)),
    "inplace_sub": lambda square, wide: ops.inplace_sub(square, wide, (0, 2)),
    "inplace_update": lambda square, wide: ops.inplace_update(square, wide, (0, 2)),
    "inplace_update1": lambda square, row3: ops.inplace_update(square, row3.reshape(1, 3), 1),
    "InplaceAdd": lambda square, wide: ops.InplaceAdd((0, 2))(square, wide),
    "InplaceSub": lambda square, wide: ops.InplaceSub((0, 2))(square, wide),
    "InplaceUpdate": lambda square, wide: ops.InplaceUpdate((0, 2))(square, wide),
    "InplaceUpdateV2": lambda square, wide: ops.InplaceUpdateV2()(square, (0, 2), wide),
    "inplace_index_add": lambda square, index, wide: ops.inplace_index_add(
        held(square), index, wide, 0
    ),
    "InplaceIndexAdd": lambda square, index, wide: ops.InplaceIndexAdd(0)(
        held(square), index, wide
    ),
    "IndexAdd": lambda square, index, wide: ops.IndexAdd(0)(held(square), index, wide),
    "index_fill": lambda square, index: ops.index_fill(square, 0, index, 7.0),
    "IndexFill": lambda square, index: ops.IndexFill()(square, 1, index, Tensor(7.0, ms.float32)),
    "IndexPut": lambda square, two, index: ops.IndexPut()(square, two, (index, index)),
    "IndexPut_a": lambda square, two, index: ops.IndexPut(1)(square, two, (index, index)),
    "select_scatter": lambda square, three: ops.select_scatter(square, three, 0, 1),
    "slice_scatter": lambda square, wide: ops.slice_scatter(square, wide, 0, 0, 3, 2),
    "MaskedScatter": lambda square, mask, batch: ops.MaskedScatter()(square, mask, batch),
    "EmbeddingLookup": lambda square, index: ops.EmbeddingLookup()(square, index, 1),
    "UnravelIndex": lambda: ops.UnravelIndex()(Tensor([2, 5], ms.int32), Tensor([2, 3], ms.int32)),
    "SelectView": lambda square: ops.SelectView()(square, 1, 0),
    "CopyWithSlice": lambda square, wide: ops.CopyWithSlice()(square[:2], wide),
    "RaggedRange": lambda: ops.RaggedRange(ms.int64)(
        Tensor([2, 5], ms.int32), Tensor([5, 8], ms.int32), Tensor([1, 2], ms.int32)
    ),
    "NoRepeatNGram": lambda: ops.NoRepeatNGram(2)(
        Tensor([[[1, 2, 1], [3, 3, 3]]], ms.int32), Tensor(np.ones((1, 2, 5)), ms.float32)
    ),
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = (
    "scatter_div",
    "scatter_mul",
    "ScatterDiv",
    "ScatterMul",
    "ScatterSub",
    "scatter_nd_add",
    "scatter_nd_div",
    "scatter_nd_max",
    "scatter_nd_min",
    "scatter_nd_mul",
    "scatter_nd_sub",
    "ScatterNdAdd",
    "ScatterNdDiv",
    "ScatterNdMax",
    "ScatterNdMin",
    "ScatterNdMul",
    "ScatterNdSub",
    "ScatterAddWithAxis",
    "SegmentProd",
    "scatter_max",
    "scatter_min",
    "ScatterMax",
    "ScatterMin",
    "inplace_add",
    "inplace_sub",
    "inplace_update",
    "inplace_update1",
    "InplaceAdd",
    "InplaceSub",
    "InplaceUpdate",
    "InplaceUpdateV2",
    "EmbeddingLookup",
)


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT)


UPDATES = {"number": [], "of_one_row": [2], "one_row": [1, 2], "column": [2, 1], "wide": [2, 4]}
WRITTEN = (
    "tensor_scatter_update",
    "tensor_scatter_add",
    "tensor_scatter_max",
    "scatter_nd_update",
    "scatter_nd_add",
    "scatter_update",
    "scatter_add",
    "scatter_max",
)


@case.table({f"{name}-{key}": (name, UPDATES[key]) for name in WRITTEN for key in UPDATES})
def updates_that_are_not_one_for_each(name, shape):
    target = ms.Parameter(Tensor(np.zeros((4, 2)), ms.float32), name="target")
    indices = Tensor([[1], [2]] if "nd" in name or "tensor" in name else [1, 2])
    return getattr(ops, name)(target, indices, Tensor(np.ones(shape), ms.float32))


@case
def scatter_nd_of_one_column():
    return ops.scatter_nd(Tensor([[1], [2]]), Tensor([[1.0], [2.0]]), (4, 2))


KINDS = ("bool_", "int8", "uint8", "int32", "int64", "float16", "float32", "float64")
WRITERS = {
    **{name: (name, [[0], [2]]) for name in ("scatter_nd_update", "scatter_nd_sub")},
    **{name: (name, [0, 2]) for name in ("scatter_update", "scatter_add", "scatter_max")},
}


@case.table(
    {f"{name}-{kind}": (*row, kind) for name, row in WRITERS.items() for kind in KINDS},
)
def written_in_another_dtype(name, indices, kind):
    """Into each dtype: the written one holds the other without a loss of kind, or refuses."""
    made = {}
    for other in KINDS:
        if other == kind == "bool_" or (name == "scatter_nd_sub" and "bool_" in (kind, other)):
            continue
        x = Parameter(Tensor(np.arange(6).reshape(3, 2), getattr(ms, kind)), name="x")
        updates = Tensor([[1, 3], [2, 1]], getattr(ms, other))
        try:
            out = getattr(ops, name)(x, Tensor(indices, ms.int32), updates)
        except TypeError:
            out = "TypeError"
        made[other] = out, x.value()
    return made
