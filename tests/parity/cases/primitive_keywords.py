"""Primitives called with arguments by name, as MindSpore names them."""

import inspect

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case


def matrix():
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) - 1.5)


def ones(*shape):
    return Tensor(np.ones(shape, np.float32))


CALLS = {
    "reduce_mean": lambda x: ops.ReduceMean()(x, axis=1),
    "reduce_sum": lambda x: ops.ReduceSum(keep_dims=True)(x=x, axis=(0,)),
    "reduce_any": lambda x: ops.ReduceAny()(x=x > 0, axis=0),
    "cast": lambda x: ops.Cast()(input_x=x, dtype=ms.int32),
    "shape": lambda x: ops.Shape()(x=x),
    "rank": lambda x: ops.Rank()(x=x),
    "logical_and": lambda x: ops.LogicalAnd()(x=x > 0, y=x < 2),
    "batch_matmul": lambda x: ops.BatchMatMul(transpose_b=True)(x=x, y=x),
    "div": lambda x: ops.Div()(input=x, other=x + 4),
    "layer_norm": lambda x: ops.LayerNorm()(input_x=x, gamma=ones(3), beta=ones(3))[0],
    "slice": lambda x: ops.Slice()(input=x, begin=(0, 1), size=(2, 2)),
    "argmax": lambda x: ops.Argmax()(input_x=x),
    "arg_max_with_value": lambda x: ops.ArgMaxWithValue(axis=1)(input=x),
    "cum_sum": lambda x: ops.CumSum()(input=x, axis=1),
    "flatten": lambda x: ops.Flatten()(input_x=x),
    "gelu": lambda x: ops.GeLU()(input=x),
    "smooth_l1": lambda x: ops.SmoothL1Loss()(prediction=x, target=x * x),
    "softmax": lambda x: ops.Softmax()(input=x),
    "matmul": lambda x: ops.MatMul(transpose_b=True)(input=x, mat2=x),
    "gather": lambda x: ops.Gather()(x, input_indices=Tensor([0, 2]), axis=1),
    "ones_like": lambda x: ops.OnesLike()(x=x),
    "sqrt": lambda x: ops.Sqrt()(x=x * x),
    "lin_space": lambda x: ops.LinSpace()(start=Tensor(0.0), stop=Tensor(1.0), num=3),
    "unknown": lambda x: ops.ReduceSum()(x, axes=1),
    "twice": lambda x: ops.ReduceSum()(x, x=x),
}


@case.table({name: (call,) for name, call in CALLS.items()}, tol=1e-5)
def called(call):
    return call(matrix())


@case
def gradient():
    return ms.grad(lambda x: ops.ReduceMean()(ops.Softmax()(input=x) * x, axis=1).sum())(matrix())


