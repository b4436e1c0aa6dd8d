"""One training step in PyTorch, eager, with as many threads as it takes unless told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

_NAMES = {
    "gamma": "weight",
    "beta": "bias",
    "embedding_table": "weight",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
}


def load(net: torch.nn.Module, weights: Mapping[str, np.ndarray]) -> None:
    """Put the MindSpore network's arrays into one of PyTorch.

    Raises:
        RuntimeError: If their names or shapes do not agree.
    """
    renamed = {name: torch.zeros(()) for name in net.state_dict() if "num_batches" in name}
    for name, array in weights.items():
        *path, last = name.split(".")
        renamed[".".join([*path, _NAMES.get(last, last)])] = torch.tensor(array)
    net.load_state_dict(renamed)


def make_optimizer(net: torch.nn.Module, name: str, rate: float) -> torch.optim.Optimizer:
    """Make ``momentum`` (0.9) or ``adam``."""
    if name == "momentum":
        return torch.optim.SGD(net.parameters(), rate, momentum=0.9)
    return torch.optim.Adam(net.parameters(), rate)


def make_step(
    net: torch.nn.Module, forward: Callable[..., Any], optimizer: torch.optim.Optimizer
) -> Callable[..., Any]:
    """Make a step: loss, gradients of all weights, optimizer."""
    net.train()

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = forward(x, y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def make_forward(net: torch.nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
    """Make an evaluation: the loss without a gradient."""
    net.eval()
    return torch.no_grad()(forward)


def make_vmap(net: torch.nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
    """Make the gradients of the loss by each example."""
    net.requires_grad_(False)
    differentiate = torch.func.vmap(torch.func.grad(forward))
    return lambda x, y: differentiate(x, y).abs().sum()


CALLS = {"forward": make_forward, "vmap": make_vmap}
