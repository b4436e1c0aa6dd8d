"""Losses: each is one kernel of the predictions, the targets and a reduction."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
from jax import lax

from msgrad._core.checks import a_reduction, one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_inexact, promote, result_type, wide
from msgrad._core.registry import function
from msgrad._core.rounding import mean_of
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating, host_values, need, refuse, same_shape, same_type
from msgrad.ops.nn_ops import log_softmax_of, softmax_of
from msgrad.ops.unary import moved_by, sloped
from msgrad.ops.unary import size as abs_size


def _reduce(x: Array, reduction: str) -> Array:
    if a_reduction("", reduction) == "none":
        return x
    return mean_of(x) if reduction == "mean" else x.sum()


def _real_difference(x: Array, y: Array) -> Array:
    x, y = promote(x, y)
    if not is_inexact(x.dtype):
        x, y = x.astype(jnp.float32), y.astype(jnp.float32)
    return x - y


@operator("mse_loss", int_grad=True, product=True)
def mse_loss(input: Array, target: Array, reduction: str = "mean") -> Array:
    """Compute the squared differences, with broadcasting.

    Args:
        input: Tensor.
        target: Tensor.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.

    Raises:
        TypeError: If either is not a Tensor.
        ValueError: For another reduction, or shapes that do not broadcast.
    """
    return _reduce(jnp.square(_real_difference(input, target)), reduction)


@operator("l1_loss", int_grad=True, product=True)
def l1_loss(input: Array, target: Array, reduction: str = "mean") -> Array:
    """Return the absolute differences, integers of integers; otherwise as ``mse_loss``."""
    x, y = promote(input, target)
    if not jnp.issubdtype(x.dtype, jnp.integer):
        return _reduce(abs_size(_real_difference(x, y)), reduction)
    return _reduce(jnp.abs(x - y), reduction).astype(x.dtype)


def _smooth(difference: Array, beta: float) -> Array:
    size = abs_size(difference)
    # The branch that is not taken must be finite: its gradient counts.
    near = jnp.where(size < beta, difference, 0)
    return jnp.where(size < beta, 0.5 * jnp.square(near) / beta, size - 0.5 * beta)


@operator("SmoothL1Loss", primitive="(beta=1.0, reduction='none')")
def smooth_l1_loss(
    input: Array, target: Array, beta: float = 1.0, reduction: str = "none"
) -> Array:
    """Compute a loss that is quadratic below ``beta`` and linear above.

    Args:
        input: Tensor, floating.
        target: Tensor of the same shape.
        beta: Where both meet; 0 gives the absolute difference.
        reduction: ``'none'``, ``'mean'`` or ``'sum'``.

    Raises:
        ValueError: If the shapes differ, or for another reduction.
        RuntimeError: If ``beta`` is negative.
    """
    for x in (input, target):
        refuse(x, jnp.integer, jnp.bool_)
    same_shape(input, target)
    if beta < 0:
        raise KernelError(f"the values for beta not support negative values, but got {beta}.")
    difference = _real_difference(input, target)
    return _reduce(_smooth(difference, beta) if beta else abs_size(difference), reduction)


@operator("huber_loss", product=True)
def huber_loss(input: Array, target: Array, reduction: str = "mean", delta: float = 1.0) -> Array:
    """Compute a loss that is quadratic below ``delta`` and linear, of slope ``delta``, above.

    Raises:
        ValueError: For another reduction, or if ``delta`` is not positive.
    """
    refuse(target, jnp.complexfloating)
    if not delta > 0:
        raise ArgumentValueError(f"the argument 'delta' must > 0.0, but got {delta}.")
    difference = _real_difference(input, target)
    return _reduce(delta * _smooth(difference, delta), reduction)


# Weights get a gradient of zeros, as in MindSpore.
_times = moved_by(jnp.multiply, 0)


def _weighed(loss: Array, weight: Array | None, reduction: str) -> Array:
    return _reduce(loss if weight is None else _times(loss, weight), reduction)


def _least(p: Array) -> Array:
    return jnp.asarray(1e-12, p.dtype)


def _entropy(p: Array, labels: Array) -> Array:
    hit, miss = (jnp.log(jnp.maximum(q, _least(p))) for q in (p, 1 - p))
    return -(labels * hit + (1 - labels) * miss)


# MindSpore's formulas, which count where the logarithm is cut off.
_cross_entropy_of = sloped(
    _entropy,
    lambda t, _, p, labels: t * (p - labels) / jnp.maximum((1 - p) * p, _least(p)),
    lambda t, _, p, labels: t * (jnp.log(1 - p) - jnp.log(p)),
)


@operator("BinaryCrossEntropy", primitive="(reduction='mean')", product=True)
def binary_cross_entropy(
    logits: Array, labels: Array, weight: Array | None = None, reduction: str = "mean"
) -> Array:
    """Compute the cross entropy of probabilities.

    Args:
        logits: Tensor of probabilities (in spite of the name).
        labels: Tensor of the same shape and dtype.
        weight: Tensor of the same shape, or None.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.

    Raises:
        TypeError: If the dtypes differ.
        ValueError: If the shapes differ, or for another reduction.
    """
    same_shape(logits, labels)
    same_type(logits, labels)
    return _weighed(_cross_entropy_of(logits, labels), weight, reduction)


def _entropy_of_logits(input: Array, target: Array, pos_weight: Array | None) -> Array:
    positive = target if pos_weight is None else target * pos_weight
    return (1 - target) * jax.nn.softplus(input) + positive * jax.nn.softplus(-input)


_cross_entropy_of_logits = moved_by(_entropy_of_logits, 0, 1)


@operator("BCEWithLogitsLoss", primitive="(reduction='mean')", product=True)
def binary_cross_entropy_with_logits(
    input: Array,
    target: Array,
    weight: Array | None = None,
    pos_weight: Array | None = None,
    reduction: str = "mean",
) -> Array:
    """Compute the cross entropy of the sigmoid of ``input`` in a stable form.

    Args:
        input: Tensor, floating.
        target: Tensor of the same shape, floating.
        weight: Tensor that broadcasts, or None.
        pos_weight: Weight of the positive class, which broadcasts, or None.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.

    Raises:
        TypeError: If a dtype is not floating.
        ValueError: If the shapes differ, or for another reduction.
    """
    for key, value in (("input", input), ("target", target)):
        floating(value, key)
    same_shape(input, target)
    input = input.astype(jnp.result_type(input, target))
    loss = _cross_entropy_of_logits(input, target, pos_weight)
    return _weighed(loss, weight, reduction).astype(target.dtype)


_sigmoid_loss = moved_by(
    functools.partial(binary_cross_entropy_with_logits.kernel, reduction="none"), 0
)


@operator("SigmoidCrossEntropyWithLogits", primitive=True)
def _sigmoid_cross_entropy(logits: Array, label: Array) -> Array:
    """Return the cross entropy of the sigmoid of each element and a label in [0, 1].

    The label gets a gradient of zeros, as in MindSpore.
    """
    return _sigmoid_loss(logits, label)


def _nll(
    logp: Array, target: Array, weight: Array | None, ignored: int, smoothing: float
) -> tuple[Array, Array]:
    """Compute the loss of each label (shape of ``target``) and the weight of each."""
    refuse(target, jnp.bool_)
    axis = 1 if logp.ndim > 1 else 0
    if target.ndim == logp.ndim and target.shape[axis] == 1:
        target = target.squeeze(axis)
    # MindSpore takes labels (N, L, ...) too: L of each example.
    several = target.ndim == logp.ndim
    keep = target != ignored
    label = lax.select(keep, target, lax.full_like(target, 0))
    if several:
        picked = jnp.take_along_axis(logp, label, axis)
    elif logp.ndim == 2:
        picked = _of_labels(logp, label)
    else:
        picked = jnp.take_along_axis(logp, jnp.expand_dims(label, axis), axis).squeeze(axis)
    weights = jnp.ones(logp.shape[axis], logp.dtype) if weight is None else weight
    dtype = result_type(logp.dtype, weights.dtype)
    each = (keep if weight is None else jnp.where(keep, weights[label], 0)).astype(dtype)
    loss = -picked * each
    if smoothing:
        shaped = weights.reshape([-1 if d == axis else 1 for d in range(logp.ndim)])
        spread = -(logp * shaped).sum(axis, keepdims=several)
        loss = (1 - smoothing) * loss + smoothing / logp.shape[axis] * spread
    # Selected last, so that the gradient is 0 also where the mean is over none, and nan.
    return lax.select(keep, loss, lax.full_like(loss, 0)), each


def _of_labels(rows: Array, labels: Array) -> Array:
    """Return the element of each row at its label; nan where it has none.

    Compared with all of them, since a gather, with the scatter of its gradient, takes twice as long
    to compile, and no less to run.
    """
    classes = rows.shape[1]
    mine = jnp.arange(classes) == labels[:, None]
    picked = lax.select(mine, rows, lax.full_like(rows, 0)).sum(1)
    return lax.select((labels >= 0) & (labels < classes), picked, lax.full_like(picked, jnp.nan))


def _reduce_weighted(loss: Array, each: Array, reduction: str) -> Array:
    return loss.sum() / each.sum() if reduction == "mean" else _reduce(loss, reduction)


def _check_labels(logits: Tensor, target: Tensor, ignored: int) -> None:
    """Raise for labels out of range, where looking costs nothing: on the CPU."""
    values = host_values(target._read())
    classes = logits.shape[1 if logits.ndim > 1 else 0]
    if values is None or not values.size or (values.min() >= 0 and values.max() < classes):
        return
    bad = (values != ignored) & ((values >= classes) | (values < 0))
    if bad.any():
        raise KernelError(
            f"every label must be in [0, {classes}) or the ignored {ignored}, but got "
            f"{values[bad][0]}."
        )


@operator("NLLLoss")
def _nll_loss(
    inputs: Array,
    target: Array,
    weight: Array | None,
    ignored: int,
    reduction: str,
    smoothing: float,
) -> Array:
    found = _nll(inputs, target, weight, ignored, smoothing)
    refuse(target, jnp.inexact)
    return _reduce_weighted(*found, reduction)


@function
def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return the negative log-likelihood of labels.

    Args:
        inputs: Tensor of log-probabilities (C,), (N, C) or (N, C, d1, ...).
        target: int Tensor of labels (), (N,) or (N, d1, ...).
        weight: Tensor (C,) of class weights, or None.
        ignore_index: The label of examples that do not count.
        reduction: ``'mean'`` (weighted), ``'sum'`` or ``'none'``.
        label_smoothing: How much of each label is spread over all classes.

    Raises:
        ValueError: For another reduction.
        RuntimeError: If a label is out of range (checked on the CPU).
    """
    _check_labels(inputs, target, ignore_index)
    return _nll_loss(inputs, target, weight, ignore_index, reduction, label_smoothing)


