"""Losses beyond the usual ones: values, gradients for every reduction, wrong arguments."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

APPROXIMATE = 5e-5


def x():
    return Tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]], ms.float32)


def y():
    return Tensor([[1.5, 2.0, 1.0], [0.0, -1.0, 4.0]], ms.float32)


def p():
    return Tensor([[0.1, 0.5, 0.9], [0.3, 0.25, 0.6]], ms.float32)


def counts():
    return Tensor([[0.0, 1.0, 3.0], [2.0, 5.0, 1.0]], ms.float32)


def signs():
    return Tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]], ms.float32)


def classes():
    return Tensor([[1], [2]], ms.int32)


def one_hot():
    return Tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], ms.float32)


def plane(make):
    return lambda: Tensor(np.tile(make().asnumpy()[:, :, None], (1, 1, 2)))


LOSSES = {
    "MAE": (lambda **r: nn.MAELoss(**r), x, y),
    "KLDiv": (lambda **r: nn.KLDivLoss(**r), x, p),
    "Poisson": (lambda **r: nn.PoissonNLLLoss(**r), x, counts),
    "Poisson_full": (lambda **r: nn.PoissonNLLLoss(full=True, **r), x, counts),
    "Poisson_rate": (lambda **r: nn.PoissonNLLLoss(False, **r), p, counts),
    "Hinge": (lambda **r: nn.HingeEmbeddingLoss(**r), x, signs),
    "Hinge_margin": (lambda **r: nn.HingeEmbeddingLoss(2.0, **r), x, signs),
    "Focal": (lambda **r: nn.FocalLoss(**r), x, one_hot),
    "Focal_weight": (lambda **r: nn.FocalLoss(Tensor([1.0, 2.0, 3.0]), 1.5, **r), x, one_hot),
    "Focal_plane": (lambda **r: nn.FocalLoss(**r), plane(x), plane(one_hot)),
    "Focal_plane_classes": (lambda **r: nn.FocalLoss(**r), plane(x), plane(classes)),
    "Distance": (lambda **r: nn.TripletMarginWithDistanceLoss(**r), x, y, p),
    "Distance_swap": (lambda **r: nn.TripletMarginWithDistanceLoss(swap=True, **r), x, y, p),
    "Distance_own": (lambda **r: nn.TripletMarginWithDistanceLoss(ops.mul, **r), x, y, p),
    "Ranking": (lambda **r: nn.MarginRankingLoss(**r), x, y, signs),
    "Ranking_margin": (lambda **r: nn.MarginRankingLoss(0.5, **r), x, y, signs),
    "RMSE": (lambda **_: nn.RMSELoss(), x, y),
    "Dice": (lambda **_: nn.DiceLoss(), p, one_hot),
    "Dice_smooth": (lambda **_: nn.DiceLoss(0.5), p, one_hot),
    "Dices": (lambda **_: nn.MultiClassDiceLoss(), x, one_hot),
    "Dices_plain": (lambda **_: nn.MultiClassDiceLoss(activation=None), p, one_hot),
    "Dices_weights": (
        lambda **_: nn.MultiClassDiceLoss(Tensor([[1.0], [2.0], [0.5]]), 1, "sigmoid"),
        x,
        one_hot,
    ),
}
WITHOUT = ("RMSE", "Dice", "Dice_smooth", "Dices", "Dices_plain", "Dices_weights")
REDUCED = {
    f"{key}-{reduction}": (row[0], row[1:], reduction)
    for key, row in LOSSES.items()
    for reduction in ("mean", "sum", "none")
    if reduction == "mean" or key not in WITHOUT
}


@case.table(REDUCED, tol=APPROXIMATE)
def value_and_gradient(make, inputs, reduction):
    loss = make(reduction=reduction)
    given = [value() for value in inputs]
    positions = 0 if inputs[1] is signs else (0, 1)
    return loss(*given), ms.grad(loss, positions)(*given)


def sampled(num_true=1):
    weights = Tensor(np.sin(np.arange(12)).reshape(4, 3), ms.float32)
    biases = Tensor([0.1, 0.2, 0.3, 0.4], ms.float32)
    labels = Tensor([[1, 0], [2, 3]][:2], ms.int32)[:, :num_true]
    drawn = (Tensor([1, 3], ms.int32), Tensor(0.5 * np.ones((2, num_true)), ms.float32))
    values = (*drawn, Tensor([0.4, 0.6], ms.float32))
    loss = nn.SampledSoftmaxLoss(2, 4, num_true, values)
    return loss, (weights, biases, labels, x())


@case.table({"1": (1,), "2": (2,)}, tol=APPROXIMATE)
def sampled_softmax(num_true):
    loss, inputs = sampled(num_true)
    return loss(*inputs), ms.grad(loss, (0, 1, 3))(*inputs)


@case
def sampled_softmax_draws():
    _, inputs = sampled()
    loss = nn.SampledSoftmaxLoss(2, 4)(*inputs)
    return loss.shape, loss.dtype, bool((loss > 0).all())


@case.table(
    {
        "mae": (lambda: nn.MAELoss("bad"),),
        "mae_number": (lambda: nn.MAELoss()(x(), 1.0),),
        "rmse_uint": (lambda: nn.RMSELoss()(x(), Tensor([1, 2, 3], ms.uint8)),),
        "rmse_number": (lambda: nn.RMSELoss()(x(), 1.0),),
        "kl_reduction": (lambda: nn.KLDivLoss("bad")(x(), p()),),
        "kl_number": (lambda: nn.KLDivLoss()(x(), 1.0),),
        "poisson": (lambda: nn.PoissonNLLLoss(reduction="bad"),),
        "poisson_number": (lambda: nn.PoissonNLLLoss()(1.0, x()),),
        "hinge": (lambda: nn.HingeEmbeddingLoss(reduction="bad"),),
        "hinge_margin": (lambda: nn.HingeEmbeddingLoss("a")(x(), signs()),),
        "focal": (lambda: nn.FocalLoss(gamma=2),),
        "focal_weight": (lambda: nn.FocalLoss([1.0]),),
        "focal_weight_2": (lambda: nn.FocalLoss(x()),),
        "focal_shape": (lambda: nn.FocalLoss()(x(), Tensor([1, 2], ms.int32)),),
        "focal_channels": (lambda: nn.FocalLoss()(x(), one_hot()[:, :2]),),
        "distance": (lambda: nn.TripletMarginWithDistanceLoss(margin=1),),
        "distance_swap": (lambda: nn.TripletMarginWithDistanceLoss(swap=1),),
        "ranking": (lambda: nn.MarginRankingLoss("a")(x(), y(), signs()),),
        "dice": (lambda: nn.DiceLoss(0.0),),
        "dice_int": (lambda: nn.DiceLoss(1),),
        "dice_shape": (lambda: nn.DiceLoss()(x(), Tensor([1.0])),),
        "dices": (lambda: nn.MultiClassDiceLoss(activation="bad"),),
        "dices_cell": (lambda: nn.MultiClassDiceLoss(activation=3),),
        "dices_weights": (lambda: nn.MultiClassDiceLoss(Tensor([1.0])),),
        "dices_rank": (lambda: nn.MultiClassDiceLoss()(x()[0], y()[0]),),
        "sampled": (lambda: nn.SampledSoftmaxLoss(5, 4),),
        "sampled_true": (lambda: nn.SampledSoftmaxLoss(2, 4, 0),),
        "sampled_seed": (lambda: nn.SampledSoftmaxLoss(2, 4, seed=-1),),
        "sampled_values": (lambda: nn.SampledSoftmaxLoss(2, 4, 1, 3),),
        "sampled_values_2": (lambda: nn.SampledSoftmaxLoss(2, 4, 1, (1, 2)),),
    }
)
def errors(call):
    return repr(call())


IGNORED = {
    "cross_entropy": (lambda: nn.CrossEntropyLoss(ignore_index=1), (3, 4)),
    "smoothed": (lambda: nn.CrossEntropyLoss(ignore_index=1, label_smoothing=0.1), (3, 4)),
    "weighted": (lambda: nn.CrossEntropyLoss(Tensor([1.0, 2.0, 3.0]), 1), (2, 3)),
    "sum": (lambda: nn.CrossEntropyLoss(ignore_index=1, reduction="sum"), (3, 4)),
    "nll": (lambda: nn.NLLLoss(ignore_index=1), (3, 4)),
    "alone": (lambda: nn.CrossEntropyLoss(ignore_index=1), (4,)),
}


@case.table(IGNORED)
def every_label_ignored(make, shape):
    logits = Tensor(np.sin(np.arange(np.prod(shape))).reshape(shape), ms.float32)
    return ms.value_and_grad(make())(logits, Tensor(np.ones(shape[:-1]), ms.int32))


WEIGHTS = {
    "positive": lambda each: {"pos_weight": each},
    "each": lambda each: {"weight": each},
    "both": lambda each: {"weight": each, "pos_weight": each},
}


@case.table({key: (make,) for key, make in WEIGHTS.items()}, tol=5e-3)
def half_beside_wider_weights(make):
    loss = nn.BCEWithLogitsLoss(**make(Tensor([0.5, 2.0], ms.float32)))
    return loss(x()[:, :2].astype(ms.float16), p()[:, :2].astype(ms.float16))
