"""RMSprop with ``param_groups``, with momentum and in its centered form."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, FromZero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, rest, unfused, unfused_square

__all__ = ["RMSprop"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    new = dict(slots)
    size = new["mean_square"] = slots["mean_square"] * own.alpha + rest(own.alpha) * grad * grad
    if own.centered:
        mean = new["mean_grad"] = slots["mean_grad"] * own.alpha + rest(own.alpha) * grad
        # A variance, which rounding can leave below 0.
        size = jnp.maximum(size - unfused_square(mean), 0)
    way = grad / (jnp.sqrt(size) + own.eps)
    if own.momentum:
        way = new["moment"] = unfused(slots["moment"] * own.momentum) + way
    return -unfused(own.lr * way), new


class RMSprop(Optimizer):
    """RMSprop; ``eps`` is added to the root, not under it as in ``nn.RMSProp``.

    Args:
        alpha: Number, 0 or more, decay of the mean of squares.
        centered: Whether to divide by the root of the variance instead.

    State: ``mean_grad.*``, ``mean_square.*``, ``moment.*`` (0).
    """

    _rule = Rule(_change, (Slot("mean_grad"), Slot("mean_square"), Slot("moment")))
    _order = ("lr", "momentum", "alpha", "eps", "centered")

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: AboveZero = 1e-2,
        alpha: FromZero = 0.99,
        eps: AboveZero = 1e-8,
        weight_decay: FromZero = 0.0,
        momentum: FromZero = 0.0,
        centered: bool = False,
        maximize: bool = False,
    ) -> None: ...
