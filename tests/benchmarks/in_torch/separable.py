"""The classifier whose convolutions have several groups."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from torch import nn


class Separable(nn.Module):
    """Stem, blocks of a depthwise and a pointwise convolution, one of 8 groups, classifier."""

    def __init__(self, widths, classes=10):
        super().__init__()
        layers = [nn.Conv2d(3, widths[0], 3, 2, 1, bias=False), nn.ReLU()]
        for number, (before, after) in enumerate(pairwise(widths)):
            stride = 1 + number % 2
            layers += [
                nn.Conv2d(before, before, 3, stride, 1, groups=before, bias=False),
                nn.ReLU(),
                nn.Conv2d(before, after, 1, bias=False),
                nn.ReLU(),
            ]
        last = widths[-1]
        layers += [nn.Conv2d(last, last, 3, 1, 1, groups=8, bias=False), nn.ReLU()]
        self.layers = nn.Sequential(*layers)
        self.head = nn.Linear(last, classes)

    def forward(self, x):
        return self.head(self.layers(x).mean((2, 3)))


def make(widths: tuple[int, ...]) -> Any:
    """Make the network and its loss."""
    net = Separable(widths)
    loss_fn = nn.CrossEntropyLoss()
    return net, lambda x, y: loss_fn(net(x), y.long())
