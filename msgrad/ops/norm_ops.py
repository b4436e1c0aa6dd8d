"""Normalisation over batches, groups and channels; over the last dimensions it is in ``nn_ops``.

The running statistics of a batch normalisation are written to the Parameters that were passed, by
``state.assign``, so that a gradient commits them once with everything else.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from msgrad._core.checks import at_least, of_type, one_of, within
from msgrad._core.context import context
from msgrad._core.distributed.across import Ranks
from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import wide
from msgrad._core.registry import function, spelling
from msgrad._core.rounding import mean_of
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating, multiple_of, need, of_rank, of_shape, rank_at_least
from msgrad.ops.collective import all_gather
from msgrad.ops.nn_ops import _standardised
from msgrad.ops.reduction import once
from msgrad.ops.state import assign


def _along(vector: Array, ndim: int) -> Array:
    """Shape a vector so that it broadcasts along the second dimension."""
    return vector.reshape(1, -1, *(1,) * (ndim - 2))


def _check_batch(x: Array, vectors: tuple[Array, ...], eps: Any) -> None:
    floating(x)
    rank_at_least(x, 2)
    of_type("", "eps", eps, float)
    within("", "eps", eps, "(0, 1]")
    for vector in vectors:
        of_shape(vector, "scale", x.shape[1])


def _normalised(
    x: Array, mean: Array, variance: Array, gamma: Array, beta: Array, eps: float
) -> Array:
    y = wide(x)
    factor = gamma * lax.rsqrt(variance + eps)
    return (y - _along(mean, x.ndim)) * _along(factor, x.ndim) + _along(beta, x.ndim)


@operator("BatchNorm")
def _as_autocast(x: Array) -> Array:
    return x


def _input(x: Any) -> Any:
    """Return the input as ``Cell.to_float`` wants it; the statistics stay in their own dtype."""
    return x if context.mixed is None else _as_autocast(x)


@operator("BatchNorm", autocast=False)
def _batch_norm_fixed(
    x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: float
) -> Array:
    _check_batch(x, (gamma, beta, mean, variance), eps)
    return _normalised(x, mean, variance, gamma, beta, eps).astype(x.dtype)


@operator("BatchNorm", autocast=False, product=True)
def _batch_norm_batch(
    x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: float, momentum: float
) -> tuple[Array, ...]:
    """Return the output, the running statistics and the batch's own."""
    _check_batch(x, (gamma, beta, mean, variance), eps)
    if 0 in x.shape:
        return (x, mean, variance, mean, variance)
    y, own, spread = _by_its_moments(wide(once(x)), gamma, beta, eps)
    out, count = y.astype(x.dtype), x.size // x.shape[1]
    # Of one element there is no unbiased variance; as in MindSpore it is nan.
    # Of a batch that export leaves open it is not known.
    alone = isinstance(count, int) and count < 2
    unbiased = spread * (math.nan if alone else count / (count - 1))
    return (out, *_moved((mean, variance), (own, unbiased), momentum), own, unbiased)


def _moments_of(x: Array) -> tuple[Array, Array]:
    y, axes = wide(x), (0, *range(2, x.ndim))
    own = mean_of(y, axes)
    return own, mean_of(lax.square(y - _along(own, x.ndim)), axes)


@functools.partial(jax.custom_jvp, nondiff_argnums=(3,))
def _by_its_moments(y: Array, gamma: Array, beta: Array, eps: float) -> tuple[Array, ...]:
    """Return what is normalised by its own moments, and these."""
    own, spread = _moments_of(y)
    return _normalised(y, own, spread, gamma, beta, eps), own, spread


@_by_its_moments.defjvp
def _by_its_moments_moved(
    eps: float, primals: tuple[Array, ...], tangents: tuple[Array, ...]
) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    # The sums that are the gradients of ``beta`` and ``gamma`` are all that the one of ``y`` needs;
    # JAX's own takes two more, and a kernel to write down what each adds up.
    y, gamma, _ = primals
    moved, dgamma, dbeta = tangents
    out, own, spread = _by_its_moments(*primals, eps)
    axes, share = (0, *range(2, y.ndim)), y.shape[1] / y.size
    rate = lax.rsqrt(spread + eps)
    apart, factor = y - _along(own, y.ndim), gamma * rate
    down, half = (lax.reduce_sum(d, axes) * share for d in (moved, apart * moved))
    slope = dgamma * rate - factor * lax.square(rate) * half
    shift = dbeta - factor * down
    dout = moved * _along(factor, y.ndim) + apart * _along(slope, y.ndim) + _along(shift, y.ndim)
    return (out, own, spread), (dout, down, 2 * half)


