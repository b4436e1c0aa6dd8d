"""The functions of ``mint.nn.functional`` that ``ops`` has not, or that mean something else there.

Convolutions and pools take a padding on both sides of each dimension, and one example without its
batch too.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad import ops
from msgrad._core.bridge import static
from msgrad._core.checks import REDUCTIONS, of_type, one_of, within
from msgrad._core.declared import checked
from msgrad._core.op import Array, operator
from msgrad._core.promotion import require_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.mint._functions import legacy_dim
from msgrad.mint._functions import softmax as mint_softmax
from msgrad.mint.linalg import vector_norm
from msgrad.ops.conv_ops import conv_transpose, convolve, per_dimension
from msgrad.ops.pool_ops import avg_pool
from msgrad.ops.resize_ops import resized

Ints = int | tuple | list


@checked
def softmax(input: Tensor, dim: int | None = None, dtype: mstype.DType | None = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``dim``: 0 or 1 by the rank, unless told."""
    return mint_softmax(input, dim, dtype=dtype)


@checked
def log_softmax(
    input: Tensor, dim: int | None = None, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Compute the logarithm of ``softmax`` in a stable form."""
    x = input if dtype is None else ops.cast(input, dtype)
    return ops.log_softmax(x, legacy_dim(input, dim))


@operator("EluExt")
def elu(input: Array, alpha: float = 1.0) -> Array:
    """Return ``x`` where positive and ``alpha * (exp(x) - 1)`` elsewhere."""
    return jax.nn.elu(require_inexact(input), alpha)


@operator("LeakyReLUExt", int_grad=True)
def leaky_relu(input: Array, negative_slope: float = 0.01) -> Array:
    """Return ``x`` where positive and ``negative_slope * x`` elsewhere."""
    return jnp.where(input > 0, input, (input * negative_slope).astype(input.dtype))


@checked
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return rows of zeros with a one, int64, in ``num_classes`` columns or as many as needed."""
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    return ops.one_hot(tensor, num_classes, Tensor(1, mstype.int64), Tensor(0, mstype.int64))


@checked
def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    """Divide by the ``p``-norm over ``dim``, or by ``eps`` where that is larger."""
    return ops.div(input, ops.clamp(vector_norm(input, p, dim, True), eps))


@checked
def batch_norm(
    input: Tensor,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each channel by its statistics, or in training by the batch's; see ``ops``.

    ``running_mean`` and ``running_var`` may be None in training, ``weight`` and ``bias`` always.
    """
    channels, kind = input.shape[1], mstype.float32
    weight = ops.ones(channels, kind) if weight is None else weight
    bias = ops.zeros(channels, kind) if bias is None else bias
    mean = ops.zeros(channels, kind) if running_mean is None else running_mean
    variance = ops.ones(channels, kind) if running_var is None else running_var
    return ops.batch_norm(input, mean, variance, weight, bias, training, momentum, eps)


def _in_batch(input: Tensor, rank: int, function: Any) -> Any:
    """Call a function on a batch; what is none becomes one of one example, and its result none."""
    if input.ndim != rank + 1:
        return function(input)
    found = function(ops.unsqueeze(input, 0))
    if isinstance(found, tuple):
        return tuple(ops.squeeze(part, 0) for part in found)
    return ops.squeeze(found, 0)


def _convolution(rank: int) -> Any:
    def call(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Ints = 1,
        padding: Ints | str = 0,
        dilation: Ints = 1,
        groups: int = 1,
    ) -> Tensor:
        mode, around = (padding, 0) if isinstance(padding, str) else ("pad", padding)
        options = (rank, _pair(stride), mode, _pair(around), _pair(dilation))
        return _in_batch(input, rank, lambda x: convolve(x, weight, bias, *options, groups))

    call.__name__ = call.__qualname__ = f"conv{rank}d"
    call.__doc__ = f"""Convolve over {rank} dimensions.

    Args:
        input: Tensor (N, C, ...) or (C, ...), floating.
        weight: Tensor (C_out, C / groups, ...) of the same dtype.
        bias: Tensor (C_out,), or None.
        stride: int, or one per dimension.
        padding: int, or one per dimension, put on both sides; or ``'valid'``, ``'same'``.
        dilation: int, or one per dimension.
        groups: Number of groups of channels, each convolved by itself.
    """
    return checked(call)


def _pair(value: Any) -> Any:
    """Return a list as a tuple; a tuple of one counts for all dimensions."""
    value = tuple(value) if isinstance(value, list) else value
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


conv1d, conv2d, conv3d = map(_convolution, (1, 2, 3))


@checked
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Ints = 1,
    padding: Ints = 0,
    output_padding: Ints = 0,
    groups: int = 1,
    dilation: Ints = 1,
) -> Tensor:
    """Transpose a convolution of images (N, C, H, W) or (C, H, W).

    Args:
        input: Tensor, floating.
        weight: Tensor (C, C_out / groups, kH, kW).
        bias: Tensor (C_out,), or None.
        stride: int, or one per dimension.
        padding: The padding of the convolution that this transposes.
        output_padding: Added to the size of the output.
        groups: Number of groups of channels.
        dilation: int, or one per dimension.
    """

    def each(name: str, value: Any, least: int = 1) -> tuple[int, ...]:
        return per_dimension(name, _pair(value), 2, least)

    steps, spread = each("stride", stride), each("dilation", dilation)
    around, more = each("padding", padding, 0), each("output_padding", output_padding, 0)
    return _in_batch(
        input,
        2,
        lambda x: conv_transpose(x, weight, bias, steps, "pad", around, spread, groups, more),
    )


@checked
def max_pool2d(
    input: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Compute maxima of windows of (N, C, H, W) or (C, H, W); see ``ops.max_pool2d``."""
    window = (_pair(kernel_size), _pair(stride), _pair(padding), _pair(dilation))
    return _in_batch(input, 2, lambda x: ops.max_pool2d(x, *window, return_indices, ceil_mode))


def _average(rank: int) -> Any:
    def call(
        input: Tensor,
        kernel_size: Ints,
        stride: Ints | None = None,
        padding: Ints = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Tensor:
        kernel = per_dimension("kernel_size", _pair(kernel_size), rank)
        steps = per_dimension("stride", kernel if stride is None else _pair(stride), rank)
        given = (kernel, steps, "pad", _pair(padding), ceil_mode, count_include_pad)
        return _in_batch(input, rank, lambda x: avg_pool(x, *given, divisor_override or 0))

    call.__name__ = call.__qualname__ = f"avg_pool{rank}d"
    call.__doc__ = f"""Compute means of windows over {rank} dimensions.

    Args:
        input: Tensor (N, C, ...) or (C, ...), floating.
        kernel_size: int, or one per dimension.
        stride: The same; the kernel's size by default.
        padding: int, or one per dimension, put on both sides.
        ceil_mode: Whether a window that only begins in the input counts.
        count_include_pad: Whether elements of the padding count as zeros or not at all.
        divisor_override: What to divide by instead of the number of elements.
    """
    return checked(call)


avg_pool1d, avg_pool2d, avg_pool3d = map(_average, (1, 2, 3))


def _sizes(output_size: Any) -> Any:
    return tuple(output_size) if isinstance(output_size, list) else output_size


def _of_one(input: Tensor, output_size: Any, function: Any, *more: Any) -> Any:
    """Pool the last dimension, by a function that pools two."""
    size = _pair(output_size)
    of_type("", "output_size", size, int)
    found = function(ops.unsqueeze(input, -2), (1, size), *more)
    if isinstance(found, tuple):
        return tuple(ops.squeeze(part, -2) for part in found)
    return ops.squeeze(found, -2)


@checked
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows of (N, C, L) or (C, L), so many that L is ``output_size``."""
    return _of_one(input, output_size, ops.adaptive_avg_pool2d)


@checked
def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows of (N, C, L) or (C, L), so many that L is ``output_size``."""
    return _of_one(input, output_size, ops.adaptive_max_pool2d, return_indices)


@checked
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows, so many that H and W are ``output_size``; see ``ops``."""
    return ops.adaptive_avg_pool2d(input, _sizes(output_size))


@checked
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows, so many that D, H and W are ``output_size``; see ``ops``."""
    return ops.adaptive_avg_pool3d(input, _sizes(output_size))


@checked
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows, so many that H and W are ``output_size``; see ``ops``."""
    return ops.adaptive_max_pool2d(input, _sizes(output_size), return_indices)


@checked
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative log-likelihood of labels, in the input's dtype; see ``ops``."""
    return ops.nll_loss(input, target, weight, ignore_index, reduction).astype(input.dtype)


@checked
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second, to a size or by a factor; see ``ops``."""
    if scale_factor is not None and size is None and recompute_scale_factor:
        rank = input.ndim - 2
        given = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * rank
        size = tuple(int(n * f) for n, f in zip(input.shape[2:], given, strict=True))
        scale_factor = recompute_scale_factor = None
    if isinstance(size, Tensor) and not size.ndim:
        size = size.item()
    elif isinstance(size, (tuple, list)):
        size = static(tuple(size))
    given = size, scale_factor, mode, align_corners, recompute_scale_factor
    return resized(input, *given, by_factor=True)


@checked
def dropout(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero elements with probability ``p`` and divide the others by ``1 - p``."""
    _probability(p)
    return ops.zeros_like(input) if training and p == 1 else ops.dropout(input, float(p), training)


@checked
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of (N, C, H, W) or (C, H, W) with probability ``p``."""
    _probability(p)
    return _in_batch(input, 2, lambda x: ops.dropout2d(x, float(p), training))


def _probability(p: float) -> None:
    within("", "p", p, "[0, 1]")


@checked
def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """Compute ``target * (log(target) - input)``; with ``log_target``, that is a logarithm."""
    if not log_target:
        return ops.kl_div(input, target, reduction)
    loss = ops.mul(ops.exp(target), ops.sub(target, input))
    if reduction == "batchmean":
        return ops.div(loss.sum(), input.shape[0])
    one_of("", "reduction", reduction, *REDUCTIONS)
    return loss if reduction == "none" else getattr(loss, reduction)()
