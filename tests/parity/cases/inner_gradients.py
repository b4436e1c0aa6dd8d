"""The Primitives of derivatives, as programs take them from ``ops.operations._grad_ops``."""

import importlib
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.outcome import numbers, weighted

MODULES = [
    "operations._grad_ops",
    "auto_generate",
    "operations._inner_ops",
    "operations.nn_ops",
    "operations.image_ops",
    "operations.array_ops",
]


def inner(name, modules=MODULES):
    for path in modules:
        module = importlib.import_module(f"mindspore.ops.{path}")
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)


def f(*shape, seed=0, low=-1.0):
    return numbers(*shape, seed=seed, low=low)


def t(values: Any, dtype: Any = np.float32) -> Any:
    return Tensor(np.array(values, dtype))


def i(values: Any) -> Any:
    return t(values, np.int32)


def long(values: Any) -> Any:
    return t(values, np.int64)


def results(name, options, arguments):
    return inner(name)(*options)(*arguments())


PLACES = [[[[0, 2], [8, 10]]]]
IMAGE, GRADS = (1, 1, 4, 4), (1, 1, 2, 2)


def pooled(name, *rest):
    return lambda: (f(*IMAGE), getattr(ops, name)(2, 2)(f(*IMAGE)), f(*GRADS, seed=1))


def batch():
    x = f(2, 3, 2, 2)
    return x, x.mean((0, 2, 3)), x.var((0, 2, 3))


def batch_norm():
    x, mean, variance = batch()
    return f(2, 3, 2, 2, seed=1), x, f(3, low=0.1), mean, variance, f(3)


def layer_norm():
    _, mean, variance = ops.LayerNorm()(f(2, 3), f(3), f(3))
    return f(2, 3), f(2, 3, seed=1), variance, mean, f(3)


def lstm(sizes=(2, 3, 1, True, False, 0.0)):
    given = f(2, 1, 2), f(1, 1, 3), f(1, 1, 3, seed=1), f(72, 1, 1)
    out, h, c, reserve, _ = ops.LSTM(*sizes)(*given)
    grads = f(2, 1, 3), f(1, 1, 3), f(1, 1, 3, seed=1)
    return *given, out, h, c, *grads, reserve


def ctc():
    given = ops.log_softmax(f(3, 1, 3)), i([[1, 2]]), i([3]), i([2])
    return t([1.0]), *given, *ops.CTCLossV2(0)(*given)


