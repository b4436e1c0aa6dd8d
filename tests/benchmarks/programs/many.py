"""A network of very many small parameters: dense layers, each around a sum."""

from __future__ import annotations

from collections.abc import Callable

from mindspore import Tensor, nn, ops
from mindspore.common.initializer import Normal


class Chain(nn.Cell):
    """``x = x + tanh(dense(x))``, again and again."""

    def __init__(self, depth, width):
        super().__init__()
        # Small weights: so deep a chain would blow up rounding errors otherwise.
        self.layers = nn.CellList(
            [nn.Dense(width, width, Normal(0.02), "zeros") for _ in range(depth)]
        )

    def construct(self, x):
        for layer in self.layers:
            x = x + ops.tanh(layer(x))
        return x


def make(depth: int, width: int) -> tuple[nn.Cell, Callable[[Tensor, Tensor], Tensor]]:
    """Make the network and its loss."""
    net = Chain(depth, width)
    loss_fn = nn.MSELoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    return net, forward
