"""What operators layers and losses are made of, and how they compute with them (``_made_of.py``).

Those that only prepare shapes (``shape``, ``reshape``, ``squeeze``) can be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad import ops
from msgrad._core.errors import MissingAttributeError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._made_of import made_of
from msgrad.nn.layer import activation, basic, conv, embedding, pooling
from msgrad.nn.layer.conv import Conv1dTranspose, Conv2dTranspose
from msgrad.nn.layer.math import Norm, ReduceLogSumExp
from msgrad.nn.layer.normalization import BatchNorm1d, BatchNorm2d, LayerNorm, SyncBatchNorm
from msgrad.nn.loss import loss as losses
from msgrad.ops.conv_ops import transposed_size


def _squeeze(_: Any) -> Any:
    return ops.Squeeze(2)


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


def _with_bias(layer: Any, out: Tensor) -> Tensor:
    return layer.bias_add(out, layer.bias) if layer.has_bias else out


_BIAS = "bias_add=BiasAdd:data_format"
_OF_LINES = f"{_BIAS} shape=Shape expand_dims=ExpandDims"
_CONV = _convolution(ops.Conv2D)


@made_of(conv.Conv2d, of=_BIAS, method="_operate", conv2d=_CONV)
@made_of(conv.Conv1d, of=_OF_LINES, method="_operate", conv2d=_CONV, squeeze=_squeeze)
def _convolve(layer: Any, x: Tensor, _: Any) -> Tensor:
    return _with_bias(layer, layer.conv2d(x, layer.weight))


@made_of(conv.Conv3d, of=f"{_BIAS} shape=Shape", method="_operate", conv3d=_convolution(ops.Conv3D))
def _convolve_volume(layer: Any, x: Tensor, _: Any) -> Tensor:
    return _with_bias(layer, layer.conv3d(x, layer.weight))


# Of the convolutions that these are the transposes of, `in_channels` are the outputs.
@made_of(
    Conv2dTranspose,
    of=f"{_BIAS} shape=Shape",
    method="_operate",
    conv2d_transpose=_convolution(ops.Conv2DTranspose, "in_channels"),
)
@made_of(
    Conv1dTranspose,
    of=_OF_LINES,
    method="_operate",
    conv2d_transpose=_convolution(ops.Conv2DBackpropInput, "in_channels"),
    squeeze=_squeeze,
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
    of="bias_add=BiasAdd reshape=Reshape shape_op=Shape",
    matmul=lambda _: ops.MatMul(False, True),
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
    of="shape=Shape reshape=Reshape reduce_mean=ReduceMean cast=Cast square=Square sqrt=Sqrt "
    "dtype=DType",
    bn_train=_batch_norm(True),
    bn_infer=_batch_norm(False),
)
def _normalise_batch(layer: Any, x: Tensor) -> Tensor:
    layer._check(x)
    decided = layer.use_batch_statistics
    batch = layer.training if decided is None else decided
    normalise = layer.bn_train if batch else layer.bn_infer
    return normalise(x, layer.gamma, layer.beta, layer.moving_mean, layer.moving_variance)[0]


@made_of(LayerNorm, of="layer_norm=LayerNorm:begin_norm_axis,begin_params_axis,epsilon")
def _normalise_layer(layer: Any, input_x: Tensor) -> Tensor:
    return layer.layer_norm(input_x, layer.gamma, layer.beta)[0]


@made_of(
    embedding.Embedding,
    of="expand=ExpandDims reshape_flat=Reshape gather=Gather one_hot=OneHot array_mul=MatMul "
    "reshape=Reshape get_shp=Shape concat=Concat",
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

for _layer, _name, _kind in (
    (pooling.MaxPool1d, "max_pool", "MaxPool"),
    (pooling.AvgPool1d, "avg_pool", "AvgPool"),
):
    made_of(
        _layer,
        of=f"{_name}={_kind}:kernel_size,stride,pad_mode expand=ExpandDims",
        method="_pooled",
        squeeze=_squeeze,
    )(lambda layer, x, name=_name: layer.squeeze(getattr(layer, name)(layer.expand(x, 2))))

# Layers of one operator.
for _layer, _of in {
    activation.ReLU: "relu=ReLU",
    activation.ReLU6: "relu6=ReLU6",
    activation.Tanh: "tanh=Tanh",
    activation.Sigmoid: "sigmoid=Sigmoid",
    activation.HSwish: "hswish=HSwish",
    activation.HSigmoid: "hsigmoid=HSigmoid",
    activation.Mish: "mish=Mish",
    activation.SeLU: "selu=SeLU",
    activation.Softsign: "softsign=Softsign",
    activation.FastGelu: "fast_gelu=FastGeLU",
    activation.CELU: "celu=CeLU:alpha",
    activation.HShrink: "hshrink=HShrink:lambd",
    activation.SoftShrink: "softshrink=SoftShrink:lambd",
    activation.Softmax: "softmax=Softmax:axis",
    activation.LogSoftmax: "log_softmax=LogSoftmax:axis",
    pooling.AdaptiveAvgPool2d: "adaptive_avgpool2d=AdaptiveAvgPool2D:output_size",
    pooling.AdaptiveAvgPool3d: "adaptive_avg_pool3d=AdaptiveAvgPool3D:output_size",
    losses.SmoothL1Loss: "smooth_l1_loss=SmoothL1Loss:beta,reduction",
}.items():
    made_of(_layer, of=_of)(
        lambda layer, *given, of=_of: getattr(layer, of.partition("=")[0])(*given)
    )


@made_of(activation.Softmax2d, softmax=lambda _: ops.Softmax(-3))
def _softmax_of_channels(layer: Any, x: Tensor) -> Tensor:
    return layer.softmax(x)


@made_of(activation.PReLU, of="prelu=PReLU")
def _prelu(layer: Any, x: Tensor) -> Tensor:
    return layer.prelu(x, ops.cast(layer.w, x.dtype))


@made_of(Norm, of="squeeze=Squeeze:axis sqrt=Sqrt", reduce_sum=lambda _: ops.ReduceSum(True))
def _norm(layer: Any, x: Tensor) -> Tensor:
    out = layer.sqrt(layer.reduce_sum(ops.square(x), layer.axis))
    return out if layer.keep_dims else layer.squeeze(out)


@made_of(ReduceLogSumExp, of="sum=ReduceSum:keep_dims exp=Exp log=Log max=ReduceMax")
def _log_sum_exp(layer: Any, x: Tensor) -> Tensor:
    largest = layer.max(x)
    return layer.log(layer.sum(layer.exp(x - largest), layer.axis)) + largest


@made_of(
    losses.LossBase,
    of="reduce_mean=ReduceMean reduce_sum=ReduceSum mul=Mul cast=Cast",
    method="get_loss",
)
def _reduced(loss: Any, x: Tensor, weights: Any = 1.0) -> Tensor:
    out = loss.mul(loss.cast(weights, mstype.float32), loss.cast(x, mstype.float32))
    if loss.reduce:
        out = (loss.reduce_mean if loss.average else loss.reduce_sum)(out, loss.get_axis(out))
    return loss.cast(out, x.dtype)


@made_of(losses.MSELoss)
def _squared(loss: Any, logits: Tensor, labels: Tensor) -> Tensor:
    return loss.get_loss(ops.square(logits - labels))


@made_of(
    losses.SoftmaxCrossEntropyWithLogits,
    of="softmax_cross_entropy=SoftmaxCrossEntropyWithLogits one_hot=OneHot "
    "sparse_softmax_cross_entropy=SparseSoftmaxCrossEntropyWithLogits",
)
def _cross_entropy(loss: Any, logits: Tensor, labels: Tensor) -> Tensor:
    if loss.sparse and loss.reduction == "mean":
        return loss.sparse_softmax_cross_entropy(logits, labels)
    if loss.sparse:
        one, zero = (Tensor(value, mstype.float32) for value in (1.0, 0.0))
        labels = loss.one_hot(labels, logits.shape[-1], one, zero)
    return loss.get_loss(loss.softmax_cross_entropy(logits, labels)[0])