OF_TWO = (
    "ACosGrad AsinGrad AsinhGrad AtanGrad TanhGrad SigmoidGrad RsqrtGrad SqrtGrad ReciprocalGrad "
    "InvGrad SiLUGrad EluGrad FastGeLUGrad HShrinkGrad SoftShrinkGrad HSigmoidGrad HSwishGrad "
    "SoftplusGrad"
)
ROWS = {
    **{name: ((), lambda: (f(3), f(3, seed=1))) for name in OF_TWO.split()},
    "AbsGrad": ((), lambda: (t([-1, 0, 2]), f(3))),
    "AcoshGrad": ((), lambda: (f(3, low=0.1), f(3, seed=1))),
    "ReluGrad": ((), lambda: (f(3), t([-1, 0, 2]))),
    "ReLU6Grad": ((), lambda: (f(4), t([-1, 0, 6, 7]))),
    "ReluGrad_half": ((), lambda: (t([1, 2], np.float16), t([-1, 2], np.float16))),
    "ReluGrad_double": ((), lambda: (t([1, 2], np.float64), t([-1, 2], np.float64))),
    "TanhGrad_shapes": ((), lambda: (f(3), f(4))),
    "ReluGrad_shapes": ((), lambda: (f(3), f(4))),
    "ReluGrad_text": ((), lambda: ("a", f(4))),
    "GeLUGrad": ((), lambda: (f(3), f(3, seed=1), ops.gelu(f(3, seed=1), "tanh"))),
    "LogitGrad": ((0.1,), lambda: (f(3), f(3, low=0.0, seed=1))),
    "LogSoftmaxGrad": ((-1,), lambda: (ops.log_softmax(f(2, 3)), f(2, 3, seed=1))),
    "LogSoftmaxGrad_axis": ((0,), lambda: (ops.log_softmax(f(2, 3), 0), f(2, 3, seed=1))),
    "GluGrad": ((1,), lambda: (f(2, 2), f(2, 4))),
    "PReLUGrad": ((), lambda: (f(2, 3), f(2, 3, seed=1), f(3))),
    "MaximumGrad": ((), lambda: (f(2, 3), f(3), f(2, 3, seed=1))),
    "MaximumGrad_ties": ((), lambda: (t([1, 2]), t([1, 3]), t([4, 5]))),
    "MaximumGrad_ints": ((), lambda: (i([1, 2]), i([1, 3]), i([4, 6]))),
    "MinimumGrad": ((), lambda: (f(2, 3), f(3), f(2, 3, seed=1))),
    "MaximumGradGrad": ((), lambda: [f(2, 3, seed=seed) for seed in range(4)]),
    "MinimumGradGrad": ((), lambda: [f(2, 3, seed=seed) for seed in range(4)]),
    "BiasAddGrad": ((), lambda: (f(2, 3),)),
    "BiasAddGrad_images": ((), lambda: (f(2, 3, 4),)),
    "IgammaGradA": ((), lambda: (f(3, low=0.1), f(3, low=0.1, seed=1))),
    "MvlgammaGrad": ((2,), lambda: (f(3), f(3, low=0.1) + 2)),
    "BinaryCrossEntropyGrad": ((), lambda: (f(3, low=0.1), f(3, low=0.1, seed=1), t(1))),
    "BinaryCrossEntropyGrad_none": (
        ("none",),
        lambda: (f(3, low=0.1), f(3, low=0.1, seed=1), f(3), f(3)),
    ),
    "KLDivLossGrad": ((), lambda: (t(1), f(3, low=0.1), f(3, low=0.1, seed=1))),
    "KLDivLossGrad_none": (("none",), lambda: (f(3), f(3, low=0.1), f(3, low=0.1, seed=1))),
    "SmoothL1LossGrad": ((), lambda: (f(3), f(3, seed=1), f(3))),
    "SmoothL1LossGrad_mean": ((1.0, "mean"), lambda: (f(3), f(3, seed=1), t(1))),
    "SigmoidCrossEntropyWithLogitsGrad": ((), lambda: (f(3), f(3, seed=1), f(3, seed=2))),
    "MultiMarginLossGrad": ((), lambda: (t(1), f(2, 3), long([0, 2]), f(3, low=0.1))),
    "NLLLossGrad": ((), lambda: (f(2, 3), t(1), i([0, 2]), t([0.5, 0.6, 0.8]), t(1.3))),
    "NLLLossGrad_none": (
        ("none",),
        lambda: (f(2, 3), f(2), i([0, 2]), t([0.5, 0.6, 0.8]), t(1.3)),
    ),
    "BatchNormGrad": ((True,), batch_norm),
    "BatchNormGrad_fixed": ((False,), batch_norm),
    "BatchNormGradGrad": (
        (True,),
        lambda: (*(batch_norm()[n] for n in (1, 0, 2, 3, 4)), f(2, 3, 2, 2, seed=2), f(3), f(3)),
    ),
    "LayerNormGrad": ((), layer_norm),
    "LayerNormGradGrad": ((), lambda: (*layer_norm(), f(2, 3, seed=2), f(3), f(3))),
    "GroupNormGrad": (
        (),
        lambda: (f(2, 4, 2), f(2, 4, 2, seed=1), f(2, 2), f(2, 2, low=0.1), f(4), 2),
    ),
    "L2NormalizeGrad": ((1,), lambda: (f(2, 3), ops.L2Normalize(1)(f(2, 3)), f(2, 3, seed=1))),
    "LRNGrad": (
        (),
        lambda: (f(1, 6, 2, 2), f(1, 6, 2, 2, seed=1), ops.LRN()(f(1, 6, 2, 2, seed=1))),
    ),
    "DropoutGrad": ((0.5,), lambda: (f(2, 3), t([[1, 0, 1], [1, 1, 0]]))),
    "FlattenGrad": ((), lambda: (f(2, 6), (2, 3, 2))),
    "TraceGrad": ((), lambda: (t(2), long([2, 3]))),
    "TraceV2Grad": ((), lambda: (t(2), long([2, 3]), 0, 0, 1)),
    "PdistGrad": ((), lambda: (f(3), f(3, 2), ops.Pdist()(f(3, 2)))),
    "CdistGrad": (
        (),
        lambda: (f(1, 2, 3), f(1, 2, 4), f(1, 3, 4), ops.Cdist()(f(1, 2, 4), f(1, 3, 4))),
    ),
    "MedianGrad": ((True,), lambda: (t(1), t([3, 1, 2]), t(2), long(2))),
    "GatherDGradV2": ((), lambda: (f(2, 3), 1, long([[0, 1], [2, 0]]), f(2, 2))),
    "MaskedSelectGrad": ((), lambda: (f(3), t([1, 0, 1], np.bool_), f(2))),
    "SliceGrad": ((), lambda: (f(2, 2), f(3, 3), (0, 1), (2, 2))),
    "LstsqV2Grad": ((), lambda: (f(2, 1), f(3, 2), f(3, 1))),
    "MaxPoolGrad": ((2, 2, "VALID"), pooled("MaxPool")),
    "AvgPoolGrad": ((2, 2, "VALID"), pooled("AvgPool")),
    "MaxPoolGradGrad": (
        (2, 2, "VALID"),
        lambda: (f(*IMAGE), ops.MaxPool(2, 2)(f(*IMAGE)), f(*IMAGE, seed=1)),
    ),
    "MaxPool3DGrad": (
        (2, 2),
        lambda: (f(1, 1, 4, 4, 4), ops.MaxPool3D(2, 2)(f(1, 1, 4, 4, 4)), f(1, 1, 2, 2, 2)),
    ),
    "MaxPool3DGradGrad": (
        (2, 2),
        lambda: (f(1, 1, 4, 4, 4), ops.MaxPool3D(2, 2)(f(1, 1, 4, 4, 4)), f(1, 1, 4, 4, 4, seed=1)),
    ),
    "AvgPool3DGrad": ((2, 2), lambda: ((1, 1, 4, 4, 4), f(1, 1, 2, 2, 2))),
    "AdaptiveAvgPool2DGrad": ((), lambda: (f(*GRADS), long(IMAGE))),
    "AdaptiveAvgPool3DGrad": ((), lambda: (f(1, 1, 2, 2, 2), i([1, 1, 4, 4, 4]))),
    "AdaptiveMaxPool2DGrad": ((), lambda: (f(*GRADS), f(*IMAGE), long(PLACES))),
    "AdaptiveMaxPool3DGrad": ((), lambda: (f(1, 1, 1, 1, 2), f(1, 1, 2, 2, 4), i([[[[[0, 2]]]]]))),
    "MaxPoolGradWithArgmax": ((2, 2), lambda: (f(*IMAGE), f(*GRADS), i(PLACES))),
    "MaxPoolGradWithArgmaxV2": ((2, 2), lambda: (f(*IMAGE), f(*GRADS), long(PLACES))),
    "MaxPoolGradGradWithArgmax": ((2, 2), lambda: (f(*IMAGE), f(*IMAGE), i(PLACES))),
    "MaxPool3DGradWithArgmax": (
        ((2, 2, 2), (2, 2, 2), (0, 0, 0)),
        lambda: (f(1, 1, 2, 2, 2), f(1, 1, 1, 1, 1), i([[[[[3]]]]])),
    ),
    "FractionalMaxPool3DGradWithFixedKsize": (
        (),
        lambda: (f(1, 1, 2, 2, 2), f(1, 1, 1, 1, 1), long([[[[[3]]]]])),
    ),
    "MaxUnpool2DGrad": (
        ((1, 1, 2, 2), (1, 1, 2, 2), (0, 0, 0, 0), IMAGE),
        lambda: (f(*GRADS), f(*IMAGE), long(PLACES)),
    ),
    "MaxUnpool3DGrad": (
        ((1, 1, 2, 2, 2), (1, 1, 2, 2, 2), (0, 0, 0, 0, 0), (1, 1, 2, 2, 2)),
        lambda: (f(1, 1, 1, 1, 1), f(1, 1, 2, 2, 2), long([[[[[3]]]]])),
    ),
    **{
        f"Conv2DBackpropFilter_{key}": (
            (2, 3, *options),
            lambda size=size, side=side: (f(1, 2, size, size), f(1, 1, side, side), (2, 1, 3, 3)),
        )
        for key, options, size, side in (
            ("valid", (), 2, 4),
            ("pad", ("pad", 1, (1, 1, 1, 1)), 4, 4),
            ("same", ("same",), 4, 4),
            ("stride", ("valid", 0, (0, 0, 0, 0), 1, 2), 2, 5),
        )
    },
    "Conv3DBackpropFilter": (
        (2, 3),
        lambda: (f(1, 1, 4, 4, 4), f(1, 2, 2, 2, 2), (2, 1, 3, 3, 3)),
    ),
    "Conv3DBackpropInput": (
        (2, 3),
        lambda: (f(2, 1, 3, 3, 3), f(1, 2, 2, 2, 2), (1, 1, 4, 4, 4)),
    ),
    "DeformableOffsetsGrad": (
        ((1, 1, 1, 1), (0, 0, 0, 0), (2, 2)),
        lambda: (f(1, 1, 4, 4), f(1, 1, 3, 3), f(1, 12, 2, 2)),
    ),
    "ResizeBicubicGrad": ((), lambda: (f(*GRADS), f(*IMAGE))),
    "ResizeBilinearGrad": ((), lambda: (f(*GRADS), f(*IMAGE))),
    "ResizeBilinearGrad_corners": ((True,), lambda: (f(*IMAGE), f(1, 1, 3, 3))),
    "ResizeLinear1DGrad": ((), lambda: (f(1, 1, 2), f(1, 1, 4))),
    "ResizeNearestNeighborGrad": ((), lambda: (f(*IMAGE), (2, 2))),
    "ResizeNearestNeighborV2Grad": ((), lambda: (f(*IMAGE), (2, 2))),
    "UpsampleNearest1DGrad": ((), lambda: (f(1, 1, 8), (1, 1, 4), (8,), None)),
    "UpsampleNearest2DGrad": ((), lambda: (f(*IMAGE), GRADS, (4, 4), None)),
    "UpsampleNearest3DGrad": ((), lambda: (f(1, 1, 4, 4, 4), (1, 1, 2, 2, 2), (4, 4, 4), None)),
    "UpsampleTrilinear3DGrad": ((), lambda: (f(1, 1, 4, 4, 4), (1, 1, 2, 2, 2), (4, 4, 4), None)),
    "GridSampler2DGrad": ((), lambda: (f(*GRADS), f(*IMAGE), f(1, 2, 2, 2))),
    "GridSampler3DGrad": ((), lambda: (f(1, 1, 2, 2, 2), f(1, 1, 4, 4, 4), f(1, 2, 2, 2, 3))),
    "AffineGridGrad": ((), lambda: (f(1, 2, 2, 2), long(GRADS))),
    "ROIAlignGrad": ((2, 2, 1.0), lambda: (f(*GRADS), t([[0, 0, 0, 3, 3]]), IMAGE)),
    "PSROIPoolingGrad": (
        ((4, 4), 1.0, 2, 1),
        lambda: (f(1, 1, 2, 2), t([[[0], [0], [0.6], [2.4], [3]]])),
    ),
    "CropAndResizeGradBoxes": (
        (),
        lambda: (f(1, 2, 2, 1), f(1, 4, 4, 1), t([[0, 0, 0.5, 0.5]]), i([0])),
    ),
    "CropAndResizeGradImage": (
        (ms.float32,),
        lambda: (f(1, 2, 2, 1), t([[0, 0, 0.5, 0.5]]), i([0]), i([1, 4, 4, 1])),
    ),
    "ScaleAndTranslateGrad": (
        (),
        lambda: (f(1, 2, 2, 1), f(1, 4, 4, 1), t([1, 1]), t([0, 0])),
    ),
    "MirrorPadGrad": ((), lambda: (f(4, 4), long([[1, 1], [1, 1]]))),
    "PadV3Grad": ((), lambda: (f(1, 4, 4), long([1, 1]))),
    "PadV3Grad_edge": (("edge",), lambda: (f(1, 1, 4, 4), long([1, 1, 0, 1]))),
    "LSTMGrad": ((2, 3, 1, True, False, 0.0), lstm),
    "CTCLossV2Grad": ((0,), ctc),
    "LuUnpackGrad": ((True, True), lambda: (f(2, 2), f(2, 2), f(2, 2))),
    "LuUnpackGrad_tall": ((True, True), lambda: (f(3, 2), f(2, 2), f(3, 2))),
    "LuUnpackGrad_wide": ((True, True), lambda: (f(2, 2), f(2, 3), f(2, 3))),
    "SparseFillEmptyRowsGrad": ((), lambda: (long([0, 2]), f(3))),
}


@case.table(
    {
        key: (key.partition("_")[0], *row)
        for key, row in ROWS.items()
        if not key.startswith("BatchNormGradGrad")
    },
    tol=1e-4,
)
def derivative(name, options, arguments):
    return results(name, options, arguments)


@case(tol=1e-3)
def of_batch_norm_twice():
    return results("BatchNormGradGrad", *ROWS["BatchNormGradGrad"])


@case
def kept_by_batch_norm():
    return ops.BatchNorm(is_training=True)(f(2, 3, 2, 2), f(3), f(3), f(3), f(3))[3:]


# Of most of the others MindSpore has no derivative.
TWICE = (
    "ReluGrad TanhGrad SigmoidGrad SqrtGrad AsinGrad AtanGrad SiLUGrad BiasAddGrad RsqrtGrad "
    "Conv2DBackpropFilter_valid"
)


@case.table({key: (key,) for key in TWICE.split()}, tol=1e-4)
def twice(key):
    options, arguments = ROWS[key]
    operator = inner(key.partition("_")[0])(*options)
    given = arguments()
    places = tuple(n for n, x in enumerate(given) if isinstance(x, Tensor))
    return ms.grad(lambda *args: weighted(operator(*args)), places)(*given)
