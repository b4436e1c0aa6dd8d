"""The network of very many small parameters."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class Chain(nn.Module):
    """``x = x + tanh(linear(x))``, again and again."""

    def __init__(self, depth, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.tanh(layer(x))
        return x


def make(depth: int, width: int) -> Any:
    """Make the network and its loss."""
    net = Chain(depth, width)
    loss_fn = nn.MSELoss()
    return net, lambda x, y: loss_fn(net(x), y)
