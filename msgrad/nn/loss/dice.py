"""Dice losses: how much two masks overlap, of one class and of several."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.checks import of_type, one_of, positive_float
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensors
from msgrad.nn.cell import Cell
from msgrad.nn.layer.activation import get_activation
from msgrad.nn.loss.loss import LossBase


class DiceLoss(LossBase):
    """One minus the Dice coefficient, ``2 |a b| / (|a|^2 + |b|^2 + smooth)``.

    Args:
        smooth: float above 0.

    Inputs: logits and label, Tensors of one shape. Output: 0-d.

    Raises:
        TypeError: If ``smooth`` is not a float, or an input is uint8.
        ValueError: If ``smooth`` is not positive, or the shapes differ.
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = positive_float(None, "smooth", smooth)

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        check_tensors("DiceLoss", logits=logits, labels=label)
        one_of("DiceLoss", "shape of labels", label.shape, logits.shape)
        for name, value in (("logits", logits), ("labels", label)):
            if value.dtype is mstype.uint8:
                raise ArgumentTypeError(f"For 'DiceLoss', the dtype of '{name}' can not be uint8.")
        squares = ops.reduce_sum(ops.square(logits)) + ops.reduce_sum(ops.square(label))
        return 1 - 2 * ops.reduce_sum(logits * label) / (squares + self.smooth)


class MultiClassDiceLoss(LossBase):
    """The mean over classes of the ``DiceLoss`` of each.

    Args:
        weights: Weight of each class, Tensor (C, 1), or None.
        ignore_indiex: A class that does not count, or None.
        activation: What the logits go through first: a name that ``get_activation`` knows, a Cell
            or None.

    Inputs: logits and label, Tensors (N, C, ...) of one shape.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For another activation or other shapes.
    """

    def __init__(
        self,
        weights: Tensor | None = None,
        ignore_indiex: int | None = None,
        activation: Any = "softmax",
    ) -> None:
        super().__init__()
        owner = "MultiClassDiceLoss"
        if weights is not None:
            of_type(None, "weights", weights, Tensor)
            one_of(owner, "number of dimensions of weights", weights.ndim, 2)
        of_type(None, "ignore_indiex", ignore_indiex, int, type(None))
        known = ["softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid"]
        if isinstance(activation, str):
            one_of(owner, "activation", activation, *known)
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None and not isinstance(self.activation, Cell):
            raise ArgumentTypeError(
                f"For '{owner}', the 'activation' must be str or Cell, but got "
                f"{type(self.activation)}."
            )
        self.binarydiceloss = DiceLoss(smooth=1e-5)
        self.weights = weights
        self.ignore_indiex = ignore_indiex

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        check_tensors(self.cls_name, logits=logits, labels=label)
        if logits.shape != label.shape or logits.ndim < 2:
            raise ArgumentValueError(
                f"For '{self.cls_name}', 'logits' and 'labels' must have one shape of 2 dimensions "
                f"at least, but got {logits.shape} and {label.shape}."
            )
        if self.weights is not None and self.weights.shape[0] != label.shape[1]:
            raise ArgumentValueError(
                f"For '{self.cls_name}', there must be a weight for each of {label.shape[1]} "
                f"classes, but got {self.weights.shape[0]}."
            )
        if self.activation is not None:
            logits = self.activation(logits)
        total: Any = 0
        for number in range(label.shape[1]):
            if number != self.ignore_indiex:
                loss = self.binarydiceloss(logits[:, number], label[:, number])
                total = total + (loss if self.weights is None else loss * self.weights[number])
        return total / label.shape[1]


__all__ = public_names(globals())