@operator("NLLLoss", primitive="(reduction='mean', ignore_index=-100)")
def _nll_loss_pair(
    logits: Array, labels: Array, weight: Array, reduction: str, ignore_index: int
) -> tuple[Array, Array]:
    """Return the weighted negative log likelihood, and the sum of the weights.

    The other arguments are those of ``nll_loss``.

    Args:
        logits: Tensor (N, C) of logarithms of probabilities.
        labels: int Tensor (N,).
    """
    loss, each = _nll(logits, labels, weight, ignore_index, 0.0)
    return _reduce_weighted(loss, each, reduction), each.sum()


@operator("cross_entropy")
def _cross_entropy(
    input: Array,
    target: Array,
    weight: Array | None,
    ignored: int,
    reduction: str,
    smoothing: float,
) -> Array:
    refuse(input, jnp.integer, jnp.bool_)
    axis = 1 if input.ndim > 1 else 0
    logp = log_softmax_of(wide(input), axis).astype(input.dtype)
    if not is_inexact(target.dtype):
        return _reduce_weighted(*_nll(logp, target, weight, ignored, smoothing), reduction)
    same = target.shape == input.shape
    need(same, "probabilities must have the shape of the input, labels be ints", input, target)
    if smoothing:
        target = target * (1 - smoothing) + smoothing / input.shape[axis]
    if weight is not None:
        target = target * weight.reshape([-1 if d == axis else 1 for d in range(input.ndim)])
    loss = -(logp * target).sum(axis)
    return _reduce(loss, reduction)


