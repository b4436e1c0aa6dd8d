"""A physics-informed network: the second derivative of a network by its input is in the loss."""

from __future__ import annotations

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn


def make(width: int) -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make a network ``u`` and the loss of ``u''(x) = y``."""
    net = nn.SequentialCell(
        nn.Dense(1, width), nn.Tanh(), nn.Dense(width, width), nn.Tanh(), nn.Dense(width, 1)
    )
    slope = ms.grad(net)

    def slope_of(x):
        return slope(x)

    curvature = ms.grad(slope_of)

    def forward(x, y):
        return ((curvature(x) - y) ** 2).mean()

    return net, forward
