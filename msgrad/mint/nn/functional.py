"""``mindspore.mint.nn.functional``: a table, over ``ops`` and ``_functions``."""

from __future__ import annotations

from msgrad import ops
from msgrad.common.tensor import Tensor
from msgrad.mint._rows import in_place, on_demand, rows
from msgrad.mint.nn import _functions


def _relu(input: Tensor) -> Tensor:
    """Compute ``max(x, 0)``."""
    return ops.relu(input)


# Activations that write into their argument: by ``inplace``, or under a name of their own.
_DEMANDED = {
    name: on_demand(getattr(_functions, name, None) or getattr(ops, name))
    for name in ("dropout", "dropout2d", "elu", "hardtanh", "relu6", "silu", "threshold")
} | {"relu": on_demand(_relu)}
_WRITING = {
    f"{name}_": in_place(getattr(_functions, name, None) or getattr(ops, name))
    for name in ("elu", "hardtanh", "sigmoid", "threshold")
} | {"relu_": in_place(_relu)}

_TABLE = """
softmax log_softmax leaky_relu one_hot normalize batch_norm conv1d conv2d conv3d conv_transpose2d
max_pool2d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d
adaptive_max_pool1d adaptive_max_pool2d interpolate grid_sample unfold fold
kl_div soft_margin_loss cosine_embedding_loss
gelu selu sigmoid tanh softplus hardswish hardsigmoid hardshrink softshrink prelu
layer_norm group_norm cross_entropy mse_loss l1_loss nll_loss
broadcast_to clamp embedding pixel_shuffle
relu(input, inplace=False)
relu6(input: x, inplace=False)
silu(input, inplace=False)
elu(input, alpha=1.0, inplace=False)
hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False)
threshold(input, threshold: thr, value, inplace=False)
dropout(input, p=0.5, training=True, inplace=False)
dropout2d(input, p=0.5, training=True, inplace=False)
relu_(input)
sigmoid_(input)
elu_(input: input, alpha=1.0)
hardtanh_(input, min_val=-1, max_val=1)
threshold_(input, threshold: thr, value)
mish(input: x)
logsigmoid(input: x)
max_unpool2d(input: x, indices, kernel_size, stride=None, padding=0, output_size=None)
glu(input: x, dim: axis = -1)
linear = dense(input, weight, bias=None)
flatten(input, start_dim=0, end_dim=-1)
avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)
pad(input: input_x, pad: padding, mode='constant', value=None)
upsample = interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None)
binary_cross_entropy(input: logits, target: labels, weight=None, reduction='mean')
smooth_l1_loss(input, target, reduction='mean', beta=1.0)
binary_cross_entropy_with_logits(input, target, weight=None, reduction='mean', pos_weight=None)
"""

_FOUND = rows(_TABLE, __name__, {**vars(_functions), **_DEMANDED, **_WRITING})
globals().update(_FOUND)
__all__ = [*_FOUND]  # pyright: ignore[reportUnsupportedDunderAll]
