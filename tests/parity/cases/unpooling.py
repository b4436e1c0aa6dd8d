"""MaxUnpool, LPPool, AdaptiveMaxPool3d, FractionalMaxPool: values, gradients, wrong arguments."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.parity.case import case

APPROXIMATE = 5e-5


def waves(*shape):
    return Tensor(np.sin(np.arange(np.prod(shape)) * 1.3).reshape(shape), ms.float32)


def line():
    return waves(1, 2, 6)


def image():
    return waves(1, 2, 4, 4)


def volume():
    return waves(1, 1, 4, 4, 4)


def samples(number):
    return Tensor(np.full((1, 2 if number == 2 else 1, number), 0.3), ms.float32)


POOLS = {
    "LPPool1d": (lambda: nn.LPPool1d(2, 2), line),
    "LPPool1d_stride": (lambda: nn.LPPool1d(3, 3, 1), line),
    "LPPool2d": (lambda: nn.LPPool2d(2, 2), image),
    "LPPool2d_stride": (lambda: nn.LPPool2d(1, (2, 3), 1), image),
    "AdaptiveMaxPool3d": (lambda: nn.AdaptiveMaxPool3d(2), volume),
    "AdaptiveMaxPool3d_sizes": (lambda: nn.AdaptiveMaxPool3d((1, 2, 3)), volume),
    "Fractional2d": (
        lambda: nn.FractionalMaxPool2d(2, (2, 2), _random_samples=samples(2)),
        image,
    ),
    "Fractional2d_ratio": (
        lambda: nn.FractionalMaxPool2d(2, output_ratio=(0.5, 0.5), _random_samples=samples(2)),
        image,
    ),
    "Fractional3d": (
        lambda: nn.FractionalMaxPool3d(2, (2, 2, 2), _random_samples=samples(3)),
        volume,
    ),
}


@case.table(POOLS, tol=APPROXIMATE)
def pool(make, inputs):
    made = make()
    # 2.10 fails in the gradient of FractionalMaxPool2d.
    if isinstance(made, nn.FractionalMaxPool2d):
        return made(inputs())
    return made(inputs()), ms.grad(lambda v: (made(v) ** 2).sum())(inputs())


@case
def with_indices():
    found = nn.AdaptiveMaxPool3d(2, True)(volume())
    more = nn.FractionalMaxPool2d(2, (2, 2), None, True, samples(2))(image())
    return found, more


UNPOOLS = {
    "1d": (lambda: nn.MaxUnpool1d(2), (1, 2, 3), [[[0, 3, 4], [1, 2, 5]]], None),
    "1d_size": (lambda: nn.MaxUnpool1d(2), (1, 2, 3), [[[0, 3, 4], [1, 2, 5]]], (1, 2, 7)),
    "2d": (lambda: nn.MaxUnpool2d(2), (1, 1, 2, 2), [[[[0, 3], [8, 15]]]], None),
    "2d_padding": (lambda: nn.MaxUnpool2d(3, 2, 1), (1, 1, 2, 2), [[[[0, 2], [6, 8]]]], None),
    "3d": (lambda: nn.MaxUnpool3d(2), (1, 1, 1, 2, 1), [[[[[0], [7]]]]], None),
}


@case.table(UNPOOLS)
def unpool(make, shape, indices, size):
    made = make()
    places = Tensor(indices, ms.int64)
    loss = lambda v: (made(v, places, size) ** 2).sum()
    return made(waves(*shape), places, size), ms.grad(loss)(waves(*shape))


@case.table(
    {
        "unpool_size": (lambda: nn.MaxUnpool2d(2)(image(), Tensor([0]), [4, 4]),),
        "unpool_empty": (lambda: nn.MaxUnpool1d(2)(line(), Tensor([0]), ()),),
        "unpool_kernel": (
            lambda: nn.MaxUnpool2d("a")(waves(1, 1, 2, 2), Tensor([[[[0, 3], [8, 15]]]])),
        ),
        "lp_type": (lambda: nn.LPPool2d("a", 2)(image()),),
        "lp_kernel": (lambda: nn.LPPool1d(2, "a")(line()),),
        "adaptive": (lambda: nn.AdaptiveMaxPool3d((1, 2))(volume()),),
        "fractional": (lambda: nn.FractionalMaxPool2d(2)(image()),),
    }
)
def errors(call):
    return call().shape
