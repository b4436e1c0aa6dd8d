"""Level "auto" of mixed precision: the dtypes that each operator gives of float16 and float32."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, mint, nn, ops

from tests.parity.case import case


def a():
    return Tensor(np.arange(8).reshape(2, 4) / 8 - 0.4, ms.float32)


def b():
    return Tensor(np.arange(12).reshape(4, 3) / 8 - 0.4, ms.float32)


def positive():
    return ops.abs(a()) + 0.1


def labels():
    return Tensor([1, 2], ms.int32)


def ones(*shape):
    return Tensor(np.ones(shape), ms.float32)


OPERATORS = {
    "addmm": lambda x: ops.addmm(ones(2, 3), x, b()),
    "tensor_dot": lambda x: ops.tensor_dot(x, b(), 1),
    "inner": lambda x: ops.inner(x, x),
    "outer": lambda x: ops.outer(x[0], x[1]),
    "matmul": lambda x: x.matmul(b()),
    "mint_matmul": lambda x: mint.matmul(x, b()),
    "pow": lambda x: ops.pow(x, 2),
    "sum": lambda x: ops.sum(x),
    "sum_method": lambda x: x.sum(),
    "sum_of_rows": lambda x: x.sum(axis=1, keepdims=True),
    "mint_sum": lambda x: mint.sum(x),
    "ReduceSum": lambda x: ops.ReduceSum()(x),
    "nansum": lambda x: ops.nansum(x),
    "mean": lambda x: x.mean(),
    "prod": lambda x: ops.prod(x),
    "cumsum": lambda x: ops.cumsum(x, 0),
    "norm": lambda x: ops.norm(x),
    "norm_method": lambda x: x.norm(),
    "logsumexp": lambda x: ops.logsumexp(x, 0),
    "std": lambda x: ops.std(x),
    "var": lambda x: ops.var(x),
    "var_method": lambda x: x.var(),
    "acos": lambda x: ops.acos(x),
    "asin": lambda x: ops.asin(x),
    "cosh": lambda x: ops.cosh(x),
    "erfinv": lambda x: ops.erfinv(x),
    "expm1": lambda x: ops.expm1(x),
    "softplus": lambda x: ops.softplus(x),
    "logsigmoid": lambda x: ops.logsigmoid(x),
    "gumbel_softmax": lambda x: ops.gumbel_softmax(x),
    "trapz": lambda x: ops.trapz(x),
    "pdist": lambda x: ops.pdist(x),
    "cdist": lambda x: ops.cdist(x, a()),
    "addcmul": lambda x: ops.addcmul(x, a(), positive()),
    "addcdiv": lambda x: ops.addcdiv(x, a(), positive()),
    "LayerNorm": lambda x: nn.LayerNorm((4,))(x),
    "cross_entropy": lambda x: ops.cross_entropy(x, labels()),
    "nll_loss": lambda x: ops.nll_loss(x, labels()),
    "kl_div": lambda x: ops.kl_div(x, positive()),
    "mse_loss": lambda x: ops.mse_loss(x, a()),
    "smooth_l1_loss": lambda x: ops.smooth_l1_loss(x, a()),
    "multi_margin_loss": lambda x: ops.multi_margin_loss(x, Tensor([1, 2])),
    "hinge": lambda x: ops.hinge_embedding_loss(x, a()),
    "CrossEntropyLoss": lambda x: nn.CrossEntropyLoss()(x, labels()),
    "smoothed": lambda x: nn.CrossEntropyLoss(label_smoothing=0.1)(x, labels()),
    "FocalLoss": lambda x: nn.FocalLoss()(x, labels().reshape(2, 1)),
    "PoissonNLLLoss": lambda x: nn.PoissonNLLLoss()(x, x),
    "multi_label": lambda x: nn.MultiLabelSoftMarginLoss()(x, x),
    "DiceLoss": lambda x: nn.DiceLoss()(ops.sigmoid(x), x),
}


class Applied(nn.Cell):
    def __init__(self, function, half):
        super().__init__()
        self.function, self.half = function, half

    def construct(self, x):
        return self.function(x.astype(ms.float16) if self.half else x)


@case.table(
    {f"{name}-{kind}": (name, kind) for name in OPERATORS for kind in ("float16", "float32")}
)
def dtype_of(name, kind):
    return amp.auto_mixed_precision(Applied(OPERATORS[name], kind == "float16"), "auto")(a()).dtype


@case
def sum_beyond_float16():
    def total(x):
        return (ops.matmul(x, x.T) * 100).sum()

    return amp.auto_mixed_precision(Applied(total, half=False), "auto")(ones(64, 16))


class Listed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 3, weight_init=ones(3, 4), bias_init="zeros")

    def construct(self, x):
        return ops.matmul(self.fc(x), b().T)


@case.table({"dense": (nn.Dense,), "matmul": (ops.MatMul,)})
def gradient_with_a_white_list(listed):
    net = amp.custom_mixed_precision(Listed(), white_list=[listed])
    step = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    return net(a()).dtype, [g.dtype for g in step(a())[1]]
