"""Losses of numbers against numbers: absolute and root mean square errors, and rankings."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import a_bool, of_type
from msgrad.nn.cell import check_tensors
from msgrad.nn.loss.loss import LossBase, MSELoss

_UNSIGNED = (mstype.uint8, mstype.uint16, mstype.uint32, mstype.uint64)


class MAELoss(LossBase):
    """The absolute differences of two Tensors, with broadcasting."""

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        check_tensors("MAELoss", logits=logits, labels=label)
        return self.get_loss(ops.abs(logits - label))


class RMSELoss(LossBase):
    """The root of the mean of the squared differences of two Tensors, with broadcasting."""

    def __init__(self) -> None:
        super().__init__()
        self.MSELoss = MSELoss()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        """Compute the loss.

        Raises:
            TypeError: For unsigned integers.
        """
        check_tensors("MSELoss", logits=logits, labels=label)
        for value in (logits, label):
            if value.dtype in _UNSIGNED:
                raise ArgumentTypeError(
                    f"For 'RMSELoss', the parameters data type must not be in {_UNSIGNED}, but got "
                    f"{value.dtype}."
                )
        return ops.sqrt(self.MSELoss(logits, label))


class MarginRankingLoss(LossBase):
    """How far one input is from being the larger, where the target is 1, or the smaller, for -1.

    Args:
        margin: By how much it should be.

    Inputs: input1, input2 and target, Tensors of one shape.
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """The input where the label is 1, and ``max(0, margin - input)`` where it is -1.

    Args:
        margin: float or int.
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """How much nearer a positive example should be than a negative one, by a given distance.

    Args:
        distance_function: Called with two Tensors; None for the 2-norm along axis 1.
        swap: Whether the positive example's distance to the negative one counts, if smaller.
        margin: float.

    Inputs: x, positive and negative, Tensors.

    Raises:
        TypeError: If ``margin`` is not a float, or ``swap`` not a bool.
    """

    def __init__(
        self,
        distance_function: Any = None,
        swap: bool = False,
        reduction: str = "mean",
        margin: float = 1.0,
    ) -> None:
        super().__init__(reduction)
        self.margin = of_type("TripletMarginWithDistanceLoss", "margin", margin, float)
        self.swap = a_bool("TripletMarginWithDistanceLoss", "swap", swap)
        self.distance_function = distance_function or _pairwise_distance

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        check_tensors(self.cls_name, x=x, positive=positive, negative=negative)
        far = self.distance_function(x, negative)
        if self.swap:
            far = ops.minimum(far, self.distance_function(positive, negative))
        near = self.distance_function(x, positive)
        return self.get_loss(ops.maximum(near - far + self.margin, 0))


def _pairwise_distance(x: Tensor, y: Tensor) -> Tensor:
    if x.ndim == 0:
        raise ArgumentValueError(
            "For 'TripletMarginWithDistanceLoss', the inputs must have a dimension at least."
        )
    return ops.LpNorm(1, 2)(x - y)


__all__ = public_names(globals())
