"""The chain of dense layers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from torch import nn


def make(sizes: tuple[int, ...]) -> Any:
    """Make the network and its loss."""
    layers = []
    for fan_in, fan_out in pairwise(sizes):
        layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
    net = nn.Sequential(*layers[:-1])
    loss_fn = nn.MSELoss()
    return net, lambda x, y: loss_fn(net(x), y)
