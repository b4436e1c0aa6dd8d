"""Loss cells: ``LossBase``, errors of numbers, and the losses of one functional operator."""

from __future__ import annotations

from typing import Any, dataclass_transform

import jax
import jax.numpy as jnp

from msgrad import ops
from msgrad._core.checks import a_reduction
from msgrad._core.context import context
from msgrad._core.declared import checked
from msgrad._core.docstrings import Documented
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import wide
from msgrad._core.rounding import mean_of
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensors
from msgrad.nn._family import Family
from msgrad.nn._hyper import Declaring, Exact, Ratio, Switch, Weights, Whole
from msgrad.nn.cell import Cell
from msgrad.ops.losses import soft_entropy


@operator("get_loss")
def _weighted(x: Array, weights: Operand, reduction: str) -> Array:
    loss = jnp.multiply(weights, x.astype(jnp.float32))
    if reduction != "none":
        loss = mean_of(loss) if reduction == "mean" else loss.sum()
    return loss.astype(x.dtype)


def _check_label_dtype(labels_dtype: Any, cls_name: str) -> None:
    allowed = [mstype.int32, mstype.int64]
    if labels_dtype not in allowed:
        shown = ", ".join(f"mindspore.{str(each).lower()}" for each in allowed)
        raise ArgumentTypeError(
            f"For '{cls_name}', the 'labels' should be one of [{shown}], but got "
            f"'mindspore.{str(labels_dtype).lower()}'."
        )


class LossBase(Documented, Cell):
    """Base of losses; a subclass computes element by element and ends with ``get_loss``.

    Args:
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.

    Raises:
        ValueError: For another reduction.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = a_reduction(self.cls_name, reduction)
        self.reduce = reduction != "none"
        self.average = reduction != "sum"

    def get_axis(self, x: Tensor) -> tuple[int, ...]:
        """Return the dimensions of ``x``."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: Any = 1.0) -> Tensor:
        """Weight and reduce a loss, computing in float32.

        Args:
            x: Tensor of any shape.
            weights: Number or Tensor that broadcasts with ``x``.

        Returns:
            Tensor of the dtype of ``x``: 0-d, or with reduction ``'none'`` of the common shape.
        """
        return _weighted(x, weights, self._reduction())

    def _reduction(self) -> str:
        # By these two, since a subclass may change them.
        return "none" if not self.reduce else "mean" if self.average else "sum"

    def construct(self, logits: Any, labels: Any) -> Any:
        """Compute the loss.

        Raises:
            NotImplementedError: If a subclass does not define it.
        """
        raise NotImplementedError(
            f"{type(self).__name__} must define construct(self, logits, labels)."
        )


# The older name, still imported by many programs.
_Loss = LossBase


@dataclass_transform()
class _Listing(Declaring, LossBase):
    """Base of the losses that list what they take; ``reduction`` is among it."""

    def _begin(self, given: dict[str, Any]) -> None:
        LossBase.__init__(self, given["reduction"])
        super()._begin(given)


class _Pair(Family, LossBase):
    """A loss of two Tensors, ``logits`` and ``labels``, by one operator."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self.cls_name, logits=logits, labels=labels)
        return type(self)._operator(logits, labels, self.reduction)


class L1Loss(_Pair, operator=ops.l1_loss):
    """The absolute differences of two Tensors, with broadcasting."""


class MSELoss(_Pair, operator=ops.mse_loss):
    """The squared differences of two Tensors, with broadcasting."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        integers = (*mstype.int_type, *mstype.uint_type)
        if all(getattr(x, "dtype", None) in integers for x in (logits, labels)):
            return self.get_loss(ops.square(logits - labels))
        return ops.mse_loss(logits, labels, self._reduction())


