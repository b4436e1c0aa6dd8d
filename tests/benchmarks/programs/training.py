"""One training step in MindSpore's functional form, and the two optimizers of the benchmarks."""

from __future__ import annotations

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn


def make_optimizer(net: nn.Cell, name: str, rate: float) -> nn.Optimizer:
    """Make ``momentum`` (0.9) or ``adam`` for all weights of a network."""
    if name == "momentum":
        return nn.Momentum(net.trainable_params(), learning_rate=rate, momentum=0.9)
    return nn.Adam(net.trainable_params(), learning_rate=rate)


def make_step(
    forward: Callable[[Tensor, Tensor], Tensor], optimizer: nn.Optimizer
) -> Callable[[Tensor, Tensor], Tensor]:
    """Make a step: loss, gradients of all weights, optimizer."""
    differentiate = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(x: Tensor, y: Tensor) -> Tensor:
        loss, gradients = differentiate(x, y)
        optimizer(gradients)
        return loss

    return step
