"""Layers beside the great families: activations, padding, resizing, channel dropout, one-hots."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

# MindSpore's CPU kernels take exp, log and tanh from short polynomials: 4e-6 off at most.
APPROXIMATE = 5e-5


def x():
    return Tensor([[-3.0, -0.6, 0.3], [0.4, 2.0, 7.0]], ms.float32)


def images(n=1, c=2, h=2, w=3):
    return Tensor(np.sin(np.arange(n * c * h * w) * 1.3).reshape(n, c, h, w), ms.float32)


ACTIVATIONS = {
    "Mish": (lambda: nn.Mish(),),
    "SeLU": (lambda: nn.SeLU(),),
    "Softsign": (lambda: nn.Softsign(),),
    "Tanhshrink": (lambda: nn.Tanhshrink(),),
    "FastGelu": (lambda: nn.FastGelu(),),
    "CELU": (lambda: nn.CELU(2.0),),
    "Hardtanh": (lambda: nn.Hardtanh(),),
    "Hardtanh_wide": (lambda: nn.Hardtanh(-2, 5),),
    "PReLU": (lambda: nn.PReLU(),),
    "PReLU_channels": (lambda: nn.PReLU(3, 0.1),),
    "PReLU_tensor": (lambda: nn.PReLU(3, Tensor([0.1, 0.2, 0.3], ms.float32)),),
    "HShrink": (lambda: nn.HShrink(),),
    "SoftShrink": (lambda: nn.SoftShrink(),),
    "Threshold": (lambda: nn.Threshold(1.0, 2.0),),
    "Softmin": (lambda: nn.Softmin(),),
    "GLU": (lambda: nn.GLU(0),),
}


@case.table(ACTIVATIONS, tol=APPROXIMATE)
def activation(make):
    layer = make()
    return layer(x()), repr(layer), list(layer.get_parameters())


@case.table(
    {key: row for key, row in ACTIVATIONS.items() if key != "SeLU"},
    tol=APPROXIMATE,
)
def activation_gradient(make):
    layer = make()
    return ms.grad(lambda v: layer(v) * 3.0)(x())


@case(tol=APPROXIMATE)
def prelu_gradient():
    layer = nn.PReLU(3)
    return ms.grad(layer, 0, layer.trainable_params())(x())


@case(tol=APPROXIMATE)
def softmax2d():
    return nn.Softmax2d()(images()), nn.Softmax2d()(images()[0])


@case.table(
    {
        "prelu_0": (lambda: nn.PReLU(0),),
        "prelu_str": (lambda: nn.PReLU("a"),),
        "prelu_w_str": (lambda: nn.PReLU(2, "a"),),
        "prelu_channels": (lambda: nn.PReLU(2)(x()),),
        "hardtanh_empty": (lambda: nn.Hardtanh(3, 1),),
        "hardtanh_str": (lambda: nn.Hardtanh("a"),),
        "celu_int": (lambda: nn.CELU(2)(x()),),
        "hshrink_str": (lambda: nn.HShrink("a"),),
        "softshrink_str": (lambda: nn.SoftShrink("a"),),
        "softmax2d_rows": (lambda: nn.Softmax2d()(x()),),
        "glu_odd": (lambda: nn.GLU()(x()),),
        "dropout2d_int": (lambda: nn.Dropout2d(1),),
        "dropout2d_large": (lambda: nn.Dropout2d(2.0),),
        "dropout2d_negative": (lambda: nn.Dropout2d(-0.1),),
        "dropout2d_str": (lambda: nn.Dropout2d("a"),),
        "dropout2d_rows": (lambda: nn.Dropout2d().set_train()(x()),),
        "dropout3d_rows": (lambda: nn.Dropout3d().set_train()(x()),),
        "dropout1d_row": (lambda: nn.Dropout1d().set_train()(x()[0]),),
        "norm_keep_dims": (lambda: nn.Norm(keep_dims=1),),
        "clip_axis": (lambda: nn.ClipByNorm("a"),),
        "clip_number": (lambda: nn.ClipByNorm()(x(), 1.0),),
        "pad_list": (lambda: nn.Pad([1, 1]),),
        "pad_flat": (lambda: nn.Pad((1, 1)),),
        "pad_mode": (lambda: nn.Pad(((1, 1), (0, 2)), "bad"),),
        "pad_five": (lambda: nn.Pad(((0, 0),) * 5),),
        "pad_rank": (lambda: nn.Pad(((1, 1),))(x()),),
        "pad_negative": (lambda: nn.Pad(((1, -1), (0, 2)))(x()),),
        "pad_reflect_large": (lambda: nn.Pad(((3, 1), (0, 2)), "REFLECT")(x()),),
        "zero_pad_str": (lambda: nn.ZeroPad2d("a"),),
        "constant_pad_one": (lambda: nn.ConstantPad1d((1,), 1),),
        "reflection_three": (lambda: nn.ReflectionPad2d((1, 2, 3)),),
        "reflection_negative": (lambda: nn.ReflectionPad1d(-1),),
        "reflection_large": (lambda: nn.ReflectionPad2d(5)(images()),),
    }
)
def errors(call):
    return call()


@case.table(
    {
        "Dropout1d": (lambda: nn.Dropout1d(), lambda: images()[0]),
        "Dropout2d": (lambda: nn.Dropout2d(0.2), images),
        "Dropout3d": (lambda: nn.Dropout3d(), lambda: images().expand_dims(0)),
    }
)
def channel_dropout(make, inputs):
    layer = make()
    evaluated = layer(inputs())
    layer.set_train()
    dropped = layer(ops.ones_like(inputs())).asnumpy()
    return repr(layer), evaluated, dropped.shape


@case
def channel_dropout_of_all_and_none():
    return (
        nn.Dropout2d(1.0).set_train()(images()),
        nn.Dropout2d(0.0).set_train()(images()),
        nn.Dropout1d(1.0).set_train()(images()[0]),
    )


@case.table(
    {
        "constant": (lambda: nn.Pad(((1, 1), (0, 2))), x),
        "reflect": (lambda: nn.Pad(((1, 1), (0, 2)), "REFLECT"), x),
        "symmetric": (lambda: nn.Pad(((1, 1), (0, 2)), "SYMMETRIC"), x),
        "zero": (lambda: nn.ZeroPad2d((1, 2, 0, 1)), images),
        "zero_int": (lambda: nn.ZeroPad2d(1), x),
        "zero_negative": (lambda: nn.ZeroPad2d((1, -1, 0, 0)), images),
        "reflection": (lambda: nn.ReflectionPad2d((1, 1, 0, 1)), images),
        "reflection_1d": (lambda: nn.ReflectionPad1d(1), x),
        "replication": (lambda: nn.ReplicationPad2d(1), images),
        "replication_1d": (lambda: nn.ReplicationPad1d(1), x),
        "number": (lambda: nn.ConstantPad2d((1, 0, 0, 1), 2.5), images),
        "number_1d": (lambda: nn.ConstantPad1d(1, 2.0), x),
        "primitive": (lambda: ops.Pad(((1, 1), (0, 2))), x),
        "mirror": (lambda: lambda v: ops.MirrorPad()(v, Tensor([[1, 1], [0, 2]])), x),
    }
)
def padding(make, inputs):
    layer = make()
    return (repr(layer) if isinstance(layer, nn.Cell) else ""), layer(inputs())


@case.table({"CONSTANT": ("CONSTANT",), "REFLECT": ("REFLECT",), "SYMMETRIC": ("SYMMETRIC",)})
def padding_gradient(mode):
    layer = nn.Pad(((1, 1), (0, 2)), mode)
    return ms.grad(lambda v: layer(v) * layer(v))(x())


@case.table(
    {
        "nearest": ((4, 6), {}),
        "nearest_odd": ((3, 7), {}),
        "nearest_smaller": ((1, 2), {}),
        "nearest_int": (4, {}),
        "bilinear": ((4, 6), {"mode": "bilinear"}),
        "bilinear_odd": ((3, 5), {"mode": "bilinear"}),
        "bilinear_smaller": ((1, 2), {"mode": "bilinear"}),
        "bilinear_corners": ((3, 5), {"mode": "bilinear", "align_corners": True}),
        "factor": (None, {"scale_factor": 1.5, "recompute_scale_factor": True}),
        "factors": (None, {"scale_factor": (2.0, 1.0), "recompute_scale_factor": True}),
        "factor_bilinear": (
            None,
            {"scale_factor": 2.0, "recompute_scale_factor": True, "mode": "bilinear"},
        ),
        "area": ((4, 6), {"mode": "area"}),
        "exact": ((4, 6), {"mode": "nearest-exact"}),
        "factor_not_recomputed": (None, {"scale_factor": 2.0}),
        "factor_int": (None, {"scale_factor": 2}),
        "neither": (None, {}),
        "both": ((4, 6), {"scale_factor": 2.0}),
        "mode": ((4, 6), {"mode": "bad"}),
        "corners_of_nearest": ((4, 6), {"align_corners": True}),
        "one_size": ((2,), {}),
        "size_0": ((0, 2), {}),
    }
)
def interpolate(size, options):
    return ops.interpolate(images(), size, **options), nn.Upsample(size, **options)(images())


@case
def interpolate_sequences():
    rows = images()[0]
    return (
        ops.interpolate(rows, 4),
        ops.interpolate(rows, (4,)),
        ops.interpolate(rows, 4, mode="linear"),
        ops.interpolate(rows, 4, mode="linear", align_corners=True),
    )


@case.table({"nearest": ("nearest",), "bilinear": ("bilinear",)})
def interpolate_gradient(mode):
    return ms.grad(lambda v: ops.interpolate(v, (3, 5), mode=mode) ** 2)(images())


@case.table(
    {
        "nearest": (lambda: ops.ResizeNearestNeighbor((4, 6))(images()),),
        "nearest_odd": (lambda: ops.ResizeNearestNeighbor((3, 5))(images()),),
        "nearest_corners": (lambda: ops.ResizeNearestNeighbor((3, 5), True)(images()),),
        "nearest_int": (lambda: ops.ResizeNearestNeighbor(4)(images()),),
        "bilinear": (lambda: ops.ResizeBilinearV2()(images(), (4, 6)),),
        "bilinear_corners": (lambda: ops.ResizeBilinearV2(True)(images(), (4, 6)),),
        "bilinear_centers": (lambda: ops.ResizeBilinearV2(False, True)(images(), (4, 6)),),
        "bilinear_both": (lambda: ops.ResizeBilinearV2(True, True)(images(), (4, 6)),),
        "shuffle": (lambda: nn.PixelShuffle(2)(images(c=8)),),
        "unshuffle": (lambda: nn.PixelUnshuffle(2)(images(h=4, w=6)),),
        "depth_to_space": (lambda: ops.DepthToSpace(2)(images(c=8)),),
        "space_to_depth": (lambda: ops.SpaceToDepth(2)(images(h=4, w=6)),),
        "one_hot": (lambda: nn.OneHot(depth=3)(Tensor([0, 2, 5], ms.int32)),),
        "one_hot_axis": (lambda: nn.OneHot(0, 3, 2.0, -1.0, ms.int32)(Tensor([[0, 2]], ms.int32)),),
        "norm": (lambda: nn.Norm()(x()),),
        "norm_axis": (lambda: nn.Norm(axis=1)(x()),),
        "norm_axes": (lambda: nn.Norm((0, 1), True)(x()),),
        "norm_repr": (lambda: repr(nn.Norm()),),
        "clip": (lambda: nn.ClipByNorm()(x(), Tensor(1.0, ms.float32)),),
        "clip_axis": (lambda: nn.ClipByNorm(axis=0)(x(), Tensor(1.0, ms.float32)),),
        "clip_small": (lambda: nn.ClipByNorm()(x(), Tensor(100.0, ms.float32)),),
        "clip_bounds": (lambda: nn.ClipByNorm()(x(), Tensor([1.0, 2.0, 3.0], ms.float32)),),
        "log_sum_exp": (lambda: nn.ReduceLogSumExp(1)(x()),),
        "tril": (lambda: nn.Tril()(x(), 1),),
        "triu": (lambda: nn.Triu()(x()),),
    },
    tol=APPROXIMATE,
)
def others(call):
    return call()


@case
def clip_gradient():
    layer = nn.ClipByNorm()
    return ms.grad(lambda v: layer(v, Tensor(1.0, ms.float32)))(x())


def shown(layer, names):
    return {name: getattr(layer, name) for name in names.split()}


SIDES = "is_pad is_same is_valid padding_top padding_bottom padding_left padding_right"


@case.table(
    {
        "reflection": (lambda: nn.ReflectionPad2d((1, 2, 3, 4)).padding,),
        "reflection_few": (lambda: nn.ReflectionPad3d((1, 2)).padding,),
        "transposed": (
            lambda: shown(nn.Conv2dTranspose(2, 3, 3, pad_mode="pad", padding=(1, 2, 1, 0)), SIDES),
        ),
        "transposed_same": (lambda: shown(nn.Conv2dTranspose(2, 3, 3), SIDES),),
        "transposed_1d": (lambda: shown(nn.Conv1dTranspose(2, 3, 3), "is_pad is_same is_valid"),),
        "transposed_3d": (lambda: nn.Conv3dTranspose(2, 3, 3).output_padding,),
        "least_scale": (lambda: nn.DynamicLossScaleUpdateCell(16, 2, 3).minimum_loss_scale,),
        "called": (lambda: type(nn.SequentialCell(nn.ReLU()).cell_list).__name__,),
        "decayed": (lambda: nn.Adam(nn.LayerNorm((2,)).trainable_params()).decay_flags,),
        "decayed_all": (lambda: nn.SGD(nn.Dense(2, 1).trainable_params()).decay_flags,),
        "decayed_groups": (
            lambda: (
                nn.SGD(
                    [
                        {"params": [p], "weight_decay": 0.1 * i}
                        for i, p in enumerate(two_parameters())
                    ]
                ).decay_flags
            ),
        ),
    }
)
def attributes(read):
    return read()


def two_parameters():
    return nn.Dense(2, 1).trainable_params()


@case.table({"int32": (ms.int32,), "int64": (ms.int64,)})
def integers_in_dense(dtype):
    x, w, b = (Tensor(v, dtype) for v in ([[1, 2]], [[1, 2], [3, 4]], [5, 6]))
    return ms.grad(lambda *args: ops.dense(*args).sum(), (0, 1, 2))(x, w, b)