def _moved(
    statistics: tuple[Array, Array], batch: tuple[Array, Array], momentum: float
) -> list[Array]:
    return [
        (old * (1 - momentum) + lax.stop_gradient(found) * momentum).astype(old.dtype)
        for old, found in zip(statistics, batch, strict=True)
    ]


@operator("BatchNorm", autocast=False, product=True)
def _batch_moments(x: Array) -> Array:
    """Return mean, variance and number of elements of each channel, (1, 3, C)."""
    rank_at_least(x, 2)
    own, spread = _moments_of(x)
    return jnp.stack([own, spread, jnp.full_like(own, x.size // x.shape[1])])[None]


@operator("BatchNorm", autocast=False, product=True)
def _batch_norm_of(
    x: Array,
    gamma: Array,
    beta: Array,
    mean: Array,
    variance: Array,
    moments: Array,
    eps: float,
    momentum: float,
) -> tuple[Array, ...]:
    """Return the output and the running statistics, by the moments of several batches as one."""
    _check_batch(x, (gamma, beta, mean, variance), eps)
    owns, spreads, counts = moments[:, 0], moments[:, 1], moments[:, 2]
    count = counts.sum(0)
    own = (owns * counts).sum(0) / count
    spread = ((spreads + jnp.square(owns - own)) * counts).sum(0) / count
    out = _normalised(x, own, spread, gamma, beta, eps).astype(x.dtype)
    return (out, *_moved((mean, variance), (own, spread * (count / (count - 1))), momentum))


def batch_norm_together(
    x: Any,
    mean: Any,
    variance: Any,
    gamma: Any,
    beta: Any,
    momentum: float,
    eps: float,
    ranks: Ranks,
) -> Tensor:
    """Normalise each channel by its moments on all ranks of a group, and move the running ones.

    One collective each way: ranks tell their moments and how many elements these are of.
    """
    moments = all_gather(_batch_moments(_input(x)), ranks)
    out, new_mean, new_variance = _batch_norm_of(
        _input(x), gamma, beta, mean, variance, moments, eps, momentum
    )
    assign(mean, new_mean)
    assign(variance, new_variance)
    return out


@function
def batch_norm(
    input_x: Tensor,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel, then scale and shift it.

    Args:
        input_x: Tensor (N, C, ...), floating.
        running_mean: Parameter or Tensor (C,).
        running_var: Parameter or Tensor (C,).
        weight: Parameter or Tensor (C,).
        bias: Parameter or Tensor (C,).
        training: Whether to normalise by the batch's statistics and to move the running ones
            (those that are Parameters) towards them, the variance unbiased.
        momentum: The share of the batch's statistics in the new running ones.
        eps: Added to the variance, in (0, 1].

    Returns:
        Tensor of the shape and dtype of ``input_x``.

    Raises:
        TypeError: For an input that is not floating, or an ``eps`` that is not a float.
        ValueError: For vectors of another shape, or an ``eps`` out of range.
    """
    if not training:
        return _batch_norm_fixed(_input(input_x), weight, bias, running_mean, running_var, eps)
    return _trained(input_x, running_mean, running_var, weight, bias, momentum, eps)[0]


def _trained(
    x: Any, mean: Any, variance: Any, gamma: Any, beta: Any, momentum: float, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    out, new_mean, new_variance, own, unbiased = _batch_norm_batch(
        _input(x), gamma, beta, mean, variance, eps, momentum
    )
    assign(mean, new_mean)
    assign(variance, new_variance)
    return out, own, unbiased


@function(primitive="BatchNorm(*)")
def _batch_norm_primitive(
    x: Tensor,
    scale: Any,
    bias: Any,
    mean: Any,
    variance: Any,
    *,
    is_training: bool = False,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
    data_format: str = "NCHW",
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Normalize each channel, by the moments of the batch or by those given.

    Args:
        x: Tensor (N, C, ...), floating.
        scale: Parameter (C,).
        bias: Parameter (C,).
        mean: Parameter (C,), moved towards that of the batch when training.
        variance: Parameter (C,), likewise.
        is_training: Whether the moments are those of the batch.
        epsilon: Added to the variance.
        momentum: The part of the batch in the new ``mean`` and ``variance``.

    Returns:
        The result; mean and variance, unbiased; and what ``BatchNormGrad`` takes: mean and the
        variance that the result was divided by.
    """
    if data_format != "NCHW":
        raise ArgumentValueError(
            f"the '{data_format}' format is not supported; transpose the input to NCHW."
        )
    if is_training:
        dtype = mean.dtype
        out, *own = _trained(x, mean, variance, scale, bias, momentum, epsilon)
        mean, variance = (v.astype(dtype) for v in own)
        count = out.size // mean.size
        return out, mean, variance, mean, variance * ((count - 1) / max(count, 1))
    out = _batch_norm_fixed(_input(x), scale, bias, mean, variance, epsilon)
    return out, mean, variance, mean, variance


@operator("GroupNorm")
def _group_norm(
    input: Array, weight: Array | None, bias: Array | None, num_groups: int, eps: float
) -> Array:
    """Normalise groups of channels, then scale and shift each channel.

    Args:
        input: Tensor (N, C, ...), floating.
        num_groups: int that divides C; with C groups this is instance normalisation.
        weight: Tensor (C,), or None.
        bias: Tensor (C,), or None.
        eps: Added to the variance.

    Raises:
        TypeError: For an input that is not floating, or ``num_groups`` that is not an int.
        ValueError: If it does not divide C, or for vectors of another shape.
    """
    at_least("", "num_groups", num_groups, 1)
    x = input
    floating(x)
    rank_at_least(x, 2)
    channels = x.shape[1]
    multiple_of(num_groups, "number of channels", channels)
    for vector in (weight, bias):
        if vector is not None:
            of_shape(vector, "weight and bias", channels)
    size = channels // num_groups * math.prod(x.shape[2:])
    out, _, _ = _standardised(x.reshape(x.shape[0], num_groups, size), (-1,), eps)
    out = out.reshape(x.shape)
    out = out if weight is None else out * _along(weight, x.ndim)
    return (out if bias is None else out + _along(bias, x.ndim)).astype(x.dtype)


group_norm = spelling(
    "group_norm(input, num_groups, weight=None, bias=None, eps=1e-5)", _group_norm
)


@operator("RmsNorm", primitive="(epsilon=1e-6)", product=True)
def rms_norm(x: Array, gamma: Array, epsilon: float = 1e-6) -> tuple[Array, Array]:
    """Divide by the root of the mean of squares over the last dimensions, then scale.

    Args:
        x: Tensor ``(..., *shape)``, floating.
        gamma: Tensor of that shape.
        epsilon: Added to the mean of squares.

    Returns:
        The output, of the shape and dtype of ``x``; and the factor it was multiplied by, float32.

    Raises:
        ValueError: If the shape of ``gamma`` is not the end of that of ``x``.
    """
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    fits = x.shape[x.ndim - gamma.ndim :] == gamma.shape
    need(fits, "gamma must have the shape of the last dimensions of x", x, gamma)
    y = wide(x)
    rstd = lax.rsqrt(jnp.square(y).mean(axes, keepdims=True) + epsilon)
    return (y * rstd * gamma).astype(x.dtype), rstd


@operator("LRN", primitive="(...)", product=True)
def lrn(
    x: Array,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Array:
    """Divide by ``(bias + alpha * sum of squares) ** beta`` over neighbouring channels.

    Args:
        x: Tensor (N, C, H, W), floating.
        depth_radius: How many channels on either side count.
        bias: See above.
        alpha: See above.
        beta: See above.
        norm_region: ``'ACROSS_CHANNELS'``, the only one there is.

    Raises:
        ValueError: For another rank or region.
    """
    one_of("", "norm_region", norm_region, "ACROSS_CHANNELS")
    of_rank(x, 4)
    squares = jnp.square(wide(x))
    r = depth_radius
    window, pads = (1, 2 * r + 1, 1, 1), ((0, 0), (r, r), (0, 0), (0, 0))
    sums = lax.reduce_window(squares, 0.0, lax.add, window, (1,) * 4, pads)
    return (wide(x) * jnp.power(bias + alpha * sums, -beta)).astype(x.dtype)