NAMES = {
    "a b x": "Betainc",
    "abs angle": "Polar",
    "condition input other": "Select",
    "data indices updates": "TensorScatterElements",
    "dtype dims x": "Fill",
    "image size": "ResizeBicubic ResizeBilinearV2 ResizeNearestNeighborV2",
    "indices depth on_value off_value": "OneHot",
    "indices updates shape": "ScatterNd",
    "input": (
        "ACos Abs Acosh AdaptiveMaxPool2D Angle ArgMaxWithValue ArgMinWithValue Asin Asinh Atan "
        "Atanh BroadcastTo Ceil Conj Cos Cosh Cummax Cummin Diag Erf Erfc Erfinv Exp Expm1 Floor "
        "GeLU Geqrf HShrink HSigmoid HSwish IsFinite IsInf Log Log1p LogMatrixDeterminant "
        "LogicalNot Logit MatrixDeterminant MatrixExp NanToNum Neg NonZero ReLU Real Reciprocal "
        "ReverseV2 Roll Rsqrt Sigmoid Sign Sin Sinc Sinh SoftShrink Softmax Square Squeeze Svd "
        "Tanh Trace Triu Trunc UniqueConsecutive"
    ),
    "input axis": "CumSum ReduceAll",
    "input begin size": "Slice",
    "input dim0 dim1": "TransposeExtView",
    "input dims": "Tile Transpose",
    "input end weight": "Lerp",
    "input exponent": "Pow",
    "input input_perm": "TransposeView",
    "input mask": "MaskedSelect",
    "input mask source": "MaskedScatter",
    "input mat2": "MatMul",
    "input other": (
        "Add Atan2 Cross Div Equal FloorDiv Gcd Greater GreaterEqual IsClose Less LessEqual "
        "LogicalXor Maximum Minimum Mul NextAfter NotEqual Xlogy"
    ),
    "input shape": "Reshape",
    "input target": "SoftMarginLoss",
    "input target weight": "BinaryCrossEntropy",
    "input target weight posWeight": "BCEWithLogitsLoss",
    "input tensor1 tensor2 value": "Addcdiv Addcmul",
    "input weight": "PReLU",
    "input weight bias": "Dense",
    "input_params input_indices axis": "Gather",
    "input_x": (
        "Argmax Cholesky CholeskyInverse Elu Flatten Identity ResizeNearestNeighbor Split "
        "TensorShape"
    ),
    "input_x axis": "ExpandDims",
    "input_x begin end strides": "StridedSlice",
    "input_x bias": "BiasAdd",
    "input_x dtype": "Cast",
    "input_x gamma beta": "LayerNorm",
    "input_x grid": "GridSampler2D GridSampler3D",
    "input_x indices": "GatherNd",
    "input_x indices updates": "TensorScatterAdd",
    "input_x input_y": "RightShift ScalarCast",
    "input_x mask value": "MaskedFill",
    "input_x segment_ids num_segments": "UnsortedSegmentSum",
    "inputs": "Meshgrid",
    "logits": "LogSoftmax",
    "logits labels weight": "NLLLoss",
    "n": "RandpermV2",
    "n m dtype": "Eye",
    "op_name arg_name dtype": "DtypeToEnum",
    "prediction target": "SmoothL1Loss",
    "real imag": "Complex",
    "shape dtype": "Ones",
    "size dtype": "Zeros",
    "sorted_sequence values sorter": "SearchSorted",
    "start end step": "Range",
    "start stop num": "LinSpace",
    "tensors": "Concat",
    "value expr": "Depend",
    "var m v lr beta1 beta2 epsilon decay gradient": "AdamWeightDecay",
    "variable value": "Assign AssignAdd AssignSub",
    "x": (
        "Argmin AvgPool CeLU DType Dropout Eig FFTWithSize FastGeLU GLU OnesLike Qr Rank ReLU6 "
        "ReduceStd Reusing Shape Sqrt TensorToTuple ZerosLike"
    ),
    "x axis": "CumProd ReduceAny ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum",
    "x dim index": "GatherD",
    "x gamma": "RmsNorm",
    "x indices v": "InplaceUpdateV2",
    "x output_size scales": "UpsampleNearest3D UpsampleTrilinear3D",
    "x size": "ResizeLinear1D",
    "x target weight": "MultiMarginLoss",
    "x y": "BatchMatMul FloorMod LogicalAnd LogicalOr RealDiv",
    "x1 x2": "Cdist LeftShift",
}


@case.table({names: (names,) for names in NAMES})
def taken(names):
    """Whether each Primitive takes its arguments by these names."""
    calls = {name: inspect.signature(getattr(ops, name).__call__) for name in NAMES[names].split()}
    for call in calls.values():
        call.bind(None, **dict.fromkeys(names.split()))
    return sorted(calls)


class Scaled(ops.Primitive):
    @ops.prim_attr_register
    def __init__(self, factor, power=2):
        self.offset = 3
        self.add_prim_attr("sizes", (1, 2))


PRINTED = {
    "own": lambda: Scaled(0.5, power=[1]),
    "added": lambda: ops.ReduceSum(True).add_prim_attr("tag", "t").set_stage(1),
    "deleted": lambda: ops.ReLU().add_prim_attr("tag", "t").del_prim_attr("tag"),
    "device": lambda: ops.ReLU().set_device("CPU"),
    "recompute": lambda: ops.MatMul(transpose_b=True).recompute(),
    **{
        name: (lambda name=name: getattr(ops, name)())
        for name in [
            "Add",
            "BatchNorm",
            "Cholesky",
            "Concat",
            "CTCLoss",
            "CumSum",
            "Elu",
            "LayerNorm",
            "MatMul",
            "OneHot",
            "ReduceMean",
            "ResizeBilinearV2",
            "StridedSlice",
            "TopK",
        ]
    },
    "split": lambda: ops.Split(1, 2),
}


@case.table({name: (make,) for name, make in PRINTED.items()})
def printed(make):
    return repr(make()), str(make())


@case.table({name: (make,) for name, make in PRINTED.items()})
def given_to_the_constructor(make):
    return make().init_attrs
