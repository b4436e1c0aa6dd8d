"""Primitives of inner modules: numbers, sequences, sparse matrices, and second spellings."""

import importlib

import mindspore as ms
import numpy as np
from mindspore import ops

from tests.parity.case import case
from tests.parity.cases.inner_gradients import f, i, inner, long, t
from tests.parity.outcome import outcome, weighted

MODULES = [
    *(
        f"operations.{name}"
        for name in (
            "_scalar_ops",
            "manually_defined.ops_def",
            "_sequence_ops",
            "sparse_ops",
            "_sparse_grad_ops",
            "math_ops",
            "linalg_ops",
            "nn_ops",
            "array_ops",
            "image_ops",
            "_inner_ops",
            "_rl_inner_ops",
            "_grad_ops",
            "_embedding_cache_ops",
        )
    ),
    "auto_generate",
]


def prim(name, *options):
    return inner(name, MODULES)(*options)


SCALARS = "Add Sub Mul Div FloorDiv Mod Pow Max Min Eq Ge Gt Le Lt"
COMPARED = (
    "tuple_greater_equal tuple_greater_than tuple_le tuple_lt list_greater_equal list_greater_than "
    "list_le list_lt"
)
SPECTRA = (
    "FFT FFT2 FFTN IFFT IFFT2 IFFTN RFFT RFFT2 RFFTN IRFFT IRFFT2 IRFFTN HFFT HFFT2 HFFTN "
    "IHFFT IHFFT2 IHFFTN FFTShift IFFTShift"
)
NUMBERS = {
    "ints": (7, 3),
    "negative": (-7, 3),
    "floats": (-7.5, 2.0),
    "mixed": (2, 2.5),
    "bools": (True, False),
    "equal": (2, 2),
    "text": (1, "a"),
}


@case.table(
    {
        f"{name}_{key}": (f"Scalar{name}", pair)
        for name in SCALARS.split()
        for key, pair in NUMBERS.items()
        if (name, key) not in (("Eq", "text"), ("Pow", "negative"))
    }
    | {
        f"{name}_{key}": (f"Scalar{name}", (number,))
        for name in ("Bool", "Log", "Uadd", "Usub")
        for key, number in (("int", 3), ("float", 2.5), ("bool", True), ("zero", 0))
    }
    | {
        "Add_tensor": ("ScalarAdd", (t(1), 1)),
        "bit_and": ("bit_and", (6, 3)),
        "bit_or": ("bit_or", (6, 3)),
        "bit_or_bools": ("bit_or", (True, False)),
        "bit_and_float": ("bit_and", (1.5, 2)),
        "bool_not": ("bool_not", (True,)),
        "BoolNot": ("BoolNot", (True,)),
    }
)
def number(name, given):
    return prim(name)(*given)


@case.table(
    {
        f"{name}_{key}": (name, given)
        for name, rows in {
            "InSequence": {"tuple": (1, (1, 2)), "list": (3, [1, 2]), "text": ("a", ("a", "b"))},
            "ListAppend": {"list": ([1, 2], 3), "tuple": ((1, 2), 3)},
            "ListInsert": {"first": ([1, 2], 0, 3), "last": ([1, 2], -1, 5), "of": ((1,), 1, 5)},
            "ListAppendAndInsertGrad": {"one": ([1, 2, 3], 1), "last": ([1, 2, 3], -1)},
            "ListToTensor": {"float": ([1, 2], ms.float32), "int": ([1, 2], ms.int64)},
            "TupleToTensor": {
                "float": ((1, 2), ms.float32),
                "nested": (((1, 2), (3, 4)), ms.float32),
                "cut": ((1.5, 2), ms.int32),
            },
            "ListToTuple": {"list": ([1, 2],)},
            "TupleToList": {"tuple": ((1, 2),)},
            "SequenceAdd": {"tuple": ((1, 2), (3,)), "list": ([1], [2]), "both": ((1,), [2])},
            "SequenceCount": {"two": ((1, 2, 1), 1), "none": ((1,), 3)},
            "SequenceMax": {"tuple": ((1, 5, 2),), "list": ([1.5, 2.5],)},
            "SequenceMin": {"tuple": ((1, 5, 2),), "list": ([1.5, 2.5],)},
            "SequenceMul": {"tuple": ((1, 2), 2), "none": ((1, 2), 0)},
            "SequenceSlice": {
                "tuple": ((1, 2, 3, 4), 0, 3, 2),
                "list": ([1, 2, 3, 4], -3, 10, 1),
                "back": ((1, 2, 3, 4), 3, 0, -1),
            },
            "SequenceZerosLike": {"ints": ((1, 2),), "mixed": ([1.5, True],), "in": (((1,), 3),)},
            "sequence_len": {"tuple": ((1, 2),), "list": ([1],)},
            "TileSize": {"one": ((2, 3), (4, 3), 2), "more": ((2, 1, 3), (4, 2, 3), 3)},
            **{
                name: {"less": ((1, 2), (1, 3)), "longer": ((1, 2), (1,)), "same": ((1,), (1,))}
                for name in COMPARED.split()
            },
        }.items()
        for key, given in rows.items()
    }
)
def sequence(name, given):
    if name.startswith("list_"):
        given = [[*one] for one in given]
    return prim(name)(*given)


