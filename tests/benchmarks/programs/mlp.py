"""A chain of Dense layers with ReLU between them, and the squared error."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from mindspore import Tensor, nn


def make(sizes: tuple[int, ...]) -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make the network and its loss."""
    layers = []
    for fan_in, fan_out in pairwise(sizes):
        layers += [nn.Dense(fan_in, fan_out), nn.ReLU()]
    net = nn.SequentialCell(layers[:-1])
    loss_fn = nn.MSELoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    return net, forward
