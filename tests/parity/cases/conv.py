"""Convolution layers and operators: shapes, values, gradients, initial weights and errors."""

import re

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

# Sums of some hundred products, in another order than MindSpore's.
SUMS = 1e-5
# Sums of volumes; and the cosine of such a sum, times weights, and summed again with other signs.
GRADIENTS = 1e-4


def images(n=1, c=4, h=5, w=6, dtype=ms.float32):
    values = np.sin(np.arange(n * c * h * w)).reshape(n, c, h, w)
    return Tensor(values, dtype)


def sequences():
    return Tensor(np.sin(np.arange(28)).reshape(1, 4, 7), ms.float32)


def volumes():
    return Tensor(np.sin(np.arange(144)).reshape(1, 4, 3, 3, 4), ms.float32)


def weights(*shape):
    return Tensor(np.cos(np.arange(int(np.prod(shape)))).reshape(shape), ms.float32)


def shown(layer):
    return re.sub(r"<[^>]*object at 0x[0-9a-f]+>", "<object>", repr(layer))


def settings(layer):
    params = [(p.name, p.shape, p.dtype, p.requires_grad) for p in layer.get_parameters()]
    return shown(layer), params


SETTINGS = {
    "plain": {},
    "stride": {"stride": 2},
    "strides": {"stride": (1, 2)},
    "valid": {"pad_mode": "valid"},
    "valid_stride": {"pad_mode": "valid", "stride": 2},
    "pad": {"pad_mode": "pad", "padding": 1},
    "pad_0": {"pad_mode": "pad"},
    "pad_four": {"pad_mode": "pad", "padding": (1, 2, 3, 0)},
    "pad_stride": {"pad_mode": "pad", "padding": 1, "stride": 2},
    "dilation": {"dilation": 2},
    "dilation_valid": {"dilation": (2, 1), "pad_mode": "valid"},
    "group": {"group": 2},
    "bias": {"has_bias": True},
    "even_kernel": {"kernel_size": 2},
    "kernel": {"kernel_size": (4, 2), "stride": (3, 2)},
    "one": {"kernel_size": 1},
    "one_stride": {"kernel_size": 1, "stride": 3},
}


def fixed(kind, **options):
    """A layer whose parameters do not depend on the random stream."""
    layer = kind(4, 6, **{"kernel_size": 3, **options})
    for param in layer.get_parameters():
        param.set_data(weights(*param.shape))
    return layer


@case.table({key: (row,) for key, row in SETTINGS.items()}, tol=SUMS)
def conv2d(options):
    layer = fixed(nn.Conv2d, **options)
    return settings(layer), layer(images())


DIFFERENTIATED = ("strides", "valid_stride", "pad_four", "dilation", "group", "bias", "one_stride")


@case.table({key: (SETTINGS[key],) for key in DIFFERENTIATED}, tol=GRADIENTS)
def conv2d_gradient(options):
    layer = fixed(nn.Conv2d, **options)
    return ms.grad(lambda x: ops.sin(layer(x)), 0, layer.trainable_params())(images())


TRANSPOSED = {
    **SETTINGS,
    "output_padding": {"pad_mode": "pad", "padding": 1, "stride": 2, "output_padding": 1},
    "output_paddings": {"pad_mode": "pad", "stride": 2, "output_padding": (1, 0)},
    "pad_dilation": {"pad_mode": "pad", "padding": 1, "stride": 2, "dilation": 2},
}


# Sums of 36 products, some of them near 0, in an order that depends on the processor.
@case.table({key: (row,) for key, row in TRANSPOSED.items()}, tol=4 * SUMS)
def conv2d_transpose(options):
    layer = fixed(nn.Conv2dTranspose, **options)
    return settings(layer), layer(images(h=3, w=4))


@case.table(
    {key: (TRANSPOSED[key],) for key in ("stride", "valid_stride", "pad_four", "group")},
    tol=GRADIENTS,
)
def conv2d_transpose_gradient(options):
    layer = fixed(nn.Conv2dTranspose, **options)
    return ms.grad(lambda x: ops.sin(layer(x)), 0, layer.trainable_params())(images(h=3, w=4))


SEQUENCES = {
    "plain": {},
    "stride": {"stride": 2},
    "valid": {"pad_mode": "valid"},
    "pad": {"pad_mode": "pad", "padding": 2},
    "dilation": {"dilation": 2},
    "group": {"group": 2, "has_bias": True},
}


@case.table({key: (row,) for key, row in SEQUENCES.items()}, tol=SUMS)
def conv1d(options):
    layer = fixed(nn.Conv1d, **options)
    return settings(layer), layer(sequences())