@case.table(
    {
        "vector": (lambda: prim("TensorToList")(t([1, 2])),),
        "number": (lambda: prim("TensorToList")(t(2)),),
        "of_tensors": (lambda: prim("SequenceMul")([t([1, 2])], 2),),
        "added": (lambda: prim("SequenceAdd")((t([1, 2]),), (t(3),)),),
        "taken": (lambda: prim("SequenceSlice")((t([1, 2]), t(3)), 0, 1, 1),),
        "zeros": (lambda: prim("SequenceZerosLike")((t([1, 2]), t(3))),),
        "largest": (lambda: prim("SequenceMax")((t([1, 2]),)),),
        "is_in": (lambda: prim("InSequence")(f(3), (f(3), f(3))),),
    }
)
def sequence_of_tensors(call):
    return call()


SHAPE, PLACES, OTHERS = [2, 2], [[0, 0], [1, 1]], [[0, 0], [0, 1]]


def coo(places=PLACES, shape=SHAPE, seed=0):
    return long(places), f(len(places), seed=seed), long(shape)


def csr(dtype=np.int32):
    parts = [2, 3], [0, 3], [0, 2, 3], [0, 2, 1]
    return *(t(part, dtype) for part in parts), f(3)


def batch():
    parts = [2, 2, 2], [0, 1, 3], [0, 1, 1, 0, 1, 2], [1, 0, 1]
    return *(i(part) for part in parts), f(3)