class SmoothL1Loss(LossBase):
    """Squared differences, divided by ``2 * beta``, below ``beta``; absolute ones above.

    Args:
        beta: Where the one becomes the other.
        reduction: ``'mean'``, ``'sum'`` or (by default) ``'none'``.

    Inputs: logits and labels, floating Tensors of one shape.
    """

    @checked
    def __init__(self, beta: float | None = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compute the loss.

        Raises:
            RuntimeError: If ``beta`` is not above 0.
        """
        if self.beta is None or self.beta <= 0:
            raise KernelError(
                "For 'SmoothL1Loss', the values for beta should greater than 0, but got "
                f"{self.beta}; beta 0 is L1Loss."
            )
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(_Listing):
    """Half the squared differences below ``delta``; absolute ones, times ``delta``, above.

    Args:
        delta: Where the one becomes the other; above 0.
    """

    reduction: str = "mean"
    delta: float = 1.0

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


class BCELoss(_Listing):
    """The cross entropy of probabilities and targets, both in [0, 1].

    Args:
        weight: Tensor that broadcasts with the inputs, or None.

    Inputs: logits and labels, floating Tensors of one shape and dtype.
    """

    weight: Tensor | None = None
    reduction: str = "mean"

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(_Listing):
    """The cross entropy of ``sigmoid(logits)`` and targets in [0, 1].

    Args:
        weight: Tensor that broadcasts with the inputs, or None.
        pos_weight: Weight of the positive part, broadcasting likewise, or None.

    Inputs: input (the logits) and target, floating Tensors of one shape.
    """

    reduction: str = "mean"
    weight: Tensor | None = None
    pos_weight: Tensor | None = None

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return ops.binary_cross_entropy_with_logits(
            input, target, self.weight, self.pos_weight, self.reduction
        )


class CrossEntropyLoss(_Listing):
    """The cross entropy of ``softmax(logits)`` and classes or class probabilities.

    Args:
        weight: Weight of each class, Tensor (C,), or None.
        ignore_index: The class that does not count.
        label_smoothing: float in [0, 1].

    Inputs: logits (N, C), (N, C, d1, ...) or (C,); labels int32 of the shape without C, or
    probabilities of the shape of logits.

    Raises:
        TypeError: For arguments of other types, or labels of another integer dtype than int32.
        ValueError: For numbers outside their range, or shapes that do not fit.
    """

    weight: Weights = None
    ignore_index: Whole = -100
    reduction: str = "mean"
    label_smoothing: Ratio = 0.0

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compute the loss.

        Raises:
            TypeError: For an argument that is not a Tensor, or labels neither int32 nor, in the
                shape of the logits, floating.
        """
        check_tensors("CrossEntropyLoss", logits=logits, labels=labels)
        dense = labels.ndim == logits.ndim
        accepted = (mstype.float16, mstype.float32, mstype.bfloat16) if dense else (mstype.int32,)
        if labels.dtype not in accepted:
            wanted = "Float16 or Float32 with the rank of the 'logits'" if dense else "Int32"
            raise ArgumentTypeError(
                f"For 'CrossEntropyLoss', the 'labels' should be {wanted}, but got "
                f"'{labels.dtype!r}'."
            )
        return ops.cross_entropy(
            logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(_Listing):
    """The negative log-likelihood of classes.

    Args:
        weight: Weight of each class, Tensor (C,), or None.
        ignore_index: The class that does not count.

    Inputs: logits, log-probabilities (N, C) or (N, C, d1, ...); labels, classes of the shape
    without C.
    """

    weight: Weights = None
    ignore_index: Whole = -100
    reduction: str = "mean"

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


@operator("SoftmaxCrossEntropyWithLogits")
def _softmax_cross_entropy(
    logits: Array, labels: Array, sparse: bool, reduction: str, mixed: bool = False
) -> Array:
    name = "SoftmaxCrossEntropyWithLogits"
    if logits.ndim != 2:
        raise ArgumentValueError(
            f"For '{name}', the dimension of logits must be equal to 2, but got {logits.ndim}."
        )
    if sparse:
        if not jnp.issubdtype(labels.dtype, jnp.integer):
            raise ArgumentTypeError(
                f"For '{name}', sparse labels must be int32 or int64, but got {labels.dtype}."
            )
        # The mean of sparse labels has a kernel of its own in MindSpore, which takes float16 too;
        # under `to_float` the one-hot labels are cast with the logits.
        alike = mixed or (reduction == "mean" and logits.dtype == jnp.float16)
        # A label outside the classes counts nothing, as in a one-hot row of zeros.
        labels = jax.nn.one_hot(
            labels, logits.shape[1], dtype=logits.dtype if alike else jnp.float32
        )
    if logits.dtype != labels.dtype:
        raise ArgumentTypeError(
            f"For '{name}', the input type must be same, but got logits of {logits.dtype} and "
            f"labels of {labels.dtype}; cast the logits to float32."
        )
    if logits.shape != labels.shape:
        raise ArgumentValueError(
            f"For '{name}', labels must fit logits of shape {logits.shape}, but got {labels.shape}."
        )
    dtype = logits.dtype
    loss = soft_entropy(wide(logits), wide(labels))
    if reduction != "none":
        loss = mean_of(loss) if reduction == "mean" else loss.sum()
    return loss.astype(dtype)


class SoftmaxCrossEntropyWithLogits(_Listing):
    """The cross entropy of ``softmax(logits)`` and classes or class probabilities.

    Args:
        sparse: Whether labels are class numbers, int32 or int64 (N,), instead of probabilities.
        reduction: ``'mean'``, ``'sum'`` or (by default) ``'none'``.

    Inputs: logits (N, C) float32 (float16 too with ``'mean'``, or labels that are not sparse);
    labels (N,), or (N, C) of the dtype of logits. Output: 0-d, or (N,) with reduction ``'none'``.
    The gradient is ``softmax(logits) - labels``, and 0 for labels.

    Raises:
        TypeError: If ``sparse`` is not a bool, an input not a Tensor, or the dtypes do not fit.
        ValueError: For another reduction, or shapes that do not fit.
    """

    sparse: Switch = False
    reduction: str = "none"

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors("SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels)
        mixed = context.mixed is not None
        return _softmax_cross_entropy(logits, labels, self.sparse, self.reduction, mixed)


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


class MarginRankingLoss(_Listing):
    """How far one input is from being the larger, where the target is 1, or the smaller, for -1.

    Args:
        margin: By how much it should be.

    Inputs: input1, input2 and target, Tensors of one shape.
    """

    margin: float = 0.0
    reduction: str = "mean"

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(_Listing):
    """The input where the label is 1, and ``max(0, margin - input)`` where it is -1.

    Args:
        margin: float or int.
    """

    margin: float = 1.0
    reduction: str = "mean"

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class TripletMarginWithDistanceLoss(_Listing):
    """How much nearer a positive example should be than a negative one, by a given distance.

    Args:
        distance_function: Called with two Tensors; None for the 2-norm along axis 1.
        swap: Whether the positive example's distance to the negative one counts, if smaller.
        margin: float.

    Inputs: x, positive and negative, Tensors.

    Raises:
        TypeError: If ``margin`` is not a float, or ``swap`` not a bool.
    """

    distance_function: Any = None
    swap: Switch = False
    reduction: str = "mean"
    margin: Exact = 1.0

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        self.distance_function = self.distance_function or _pairwise_distance

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

__getattr__ = missing_names(__name__)