@function
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Compute the cross entropy of the softmax of ``input``.

    Args:
        input: Tensor of logits (C,), (N, C) or (N, C, d1, ...).
        target: int Tensor of labels as for ``nll_loss``, or a floating Tensor of probabilities of
            the shape of ``input``.
        weight: Tensor (C,) of class weights, or None.
        ignore_index: The label of examples that do not count.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.
        label_smoothing: How much of each label is spread over all classes.

    Raises:
        TypeError: If the smoothing is an int.
        ValueError: For another reduction, probabilities of another shape, or a smoothing below 0.
        RuntimeError: If a label is out of range (checked on the CPU).
    """
    if isinstance(label_smoothing, int):
        raise ArgumentTypeError(f"'label_smoothing' must be a float, but got {label_smoothing}.")
    if not label_smoothing >= 0:
        raise ArgumentValueError(f"'label_smoothing' must be >= 0, but got {label_smoothing}.")
    if not is_inexact(target._peek().dtype):
        _check_labels(input, target, ignore_index)
    return _cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)


def _divergence(logits: Array, labels: Array) -> Array:
    some = labels > 0
    return jnp.where(some, labels * (jnp.log(jnp.where(some, labels, 1)) - logits), 0)


# MindSpore's gradient of the labels is 0, and that of the logits counts negative labels too.
_divergence_of = sloped(_divergence, lambda t, _, logits, labels: -t * labels, None)


@operator("KLDivLoss", primitive="(reduction='mean')", product=True)
def kl_div(logits: Array, labels: Array, reduction: str = "mean") -> Array:
    """Compute ``labels * (log(labels) - logits)``, which is 0 where the label is 0.

    Args:
        logits: Tensor of log-probabilities.
        labels: Tensor of probabilities of the same shape.
        reduction: ``'mean'``, ``'batchmean'``, ``'sum'`` or ``'none'``.

    Raises:
        ValueError: If the shapes differ, or for another reduction.
    """
    same_type(logits, labels)
    refuse(labels, jnp.complexfloating, jnp.integer, jnp.bool_)
    one_of("", "reduction", reduction, "none", "mean", "batchmean", "sum")
    same_shape(logits, labels)
    loss = _divergence_of(logits, labels)
    if reduction == "batchmean":
        return loss.sum() / logits.shape[0]
    return _reduce(loss, reduction)


def _soft_entropy(logits: Array, labels: Array) -> Array:
    return -(labels * log_softmax_of(logits, logits.ndim - 1)).sum(-1)


# (N, C) logits and labels -> (N,). MindSpore's gradient of the logits is softmax(logits) - labels
# also where labels do not sum to 1.
soft_entropy = sloped(
    _soft_entropy, lambda t, _, x, labels: (t * (softmax_of(x, x.ndim - 1) - labels)).sum(-1), None
)


@operator("SoftmaxCrossEntropyWithLogits", primitive=True)
def _softmax_cross_entropy(logits: Array, labels: Array) -> tuple[Array, Array]:
    """Return the cross entropy of the softmax of each row, and its gradient.

    Args:
        logits: Tensor (N, C), floating.
        labels: Tensor (N, C) of probabilities.
    """
    same_shape(logits, labels)
    gradient = softmax_of(logits, logits.ndim - 1) - labels
    return soft_entropy(logits, labels), lax.stop_gradient(gradient)


@operator("SparseSoftmaxCrossEntropyWithLogits", primitive="(is_grad=False)", product=True)
def _sparse_softmax_cross_entropy(logits: Array, labels: Array, is_grad: bool) -> Array:
    """Return the mean cross entropy of the softmax of each row, or its gradient.

    Args:
        logits: Tensor (N, C), floating.
        labels: int Tensor (N,).
        is_grad: Whether to return the gradient.
    """

    def loss(x: Array) -> Array:
        logp = log_softmax_of(x, x.ndim - 1)
        return -mean_of(_of_labels(logp, labels))

    return jax.grad(loss)(logits) if is_grad else loss(logits)


@operator("margin_ranking_loss", product=True)
def margin_ranking_loss(
    input1: Array, input2: Array, target: Array, margin: float = 0.0, reduction: str = "mean"
) -> Array:
    """Compute ``max(0, -target * (input1 - input2) + margin)``; the target is 1 or -1."""
    same_type(input1, input2, target)
    gap = -target * (input1 - input2) + margin
    # Where it is 0 exactly, MindSpore passes the gradient.
    return _reduce(jnp.where(gap >= 0, gap, 0), reduction)


@operator("hinge_embedding_loss", product=True)
def hinge_embedding_loss(
    inputs: Array, targets: Array, margin: float = 1.0, reduction: str = "mean"
) -> Array:
    """Return ``inputs`` where the target is 1 and ``max(0, margin - inputs)`` where it is -1."""
    for x in (inputs, targets):
        refuse(x, jnp.integer, jnp.bool_)
    loss = jnp.where(targets == 1, inputs, 0) + jnp.where(
        targets == -1, jnp.maximum(margin - inputs, 0), 0
    )
    return _reduce(loss, reduction)