SPARSE = {
    "SparseReorder": ((), lambda: coo([[1, 1], [0, 1], [0, 0]])),
    "SparseReorder_outside": ((), lambda: coo([[1, 1], [0, 5], [0, 0]])),
    "SparseReshape": ((), lambda: (long([[0, 1], [1, 2]]), long([2, 3]), long([-1]))),
    "SparseReshape_sizes": ((), lambda: (long([[0, 1], [1, 1]]), long([2, 3]), long([5, 2]))),
    "SparseAdd": ((), lambda: (*coo(), *coo(OTHERS, seed=1), t(0))),
    "SparseAdd_least": ((), lambda: (*coo(), *coo(OTHERS, seed=1), t(0.9))),
    "SparseSparseMaximum": ((), lambda: (*coo(), *coo(OTHERS, seed=1))),
    "SparseSparseMinimum": ((), lambda: (*coo(), *coo(OTHERS, seed=1))),
    **{
        f"SparseConcat_{dim}": (
            (dim,),
            lambda: [*zip(coo([[1, 1], [0, 0]]), coo(shape=[2, 3] if dim else SHAPE), strict=True)],
        )
        for dim in (0,)
    },
    "SparseConcat_last": ((-1,), lambda: [*zip(coo(), coo(OTHERS, [2, 3]), strict=True)]),
    "SparseFillEmptyRows": ((), lambda: (*coo([[2, 1], [0, 0]], [4, 2]), t(9))),
    "SparseSoftmax": ((), lambda: coo([[0, 0], [0, 1], [1, 1]])),
    "SparseSoftmax_batch": ((), lambda: coo([[0, 0, 0], [0, 0, 1], [1, 1, 1]], [2, 2, 2])),
    "SparseDenseCwiseAdd": ((), lambda: (*coo(), f(2, 2))),
    "SparseDenseCwiseMul": ((), lambda: (*coo(), f(2, 1))),
    "SparseToDenseV2": ((), lambda: (long(PLACES), long(SHAPE), f(2), t(7))),
    "SparseToDenseV2_line": ((), lambda: (i([1, 3]), i([5]), f(2), t(7))),
    "SparseToDenseV2_twice": ((), lambda: (i([1, 1]), i([5]), f(2), t(7))),
    "SparseAddmm": (
        (),
        lambda: (i(PLACES), f(2), i(SHAPE), f(2, 3), f(2, 3, seed=1), t([2]), t([3])),
    ),
    "SparseCountSparseOutput": (
        (),
        lambda: (long([[0, 0], [0, 1], [1, 1]]), long([1, 1, 2]), long(SHAPE), f(3)),
    ),
    "SparseCountSparseOutput_bounds": (
        (False, 4, 5),
        lambda: (long([[0, 0], [0, 1], [1, 1]]), long([1, 1, 7]), long(SHAPE), f(3)),
    ),
    **{
        f"SparseSegment{name}": ((), lambda: (f(3, 2), i([0, 1, 2]), i([0, 0, 1])))
        for name in ("Mean", "SqrtN", "Sum")
    },
    **{
        f"SparseSegment{name}WithNumSegments": (
            (),
            lambda: (f(3, 2), i([0, 1, 2]), i([0, 0, 2]), i(4)),
        )
        for name in ("Mean", "SqrtN", "Sum")
    },
    "SparseSegmentMean_order": ((), lambda: (f(3, 2), i([0, 1, 2]), i([1, 0, 1]))),
    **{
        f"SparseSegment{name}Grad": ((), lambda: (f(2, 3), i([0, 1, 2]), i([0, 0, 1]), i(4)))
        for name in ("Mean", "SqrtN")
    },
    "SparseSliceGrad": (
        (),
        lambda: (f(2), long([[0, 1], [1, 0], [2, 2]]), long([1, 0]), long([[0, 0], [1, 2]])),
    ),
    "RaggedTensorToSparse": ((ms.int64,), lambda: ((long([0, 1, 2]), long([0, 2, 3])), f(3))),
    **{
        f"DenseToDenseSetOperation_{how}": (
            (how,),
            lambda: (i([[1, 2], [3, 4]]), i([[2, 3], [3, 4]])),
        )
        for how in ("a-b", "b-a", "intersection", "union")
    },
    "CSRSparseMatrixToDense": ((), csr),
    "CSRSparseMatrixToDense_batch": ((), batch),
    "CSRSparseMatrixToSparseTensor": ((), csr),
    "CSRSparseMatrixToSparseTensor_batch": ((), batch),
    "SparseTensorToCSRSparseMatrix": ((), coo),
    "SparseTensorToCSRSparseMatrix_batch": (
        (),
        lambda: coo([[0, 0, 1], [1, 0, 0], [1, 1, 1]], [2, 2, 2]),
    ),
    "DenseToCSRSparseMatrix": ((), lambda: (f(2, 3), i([[0, 1], [1, 0]]))),
    "SparseMatrixTranspose": ((), csr),
    "SparseMatrixTranspose_batch": ((), batch),
    "SparseMatrixAdd": ((), lambda: (*csr(), *csr(), t(2), t(3))),
    "SparseMatrixMatMul": ((), lambda: (*csr(), f(3, 2))),
    "SparseMatrixMatMul_turned": (
        (True, False, False, False, True),
        lambda: (*csr(), f(2, 2)),
    ),
    "SparseMatrixNNZ": ((), batch),
    "SparseMatrixSoftmax": ((ms.float32,), csr),
    "SparseAddGrad": (
        (),
        lambda: (f(2), long([[0, 0], [1, 1]]), long([[0, 1], [1, 1]]), long([[0, 0], [1, 1]])),
    ),
}


@case.table({key: (key.partition("_")[0], *row) for key, row in SPARSE.items()})
def sparse(name, options, given):
    return prim(name, *options)(*given())


# With the places of the arguments that have a derivative in MindSpore.
SPARSE_GRADIENTS = {
    "SparseAdd": (1, 4),
    "SparseSoftmax": (1,),
    "SparseFillEmptyRows": (1,),
    "SparseDenseCwiseMul": (1, 3),
    "SparseToDenseV2": (2,),
    "SparseSegmentSqrtN": (0,),
    "SparseSegmentSum": (0,),
    "SparseSegmentMeanWithNumSegments": (0,),
    "SparseSegmentSqrtNWithNumSegments": (0,),
    "SparseSegmentSumWithNumSegments": (0,),
    "CSRSparseMatrixToDense": (4,),
}


@case.table({key: (key, places) for key, places in SPARSE_GRADIENTS.items()})
def sparse_gradient(key, places):
    options, given = SPARSE[key]
    operator = prim(key, *options)
    return ms.grad(lambda *args: weighted(operator(*args)), places)(*given())


