"""Layers and functions of a batch, an image or an axis of no elements: values and gradients."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case


def of(*shape, dtype=ms.float32):
    return Tensor(np.sin(np.arange(np.prod(shape)) * 1.3).reshape(shape), dtype)


LAYERS = {
    "group_norm": (lambda: nn.GroupNorm(2, 4), (0, 4, 5, 5)),
    "adaptive_max": (lambda: nn.AdaptiveMaxPool2d((None, 2)), (0, 4, 5, 5)),
    "channel_shuffle": (lambda: nn.ChannelShuffle(2), (0, 4, 5, 5)),
    "channel_shuffle_height": (lambda: nn.ChannelShuffle(2), (2, 4, 0, 5)),
    "pixel_shuffle": (lambda: nn.PixelShuffle(2), (0, 4, 5, 5)),
    "pixel_shuffle_height": (lambda: nn.PixelShuffle(2), (2, 4, 0, 5)),
    "pixel_unshuffle": (lambda: nn.PixelUnshuffle(2), (0, 4, 4, 4)),
    "unflatten": (lambda: nn.Unflatten(1, (2, -1)), (0, 4)),
    "flatten": (lambda: nn.Flatten(), (0, 4, 5)),
    "conv": (lambda: nn.Conv2d(4, 4, 2, group=2), (0, 4, 5, 5)),
}


@case.table(LAYERS)
def layer(make, shape):
    net = make()
    return net(of(*shape)).shape, ms.grad(net)(of(*shape))


@case
def statistics_of_batch_norm_stay_finite():
    net = nn.BatchNorm2d(4, moving_mean_init=0.5).set_train()
    out = net(of(0, 4, 2, 2, dtype=ms.float16))
    finite = [np.isfinite(p.asnumpy()).all() for p in (net.moving_mean, net.moving_variance)]
    return out.shape, [bool(each) for each in finite]


SHAPES = {
    "last": ((0, 4), (0, 2, -1)),
    "first": ((0, 3), (-1, 3)),
    "beside_a_zero": ((0, 3), (-1, 0)),
    "new": ((0, 3), (2, -1)),
    "not_empty": ((2, 3), (0, -1)),
}


@case.table(SHAPES)
def reshaped(shape, wanted):
    return ops.reshape(of(*shape), wanted).shape, of(*shape).view(wanted).shape


@case
def mean_of_no_integers():
    return Tensor(np.zeros((0, 3), np.uint8)).mean().shape, ops.mean(of(0, 3, dtype=ms.int32)).shape
