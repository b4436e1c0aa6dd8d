"""One training step in MindSpore's functional form, the two optimizers, and other calls."""

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


class _Forward(nn.Cell):
    """A network with its loss, as evaluation runs it."""

    def __init__(self, net, forward):
        # The weights keep their names.
        super().__init__(auto_prefix=False)
        self.net = net
        self.forward = forward

    def construct(self, x, y):
        return self.forward(x, y)


def _make_forward(net: nn.Cell, forward: Callable[[Tensor, Tensor], Tensor]) -> nn.Cell:
    return _Forward(net, forward).set_train(False)


def _make_vmap(
    net: nn.Cell, forward: Callable[[Tensor, Tensor], Tensor]
) -> Callable[[Tensor, Tensor], Tensor]:
    del net
    differentiate = ms.vmap(ms.grad(forward))
    return lambda x, y: differentiate(x, y).abs().sum()


CALLS = {"forward": _make_forward, "vmap": _make_vmap}