MATRIX = [[2, 5], [1, 3]]
ELEMENTS = {
    "BitwiseAndTensor": ("BitwiseAndTensor", (), lambda: (i([1, 2]), i([1, 3])), None),
    "AddV2": ("AddV2", (), lambda: (f(3), f(3)), (0, 1)),
    "ReLUV3": ("ReLUV3", (), lambda: (f(3),), (0,)),
    "AnyExt": ("AnyExt", (), lambda: (t([1, 0], np.bool_), 0, False), None),
    "AsStrided": ("AsStrided", (), lambda: (f(6), (2, 2), (1, 2), 1), None),
    "BroadcastToView": ("BroadcastToView", (), lambda: (f(3), (2, 3)), (0,)),
    "ChunkView": ("ChunkView", (), lambda: (f(4), 2, 0), (0,)),
    "ClampTensor": ("ClampTensor", (), lambda: (f(3), t(0), t(1)), (0,)),
    "Contiguous": ("Contiguous", (), lambda: (f(3),), (0,)),
    "Copy": ("Copy", (), lambda: (f(3),), None),
    "Correlate": ("Correlate", (), lambda: (f(3), f(2)), None),
    "Correlate_full": ("Correlate", ("full",), lambda: (f(3), f(2)), None),
    "Correlate_ints": ("Correlate", ("same",), lambda: (i([1, 2, 3]), i([1, 2])), None),
    **{
        f"{name}_{key}": (
            name,
            (),
            lambda name=name, rest=rest: (f(*(4, 4)[-1 - ("N" in name) :]), *rest),
            None,
        )
        for name in ("DCT", "IDCT", "DCTN", "IDCTN")
        for key, rest in (("plain", ()), ("ortho", (2, None, None if "N" in name else -1, "ORTHO")))
    },
    **{
        name: (name, (), lambda name=name: (f(*(4, 4)[: 2 if name[-1] in "2N" else 1]),), None)
        for name in SPECTRA.split()
    },
    "FFT_ortho": ("FFT", (), lambda: (f(4), None, -1, "ORTHO"), None),
    "FFTFreq": ("FFTFreq", (), lambda: (4, 1.0, None), None),
    "RFFTFreq": ("RFFTFreq", (), lambda: (4, 1.0, None), None),
    "Diagonal": ("Diagonal", (1,), lambda: (f(3, 3),), (0,)),
    "DiagonalView": ("DiagonalView", (), lambda: (f(3, 3), 0, 0, 1), (0,)),
    "DivMod_floor": ("DivMod", (), lambda: (f(3), f(3, seed=1), "floor"), None),
    "DivMod_trunc": ("DivMod", (), lambda: (f(3), f(3, seed=1), "trunc"), None),
    "DivMod_none": ("DivMod", (), lambda: (i([7, -7]), i([2, 2]), None), None),
    "Divs": ("Divs", (), lambda: (f(3), 2.0), (0,)),
    "DynamicBroadcastTo": ("DynamicBroadcastTo", (), lambda: (f(3), long([2, 3])), None),
    "EqScalar": ("EqScalar", (), lambda: (t([1, 2]), 1.0), None),
    "ExpandAs": ("ExpandAs", (), lambda: (f(1, 3), f(2, 3)), (0,)),
    "ExpandDimsView": ("ExpandDimsView", (), lambda: (f(3), 0), (0,)),
    "FlattenExt": ("FlattenExt", (), lambda: (f(2, 3), 0, -1), (0,)),
    "GatherNdExt": ("GatherNdExt", (), lambda: (f(3, 2), long([[0], [1]])), None),
    "ImagView": ("ImagView", (), lambda: (t([1 + 2j], np.complex64),), None),
    "RealView": ("RealView", (), lambda: (t([1 + 2j], np.complex64),), None),
    "Max": ("Max", (), lambda: (f(3),), (0,)),
    "Min": ("Min", (), lambda: (f(3),), (0,)),
    "MaxDim": ("MaxDim", (), lambda: (t([[1, 5], [7, 2]]), 1, True), (0,)),
    "MinDim": ("MinDim", (), lambda: (t([[1, 5], [7, 2]]), 1, False), (0,)),
    "MixedPrecisionCast": ("MixedPrecisionCast", (), lambda: (ms.float16, (f(3), i([1]))), None),
    "Narrow": ("Narrow", (), lambda: (f(3), 0, 0, 2), (0,)),
    "NarrowView": ("NarrowView", (), lambda: (f(3), 0, 0, 2), (0,)),
    "NewOnes": ("NewOnes", (), lambda: (f(3), (2,)), None),
    "NewZeros": ("NewZeros", (), lambda: (i([1]), (2,)), None),
    "PixelShuffle": ("PixelShuffle", (), lambda: (f(1, 4, 2, 2), 2), (0,)),
    "PowScalarTensor": ("PowScalarTensor", (), lambda: (2.0, f(3)), (1,)),
    "PowTensorScalar": ("PowTensorScalar", (), lambda: (f(3), 2.0), (0,)),
    "ProdExt": ("ProdExt", (), lambda: (f(3), None, False, None), (0,)),
    "RangeV2": ("RangeV2", (), lambda: (i(0), i(5), i(1)), None),
    "ScatterValue": ("ScatterValue", (), lambda: (f(3), 0, long([0]), 1.0, "none"), None),
    "SelectExtView": ("SelectExtView", (), lambda: (f(3, 2), 0, 1), None),
    "SliceExtView": ("SliceExtView", (), lambda: (f(6), 0, 1, 100, 2), None),
    "SoftplusExt": ("SoftplusExt", (), lambda: (f(3), 1, 20), None),
    "SplitTensor": ("SplitTensor", (), lambda: (f(4), 2, 0), (0,)),
    "SplitTensorView": ("SplitTensorView", (), lambda: (f(4), 2, 0), (0,)),
    "SplitWithSizeView": ("SplitWithSizeView", (), lambda: (f(4), (1, 3), 0), (0,)),
    "TExt": ("TExt", (), lambda: (f(2, 3),), (0,)),
    "TensorCopySlices": ("TensorCopySlices", (), lambda: (f(3), f(1), (1,), (2,), (1,)), None),
    "ToDtype": ("ToDtype", (), lambda: (f(3), ms.float16), None),
    "ToOther": ("ToOther", (), lambda: (f(3), i([1])), None),
    "TraceV2": ("TraceV2", (), lambda: (f(2, 2), 0, 1, 0, None), (0,)),
    "UnstackExtView": ("UnstackExtView", (), lambda: (f(3, 2), 0), None),
    "UpsampleNearest1D": ("UpsampleNearest1D", (), lambda: (f(1, 1, 4), (8,), None), (0,)),
    "UpsampleNearest2D": ("UpsampleNearest2D", (), lambda: (f(1, 1, 2, 2), (4, 4), None), (0,)),
    "View": ("View", (), lambda: (f(4), (2, 2)), (0,)),
    "ViewAs": ("ViewAs", (), lambda: (f(4), f(2, 2)), (0,)),
    "ViewDtype": ("ViewDtype", (), lambda: (f(4), ms.int32), None),
    "GroupNorm": ("GroupNorm", (), lambda: (f(2, 4, 2), 2, f(4), f(4)), None),
    "SparseSoftmaxCrossEntropyWithLogitsV2": (
        "SparseSoftmaxCrossEntropyWithLogitsV2",
        (),
        lambda: (f(2, 3), i([0, 2])),
        None,
    ),
    "AdjustContrastv2": ("AdjustContrastv2", (), lambda: (f(2, 2, 2, 3), t(2)), None),
    "AdjustContrastv2_half": (
        "AdjustContrastv2",
        (),
        lambda: (f(2, 2, 3).astype(ms.float16), t(2)),
        None,
    ),
    "ClipByNorm": ("ClipByNorm", (), lambda: (t([3, 4]), t(1)), None),
    "ClipByNorm_less": ("ClipByNorm", (), lambda: (t([3, 4]), t(10)), None),
    "ConcatOffsetV1": (
        "ConcatOffsetV1",
        (),
        lambda: (i(1), (i([2, 3]), i([2, 4]), i([2, 1]))),
        None,
    ),
    "DynamicBroadcastGradientArgs": (
        "DynamicBroadcastGradientArgs",
        (),
        lambda: (long([2, 1, 3]), long([1])),
        None,
    ),
    "SameTypeShape": ("SameTypeShape", (), lambda: (f(2), f(2)), None),
    "SameTypeShape_other": ("SameTypeShape", (), lambda: (f(2), f(3)), None),
    "Eigh_values": ("Eigh", (False,), lambda: (t([[2, 1], [1, 3]]),), None),
    "Eigh_double": ("Eigh", (False,), lambda: (t([[2, 1], [1, 3]], np.float64),), None),
    "SolveTriangular": ("SolveTriangular", (), lambda: (t(MATRIX), f(2, 1), 0, False, False), None),
    "SolveTriangular_turned": (
        "SolveTriangular",
        (),
        lambda: (t(MATRIX), f(2), 1, True, True),
        None,
    ),
    "LstsqV2": ("LstsqV2", (), lambda: (f(4, 2), f(4, 2, seed=1)), None),
    "LstsqV2_wide": ("LstsqV2", (), lambda: (f(2, 3), f(2, 1)), None),
    "TridiagonalSolve": ("TridiagonalSolve", (), lambda: (f(2, 3, 3), f(2, 3, 1)), None),
}