@case.table(
    {key: (SEQUENCES[key],) for key in ("plain", "stride", "valid", "pad", "group")}, tol=SUMS
)
def conv1d_transpose(options):
    layer = fixed(nn.Conv1dTranspose, **options)
    return settings(layer), layer(sequences())


@case.table(
    {
        "plain": ({},),
        "stride": ({"stride": (1, 2, 1)},),
        "valid": ({"pad_mode": "valid"},),
        "pad": ({"pad_mode": "pad", "padding": 1},),
        "pad_six": ({"pad_mode": "pad", "padding": (1, 1, 2, 2, 0, 1)},),
        "bias": ({"has_bias": True},),
        "group": ({"group": 2},),
    },
    tol=GRADIENTS,
)
def conv3d(options):
    layer = fixed(nn.Conv3d, **options)
    return settings(layer), layer(volumes())


@case.table(
    {
        "plain": ({},),
        "stride": ({"stride": 2},),
        "valid": ({"pad_mode": "valid", "stride": 2},),
        "pad": ({"pad_mode": "pad", "padding": 1, "stride": 2, "output_padding": 1},),
    },
    tol=GRADIENTS,
)
def conv3d_transpose(options):
    layer = fixed(nn.Conv3dTranspose, **options)
    return settings(layer), layer(volumes())


SEEDED = {
    "conv1d": (lambda: nn.Conv1d(4, 6, 3, has_bias=True),),
    "conv2d": (lambda: nn.Conv2d(4, 6, 3),),
    "conv2d_bias": (lambda: nn.Conv2d(4, 6, 3, has_bias=True),),
    "conv2d_group": (lambda: nn.Conv2d(4, 6, (3, 2), group=2, has_bias=True),),
    "conv2d_normal": (lambda: nn.Conv2d(4, 6, 3, weight_init="normal", bias_init="ones"),),
    "conv2d_half": (lambda: nn.Conv2d(2, 3, 3, dtype=ms.float16),),
    "conv3d": (lambda: nn.Conv3d(2, 3, 2, has_bias=True),),
    "conv1d_transpose": (lambda: nn.Conv1dTranspose(4, 6, 3, has_bias=True),),
    "conv2d_transpose": (lambda: nn.Conv2dTranspose(4, 6, 3, has_bias=True),),
    "conv2d_transpose_group": (lambda: nn.Conv2dTranspose(4, 6, 3, group=2, has_bias=True),),
    "conv3d_transpose": (lambda: nn.Conv3dTranspose(2, 3, 2, has_bias=True),),
}


@case.table(SEEDED, tol=0.0)
def initial_weights(make):
    ms.set_seed(7)
    return list(make().get_parameters())


def conv(**options):
    return lambda: nn.Conv2d(4, 6, **{"kernel_size": 3, **options})


@case.table(
    {
        "padding_with_same": (conv(padding=1),),
        "padding_with_valid": (conv(pad_mode="valid", padding=1),),
        "padding_negative": (conv(pad_mode="pad", padding=-1),),
        "padding_two": (conv(pad_mode="pad", padding=(1, 1)),),
        "padding_three": (conv(pad_mode="pad", padding=(1, 1, 1)),),
        "padding_str": (conv(pad_mode="pad", padding="a"),),
        "padding_list": (conv(pad_mode="pad", padding=[1, 1, 1, 1]),),
        "mode_upper": (conv(pad_mode="SAME"),),
        "mode_bad": (conv(pad_mode="bad"),),
        "mode_int": (conv(pad_mode=3),),
        "stride_0": (conv(stride=0),),
        "stride_three": (conv(stride=(1, 1, 1)),),
        "stride_str": (conv(stride="a"),),
        "stride_list": (conv(stride=[1, 2]),),
        "stride_bool": (conv(stride=True),),
        "kernel_0": (conv(kernel_size=0),),
        "kernel_one": (conv(kernel_size=(3,)),),
        "kernel_float": (conv(kernel_size=2.0),),
        "kernel_member_0": (conv(kernel_size=(3, 0)),),
        "kernel_member_str": (conv(kernel_size=(3, "a")),),
        "dilation_0": (conv(dilation=0),),
        "group_0": (conv(group=0),),
        "group_3": (conv(group=3),),
        "group_float": (conv(group=2.0),),
        "bias_int": (conv(has_bias=1),),
        "format": (conv(data_format="NCDHW"),),
        "weight_name": (conv(weight_init="bad"),),
        "in_0": (lambda: nn.Conv2d(0, 6, 3),),
        "in_float": (lambda: nn.Conv2d(3.0, 6, 3),),
        "in_bool": (lambda: nn.Conv2d(True, 6, 3),),
        "out_negative": (lambda: nn.Conv2d(4, -1, 3),),
        "weight_shape": (conv(weight_init=np.ones((2, 2), np.float32)),),
    },
    message=True,
)
def construction_errors(make):
    return shown(make())


