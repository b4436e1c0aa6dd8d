"""Normalisation layers and operators: statistics, values, gradients, names and errors."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

# Variances of small batches, taken in another order than MindSpore's.
SUMS = 1e-5


def images(n=2, c=3, h=2, w=3, dtype=ms.float32):
    values = np.sin(np.arange(n * c * h * w) * 1.7).reshape(n, c, h, w) * 3 + 1
    return Tensor(values, dtype)


def rows(n=4, c=3):
    return Tensor(np.sin(np.arange(n * c) * 1.7).reshape(n, c), ms.float32)


def vector(*values):
    return Tensor(values, ms.float32)


def listed(layer):
    params = [(p.name, p.shape, p.dtype, p.requires_grad) for p in layer.get_parameters()]
    return repr(layer), params, [path for path, _ in layer.parameters_and_names()]


@case.table(
    {
        "BatchNorm1d": (lambda: nn.BatchNorm1d(3),),
        "BatchNorm2d": (lambda: nn.BatchNorm2d(3),),
        "BatchNorm2d_not_affine": (lambda: nn.BatchNorm2d(3, affine=False),),
        "BatchNorm2d_momentum": (lambda: nn.BatchNorm2d(3, 1e-3, 0.997),),
        "BatchNorm3d": (lambda: nn.BatchNorm3d(3),),
        "SyncBatchNorm": (lambda: nn.SyncBatchNorm(3),),
        "in_a_sequence": (lambda: nn.SequentialCell(nn.BatchNorm2d(2), nn.BatchNorm3d(2)),),
        "LayerNorm": (lambda: nn.LayerNorm((3,)),),
        "LayerNorm_list": (lambda: nn.LayerNorm([2, 3], 1, 1),),
        "GroupNorm": (lambda: nn.GroupNorm(2, 4),),
        "GroupNorm_not_affine": (lambda: nn.GroupNorm(2, 4, affine=False),),
        "InstanceNorm1d": (lambda: nn.InstanceNorm1d(3),),
        "InstanceNorm2d": (lambda: nn.InstanceNorm2d(3),),
        "InstanceNorm2d_not_affine": (lambda: nn.InstanceNorm2d(3, affine=False),),
        "InstanceNorm3d": (lambda: nn.InstanceNorm3d(3),),
    }
)
def construction(make):
    return listed(make())


OPTIONS = {
    "plain": {},
    "momentum": {"momentum": 0.5},
    "momentum_1": {"momentum": 1},
    "momentum_0": {"momentum": 0.0},
    "not_affine": {"affine": False},
    "statistics": {"use_batch_statistics": True},
    "no_statistics": {"use_batch_statistics": False},
    "inits": {
        "gamma_init": "zeros",
        "beta_init": 2,
        "moving_mean_init": "ones",
        "moving_var_init": 4,
    },
    "eps": {"eps": 0.1},
}


def statistics(layer):
    return layer.moving_mean, layer.moving_variance


@case.table(
    {
        f"{key}{'_training' if training else ''}": (row, training)
        for key, row in OPTIONS.items()
        for training in (False, True)
    },
    tol=SUMS,
)
def batch_norm2d(options, training):
    layer = nn.BatchNorm2d(3, **options).set_train(training)
    return layer(images()), layer(images() * 2), statistics(layer)


@case.table({"evaluating": (False,), "training": (True,)}, tol=1e-4)
def batch_norm_gradient(training):
    layer = nn.BatchNorm2d(3).set_train(training)
    weight = images() * images()
    grads = ms.grad(lambda x: layer(x) * weight, 0, layer.trainable_params())(images())
    return grads, statistics(layer)


@case(tol=SUMS)
def batch_norm_of_one_gradient_is_written_once():
    layer = nn.BatchNorm1d(3).set_train()
    ms.value_and_grad(layer, None, layer.trainable_params())(rows())
    return statistics(layer)


@case(tol=SUMS)
def batch_norm_twice_in_one_gradient():
    layer = nn.BatchNorm1d(3).set_train()
    ms.value_and_grad(lambda x: layer(layer(x) + x), None, layer.trainable_params())(rows())
    return statistics(layer)


@case(tol=SUMS)
def batch_norm_in_a_net():
    net = nn.SequentialCell(nn.Dense(3, 3, "ones", "ones"), nn.BatchNorm1d(3), nn.ReLU())
    net.set_train()
    grads = ms.grad(net, None, net.trainable_params())(rows())
    net.set_train(False)
    return [g.shape for g in grads], net(rows())


@case.table(
    {
        "1d_rows": (lambda: nn.BatchNorm1d(3), rows),
        "1d_sequences": (lambda: nn.BatchNorm1d(3), lambda: images()[:, :, 0]),
        "1d_images": (lambda: nn.BatchNorm1d(3), images),
        "2d_rows": (lambda: nn.BatchNorm2d(3), rows),
        "2d_sequences": (lambda: nn.BatchNorm2d(3), lambda: images()[0]),
        "3d": (lambda: nn.BatchNorm3d(3), lambda: images().expand_dims(2)),
        "3d_images": (lambda: nn.BatchNorm3d(3), images),
        "half": (lambda: nn.BatchNorm2d(3), lambda: images(dtype=ms.float16)),
        "int": (lambda: nn.BatchNorm2d(3), lambda: images(dtype=ms.int32)),
        "channels": (lambda: nn.BatchNorm2d(4), images),
        "number": (lambda: nn.BatchNorm2d(3), lambda: 3),
        "one_row": (lambda: nn.BatchNorm1d(3), lambda: rows(1)),
        "sync": (lambda: nn.SyncBatchNorm(3), images),
    },
    tol=SUMS,
)
def batch_norm_inputs(make, inputs):
    return make().set_train()(inputs()), make()(inputs())


@case
def batch_norm_half_statistics():
    layer = nn.BatchNorm2d(3).set_train()
    layer(images(dtype=ms.float16))
    return layer.moving_mean.dtype, layer.gamma.dtype


@case(tol=3e-3)
def batch_norm_to_float():
    layer = nn.BatchNorm2d(3).to_float(ms.float16).set_train()
    return layer(images()), statistics(layer)


@case.table(
    {
        "features_0": ({"num_features": 0},),
        "features_str": ({"num_features": "a"},),
        "features_float": ({"num_features": 2.0},),
        "features_bool": ({"num_features": True},),
        "momentum_negative": ({"momentum": -0.1},),
        "momentum_large": ({"momentum": 1.1},),
        "statistics_int": ({"use_batch_statistics": 1},),
        "format": ({"data_format": "x"},),
        "affine_int": ({"affine": 1},),
        "gamma_shape": ({"gamma_init": "bad"},),
    },
    message=True,
)
def batch_norm_errors(options):
    return repr(nn.BatchNorm2d(**{"num_features": 3, **options}))


@case.table(
    {
        "eps_negative": ({"eps": -1.0},),
        "eps_int": ({"eps": 0},),
        "eps_str": ({"eps": "a"},),
        "momentum_str": ({"momentum": "a"},),
        "nhwc": ({"data_format": "NHWC"},),
    }
)
def batch_norm_error_types(options):
    return nn.BatchNorm2d(**{"num_features": 3, **options})(images())


@case.table(
    {
        "plain": (((3,),), {}),
        "list": (([3],), {}),
        "two_axes": (((2, 3), 2, 2), {}),
        "three_axes": (((3, 2, 3), 1, 1), {}),
        "epsilon": (((3,),), {"epsilon": 0.1}),
        "inits": (((3,),), {"gamma_init": 2, "beta_init": "ones"}),
        "int": ((3,), {}),
        "str": (("a",), {}),
        "zero": (((0,),), {}),
        "two_without_axes": (((2, 3),), {}),
        "negative_axis": (((2, 3), -2, -2), {}),
        "axis_out_of_range": (((3,),), {"begin_norm_axis": 9}),
        "axis_str": (((3,),), {"begin_norm_axis": "a"}),
        "epsilon_str": (((3,),), {"epsilon": "a"}),
        "other_shape": (((2,),), {}),
    },
    tol=SUMS,
)
def layer_norm(arguments, options):
    return nn.LayerNorm(*arguments, **options)(images())


@case.table({"half": (ms.float16,), "double": (ms.float64,), "int": (ms.int32,)}, tol=4e-3)
def layer_norm_dtypes(dtype):
    return nn.LayerNorm((3,))(images(dtype=dtype))


@case
def layer_norm_of_small_values():
    return nn.LayerNorm((2,))(Tensor([[1e-4, -1e-4]], ms.float32))


@case
def layer_norm_of_a_number():
    return nn.LayerNorm((3,))(3)


@case(tol=1e-4)
def layer_norm_gradient():
    layer = nn.LayerNorm((2, 3), 2, 2)
    weight = images() * images()
    return ms.grad(lambda x: layer(x) * weight, 0, layer.trainable_params())(images())


@case.table(
    {
        "plain": ((2, 4), {}),
        "instance": ((4, 4), {}),
        "layer": ((1, 4), {}),
        "not_affine": ((2, 4), {"affine": False}),
        "settings": ((2, 4), {"eps": 0.1, "gamma_init": 3, "beta_init": "ones"}),
        "not_divided": ((3, 4), {}),
        "groups_0": ((0, 4), {}),
        "groups_float": ((2.0, 4), {}),
        "groups_bool": ((True, 4), {}),
        "channels_str": ((2, "a"), {}),
        "eps_str": ((2, 4), {"eps": "a"}),
        "affine_int": ((2, 4), {"affine": 1}),
        "other_channels": ((2, 6), {}),
    },
    tol=SUMS,
)
def group_norm(arguments, options):
    layer = nn.GroupNorm(*arguments, **options)
    return repr(layer), layer(images(c=4))


@case.table({"2": ((4, 4),), "3": ((2, 4, 3),), "5": ((2, 4, 2, 3, 2),)}, tol=SUMS)
def group_norm_ranks(shape):
    return nn.GroupNorm(2, 4)(Tensor(np.sin(np.arange(np.prod(shape))).reshape(shape), ms.float32))


@case.table({"half": (ms.float16,), "double": (ms.float64,), "int": (ms.int32,)}, tol=2e-3)
def group_norm_dtypes(dtype):
    return nn.GroupNorm(2, 4)(images(c=4, dtype=dtype))


@case(tol=1e-4)
def group_norm_gradient():
    layer = nn.GroupNorm(2, 4)
    weight = images(c=4) * images(c=4)
    return ms.grad(lambda x: layer(x) * weight, 0, layer.trainable_params())(images(c=4))


def named(name, *values):
    return Parameter(vector(*values), name=name)


def batch_norm_call(training, momentum=0.1):
    mean, variance = named("m", 0, 1, 2), named("v", 1, 2, 3)
    out = ops.batch_norm(
        images(), mean, variance, vector(1, 2, 1), vector(0, 0, 1), training, momentum
    )
    return out, mean, variance


def batch_norm_primitive(training):
    mean, variance = named("m", 0, 1, 2), named("v", 1, 2, 3)
    operator = ops.BatchNorm(is_training=training, momentum=0.3)
    scale, bias = named("scale", 1, 2, 1), named("bias", 0, 0, 1)
    return operator(images(), scale, bias, mean, variance)[0], mean, variance


@case.table(
    {
        "batch_norm": (lambda: batch_norm_call(False),),
        "batch_norm_training": (lambda: batch_norm_call(True),),
        "batch_norm_momentum": (lambda: batch_norm_call(True, 0.3),),
        "BatchNorm": (lambda: batch_norm_primitive(False),),
        "BatchNorm_training": (lambda: batch_norm_primitive(True),),
        "group_norm": (lambda: ops.group_norm(images(c=4), 2),),
        "group_norm_weight": (lambda: ops.group_norm(images(c=4), 2, vector(1, 2, 3, 4)),),
        "group_norm_both": (
            lambda: ops.group_norm(images(c=4), 2, vector(1, 2, 3, 4), vector(0, 0, 0, 1)),
        ),
        "group_norm_not_divided": (lambda: ops.group_norm(images(c=4), 3),),
        "lrn": (lambda: ops.lrn(images(c=4), 2, 1.0, 0.5, 0.75),),
        "LRN": (lambda: ops.LRN(1)(images(c=4)),),
    },
    tol=SUMS,
)
def functions(call):
    return call()


@case(tol=2e-3)
def statistics_of_float16():
    net = nn.BatchNorm2d(3, dtype=ms.float16).set_train()
    trained = net(images(dtype=ms.float16))
    return trained, net.moving_mean.value(), net.set_train(False)(images(dtype=ms.float16))
