"""The operators that layers are made of: what they are, and what putting another in place does."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.parity.case import case

APPROXIMATE = 5e-5


def waves(*shape):
    return Tensor(np.sin(np.arange(np.prod(shape)) * 1.3).reshape(shape), ms.float32)


def image():
    return waves(1, 2, 4, 4)


def line():
    return waves(1, 2, 5)


def volume():
    return waves(1, 2, 3, 3, 3)


def rows():
    return waves(2, 3)


def ids():
    return Tensor([[0, 2], [1, 1]], ms.int32)


def bn(make, mode):
    def made():
        layer = make(2)
        return layer.set_train(mode)

    return made


LAYERS = {
    "Conv1d": (lambda: nn.Conv1d(2, 3, 2, has_bias=True), line, "conv2d bias_add"),
    "Conv2d": (lambda: nn.Conv2d(2, 2, 2, has_bias=True), image, "conv2d bias_add"),
    "Conv2d_pad": (
        lambda: nn.Conv2d(2, 2, 2, 2, "pad", (1, 0, 1, 0), 2, 2, True),
        image,
        "conv2d bias_add",
    ),
    "Conv3d": (lambda: nn.Conv3d(2, 3, 2, has_bias=True), volume, "conv3d bias_add"),
    "Conv1dTranspose": (
        lambda: nn.Conv1dTranspose(2, 3, 2, 2, has_bias=True),
        line,
        "conv2d_transpose bias_add",
    ),
    "Conv2dTranspose": (
        lambda: nn.Conv2dTranspose(2, 3, 2, 2, has_bias=True),
        image,
        "conv2d_transpose bias_add",
    ),
    "Conv2dTranspose_pad": (
        lambda: nn.Conv2dTranspose(2, 3, 3, 2, "pad", 1, 1, has_bias=True),
        image,
        "conv2d_transpose bias_add",
    ),
    "Dense": (lambda: nn.Dense(3, 2, activation="relu"), rows, "matmul bias_add activation"),
    "Dense_3d": (lambda: nn.Dense(5, 2), line, "matmul bias_add"),
    "LayerNorm": (lambda: nn.LayerNorm((3,)), rows, "layer_norm"),
    "BatchNorm1d": (bn(nn.BatchNorm1d, True), line, "bn_train bn_infer"),
    "BatchNorm2d": (bn(nn.BatchNorm2d, True), image, "bn_train bn_infer"),
    "BatchNorm2d_infer": (bn(nn.BatchNorm2d, False), image, "bn_train bn_infer"),
    "Embedding": (lambda: nn.Embedding(3, 2), ids, "gather"),
    "Embedding_one_hot": (lambda: nn.Embedding(3, 2, True, "ones"), ids, "one_hot array_mul"),
    "MaxPool1d": (lambda: nn.MaxPool1d(2, 2), line, "max_pool"),
    "MaxPool2d": (lambda: nn.MaxPool2d(2, 2), image, "max_pool"),
    "MaxPool3d": (lambda: nn.MaxPool3d(2, 1), volume, "max_pool"),
    "AvgPool1d": (lambda: nn.AvgPool1d(2, 2), line, "avg_pool"),
    "AvgPool2d": (lambda: nn.AvgPool2d(2, 2, "same"), image, "avg_pool"),
    "AvgPool3d": (lambda: nn.AvgPool3d(2, 1), volume, "avg_pool"),
    "AdaptiveAvgPool2d": (lambda: nn.AdaptiveAvgPool2d(2), image, "adaptive_avgpool2d"),
    "AdaptiveAvgPool3d": (lambda: nn.AdaptiveAvgPool3d(2), volume, "adaptive_avg_pool3d"),
    "ReLU": (lambda: nn.ReLU(), rows, "relu"),
    "ReLU6": (lambda: nn.ReLU6(), rows, "relu6"),
    "Tanh": (lambda: nn.Tanh(), rows, "tanh"),
    "Sigmoid": (lambda: nn.Sigmoid(), rows, "sigmoid"),
    "HSwish": (lambda: nn.HSwish(), rows, "hswish"),
    "HSigmoid": (lambda: nn.HSigmoid(), rows, "hsigmoid"),
    "Mish": (lambda: nn.Mish(), rows, "mish"),
    "SeLU": (lambda: nn.SeLU(), rows, "selu"),
    "Softsign": (lambda: nn.Softsign(), rows, "softsign"),
    "FastGelu": (lambda: nn.FastGelu(), rows, "fast_gelu"),
    "CELU": (lambda: nn.CELU(2.0), rows, "celu"),
    "HShrink": (lambda: nn.HShrink(), rows, "hshrink"),
    "SoftShrink": (lambda: nn.SoftShrink(), rows, "softshrink"),
    "Softmax": (lambda: nn.Softmax(0), rows, "softmax"),
    "LogSoftmax": (lambda: nn.LogSoftmax(0), rows, "log_softmax"),
    "Softmax2d": (lambda: nn.Softmax2d(), image, "softmax"),
    "PReLU": (lambda: nn.PReLU(3), rows, "prelu"),
    "Norm": (lambda: nn.Norm(1), rows, "reduce_sum sqrt squeeze"),
    "ReduceLogSumExp": (lambda: nn.ReduceLogSumExp(1), rows, "exp sum log"),
}
EACH = {
    f"{key}-{name}": (make, inputs, name)
    for key, (make, inputs, names) in LAYERS.items()
    for name in names.split()
}


class Doubled(nn.Cell):
    """An operator with twice its output, the first of several."""

    def __init__(self, operator):
        super().__init__()
        self.operator = operator

    def construct(self, *inputs):
        out = self.operator(*inputs)
        if isinstance(out, tuple):
            return (out[0] * 2, *out[1:])
        return out * 2


def filled(make):
    layer = make()
    for parameter in layer.trainable_params():
        parameter.set_data(waves(*parameter.shape))
    return layer


def outcome(layer, value):
    if value.dtype == ms.int32:
        return layer(value)
    return layer(value), ms.grad(lambda x: (layer(x) * layer(x)).sum())(value)


@case.table(EACH, tol=APPROXIMATE)
def read(make, inputs, name):
    return type(getattr(make(), name)).__name__


# 2.10's gradient of SeLU is another.
@case.table({k: v for k, v in EACH.items() if k != "SeLU-selu"}, tol=APPROXIMATE)
def replaced(make, inputs, name):
    layer = filled(make)
    before = layer(inputs())
    setattr(layer, name, Doubled(getattr(layer, name)))
    return before, outcome(layer, inputs()), filled(make)(inputs())


@case.table(
    {
        key: EACH[key]
        for key in ("Conv2d-conv2d", "Dense-matmul", "BatchNorm2d-bn_train", "Tanh-tanh")
    },
    tol=APPROXIMATE,
)
def replaced_in_graph_mode(make, inputs, name):
    ms.set_context(mode=ms.GRAPH_MODE)
    layer = filled(make)
    setattr(layer, name, Doubled(getattr(layer, name)))
    return layer(inputs())


LOSSES = {
    "MSELoss": (lambda r: nn.MSELoss(r), "cast mul"),
    "SmoothL1Loss": (lambda r: nn.SmoothL1Loss(1.0, r), "smooth_l1_loss"),
    "Softmax": (
        lambda r: nn.SoftmaxCrossEntropyWithLogits(reduction=r),
        "softmax_cross_entropy",
    ),
}


@case.table(
    {
        f"{key}-{reduction}-{name}": (make, reduction, name)
        for key, (make, names) in LOSSES.items()
        for reduction, more in (("mean", " reduce_mean"), ("sum", " reduce_sum"), ("none", ""))
        for name in (names + more * (key != "SmoothL1Loss")).split()
    },
    tol=APPROXIMATE,
)
def loss_replaced(make, reduction, name):
    loss = make(reduction)
    inputs = rows(), (rows() + 1) / 2
    before = loss(*inputs)
    setattr(loss, name, Doubled(getattr(loss, name)))
    return before, loss(*inputs), ms.grad(loss)(*inputs), type(getattr(make("sum"), name)).__name__


@case(tol=APPROXIMATE)
def sparse_loss_replaced():
    inputs = rows(), Tensor([0, 2], ms.int32)
    found = []
    for reduction, name in (("mean", "sparse_softmax_cross_entropy"), ("sum", "one_hot")):
        loss = nn.SoftmaxCrossEntropyWithLogits(True, reduction)
        setattr(loss, name, Doubled(getattr(loss, name)))
        found.append(loss(*inputs))
    return found


@case(tol=APPROXIMATE)
def used_by_a_subclass():
    class Standardized(nn.Conv2d):
        def construct(self, x):
            weight = self.weight - self.weight.mean((1, 2, 3), True)
            out = self.conv2d(x, weight)
            return self.bias_add(out, self.bias) if self.has_bias else out

    layer = filled(lambda: Standardized(2, 2, 2, has_bias=True))
    return layer(image()), ms.grad(layer, 0, layer.trainable_params())(image())


@case(tol=APPROXIMATE)
def replaced_in_a_subclass():
    class Own(nn.Conv2d):
        def __init__(self, *args):
            super().__init__(*args)
            self.conv2d = Doubled(self.conv2d)

        def construct(self, x):
            return super().construct(x) + 1

    class Loss(nn.LossBase):
        def __init__(self):
            super().__init__("mean")
            self.reduce_mean = Doubled(self.reduce_mean)

        def construct(self, logits, labels):
            return self.get_loss(self.cast(logits - labels, ms.float32))

    return filled(lambda: Own(2, 2, 2))(image()), Loss()(rows(), rows() * 2)