@case.table(
    {
        "nhwc": (conv(data_format="NHWC"),),
        "conv1d_padding_tuple": (lambda: nn.Conv1d(4, 6, 3, pad_mode="pad", padding=(2, 1)),),
        "conv1d_kernel_tuple": (lambda: nn.Conv1d(4, 6, (3,)),),
        "conv1d_kernel_0": (lambda: nn.Conv1d(4, 6, 0),),
        "conv1d_stride_str": (lambda: nn.Conv1d(4, 6, 3, stride="a"),),
        "conv1d_padding": (lambda: nn.Conv1d(4, 6, 3, padding=1),),
        "conv1d_mode": (lambda: nn.Conv1d(4, 6, 3, pad_mode="bad"),),
        "conv3d_padding": (lambda: nn.Conv3d(4, 6, 3, padding=1),),
        "conv3d_kernel_two": (lambda: nn.Conv3d(4, 6, (3, 2)),),
        "conv3d_kernel_str": (lambda: nn.Conv3d(4, 6, "a"),),
        "conv3d_stride_0": (lambda: nn.Conv3d(4, 6, 3, stride=0),),
        "conv3d_padding_two": (lambda: nn.Conv3d(4, 6, 3, pad_mode="pad", padding=(1, 1)),),
        "conv3d_format": (lambda: nn.Conv3d(4, 6, 3, data_format="NCHW"),),
        "conv3d_nhwc": (lambda: nn.Conv3d(4, 6, 3, data_format="NHWC"),),
        "transpose_padding": (lambda: nn.Conv2dTranspose(4, 6, 3, padding=1),),
        "transpose_mode": (lambda: nn.Conv2dTranspose(4, 6, 3, pad_mode="bad"),),
        "transpose_mode_int": (lambda: nn.Conv2dTranspose(4, 6, 3, pad_mode=3),),
        "transpose_group": (lambda: nn.Conv2dTranspose(4, 6, 3, group=3),),
        "transpose_padding_str": (lambda: nn.Conv2dTranspose(4, 6, 3, padding="a"),),
        "transpose_output_padding_str": (lambda: nn.Conv2dTranspose(4, 6, 3, output_padding="a"),),
        "transpose_1d_padding": (lambda: nn.Conv1dTranspose(4, 6, 3, padding=1),),
        "transpose_1d_kernel": (lambda: nn.Conv1dTranspose(4, 6, (3,)),),
        "transpose_3d_padding": (lambda: nn.Conv3dTranspose(4, 6, 3, padding=1),),
    }
)
def other_construction_errors(make):
    return shown(make())


def transposed(**options):
    return nn.Conv2dTranspose(4, 6, 3, stride=2, **options)(images())


@case.table(
    {
        "half_input": (lambda: conv()()(images(dtype=ms.float16)),),
        "double_input": (lambda: conv()()(images(dtype=ms.float64)),),
        "int_input": (lambda: conv()()(images(dtype=ms.int32)),),
        "channels": (lambda: conv()()(images(c=3)),),
        "channels_of_group": (lambda: conv(group=2)()(images(c=2)),),
        "three_dimensions": (lambda: conv()()(images()[0]),),
        "five_dimensions": (lambda: conv()()(images().expand_dims(0)),),
        "number": (lambda: conv()()(3),),
        "numpy": (lambda: conv()()(images().asnumpy()),),
        "kernel_too_large": (lambda: conv(kernel_size=7, pad_mode="valid")()(images()),),
        "sequences_4d": (lambda: nn.Conv1d(4, 6, 3)(images()),),
        "sequences_2d": (lambda: nn.Conv1d(4, 6, 3)(sequences()[0]),),
        "transpose_3d": (lambda: nn.Conv2dTranspose(4, 6, 3)(images()[0]),),
        "output_padding_with_same": (lambda: transposed(output_padding=1),),
        "output_padding_large": (lambda: transposed(pad_mode="pad", output_padding=2),),
        "output_padding_negative": (lambda: transposed(pad_mode="pad", output_padding=-1),),
    }
)
def call_errors(call):
    return call()


@case
def half_precision():
    layer = nn.Conv2d(4, 6, 3, weight_init=0.5, has_bias=True, bias_init=1, dtype=ms.float16)
    return layer(images(dtype=ms.float16))


@case(tol=2e-3)
def to_float():
    layer = fixed(nn.Conv2d, has_bias=True).to_float(ms.float16)
    return layer(images()), layer.weight.dtype