@case.table(ELEMENTS, tol=1e-4)
def spelled(name, options, given, places):
    operator, found = prim(name, *options), []
    found.append(operator(*given()))
    if places is not None:
        found.append(ms.grad(lambda *args: weighted(operator(*args)), places)(*given()))
    return found


@case.table({"Eigh": ("Eigh", ()), "upper": ("Eigh", (True, False)), "one": ("SelfAdjointEig", ())})
def eigenvectors(name, options):
    values, vectors = prim(name, *options)(t([[2, 5], [1, 3]]))
    return values, ops.abs(vectors)


SIZES = (2, 3, 1, True, False, 0.0)


@case.table(
    {
        "one": (SIZES, 54),
        "no_bias": ((2, 3, 1, False, False, 0.0), 45),
        "both": ((2, 3, 1, True, True, 0.0), 108),
    },
    tol=1e-4,
)
def gru(sizes, count):
    directions = 1 + sizes[4]
    return prim("GRUV2", *sizes)(f(2, 2, 2), f(directions, 2, 3), f(count, 1, 1), i([2, 1]))[:2]


@case(tol=1e-4)
def gru_gradient():
    given = f(2, 1, 2), f(1, 1, 3), f(54, 1, 1), i([2])
    out, last, kept, _ = prim("GRUV2", *SIZES)(*given)
    # The shape of the first is another in MindSpore.
    return prim("GRUV2Grad", *SIZES)(*given, out, last, f(2, 1, 3), f(1, 1, 3), kept)[1:]


