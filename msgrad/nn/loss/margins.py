"""Losses of margins and likelihoods, each on its functional operator; and CTCLoss."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.checks import a_reduction, of_type, one_of, within
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensors
from msgrad.nn.loss.loss import LossBase, _Listing


class SoftMarginLoss(LossBase):
    """``log(1 + exp(-label * logit))`` of labels that are 1 or -1."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.soft_margin_loss(logits, labels, self.reduction)


class MultiLabelSoftMarginLoss(_Listing):
    """The mean over classes of the cross entropy of ``sigmoid(x)`` and targets of 0 and 1.

    Args:
        weight: Weight of each class, Tensor, or None.

    Inputs: x and target, Tensors (N, C).
    """

    weight: Tensor | None = None
    reduction: str = "mean"

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class MultiMarginLoss(LossBase):
    """How far the score of the true class is from being above all others by a margin.

    Args:
        p: 1 or 2, the power of the distances.
        margin: float.
        weight: Weight of each class, Tensor (C,), or None.

    Inputs: x (N, C), target (N,) int, and ``weight``, where there is none yet.
    """

    def __init__(
        self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Tensor | None = None
    ) -> None:
        super().__init__()
        one_of("MultiMarginLoss", "p", p, 1, 2)
        a_reduction("MultiMarginLoss", reduction)
        self.multi_margin_loss = ops.MultiMarginLoss(p=p, margin=margin, reduction=reduction)
        self.weight = weight

    def construct(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor:
        check_tensors("MultiMarginLoss", x=x, target=target)
        weight = weight if self.weight is None else self.weight
        if weight is None:
            weight = ops.ones((x.shape[1],), x.dtype)
        check_tensors("MultiMarginLoss", weight=weight)
        return self.multi_margin_loss(x, target, weight)


class CosineEmbeddingLoss(LossBase):
    """One minus the cosine of two vectors where the label is 1; the cosine above a margin for -1.

    Args:
        margin: float in [-1, 1].

    Inputs: logits_x1 and logits_x2 (N, D), and labels (N,).

    Raises:
        TypeError: If ``margin`` is not a float.
        ValueError: If it is out of range.
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = of_type("CosineEmbeddingLoss", "margin", margin, float)
        within("CosineEmbeddingLoss", "margin", margin, "[-1.0, 1.0]")

    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self.cls_name, logits_x1=logits_x1, logits_x2=logits_x2, labels=labels)
        if (logits_x1.shape, logits_x1.dtype) != (logits_x2.shape, logits_x2.dtype):
            kind = ArgumentTypeError if logits_x1.shape == logits_x2.shape else ArgumentValueError
            raise kind(
                "For 'CosineEmbeddingLoss', the inputs must be of one shape and dtype, but got "
                f"{logits_x1.shape}, {logits_x1.dtype} and {logits_x2.shape}, {logits_x2.dtype}."
            )
        return ops.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class GaussianNLLLoss(LossBase):
    """The negative log-likelihood of numbers under normal distributions.

    Args:
        full: Whether to add the constant term.
        eps: The least variance, a float above 0.

    Inputs: logits (the means), labels and var (the variances).

    Raises:
        TypeError: For arguments of other types.
        ValueError: For values out of range.
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__()
        of_type("GaussianNLLLoss", "eps", eps, int, float)
        if not eps > 0:
            raise ArgumentValueError(
                f"For 'GaussianNLLLoss', the 'eps' must be in range of (0, inf), but got {eps}."
            )
        self.full = of_type("GaussianNLLLoss", "full", full, bool)
        self.eps = eps
        self.reduction = a_reduction("gaussian_nll_loss", reduction)

    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor:
        check_tensors("GaussianNLLLoss", logits=logits, labels=labels, var=var)
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


@operator("TripletMarginLoss", product=True)
def _triplet(
    x: Array, positive: Array, negative: Array, margin: float, p: int, eps: float, swap: bool
) -> Array:
    def distance(a: Array, b: Array) -> Array:
        return jnp.linalg.norm(a - b + eps, p, -1)

    far = distance(x, negative)
    if swap:
        far = jnp.minimum(far, distance(positive, negative))
    return jnp.maximum(distance(x, positive) - far + margin, 0)


class TripletMarginLoss(_Listing):
    """How much nearer a positive example should be than a negative one, along the last axis.

    Args:
        p: The distance is the p-norm of the difference.
        swap: Whether the positive example's distance to the negative one counts, if smaller.
        eps: Added to the differences.
        margin: By how much it should be nearer.

    Inputs: x, positive and negative, Tensors of one shape, and ``margin``, where it is 1 so far.

    Differs from MindSpore: it runs on the CPU too.
    """

    p: int = 2
    swap: bool = False
    eps: float = 1e-6
    reduction: str = "mean"
    margin: float = 1.0

    def construct(
        self, x: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0
    ) -> Tensor:
        margin = margin if self.margin == 1.0 else self.margin
        loss = _triplet(x, positive, negative, float(margin), self.p, self.eps, self.swap)
        return self.get_loss(loss)


class CTCLoss(LossBase):
    """Connectionist temporal classification: how likely labels are; see ``ops.ctc_loss``.

    Args:
        blank: The class that stands for none.
        zero_infinity: Whether an infinite loss counts as 0.

    Inputs: log_probs (T, N, C) or (T, C), targets (N, S), or (S,) without N, and the lengths of
    both, (N,) or one number.
    """

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__()
        self.blank = blank
        self.reduction = reduction
        self.zero_infinity = zero_infinity

    def construct(
        self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any
    ) -> Tensor:
        check_tensors("CTCLoss", log_probs=log_probs, targets=targets)
        alone = log_probs.ndim == 2
        if alone:
            if targets.ndim == 2 and targets.shape[0] != 1:
                raise ArgumentValueError(
                    "For 'CTCLoss', targets of one sequence must have shape (1, S) or (S,), but "
                    f"got {targets.shape}."
                )
            targets = targets.expand_dims(0) if targets.ndim == 1 else targets
            log_probs = log_probs.expand_dims(-2)
        lengths = (input_lengths, target_lengths)
        settings = (self.blank, self.reduction, self.zero_infinity)
        loss = ops.ctc_loss(log_probs, targets, *lengths, *settings)[0]
        return loss.squeeze(0) if alone else loss


__all__ = public_names(globals())