def conv2d_function(*shape, **options):
    return lambda: ops.conv2d(images(), weights(*shape), **options)


@case.table(
    {
        "plain": (conv2d_function(6, 4, 3, 3),),
        "bias": (lambda: ops.conv2d(images(), weights(6, 4, 3, 3), weights(6)),),
        "same": (conv2d_function(6, 4, 3, 3, pad_mode="same", stride=(2, 1)),),
        "pad": (conv2d_function(6, 4, 3, 3, pad_mode="pad", padding=1),),
        "pad_two": (conv2d_function(6, 4, 3, 3, pad_mode="pad", padding=(1, 2)),),
        "pad_list": (conv2d_function(6, 4, 3, 3, pad_mode="pad", padding=[1, 2]),),
        "pad_four": (conv2d_function(6, 4, 3, 3, pad_mode="pad", padding=(1, 1, 1, 1)),),
        "padding_with_valid": (conv2d_function(6, 4, 3, 3, padding=1),),
        "mode_upper": (conv2d_function(6, 4, 3, 3, pad_mode="SAME"),),
        "dilation": (conv2d_function(6, 4, 3, 3, dilation=2),),
        "groups": (conv2d_function(6, 2, 3, 3, groups=2),),
        "infinity_in_a_group": (
            lambda: ops.isfinite(
                ops.conv2d(
                    images() / Tensor([0.0, 1, 1, 1]).reshape(1, 4, 1, 1),
                    weights(6, 2, 3, 3),
                    groups=2,
                )
            ),
        ),
        "groups_wrong": (conv2d_function(6, 4, 3, 3, groups=2),),
        "groups_of_inputs": (conv2d_function(6, 2, 3, 3, groups=3),),
        "groups_of_outputs": (conv2d_function(5, 2, 3, 3, groups=2),),
        "stride_str": (conv2d_function(6, 4, 3, 3, stride="a"),),
        "bias_shape": (lambda: ops.conv2d(images(), weights(6, 4, 3, 3), weights(5)),),
        "one": (lambda: ops.conv1d(sequences(), weights(6, 4, 3)),),
        "one_pad": (lambda: ops.conv1d(sequences(), weights(6, 4, 3), pad_mode="pad", padding=2),),
        "one_same": (lambda: ops.conv1d(sequences(), weights(6, 4, 3), pad_mode="same", stride=2),),
        "one_pad_two": (
            lambda: ops.conv1d(sequences(), weights(6, 4, 3), pad_mode="pad", padding=(1, 2)),
        ),
        "three": (lambda: ops.conv3d(volumes(), weights(6, 4, 3, 3, 3)),),
        "three_channels": (lambda: ops.conv3d(volumes(), weights(6, 3, 3, 3, 3)),),
        # All products of one sign: what cancels to near 0 keeps bits that depend on the processor.
        "three_pad": (
            lambda: ops.conv3d(
                volumes().abs(), weights(6, 4, 3, 3, 3).abs(), pad_mode="pad", padding=(1, 0, 1)
            ),
        ),
        "primitive": (lambda: ops.Conv2D(6, 3)(images(), weights(6, 4, 3, 3)),),
        "primitive_pad": (
            lambda: ops.Conv2D(6, 3, pad_mode="pad", pad=1)(images(), weights(6, 4, 3, 3)),
        ),
        "primitive_stride": (
            lambda: ops.Conv2D(out_channel=6, kernel_size=3, stride=2, pad_mode="same")(
                images(), weights(6, 4, 3, 3)
            ),
        ),
        "primitive_channels": (lambda: ops.Conv2D(5, 3)(images(), weights(6, 4, 3, 3)),),
        "primitive_kernel": (lambda: ops.Conv2D(6, 2)(images(), weights(6, 4, 3, 3)),),
        "primitive_3d": (lambda: ops.Conv3D(6, 3)(volumes(), weights(6, 4, 3, 3, 3)),),
        "primitive_3d_channels": (lambda: ops.Conv3D(6, 3)(volumes(), weights(6, 3, 3, 3, 3)),),
        "primitive_transpose": (
            lambda: ops.Conv2DTranspose(4, 3)(
                images(1, 6, 3, 4), weights(6, 4, 3, 3), (1, 4, 5, 6)
            ),
        ),
        "primitive_transpose_same": (
            lambda: ops.Conv2DTranspose(4, 3, pad_mode="same", stride=2)(
                images(1, 6, 3, 4), weights(6, 4, 3, 3), (1, 4, 5, 7)
            ),
        ),
    },
    tol=SUMS,
)
def functions(call):
    return call()