@case
def in_a_cell():
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.relu, self.tanh = prim("ReluGrad"), prim("TanhGrad")

        def construct(self, x, y):
            return self.relu(x, y) + self.tanh(x, y)

    return Net()(f(3), f(3, seed=1))


# Primitives that have been made: where, and what they are called on.
MADE = {
    "sqrt_op": ("auto_generate", lambda: (t([4, 9]),)),
    "relu_grad_op": ("auto_generate", lambda: (f(3), f(3, seed=1))),
    "tanh_op": ("auto_generate.gen_ops_prim", lambda: (f(3),)),
    "abs_": ("function.nn_func", lambda: (f(3),)),
    "maximum_": ("function.nn_func", lambda: (f(3), f(3, seed=1))),
    "log1p_": ("function.math_func", lambda: (t([1, 2]),)),
    "rank_": ("function.array_func", lambda: (f(2, 3),)),
    "size_": ("function.array_func", lambda: (f(2, 3),)),
    "zeros_op": ("auto_generate", lambda: ((2, 3), ms.float32)),
    "logical_not_op": ("auto_generate", lambda: (t([1, 0], np.bool_),)),
    "reduce_sum_": ("function.math_func", lambda: (f(2, 3), 1)),
    "matmul_": ("function.math_func", lambda: (f(2, 3), f(3, 2))),
    "fft2_op": ("auto_generate", lambda: (f(4, 4),)),
    "divs": ("auto_generate", lambda: (f(3), 2.0)),
    "view_dtype": ("auto_generate", lambda: (f(4), ms.int32)),
    "clamp_tensor": ("auto_generate", lambda: (f(3), t(0), t(1))),
    "expand_as": ("auto_generate", lambda: (f(1, 3), f(2, 3))),
}


@case.table({name: (name, *row) for name, row in MADE.items()})
def made(name, module, given):
    found = importlib.import_module(f"mindspore.ops.{module}")
    return getattr(found, name)(*given())


STATE = ("var", "first", "second", "third")
# Of the learning rate, decays and the like, what each takes, in its place.
STEPS = {
    "SparseApplyMomentum": (2, "0.1 g i 0.9"),
    "SparseApplyAdagradDA": (3, "g i 0.1 0.01 0.02 2"),
    "SparseApplyCenteredRMSProp": (4, "0.1 0.9 0.5 3.0 g i"),
    "SparseApplyProximalGradientDescent": (1, "0.1 0.01 0.02 g i"),
}


@case.table(
    {
        f"{name}_{key}": (name, places)
        for name in STEPS
        for key, places in {
            "rows": [0, 2, 1],
            "twice": [0, 2, 0],
            "far": [0, 9, 1],
            "few": [0, 2],
        }.items()
    }
)
def steps_in_rows(name, places):
    state, given = STEPS[name]
    own = [ms.Parameter(f(4, 2, seed=k, low=0.1), name=STATE[k]) for k in range(state)]
    known = {"g": f(3, 2, seed=7), "i": i(places), "2": ms.Tensor(2, ms.int64)}
    rest = [known.get(v) if v in known else t(float(v)) for v in given.split()]
    return prim(name)(*own, *rest), *(p.value() for p in own)


@case
def steps_in_rows_with_nesterov():
    own = [ms.Parameter(f(4, 2, seed=k), name=STATE[k]) for k in range(2)]
    rest = t(0.1), f(3, 2, seed=7), i([0, 2, 0]), t(0.9)
    return prim("SparseApplyMomentum", False, True)(*own, *rest)


WIDE, TALL = (1, 1, 1, 5), (1, 1, 5, 4)
CUT = long([0, 2, 4]), long([0, 1, 4])
MOMENTS = (2, 3, 1, 1)


TYPES = "int_ int64 int32 float_ float32 number bool_ string tensor_type"


