"""The physics-informed network."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


def make(width: int) -> Any:
    """Make a network ``u`` and the loss of ``u''(x) = y``."""
    net = nn.Sequential(
        nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
    )

    def forward(x: Any, y: Any) -> Any:
        x = x.detach().requires_grad_()
        (slope,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
        (curvature,) = torch.autograd.grad(slope.sum(), x, create_graph=True)
        return ((curvature - y) ** 2).mean()

    return net, forward
