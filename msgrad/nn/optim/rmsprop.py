"""RMSProp, with momentum and in its centered form."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.nn._hyper import Flag, NotNegative, Positive, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["RMSProp"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``a = momentum * a + lr * g / sqrt(s + epsilon)``, ``w -= a``, ``s`` the mean of squares."""
    new = {"ms": slots["ms"] * own.decay + (1 - own.decay) * grad * grad}
    size = new["ms"]
    if own.centered:
        mean = new["mg"] = slots["mg"] * own.decay + (1 - own.decay) * grad
        # A variance, which rounding can leave below 0.
        size = jnp.maximum(size - mean * mean, 0)
    way = own.lr * grad / jnp.sqrt(size + own.epsilon)
    new["moment"] = slots["moment"] * own.momentum + way
    return -new["moment"], new


class RMSProp(Optimizer):
    """Steps along gradients over the root of the running mean of their squares.

    Args:
        decay: float, 0 or more, of the mean of squares, which begins with 1.
        epsilon: float above 0, added under the root.
        centered: Whether to divide by the root of the variance instead.

    State: with ``centered`` ``mean_grad.*`` (0); ``mean_square.*`` (1), ``moment.*`` (0).
    """

    _rule = Rule(
        _change,
        (
            Slot("mg", label="mean_grad.{}", when="centered"),
            Slot("ms", 1.0, label="mean_square.{}"),
            Slot("moment"),
        ),
    )

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        decay: NotNegative = 0.9,
        momentum: NotNegative = 0.0,
        epsilon: Positive = 1e-10,
        use_locking: Flag = False,
        centered: Flag = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None: ...
