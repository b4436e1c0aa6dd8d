"""Adadelta: steps of the size of the steps before, over the root mean square of gradients."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.nn._hyper import NotNegative, Ratio, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Adadelta"]


def adadelta(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``d = sqrt(u + epsilon) / sqrt(s + epsilon) * g``, ``w -= lr * d``, with ``s`` and ``u`` the
    means of squared gradients and of squared ``d``.
    """
    size = own.rho * slots["accum"] + (1 - own.rho) * grad * grad
    way = jnp.sqrt(slots["accum_update"] + own.epsilon) / jnp.sqrt(size + own.epsilon) * grad
    made = own.rho * slots["accum_update"] + (1 - own.rho) * way * way
    return -(own.lr * way), {"accum": size, "accum_update": made}


class Adadelta(Optimizer):
    """Adadelta.

    Args:
        rho: float in [0, 1], decay of both means of squares.
        epsilon: float, 0 or more, added under the roots.

    State: ``accum.*``, ``accum_update.*`` (0).
    """

    _rule = Rule(adadelta, (Slot("accum"), Slot("accum_update")))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1.0,
        rho: Ratio = 0.9,
        epsilon: NotNegative = 1e-6,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None: ...
