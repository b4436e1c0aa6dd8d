"""A classifier of images whose convolutions have several groups, as mobile networks have them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from mindspore import Tensor, nn


class Separable(nn.Cell):
    """Stem, blocks of a depthwise and a pointwise convolution, one of 8 groups, classifier."""

    def __init__(self, widths, classes=10):
        super().__init__()
        layers = [nn.Conv2d(3, widths[0], 3, 2, pad_mode="pad", padding=1), nn.ReLU()]
        for number, (before, after) in enumerate(pairwise(widths)):
            stride = 1 + number % 2
            layers += [
                nn.Conv2d(before, before, 3, stride, pad_mode="pad", padding=1, group=before),
                nn.ReLU(),
                nn.Conv2d(before, after, 1, pad_mode="valid"),
                nn.ReLU(),
            ]
        last = widths[-1]
        layers += [nn.Conv2d(last, last, 3, 1, pad_mode="pad", padding=1, group=8), nn.ReLU()]
        self.layers = nn.SequentialCell(layers)
        self.head = nn.Dense(last, classes)

    def construct(self, x):
        return self.head(self.layers(x).mean((2, 3)))


def make(widths: tuple[int, ...]) -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make the network and its loss."""
    net = Separable(widths)
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    return net, forward
