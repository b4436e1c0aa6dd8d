"""Losses of classes and distributions: focal, Poisson, Kullback-Leibler and sampled softmax."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from msgrad import ops
from msgrad._core.checks import at_least, of_type, one_of
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensor, check_tensors
from msgrad.nn._hyper import Weights
from msgrad.nn.loss.loss import LossBase, _Listing


class KLDivLoss(LossBase):
    """The Kullback-Leibler divergence of log-probabilities from probabilities.

    Args:
        reduction: ``'mean'``, ``'batchmean'``, ``'sum'`` or ``'none'``.

    Inputs: logits, log-probabilities, and labels, probabilities of the same shape.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = reduction

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors("KLDivLoss", logits=logits, labels=labels)
        return ops.kl_div(logits, labels, self.reduction)


@operator("PoissonNLLLoss", product=True)
def _poisson(input: Array, target: Array, log_input: bool, full: bool, eps: float) -> Array:
    target = target.astype(input.dtype)
    rate, log = (jnp.exp(input), input) if log_input else (input, jnp.log(input + eps))
    loss = rate - target * log
    if full:
        above = jnp.maximum(target, eps)
        stirling = (above + 0.5) * jnp.log(above) - above + 0.5 * math.log(2 * math.pi)
        loss = loss + jnp.where(above > 1, stirling, 0)
    return loss


class PoissonNLLLoss(_Listing):
    """The negative log-likelihood of counts under Poisson distributions.

    Args:
        log_input: Whether the input is the logarithm of the rates.
        full: Whether to add Stirling's approximation of the constant term.
        eps: Added where a logarithm is taken.

    Inputs: input and target, Tensors that broadcast.
    """

    log_input: bool = True
    full: bool = False
    eps: float = 1e-8
    reduction: str = "mean"

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        check_tensors("PoissonNLLLoss", input=input, target=target)
        return self.get_loss(_poisson(input, target, self.log_input, self.full, self.eps))


@operator("FocalLoss", product=True)
def _focal(logits: Array, labels: Array, weight: Array | None, gamma: float) -> Array:
    shape = (*logits.shape[:2], -1)
    logits, wanted = logits.reshape(shape), labels.reshape((*labels.shape[:2], -1))
    logs = jax.nn.log_softmax(logits, 1)
    scale = jnp.ones_like(logs) if weight is None else jnp.broadcast_to(weight[:, None], logs.shape)
    if labels.shape[1] == 1:
        # MindSpore drops dimension 1, and then takes the mean over what is dimension 1 now.
        index = wanted.astype(jnp.int32)
        logs, scale = (jnp.take_along_axis(v, index, 1)[:, 0] for v in (logs, scale))
        return (-((1 - jnp.exp(logs)) ** gamma) * logs * scale).mean(1)
    return (-((1 - jnp.exp(logs)) ** gamma) * wanted * logs * scale).mean(-1)


_LABELS = (mstype.int32, mstype.int64, mstype.float16, mstype.float32)


class FocalLoss(_Listing):
    """The cross entropy of ``softmax(logits)``, with less weight on what is predicted well.

    Args:
        weight: Weight of each class, Tensor (C,), or None.
        gamma: The power of ``1 - p`` that weighs an element.

    Inputs: logits (N, C), (N, C, H) or (N, C, H, W); labels of the same shape, or with classes in
    place of C: (N, 1, ...).

    Raises:
        TypeError: For arguments of other types.
        ValueError: For a weight of another rank, or labels of another shape.
    """

    weight: Weights = None
    gamma: float = 2.0
    reduction: str = "mean"

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        of_type(None, "gamma", self.gamma, float)
        if self.weight is not None:
            one_of("FocalLoss", "number of dimensions of weight", self.weight.ndim, 1)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors("FocalLoss", logits=logits, labels=labels)
        if logits.ndim != labels.ndim or not 2 <= logits.ndim <= 4:
            raise ArgumentValueError(
                "For 'FocalLoss', the dimensions of 'logits' and 'labels' must be equal, and 2, 3 "
                f"or 4, but got {logits.ndim} and {labels.ndim}."
            )
        if labels.shape[1] not in (1, logits.shape[1]) or logits.shape[2:] != labels.shape[2:]:
            raise ArgumentValueError(
                f"For 'FocalLoss', labels of shape {labels.shape} do not fit logits of shape "
                f"{logits.shape}."
            )
        check_tensor("FocalLoss", "labels", labels, *_LABELS)
        return self.get_loss(_focal(logits, labels, self.weight, self.gamma))


@operator("SampledSoftmaxLoss", product=True)
def _sampled_softmax(
    weights: Array,
    biases: Array,
    labels: Array,
    logits: Array,
    sampled: Array,
    true_count: Array,
    sampled_count: Array,
    num_true: int,
) -> Array:
    labels = labels.reshape(-1, num_true)
    true = jnp.einsum("nd,ntd->nt", logits, weights[labels]) + biases[labels]
    others = logits @ weights[sampled].T + biases[sampled]
    all_logits = jnp.concatenate([true - jnp.log(true_count), others - jnp.log(sampled_count)], 1)
    chosen = jax.nn.softmax(all_logits, 1)[:, :num_true]
    return -jnp.log(chosen + 1e-20).sum(1) / num_true


class SampledSoftmaxLoss(_Listing):
    """The cross entropy over the true classes and a sample of the others.

    Args:
        num_sampled: How many classes are drawn.
        num_classes: How many there are.
        num_true: How many true classes an element has.
        sampled_values: What the sampler would give, a tuple of (sampled classes, expected counts of
            the true ones, and of the sampled ones); None to draw uniformly without repetition.
        remove_accidental_hits: Accepted; a true class that is drawn counts as another one too.
        seed: Accepted for compatibility, an int from 0.
        reduction: Accepted; the output is of each element, as in MindSpore.

    Inputs: weights (C, dim), biases (C,), labels (N, num_true) int, logits (N, dim).

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers out of range.

    Differs from MindSpore: the classes are drawn by msgrad's generator, from ``ms.set_seed``.
    """

    num_sampled: int
    num_classes: int
    num_true: int = 1
    sampled_values: Any = None
    remove_accidental_hits: bool = True
    seed: int = 0
    reduction: str = "none"

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        for name, least in (("num_true", 1), ("seed", 0)):
            at_least(self.cls_name, name, given[name], least)
        most = self.num_classes
        for name in ("num_sampled", "num_true"):
            if given[name] > most:
                raise ArgumentValueError(
                    f"For '{self.cls_name}', the '{name}' must be smaller than or equal to "
                    f"'num_classes', but got '{name}': {given[name]} and 'num_classes': {most}."
                )
        if self.sampled_values is not None:
            of_type(self.cls_name, "sampled_values", self.sampled_values, list, tuple)
            one_of(self.cls_name, "length of sampled_values", len(self.sampled_values), 3)

    def construct(self, weights: Tensor, biases: Tensor, labels: Tensor, logits: Tensor) -> Tensor:
        """Compute the loss of each element."""
        check_tensors(self.cls_name, weights=weights, biases=biases, labels=labels, logits=logits)
        check_tensor(self.cls_name, "labels", labels, mstype.int32, mstype.int64)
        sample = self.sampled_values
        if sample is None:
            drawn = ops.randperm(self.num_classes, -1)[: self.num_sampled]
            share = Tensor(self.num_sampled / self.num_classes, mstype.float32)
            sample = (drawn, share, share)
        return _sampled_softmax(weights, biases, labels, logits, *sample, self.num_true)


__all__ = public_names(globals())
