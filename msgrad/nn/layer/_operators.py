"""What operators each layer is made of, and how it computes with them; see ``nn/_made_of.py``.

Those that only prepare shapes (``shape``, ``reshape``, ``squeeze``) can be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad import ops
from msgrad._core.errors import MissingAttributeError
from msgrad.common.tensor import Tensor
from msgrad.nn._made_of import made_of
from msgrad.nn.layer import activation, basic, conv, embedding, pooling
from msgrad.nn.layer.conv import Conv1dTranspose, Conv2dTranspose
from msgrad.nn.layer.math import Norm, ReduceLogSumExp
from msgrad.nn.layer.normalization import BatchNorm1d, BatchNorm2d, LayerNorm, SyncBatchNorm
from msgrad.ops.conv_ops import transposed_size


def _plain(**kinds: Any) -> dict[str, Any]:
    """Return what makes Primitives without arguments."""
    return {name: lambda _, kind=kind: kind() for name, kind in kinds.items()}


_LINES: dict[str, Any] = {
    **_plain(shape=ops.Shape, expand_dims=ops.ExpandDims),
    "squeeze": lambda _: ops.Squeeze(2),
}


def _convolution(kind: Any, channels: str = "out_channels") -> Callable[[Any], Any]:
    return lambda layer: kind(
        getattr(layer, channels),
        layer.kernel_size,
        pad_mode=layer.pad_mode,
        pad=layer.padding,
        stride=layer.stride,
        dilation=layer.dilation,
        group=layer.group,
    )


def _bias_add(layer: Any) -> Any:
    return ops.BiasAdd(layer.data_format)


def _with_bias(layer: Any, out: Tensor) -> Tensor:
    return layer.bias_add(out, layer.bias) if layer.has_bias else out


_IMAGES: dict[str, Any] = {"conv2d": _convolution(ops.Conv2D), "bias_add": _bias_add}


@made_of(conv.Conv2d, method="_operate", **_IMAGES)
@made_of(conv.Conv1d, method="_operate", **_IMAGES, **_LINES)
def _convolve(layer: Any, x: Tensor, _: Any) -> Tensor:
    return _with_bias(layer, layer.conv2d(x, layer.weight))


@made_of(
    conv.Conv3d,
    method="_operate",
    conv3d=_convolution(ops.Conv3D),
    bias_add=_bias_add,
    **_plain(shape=ops.Shape),
)
def _convolve_volume(layer: Any, x: Tensor, _: Any) -> Tensor:
    return _with_bias(layer, layer.conv3d(x, layer.weight))


def _transposed(kind: Any) -> Callable[[Any], Any]:
    # Of the convolution that this one is the transpose of, `in_channels` are the outputs.
    return _convolution(kind, "in_channels")


@made_of(
    Conv2dTranspose,
    method="_operate",
    conv2d_transpose=_transposed(ops.Conv2DTranspose),
    bias_add=_bias_add,
    **_plain(shape=ops.Shape),
)
@made_of(
    Conv1dTranspose,
    method="_operate",
    conv2d_transpose=_transposed(ops.Conv2DBackpropInput),
    bias_add=_bias_add,
    **_LINES,
)
def _convolve_back(layer: Any, x: Tensor, _: Any) -> Tensor:
    pad = layer.padding if isinstance(layer.padding, tuple) else (layer.padding,) * 4
    window = (layer.kernel_size, layer.stride, layer.dilation)
    sizes = (
        transposed_size(size, kernel, stride, dilation, layer.pad_mode, pair, 0)
        for size, kernel, stride, dilation, pair in zip(
            x.shape[2:], *window, (pad[:2], pad[2:]), strict=True
        )
    )
    shape = (x.shape[0], layer.out_channels, *sizes)
    return _with_bias(layer, layer.conv2d_transpose(x, layer.weight, shape))


@made_of(
    basic.Dense,
    matmul=lambda _: ops.MatMul(False, True),
    bias_add=lambda _: ops.BiasAdd(),
    **_plain(reshape=ops.Reshape, shape_op=ops.Shape),
)
def _dense(layer: Any, x: Tensor) -> Tensor:
    rows = x if x.ndim == 2 else layer.reshape(x, (-1, x.shape[-1]))
    out = _with_bias(layer, layer.matmul(rows, layer.weight))
    if layer.activation_flag:
        out = layer.activation(out)
    return out if x.ndim == 2 else layer.reshape(out, (*x.shape[:-1], out.shape[-1]))


@made_of(basic.Dropout, dropout=lambda layer: ops.Dropout(1.0 - layer._rate, *layer._streams.seeds))
def _dropout(layer: Any, x: Tensor) -> Tensor:
    return layer.dropout(x)[0] if layer.training and layer._rate else x


def _batch_norm(training: bool) -> Callable[[Any], Any]:
    def made(layer: Any) -> Any:
        momentum, eps = layer._momentum_and_eps
        return ops.BatchNorm(training, eps, momentum, layer.format)

    return made


@made_of(
    BatchNorm1d,
    BatchNorm2d,
    SyncBatchNorm,
    bn_train=_batch_norm(True),
    bn_infer=_batch_norm(False),
    **_plain(shape=ops.Shape, reshape=ops.Reshape, reduce_mean=ops.ReduceMean, cast=ops.Cast),
    **_plain(square=ops.Square, sqrt=ops.Sqrt, dtype=ops.DType),
)
def _normalise_batch(layer: Any, x: Tensor) -> Tensor:
    layer._check(x)
    decided = layer.use_batch_statistics
    batch = layer.training if decided is None else decided
    normalise = layer.bn_train if batch else layer.bn_infer
    return normalise(x, layer.gamma, layer.beta, layer.moving_mean, layer.moving_variance)[0]


def _layer_norm(layer: Any) -> Any:
    return ops.LayerNorm(layer.begin_norm_axis, layer.begin_params_axis, layer.epsilon)


@made_of(LayerNorm, layer_norm=_layer_norm)
def _normalise_layer(layer: Any, input_x: Tensor) -> Tensor:
    return layer.layer_norm(input_x, layer.gamma, layer.beta)[0]


@made_of(
    embedding.Embedding,
    **_plain(expand=ops.ExpandDims, reshape_flat=ops.Reshape, gather=ops.Gather),
    **_plain(one_hot=ops.OneHot, array_mul=ops.MatMul, reshape=ops.Reshape),
    **_plain(get_shp=ops.Shape, concat=ops.Concat),
)
def _look_up(layer: Any, ids: Tensor) -> Tensor:
    flat, table = layer.reshape_flat(ids, (-1,)), layer.embedding_table
    if layer.use_one_hot:
        one, zero = (Tensor(value, layer.dtype) for value in (1.0, 0.0))
        rows = layer.array_mul(layer.one_hot(flat, layer.vocab_size, one, zero), table)
    else:
        rows = layer.gather(table, flat, 0)
    return layer.reshape(rows, (*ids.shape, layer.embedding_size))


def _pooling(name: str, kind: Any) -> Callable[[Any], Any]:
    def make(layer: Any) -> Any:
        if layer.pad_mode == "PAD" or layer.ceil_mode:
            raise MissingAttributeError(
                f"The '{layer.cls_name}' object has no attribute '{name}': no one operator pools "
                "with pad_mode 'pad' or ceil_mode."
            )
        return kind(layer._window, layer._stride, layer.pad_mode)

    return make


for _name, _kinds in {
    "max_pool": {pooling.MaxPool2d: ops.MaxPool, pooling.MaxPool3d: ops.MaxPool3D},
    "avg_pool": {pooling.AvgPool2d: ops.AvgPool, pooling.AvgPool3d: ops.AvgPool3D},
}.items():
    for _layer, _kind in _kinds.items():
        made_of(_layer, method="_pooled", **dict[str, Any]({_name: _pooling(_name, _kind)}))(
            lambda layer, x, name=_name: getattr(layer, name)(x)
        )


def _line_pool(name: str, kind: Any) -> dict[str, Any]:
    def make(layer: Any) -> Any:
        return kind(layer.kernel_size, layer.stride, layer.pad_mode)

    return {name: make, "squeeze": _LINES["squeeze"], **_plain(expand=ops.ExpandDims)}


@made_of(pooling.MaxPool1d, method="_pooled", **_line_pool("max_pool", ops.MaxPool))
def _max_of_line(layer: Any, x: Tensor) -> Tensor:
    return layer.squeeze(layer.max_pool(layer.expand(x, 2)))


@made_of(pooling.AvgPool1d, method="_pooled", **_line_pool("avg_pool", ops.AvgPool))
def _mean_of_line(layer: Any, x: Tensor) -> Tensor:
    return layer.squeeze(layer.avg_pool(layer.expand(x, 2)))


# Layers of one operator: the name of the attribute, and what makes the operator.
_ONE: dict[type[Any], tuple[str, Callable[[Any], Any]]] = {
    activation.ReLU: ("relu", lambda _: ops.ReLU()),
    activation.ReLU6: ("relu6", lambda _: ops.ReLU6()),
    activation.Tanh: ("tanh", lambda _: ops.Tanh()),
    activation.Sigmoid: ("sigmoid", lambda _: ops.Sigmoid()),
    activation.HSwish: ("hswish", lambda _: ops.HSwish()),
    activation.HSigmoid: ("hsigmoid", lambda _: ops.HSigmoid()),
    activation.Mish: ("mish", lambda _: ops.Mish()),
    activation.SeLU: ("selu", lambda _: ops.SeLU()),
    activation.Softsign: ("softsign", lambda _: ops.Softsign()),
    activation.FastGelu: ("fast_gelu", lambda _: ops.FastGeLU()),
    activation.CELU: ("celu", lambda layer: ops.CeLU(layer.alpha)),
    activation.HShrink: ("hshrink", lambda layer: ops.HShrink(layer.lambd)),
    activation.SoftShrink: ("softshrink", lambda layer: ops.SoftShrink(layer.lambd)),
    activation.Softmax: ("softmax", lambda layer: ops.Softmax(layer.axis)),
    activation.LogSoftmax: ("log_softmax", lambda layer: ops.LogSoftmax(layer.axis)),
    activation.Softmax2d: ("softmax", lambda _: ops.Softmax(-3)),
    pooling.AdaptiveAvgPool2d: (
        "adaptive_avgpool2d",
        lambda layer: ops.AdaptiveAvgPool2D(layer.output_size),
    ),
    pooling.AdaptiveAvgPool3d: (
        "adaptive_avg_pool3d",
        lambda layer: ops.AdaptiveAvgPool3D(layer.output_size),
    ),
}
for _layer, (_name, _make) in _ONE.items():
    made_of(_layer, **dict[str, Any]({_name: _make}))(
        lambda layer, x, name=_name: getattr(layer, name)(x)
    )


@made_of(activation.PReLU, **_plain(prelu=ops.PReLU))
def _prelu(layer: Any, x: Tensor) -> Tensor:
    return layer.prelu(x, ops.cast(layer.w, x.dtype))


@made_of(
    Norm,
    reduce_sum=lambda _: ops.ReduceSum(True),
    squeeze=lambda layer: ops.Squeeze(layer.axis),
    **_plain(sqrt=ops.Sqrt),
)
def _norm(layer: Any, x: Tensor) -> Tensor:
    out = layer.sqrt(layer.reduce_sum(ops.square(x), layer.axis))
    return out if layer.keep_dims else layer.squeeze(out)


@made_of(
    ReduceLogSumExp,
    sum=lambda layer: ops.ReduceSum(layer.keep_dims),
    **_plain(exp=ops.Exp, log=ops.Log, max=ops.ReduceMax),
)
def _log_sum_exp(layer: Any, x: Tensor) -> Tensor:
    largest = layer.max(x)
    return layer.log(layer.sum(layer.exp(x - largest), layer.axis)) + largest
