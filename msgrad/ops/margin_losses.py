"""Losses of margins and of distributions; ``losses`` has those of single numbers and of classes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.checks import above, one_of, within
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import is_float
from msgrad._core.registry import spelling
from msgrad.ops._checks import need, of_dtype, of_shape, refuse, same_shape, same_type
from msgrad.ops.losses import _reduce


@operator("MultiMarginLoss", primitive="(p=1, margin=1.0, reduction='mean')", product=True)
def _multi_margin(
    input: Array,
    target: Indices,
    weight: Array | None = None,
    p: int = 1,
    margin: float = 1.0,
    reduction: str = "mean",
) -> Array:
    """Compute how far other classes come within a margin of the right one.

    Args:
        input: Tensor (N, C), floating.
        target: int64 Tensor (N,), the right classes.
        weight: Tensor (C,), a factor for each right class, or None.
        p: The power, 1 or 2.
        margin: How much less the others should be.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.
    """
    one_of("", "p", p, 1, 2)
    fits = input.ndim == 2 and target.shape == input.shape[:1] and is_float(input.dtype)
    need(fits, "the input must be floating (N, C), the target (N,)", input.dtype, input, target)
    of_dtype(target, "target", jnp.int64)
    right = jnp.take_along_axis(input, target[:, None], 1)
    each = jax.nn.relu(margin - right + input) ** p
    if weight is not None:
        each = each * weight[target][:, None]
    wrong = jnp.arange(input.shape[1]) != target[:, None]
    return _reduce(jnp.where(wrong, each, 0).sum(1) / input.shape[1], reduction)


multi_margin_loss = spelling(
    "multi_margin_loss(input, target, p=1, margin=1, weight=None, reduction='mean')", _multi_margin
)


@operator("cosine_embedding_loss", product=True)
def cosine_embedding_loss(
    input1: Array, input2: Array, target: Indices, margin: float = 0.0, reduction: str = "mean"
) -> Array:
    """Compute 1 - the cosine where the target is 1, and what it has above a margin where it is -1.

    Args:
        input1: Tensor (N, D) or (D,), floating.
        input2: Tensor of the same shape.
        target: Tensor (N,), of 1 and -1.
        margin: From -1 to 1.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.
    """
    same_type(input1, input2)
    refuse(input1, jnp.bool_)
    same_shape(input1, input2)
    within("", "margin", margin, "[-1, 1]")
    axis = min(1, input1.ndim - 1)
    of_shape(target, "target", *input1.shape[:axis], *input1.shape[axis + 1 :])
    small = jnp.asarray(np.float32(1e-12), input1.dtype)
    products = (input1 * input2).sum(axis)
    lengths = (jnp.square(input1).sum(axis) + small) * (jnp.square(input2).sum(axis) + small)
    cosine = products / jnp.sqrt(lengths)
    apart = jnp.where(target == -1, jax.nn.relu(cosine - margin), 0)
    return _reduce(jnp.where(target == 1, 1 - cosine, 0) + apart, reduction)


@operator("gaussian_nll_loss", product=True)
def gaussian_nll_loss(
    x: Array,
    target: Array,
    var: Array,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Array:
    """Compute the negative log-likelihood of normal distributions.

    Args:
        x: Tensor, the means.
        target: Tensor, what was seen; it broadcasts with the means.
        var: Tensor that broadcasts with the means, or that lacks their last dimension.
        full: Whether the constant term is added.
        eps: What a variance is at least.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.
    """
    above("", "eps", eps, 0)
    if var.shape != x.shape and var.shape == x.shape[:-1]:
        var = var[..., None]
    bounded = jnp.maximum(var, eps)
    loss = 0.5 * (jnp.log(bounded) + jnp.square(x - target) / bounded)
    return _reduce(loss + (0.5 * float(np.log(2 * np.pi)) if full else 0), reduction)


@operator("multilabel_soft_margin_loss", product=True)
def multilabel_soft_margin_loss(
    input: Array, target: Array, weight: Array | None = None, reduction: str = "mean"
) -> Array:
    """Compute the binary cross entropy of each class, and its mean over the last dimension.

    Args:
        input: Tensor (N, C), floating, not normalized.
        target: Tensor (N, C), of 0 and 1; it broadcasts.
        weight: A factor for each class, or None.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.
    """
    positive, negative = jax.nn.log_sigmoid(input), jax.nn.log_sigmoid(-input)
    each = -(target * positive + (1 - target) * negative)
    each = each if weight is None else each * weight
    return _reduce(each.mean(-1), reduction)


@operator("SoftMarginLoss", primitive="(reduction='mean')", product=True)
def soft_margin_loss(input: Array, target: Array, reduction: str = "mean") -> Array:
    """Compute ``log(1 + exp(-target * input))``; the target is 1 or -1.

    Args:
        input: Tensor, floating.
        target: Tensor of the same shape.
        reduction: ``'mean'``, ``'sum'`` or ``'none'``.
    """
    same_shape(input, target)
    return _reduce(jax.nn.softplus(-target * input), reduction)
