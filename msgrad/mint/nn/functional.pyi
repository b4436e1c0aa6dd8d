"""The names of ``msgrad.mint.nn.functional``.

Written by ``python -m tests.record_stubs``.
"""

from typing import Any

import jax
import numpy as np

from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor as Tensor
from msgrad.ops import broadcast_to as broadcast_to
from msgrad.ops import clamp as clamp
from msgrad.ops import cosine_embedding_loss as cosine_embedding_loss
from msgrad.ops import cross_entropy as cross_entropy
from msgrad.ops import embedding as embedding
from msgrad.ops import fold as fold
from msgrad.ops import gelu as gelu
from msgrad.ops import grid_sample as grid_sample
from msgrad.ops import group_norm as group_norm
from msgrad.ops import hardshrink as hardshrink
from msgrad.ops import hardsigmoid as hardsigmoid
from msgrad.ops import hardswish as hardswish
from msgrad.ops import l1_loss as l1_loss
from msgrad.ops import layer_norm as layer_norm
from msgrad.ops import mse_loss as mse_loss
from msgrad.ops import pixel_shuffle as pixel_shuffle
from msgrad.ops import prelu as prelu
from msgrad.ops import selu as selu
from msgrad.ops import sigmoid as sigmoid
from msgrad.ops import soft_margin_loss as soft_margin_loss
from msgrad.ops import softplus as softplus
from msgrad.ops import softshrink as softshrink
from msgrad.ops import tanh as tanh
from msgrad.ops import unfold as unfold

_Operand = Tensor | bool | int | float | complex | np.number[Any] | np.bool_
_Sizes = int | tuple[int, ...] | list[int]
_Window = int | tuple[int, ...]
# What stands beside a symbol.
_Other = _Operand | jax.Array | list[Any] | tuple[Any, ...]

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

def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor:
    """Zero elements with probability ``p`` and divide the others by ``1 - p``."""

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor:
    """Zero whole channels of (N, C, H, W) or (C, H, W) with probability ``p``."""

def elu(input: Tensor, alpha: float = 1.0, inplace: Any = False) -> Tensor:
    """Return ``x`` where positive and ``alpha * (exp(x) - 1)`` elsewhere."""

def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Return ``x`` where positive and ``alpha * (exp(x) - 1)`` elsewhere."""

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Flatten the dimensions from ``start_dim`` to ``end_dim`` into one."""

def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Return the first half of ``axis`` times the sigmoid of the second."""

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
    pad: _Sizes | tuple[tuple[int, ...], ...],
    mode: str = "constant",
    value: float | bool | None = None,
) -> Tensor:
    """Pad the last dimensions."""

def relu(input: Tensor, inplace: Any = False) -> Tensor:
    """Compute ``max(x, 0)``."""

def relu6(input: Tensor, inplace: Any = False) -> Tensor:
    """Compute ``min(max(x, 0), 6)``; its gradient is 0 at 0 and 1 at 6."""

def relu_(input: Tensor) -> Tensor:
    """Compute ``max(x, 0)``."""

def sigmoid_(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""

def silu(input: Tensor, inplace: Any = False) -> Tensor:
    """Compute ``x * sigmoid(x)``."""

def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Compute a loss that is quadratic below ``beta`` and linear above."""

def softmax(input: Tensor, dim: int | None = None, dtype: mstype.DType | None = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``dim``: 0 or 1 by the rank, unless told."""

def threshold(input: Tensor, threshold: float, value: float, inplace: Any = False) -> Tensor:
    """Return ``x`` where above ``thr`` and ``value`` elsewhere."""

def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """Return ``x`` where above ``thr`` and ``value`` elsewhere."""

def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Resize the dimensions after the second, to a size or by a factor; see ``ops``."""
