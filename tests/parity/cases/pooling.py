"""Pooling layers and operators: values, gradients at ties, representations and errors."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

# MindSpore takes exp from a short polynomial, and means of float64 in float32.
APPROXIMATE = 1e-5


def images(n=1, c=2, h=5, w=6, dtype=ms.float32):
    values = np.sin(np.arange(n * c * h * w) * 1.3).reshape(n, c, h, w)
    return Tensor(values, dtype)


def sequences():
    return Tensor(np.sin(np.arange(60) * 1.3).reshape(2, 5, 6), ms.float32)


def volumes():
    return Tensor(np.sin(np.arange(120) * 1.3).reshape(1, 2, 3, 4, 5), ms.float32)


WINDOWS = {
    "plain": {},
    "kernel": {"kernel_size": 2},
    "stride": {"kernel_size": 3, "stride": 2},
    "same": {"kernel_size": 3, "stride": 2, "pad_mode": "same"},
    "same_upper": {"kernel_size": (2, 3), "stride": (1, 2), "pad_mode": "SAME"},
    "same_large": {"kernel_size": 7, "pad_mode": "same"},
    "pad": {"kernel_size": 3, "stride": 2, "pad_mode": "pad", "padding": 1},
    "pads": {"kernel_size": 3, "stride": 2, "pad_mode": "pad", "padding": (1, 0)},
    "ceil": {"kernel_size": 2, "stride": 2, "pad_mode": "pad", "ceil_mode": True},
    "pad_ceil": {
        "kernel_size": 3,
        "stride": 2,
        "pad_mode": "pad",
        "padding": 1,
        "ceil_mode": True,
    },
    "far_ceil": {"kernel_size": 2, "stride": 3, "pad_mode": "pad", "ceil_mode": True},
    "ceil_with_valid": {"kernel_size": 3, "stride": 2, "ceil_mode": True},
    "padding_with_valid": {"padding": 1},
    "padding_too_large": {"kernel_size": 2, "pad_mode": "pad", "padding": 2},
    "padding_four": {"kernel_size": 3, "pad_mode": "pad", "padding": (1, 1, 1, 1)},
    "mode": {"pad_mode": "bad"},
    "mode_int": {"pad_mode": 3},
    "kernel_0": {"kernel_size": 0},
    "kernel_str": {"kernel_size": "a"},
    "kernel_float": {"kernel_size": 2.0},
    "kernel_list": {"kernel_size": [2, 2]},
    "kernel_bool": {"kernel_size": True},
    "kernel_one": {"kernel_size": (2,)},
    "kernel_three": {"kernel_size": (2, 2, 2)},
    "stride_0": {"stride": 0},
    "stride_str": {"stride": "a"},
    "too_large": {"kernel_size": 7},
    "nhwc": {"data_format": "NHWC"},
    "format": {"data_format": "bad"},
}


@case.table(
    {
        **{key: (row,) for key, row in WINDOWS.items()},
        "indices": ({"kernel_size": 2, "stride": 2, "pad_mode": "pad", "return_indices": True},),
        "indices_padded": (
            {
                "kernel_size": 3,
                "stride": 2,
                "pad_mode": "pad",
                "padding": 1,
                "return_indices": True,
                "ceil_mode": True,
            },
        ),
        "indices_with_valid": ({"kernel_size": 2, "return_indices": True},),
        "dilation": ({"kernel_size": 2, "pad_mode": "pad", "dilation": 2},),
        "dilation_with_valid": ({"kernel_size": 2, "dilation": 2},),
    }
)
def max_pool2d(options):
    layer = nn.MaxPool2d(**options)
    return repr(layer), layer(images())


@case.table(
    {
        **{key: (row,) for key, row in WINDOWS.items()},
        "without_padding": (
            {
                "kernel_size": 3,
                "stride": 2,
                "pad_mode": "pad",
                "padding": 1,
                "count_include_pad": False,
            },
        ),
        "same_without_padding": (
            {"kernel_size": 2, "pad_mode": "same", "count_include_pad": False},
        ),
        "divisor": ({"kernel_size": 2, "pad_mode": "pad", "divisor_override": 3},),
        "divisor_with_valid": ({"kernel_size": 2, "divisor_override": 3},),
        "same_ceil": ({"kernel_size": 3, "stride": 2, "pad_mode": "same", "ceil_mode": True},),
    }
)
def avg_pool2d(options):
    layer = nn.AvgPool2d(**options)
    return repr(layer), layer(images())


GRADIENTS = ("stride", "same", "pad", "pads", "ceil", "pad_ceil", "kernel")


@case.table({key: (WINDOWS[key],) for key in GRADIENTS}, tol=APPROXIMATE)
def max_pool2d_gradient(options):
    layer = nn.MaxPool2d(**options)
    return ms.grad(lambda x: ops.exp(layer(x)))(images())


@case.table({key: (WINDOWS[key],) for key in GRADIENTS}, tol=APPROXIMATE)
def avg_pool2d_gradient(options):
    layer = nn.AvgPool2d(**options)
    return ms.grad(lambda x: ops.exp(layer(x)))(images())


@case.table({key: (WINDOWS[key],) for key in ("kernel", "stride", "same", "pad", "ceil")})
def max_pool2d_ties(options):
    layer = nn.MaxPool2d(**options)
    return ms.grad(layer)(Tensor(np.ones((1, 1, 5, 5)), ms.float32))


@case
def gradient_of_indices_and_values():
    layer = nn.MaxPool2d(2, 2, "pad", return_indices=True)
    return ms.grad(lambda x: layer(x)[0])(Tensor(np.ones((1, 1, 4, 4)), ms.float32))


LAYERS = {"max": (lambda: nn.MaxPool2d(2, 2),), "avg": (lambda: nn.AvgPool2d(2, 2),)}


@case.table(LAYERS, tol=2e-3)
def dtypes(make):
    return make()(images(dtype=ms.float16)), make()(images(dtype=ms.float64))


@case.table(LAYERS)
def without_batch(make):
    return make()(images()[0])


@case.table(
    {
        f"{key}_{kind}": (make, call)
        for key, (make,) in LAYERS.items()
        for kind, call in {
            "int": lambda layer: layer(images(dtype=ms.int32)),
            "bool": lambda layer: layer(images(dtype=ms.bool_)),
            "number": lambda layer: layer(3),
            "two_dimensions": lambda layer: layer(images()[0, 0]),
            "five_dimensions": lambda layer: layer(images().expand_dims(0)),
        }.items()
    }
)
def call_errors(make, call):
    return call(make())


SEQUENCES = {
    "plain": {},
    "kernel": {"kernel_size": 2, "stride": 2},
    "same": {"kernel_size": 3, "stride": 2, "pad_mode": "same"},
    "pad": {"kernel_size": 3, "pad_mode": "pad", "padding": 1},
    "ceil": {"kernel_size": 4, "stride": 3, "pad_mode": "pad", "ceil_mode": True},
    "kernel_tuple": {"kernel_size": (3,)},
    "kernel_0": {"kernel_size": 0},
    "stride_0": {"stride": 0},
    "mode": {"pad_mode": "bad"},
    "padding_with_valid": {"padding": 1},
    "too_large": {"kernel_size": 8},
}


@case.table({key: (row,) for key, row in SEQUENCES.items()})
def max_pool1d(options):
    layer = nn.MaxPool1d(**options)
    return repr(layer), layer(sequences()), layer(sequences()[0])


@case.table({key: (row,) for key, row in SEQUENCES.items()})
def avg_pool1d(options):
    layer = nn.AvgPool1d(**options)
    return repr(layer), layer(sequences()), layer(sequences()[0])


@case.table(
    {
        f"{k}_{s}_of_{n}": (k, s, n)
        for k, s, n in ((3, 3, 5), (3, 2, 4), (2, 3, 4), (3, 3, 7), (4, 1, 3))
    }
)
def avg_pool1d_of_short_sequences(size, stride, length):
    layer = nn.AvgPool1d(size, stride, "same")
    x = Tensor(np.arange(2 * length, dtype=np.float32).reshape(1, 2, length))
    all_counts = nn.AvgPool1d(size, stride, "same", count_include_pad=False)
    return all_counts(x), layer(x), ms.grad(lambda x: layer(x).sum())(x), layer(x[0])


@case.table({"max": (lambda: nn.MaxPool1d(2),), "avg": (lambda: nn.AvgPool1d(2),)})
def sequences_of_four_dimensions(make):
    return make()(images())


VOLUMES = {
    "kernel": {"kernel_size": 2},
    "same": {"kernel_size": 2, "stride": 2, "pad_mode": "same"},
    "pad": {"kernel_size": 3, "stride": 2, "pad_mode": "pad", "padding": 1},
    "ceil": {"kernel_size": 2, "stride": 2, "pad_mode": "pad", "ceil_mode": True},
}


@case.table({key: (row,) for key, row in VOLUMES.items()})
def pool3d(options):
    layers = nn.MaxPool3d(**options), nn.AvgPool3d(**options)
    return [(repr(layer), layer(volumes())) for layer in layers]


ADAPTIVE = {
    "1": (1,),
    "2": (2,),
    "2x3": ((2, 3),),
    "None_2": ((None, 2),),
    "larger": (7,),
    "empty": (0,),
    "None": (None,),
    "negative": (-1,),
    "str": ("a",),
    "one": ((2,),),
    "three": ((2, 2, 2),),
    "float": (2.0,),
    "list": ([2, 2],),
}


@case.table(ADAPTIVE)
def adaptive_avg_pool2d(size):
    layer = nn.AdaptiveAvgPool2d(size)
    return repr(layer), layer(images()), layer(images()[0])


@case.table({key: row for key, row in ADAPTIVE.items() if key in ("1", "2", "2x3", "None_2")})
def adaptive_max_pool2d(size):
    return nn.AdaptiveMaxPool2d(size)(images()), ops.adaptive_max_pool2d(images(), size, True)


@case(tol=2e-3)
def adaptive_dtypes():
    layer = nn.AdaptiveAvgPool2d(2)
    return layer(images(dtype=ms.float16)), layer(images(dtype=ms.float64))


@case
def adaptive_of_ints():
    return nn.AdaptiveAvgPool2d(2)(images(dtype=ms.int32))


@case(tol=APPROXIMATE)
def adaptive_gradient():
    return ms.grad(lambda x: ops.exp(nn.AdaptiveAvgPool2d((2, 4))(x)))(images())


@case.table({"1": (1,), "2": (2,), "6": (6,), "4": (4,), "0": (0,), "str": ("a",)})
def adaptive_pool1d(size):
    return nn.AdaptiveAvgPool1d(size)(sequences()), nn.AdaptiveMaxPool1d(size)(sequences())


@case.table(
    {
        "max": (lambda x: ops.max_pool2d(x, 2),),
        "max_padded": (lambda x: ops.max_pool2d(x, 2, 2, 1),),
        "max_pads": (lambda x: ops.max_pool2d(x, 3, 2, (1, 0)),),
        "max_indices": (lambda x: ops.max_pool2d(x, 3, 2, 1, 1, True),),
        "max_ceil": (lambda x: ops.max_pool2d(x, 3, 2, 1, 1, False, True),),
        "max_dilation": (lambda x: ops.max_pool2d(x, 2, None, 0, 2),),
        "max_padding_large": (lambda x: ops.max_pool2d(x, 2, 1, 2),),
        "max_kernel_0": (lambda x: ops.max_pool2d(x, 0),),
        "max_kernel_str": (lambda x: ops.max_pool2d(x, "a"),),
        "max_3d_input": (lambda x: ops.max_pool2d(x[0], 2),),
        "max_volumes": (lambda x: ops.max_pool3d(x.reshape(1, 2, 1, 5, 6), (1, 2, 2)),),
        "avg": (lambda x: ops.avg_pool2d(x, 2),),
        "avg_stride": (lambda x: ops.avg_pool2d(x, 2, 2),),
        "avg_padded": (lambda x: ops.avg_pool2d(x, 3, 2, 1),),
        "avg_ceil": (lambda x: ops.avg_pool2d(x, 3, 2, 1, True),),
        "avg_excluding": (lambda x: ops.avg_pool2d(x, 3, 2, 1, False, False),),
        "avg_divisor": (lambda x: ops.avg_pool2d(x, 2, 2, 0, False, True, 3),),
        "avg_pads": (lambda x: ops.avg_pool2d(x, 2, 2, (1, 0, 1, 0)),),
        "avg_pads_two": (lambda x: ops.avg_pool2d(x, 3, 2, (1, 0)),),
        "avg_padding_large": (lambda x: ops.avg_pool2d(x, 2, 1, 2),),
        "avg_kernel_str": (lambda x: ops.avg_pool2d(x, "a"),),
        "avg_3d_input": (lambda x: ops.avg_pool2d(x[0], 2),),
        "avg_sequences": (lambda x: ops.avg_pool1d(x[0], 3, 2, 1),),
        "avg_sequences_excluding": (lambda x: ops.avg_pool1d(x[0], 3, 1, 1, False, False),),
        "adaptive_avg": (lambda x: ops.adaptive_avg_pool2d(x, (2, 3)),),
        "adaptive_avg_1d": (lambda x: ops.adaptive_avg_pool1d(x[0], 2),),
        "primitive_max": (lambda x: ops.MaxPool(2, 2)(x),),
        "primitive_max_same": (lambda x: ops.MaxPool(3, 2, "same")(x),),
        "primitive_max_SAME": (lambda x: ops.MaxPool(3, 2, "SAME")(x),),
        "primitive_max_pad": (lambda x: ops.MaxPool(2, 2, "pad")(x),),
        "primitive_max_four": (lambda x: ops.MaxPool((1, 1, 2, 2), (1, 1, 2, 2))(x),),
        "primitive_max_named": (lambda x: ops.MaxPool(kernel_size=2, strides=2)(x),),
        "primitive_avg": (lambda x: ops.AvgPool(2, 2)(x),),
        "primitive_avg_same": (lambda x: ops.AvgPool(3, 2, "same")(x),),
        "primitive_avg_large": (lambda x: ops.AvgPool(7)(x),),
        "primitive_indices": (lambda x: ops.MaxPoolWithArgmax(2, 2)(x),),
        "primitive_adaptive": (lambda x: ops.AdaptiveAvgPool2D((None, 2))(x),),
        "primitive_volumes": (lambda x: ops.MaxPool3D(2, 2)(volumes()),),
        "primitive_volumes_avg": (lambda x: ops.AvgPool3D(2, 1, "same")(volumes()),),
    }
)
def functions(call):
    return call(images())


@case.table(
    {
        "two_short": (3, 3, 1),
        "one_short": (3, 3, 2),
        "stride_of_two": (3, 2, 1),
        "stride_of_one": (3, 1, 1),
        "larger": (5, 3, 2),
        "larger_by_a_stride": (5, 3, 1),
    }
)
def windows_larger_than_the_input(kernel_size, stride, size):
    pooled = []
    for rank, layer in enumerate((nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d), 1):
        x = ms.ops.arange(2 * size**rank).reshape(1, 2, *(size,) * rank).astype(ms.float32)
        pooled.append(layer(kernel_size, stride, pad_mode="valid")(x))
    return pooled
