"""What operators the losses are made of, and how they compute with them; see ``nn/_made_of.py``."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._made_of import made_of
from msgrad.nn.loss import loss as losses


@made_of(
    losses.LossBase,
    method="get_loss",
    reduce_mean=lambda _: ops.ReduceMean(),
    reduce_sum=lambda _: ops.ReduceSum(),
    mul=lambda _: ops.Mul(),
    cast=lambda _: ops.Cast(),
)
def _reduced(loss: Any, x: Tensor, weights: Any = 1.0) -> Tensor:
    out = loss.mul(loss.cast(weights, mstype.float32), loss.cast(x, mstype.float32))
    if loss.reduce:
        out = (loss.reduce_mean if loss.average else loss.reduce_sum)(out, loss.get_axis(out))
    return loss.cast(out, x.dtype)


@made_of(losses.MSELoss)
def _squared(loss: Any, logits: Tensor, labels: Tensor) -> Tensor:
    return loss.get_loss(ops.square(logits - labels))


@made_of(losses.SmoothL1Loss, smooth_l1_loss=lambda o: ops.SmoothL1Loss(o.beta, o.reduction))
def _smooth(loss: Any, logits: Tensor, labels: Tensor) -> Tensor:
    return loss.smooth_l1_loss(logits, labels)


@made_of(
    losses.SoftmaxCrossEntropyWithLogits,
    softmax_cross_entropy=lambda _: ops.SoftmaxCrossEntropyWithLogits(),
    sparse_softmax_cross_entropy=lambda _: ops.SparseSoftmaxCrossEntropyWithLogits(),
    one_hot=lambda _: ops.OneHot(),
)
def _cross_entropy(loss: Any, logits: Tensor, labels: Tensor) -> Tensor:
    if loss.sparse and loss.reduction == "mean":
        return loss.sparse_softmax_cross_entropy(logits, labels)
    if loss.sparse:
        one, zero = (Tensor(value, mstype.float32) for value in (1.0, 0.0))
        labels = loss.one_hot(labels, logits.shape[-1], one, zero)
    return loss.get_loss(loss.softmax_cross_entropy(logits, labels)[0])