def of_instances(training):
    moments = [ms.Parameter(f(*MOMENTS, seed=k, low=0.1), name=STATE[k]) for k in (1, 2)]
    scaled = prim("InstanceNormV2", training)
    given = f(*MOMENTS, seed=3), f(*MOMENTS, seed=4), *moments
    out = scaled(f(2, 3, 4, 2), *given)
    grad = weighted(lambda x: scaled(x, *given)[0], f(2, 3, 4, 2)) if training else ()
    return *out, *(p.value() for p in moments), grad


def of_instances_back(training):
    x = f(2, 3, 2, 2, seed=1)
    own = x.mean((2, 3), True), 1 / ops.sqrt(x.var((2, 3), keepdims=True) + 1e-5)
    gamma, mean, variance = (f(*MOMENTS, seed=k, low=0.5) for k in range(2, 5))
    back = prim("InstanceNormV2Grad", training)
    return back(f(2, 3, 2, 2), x, gamma, mean, variance, *own)


def resized(places, mode, x, sizes):
    sizes = long(sizes)
    return prim("ResizeV2", places, mode)(x, t([0.0]), t([0.0]), sizes)


def resized_back(places, mode, grads, sizes):
    return prim("ResizeV2Grad", places, mode)(grads, t([0.0]), t([0.0]), long(sizes))


def cached(most, places):
    table = ms.Parameter(f(4, 2), name="table")
    prim("UpdateCache")(table, i(places), f(4, 2, seed=1), i([most]))
    return table.value()


def assigned(shape):
    ref = ms.Parameter(f(2, 3), name="ref")
    prim("DynamicAssign")(ref, f(*shape, seed=1))
    return ref.value()


