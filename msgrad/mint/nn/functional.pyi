"""The names of ``msgrad.mint.nn.functional``.

Written by ``python -m tests.record_stubs``.
"""

from typing import Any

import jax
import numpy as np

from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor

_Number = bool | int | float | complex | np.number[Any] | np.bool_
# What stands beside a symbol.
_Other = Tensor | _Number | jax.Array | list[Any] | tuple[Any, ...]

__all__: list[str]

def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows of (N, C, L) or (C, L), so many that L is ``output_size``."""

def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows, so many that H and W are ``output_size``; see ``ops``."""

def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Compute means of windows, so many that D, H and W are ``output_size``; see ``ops``."""

def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows of (N, C, L) or (C, L), so many that L is ``output_size``."""

def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows, so many that H and W are ``output_size``; see ``ops``."""

def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any | None = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Compute means of windows over 1 dimensions."""

def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any | None = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Compute means of windows over 2 dimensions."""

def avg_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any | None = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Compute means of windows over 3 dimensions."""

def batch_norm(
    input: Tensor,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise each channel by its statistics, or in training by the batch's; see ``ops``."""

def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Compute the cross entropy of probabilities."""

def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Compute the cross entropy of the sigmoid of ``input`` in a stable form."""

def broadcast_to(input: Tensor, shape: int | tuple[int, ...] | list[int]) -> Tensor:
    """Repeat dimensions of size 1 (and new leading ones) up to ``shape``; -1 keeps a size."""

def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1."""

def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any | str = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve over 1 dimensions."""

def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any | str = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve over 2 dimensions."""

def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any | str = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolve over 3 dimensions."""

def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """Transpose a convolution of images (N, C, H, W) or (C, H, W)."""

def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Compute 1 - the cosine where the target is 1, and what it has above a margin where it
    is -1.
    """

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Compute the cross entropy of the softmax of ``input``."""

def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor:
    """Zero elements with probability ``p`` and divide the others by ``1 - p``."""

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor:
    """Zero whole channels of (N, C, H, W) or (C, H, W) with probability ``p``."""

def elu(input: Tensor, alpha: float = 1.0, inplace: Any = False) -> Tensor:
    """Return ``x`` where positive and ``alpha * (exp(x) - 1)`` elsewhere."""

def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Return ``x`` where positive and ``alpha * (exp(x) - 1)`` elsewhere."""

def embedding(
    input: Tensor,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Look up rows of a table."""

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one."""

def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Add up columns where they lie in images: the transpose of ``unfold``."""

def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Compute ``x * Phi(x)`` with the normal distribution function, or its tanh
    approximation.
    """

def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Return the first half of ``axis`` times the sigmoid of the second."""

def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Return the elements of images, or volumes, at the places of a grid."""

def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise groups of channels, then scale and shift each channel."""

def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Make 0 of the elements within ``[-lambd, lambd]``."""

def hardsigmoid(input: Tensor) -> Tensor:
    """Compute ``relu6(x + 3) / 6``, of signed integers cut; its gradient is 0 at the edges."""

def hardswish(input: Tensor) -> Tensor:
    """Compute ``x * relu6(x + 3) / 6``; of signed integers cut to integers."""

def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: Any = False
) -> Tensor:
    """Clip to [min_val, max_val]; its gradient is 0.5 at the edges."""

def hardtanh_(input: Tensor, min_val: float = -1, max_val: float = 1) -> Tensor:
    """Clip to [min_val, max_val]; its gradient is 0.5 at the edges."""

def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second, to a size or by a factor; see ``ops``."""

def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """Compute ``target * (log(target) - input)``; with ``log_target``, that is a logarithm."""

def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the absolute differences, integers of integers; otherwise as ``mse_loss``."""

def layer_norm(
    input: Tensor,
    normalized_shape: int | tuple[int, ...] | list[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """Normalise over the last dimensions, then scale and shift."""

def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Return ``x`` where positive and ``negative_slope * x`` elsewhere."""

def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Compute ``input @ weight.T + bias``."""

def log_softmax(
    input: Tensor, dim: int | None = None, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Compute the logarithm of ``softmax`` in a stable form."""

def logsigmoid(input: Tensor) -> Tensor:
    """Compute ``log(sigmoid(x))`` in a stable form."""

def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any | None = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """Compute maxima of windows of (N, C, H, W) or (C, H, W); see ``ops.max_pool2d``."""

def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Put maxima back where they were, and zeros elsewhere."""

def mish(input: Tensor) -> Tensor:
    """Compute ``x * tanh(softplus(x))``."""

def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Compute the squared differences, with broadcasting."""

def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative log-likelihood of labels, in the input's dtype; see ``ops``."""

def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    """Divide by the ``p``-norm over ``dim``, or by ``eps`` where that is larger."""

def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return rows of zeros with a one, int64, in ``num_classes`` columns or as many as
    needed.
    """

def pad(
    input: Tensor,
    pad: int | tuple[int, ...] | list[int] | tuple[tuple[int, ...], ...],
    mode: str = "constant",
    value: float | bool | None = None,
) -> Tensor:
    """Pad the last dimensions."""

def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Make squares of pixels of groups of neighbouring channels."""

def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Return ``x`` where positive and ``weight * x`` elsewhere."""

def relu(input: Tensor, inplace: Any = False) -> Tensor:
    """Compute ``max(x, 0)``."""

def relu6(input: Tensor, inplace: Any = False) -> Tensor:
    """Compute ``min(max(x, 0), 6)``; its gradient is 0 at 0 and 1 at 6."""

def relu_(input: Tensor) -> Tensor:
    """Compute ``max(x, 0)``."""

def selu(input_x: Tensor) -> Tensor:
    """Compute the scaled exponential linear unit."""

def sigmoid(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""

def sigmoid_(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""

def silu(input: Tensor, inplace: Any = False) -> Tensor:
    """Compute ``x * sigmoid(x)``."""

def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Compute a loss that is quadratic below ``beta`` and linear above."""

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Compute ``log(1 + exp(-target * input))``; the target is 1 or -1."""

def softmax(input: Tensor, dim: int | None = None, dtype: mstype.DType | None = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``dim``: 0 or 1 by the rank, unless told."""

def softplus(input: Tensor, beta: Tensor | float = 1, threshold: float = 20) -> Tensor:
    """Compute ``log(1 + exp(beta * x)) / beta``, and ``x`` itself where ``beta * x >
    threshold``.
    """

def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Bring elements nearer to 0 by ``lambd``; those within become 0."""

def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent of each element."""

def threshold(input: Tensor, threshold: float, value: float, inplace: Any = False) -> Tensor:
    """Return ``x`` where above ``thr`` and ``value`` elsewhere."""

def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """Return ``x`` where above ``thr`` and ``value`` elsewhere."""

def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Return the windows of images as columns."""

def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second, to a size or by a factor; see ``ops``."""
