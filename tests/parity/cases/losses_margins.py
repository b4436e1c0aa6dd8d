"""Losses of margins, GaussianNLLLoss and CTCLoss: values, gradients and wrong arguments."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.parity.case import case

APPROXIMATE = 5e-5


def x():
    return Tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]], ms.float32)


def y():
    return Tensor([[1.5, 2.0, 1.0], [0.0, -1.0, 4.0]], ms.float32)


def spread():
    return Tensor([[0.1, 0.5, 0.9], [0.3, 2.5, 0.6]], ms.float32)


def both():
    return Tensor([1, -1], ms.int32)


def hot():
    return Tensor([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]], ms.float32)


def classes():
    return Tensor([1, 2])


def weight():
    return Tensor([1.0, 2.0, 0.5], ms.float32)


LOSSES = {
    "MultiLabelSoft": (lambda r: nn.MultiLabelSoftMarginLoss(reduction=r), x, hot),
    "MultiLabelSoft_weight": (lambda r: nn.MultiLabelSoftMarginLoss(weight(), r), x, hot),
    "Multi": (lambda r: nn.MultiMarginLoss(reduction=r), x, classes),
    "Multi_2": (lambda r: nn.MultiMarginLoss(2, 0.5, r, weight()), x, classes),
    "Multi_late": (lambda r: nn.MultiMarginLoss(reduction=r), x, classes, weight),
    "Cosine": (lambda r: nn.CosineEmbeddingLoss(reduction=r), x, y, both),
    "Cosine_margin": (lambda r: nn.CosineEmbeddingLoss(0.5, r), x, y, both),
    "Gaussian": (lambda r: nn.GaussianNLLLoss(reduction=r), x, y, spread),
    "Gaussian_full": (lambda r: nn.GaussianNLLLoss(full=True, eps=0.4, reduction=r), x, y, spread),
}
REDUCED = {
    f"{key}-{reduction}": (make, inputs, reduction)
    for key, (make, *inputs) in LOSSES.items()
    for reduction in ("mean", "sum", "none")
}


@case.table(REDUCED, tol=APPROXIMATE)
def value_and_gradient(make, inputs, reduction):
    loss = make(reduction)
    given = [value() for value in inputs]
    return loss(*given), ms.grad(loss)(*given)


def probabilities():
    raw = np.sin(np.arange(30) * 1.3).reshape(5, 2, 3)
    return Tensor((raw - np.log(np.exp(raw).sum(-1, keepdims=True))).astype(np.float32))


def ctc(reduction="mean", alone=False):
    if alone:
        inputs = (probabilities()[:, 0], Tensor([1, 2], ms.int32), Tensor(5), Tensor(2))
        return (
            nn.CTCLoss(0, reduction),
            inputs[0],
            (inputs[1], *(each.reshape(1) for each in inputs[2:])),
        )
    targets = Tensor([[1, 2], [2, 0]], ms.int32)
    lengths = Tensor([5, 4], ms.int32), Tensor([2, 1], ms.int32)
    return nn.CTCLoss(0, reduction), probabilities(), (targets, *lengths)


@case.table({"mean": ("mean",), "sum": ("sum",), "none": ("none",)}, tol=APPROXIMATE)
def ctc_loss(reduction):
    loss, logs, rest = ctc(reduction)
    return loss(logs, *rest), ms.grad(loss)(logs, *rest)


@case.table({"mean": ("mean",), "sum": ("sum",), "none": ("none",)}, tol=APPROXIMATE)
def ctc_loss_of_what_is_not_normalized(reduction):
    loss, logs, rest = ctc(reduction)
    return ms.value_and_grad(loss)(logs * 2.0 + 1.0, *rest)


@case(tol=APPROXIMATE)
def ctc_loss_alone():
    loss, logs, rest = ctc("none", alone=True)
    return loss(logs, *rest)


@case.table(
    {
        "multilabel": (lambda: nn.MultiLabelSoftMarginLoss(reduction="bad"),),
        "multi": (lambda: nn.MultiMarginLoss(3),),
        "multi_reduction": (lambda: nn.MultiMarginLoss(reduction="bad"),),
        "multi_number": (lambda: nn.MultiMarginLoss()(x(), 1),),
        "cosine": (lambda: nn.CosineEmbeddingLoss(1),),
        "cosine_range": (lambda: nn.CosineEmbeddingLoss(2.0),),
        "cosine_shapes": (lambda: nn.CosineEmbeddingLoss()(x(), y()[:1], both()),),
        "gaussian": (lambda: nn.GaussianNLLLoss(eps=0.0),),
        "gaussian_full": (lambda: nn.GaussianNLLLoss(full=1),),
        "gaussian_reduction": (lambda: nn.GaussianNLLLoss(reduction="bad"),),
        "gaussian_number": (lambda: nn.GaussianNLLLoss()(x(), y(), 1.0),),
        "ctc": (lambda: nn.CTCLoss()(1.0, both(), both(), both()),),
        "ctc_alone": (lambda: nn.CTCLoss()(x(), Tensor([[1], [2]], ms.int32), both(), both()),),
    }
)
def errors(call):
    return repr(call())