@case.table(
    {
        "instances": (lambda: of_instances(True),),
        "instances_known": (lambda: of_instances(False),),
        "instances_back_training": (lambda: of_instances_back(True),),
        "instances_back_known": (lambda: of_instances_back(False),),
        "resized_nearest": (lambda: resized("half_pixel", "nearest", f(1, 1, 1, 3), WIDE),),
        "resized_linear": (lambda: resized("half_pixel", "linear", f(1, 1, 1, 3), WIDE),),
        "resized_corners": (lambda: resized("align_corners", "linear", f(1, 1, 1, 3), WIDE),),
        "resized_cubic": (lambda: resized("half_pixel", "cubic", f(1, 1, 3, 3), TALL),),
        "resized_cubic_corners": (lambda: resized("align_corners", "cubic", f(1, 1, 3, 3), TALL),),
        "resized_tall": (lambda: resized("half_pixel", "linear", f(1, 1, 3, 3), TALL),),
        "resized_mode": (lambda: resized("align_corners", "nearest", f(1, 1, 1, 3), WIDE),),
        "resized_back_nearest": (
            lambda: resized_back("half_pixel", "nearest", f(*WIDE), (1, 1, 1, 3)),
        ),
        "resized_back_linear": (
            lambda: resized_back("half_pixel", "linear", f(*WIDE), (1, 1, 1, 3)),
        ),
        "resized_back_cubic": (
            lambda: resized_back("half_pixel", "cubic", f(1, 1, 4, 5), (1, 1, 2, 3)),
        ),
        **{
            f"fractional_{key}_{overlapping}": (
                lambda call=call, overlapping=overlapping: call(overlapping),
            )
            for overlapping in (False, True)
            for key, call in {
                "maxima": lambda o: prim("FractionalMaxPoolGrad", o)(
                    f(1, 4, 4, 2), f(1, 2, 2, 2), f(1, 2, 2, 2, seed=1), *CUT
                ),
                "means": lambda o: prim("FractionalAvgPoolGrad", o)(
                    long([1, 4, 4, 2]), f(1, 2, 2, 2, seed=1), *CUT
                ),
            }.items()
        },
        "with_product": (
            lambda: prim("Sspaddmm")(
                long([[0, 0, 2], [1, 1, 2]]),
                t([1, 2, 3]),
                long([3, 3]),
                long([[0, 0, 1], [1, 2, 2]]),
                t([3, 4, 5]),
                long([3, 3]),
                f(3, 3),
                t([2.0]),
                t([3.0]),
            ),
        ),
        "with_product_far": (
            lambda: prim("Sspaddmm")(
                long([[0], [1]]),
                t([1]),
                long([3, 3]),
                long([[0], [9]]),
                t([3]),
                long([3, 3]),
                f(3, 3),
                t([2.0]),
                t([3.0]),
            ),
        ),
        "cached": (lambda: cached(4, [0, 2, 9, -1]),),
        "cached_fewer": (lambda: cached(2, [0, 2, 1, -1]),),
        "assigned": (lambda: assigned((2, 3)),),
        "at_its_part": (
            lambda: prim("PadAndShift")(i([9, 13, -1, -1, -1, -1, -1]), i([0, 3, 5, 7]), i([1])),
        ),
        "at_the_last": (
            lambda: prim("PadAndShift")(long([1, 2, 3, 4, 5, 6, 7]), long([0, 3, 5, 7]), long([2])),
        ),
        "offsets": (lambda: prim("ConcatOffset", 3, 0)((f(2, 3), f(1, 3), f(4, 3))),),
        "fitted": (lambda: prim("FFTShapeCopy")(f(2, 4), (3, 2)),),
        "fitted_longer": (lambda: prim("FFTShapeCopy")(f(4), (6,)),),
        "number_of_one": (lambda: prim("TensorToScalar")(t(2.5)),),
        "number_of_two": (lambda: prim("TensorToScalar")(t([2.5, 1])),),
        "index_of": (lambda: prim("SequenceIndex")((1, 2, 3), 2, 0, 3),),
        "index_of_absent": (lambda: prim("SequenceIndex")((1, 2, 3), 5, 0, 3),),
        "index_from": (lambda: prim("SequenceIndex")((1, 2, 3), 2),),
        **{
            f"divided_{rounding}": (
                lambda rounding=rounding: prim("DivMods")(f(3), 0.25, rounding),
            )
            for rounding in (None,)
        },
        "means_by_position": (
            lambda: [
                outcome(prim("PSROIPooling", scale, 2, 1), (f(2, 4, 4, 5), t(regions)), (0,))
                for scale, regions in (
                    (1.0, [[[1], [0.6], [1.4], [3.5], [2.5]], [[0], [0], [0], [4], [3]]]),
                    (0.5, [[[0], [-3], [2], [5], [5]], [[1], [6], [4], [2], [2]]]),
                )
            ],
        ),
        # 2.10's gradient has the last row and column, which its result has not.
        "means_at_the_border": (
            lambda: prim("PSROIPooling", 1.0, 2, 1)(
                f(2, 4, 4, 5), t([[[0], [-3], [1], [9], [5]], [[1], [6], [4], [2], [2]]])
            ),
        ),
        # 2.10 has room for 1000 sets.
        "sizes_of_sets": (
            lambda: prim("SetSize")(long([[0, 0], [0, 1], [1, 0]]), long([1, 1, 3]), long([2, 2]))[
                :2
            ],
        ),
        "sets_out_of_order": (
            lambda: prim("SetSize")(long([[1, 0], [0, 0]]), long([1, 3]), long([2, 2])),
        ),
        "scattered": (
            lambda: prim("TensorScatterElementsExt", 1, "add")(
                f(2, 3), long([[0, 1], [1, 2]]), f(2, 2, seed=1)
            ),
        ),
        **{
            f"is_of_{type_}": (
                lambda type_=type_: [
                    prim("IsInstance")(value, getattr(ms, type_))
                    for value in (1, 1.5, True, "a", (1,), [1], t([1.0]), None)
                ],
            )
            for type_ in TYPES.split()
        },
        "is_of_python": (lambda: prim("IsInstance")(1, int),),
        "is_below": (
            lambda: [
                prim("IsSubClass")(one, other)
                for one, other in (
                    (ms.int32, ms.int_),
                    (ms.int32, ms.int32),
                    (ms.int_, ms.int32),
                    (ms.uint8, ms.int_),
                    (ms.float16, ms.float_),
                    (ms.bool_, ms.number),
                )
            ],
        ),
        "is_below_python": (lambda: prim("IsSubClass")(int, ms.int32),),
        "is_constant": (lambda: prim("IsConstant")(1),),
        "stitched": (
            lambda: [
                prim("DynamicStitch")((i(places), i([1, 2, 3])), (i(rows), i(others)))
                for places, rows, others in (
                    ([0, 2], [1, 3], [5, 7, 9]),
                    ([[0, 3]], [[[1, 3], [2, 4]]], [[5, 6], [7, 8], [9, 0]]),
                )
            ],
        ),
        "stitched_of_nothing": (lambda: prim("DynamicStitch")((), ()),),
        "scaled_for_lengths": (
            lambda: [
                prim("FFTOrtho")(f(3, 4), axes, forward)
                for axes in (None, (), (0,), (-1,), (0, 1))
                for forward in (True, False)
            ],
        ),
        "twice_inside": (
            lambda: [
                prim("IRFFTDouble")(t(np.arange(8).reshape(2, 4) + 1j, np.complex64), n, dim)
                for n, dim in ((1, -1), (4, 1), (5, -1), (6, 1), (7, -1), (9, -1), (4, 0))
            ],
        ),
        "itself": (lambda: [ops.operations.identity()(x) for x in (f(2), 3)],),
    },
    tol=5e-6,
)
def of_inner_modules(compute):
    return compute()
