"""ProximalAdagrad: Adagrad whose steps also shrink the weights, by L1 and L2."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.nn._hyper import Flag, NotNegative, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["ProximalAdagrad"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w = sign(p) * max(|p| - e * l1, 0) / (1 + e * l2)`` with ``e = lr / sqrt(s)``,
    ``p = w - e * g``, ``s`` the sum of squared gradients.
    """
    total = slots["accum"] + grad * grad
    length = own.lr / jnp.sqrt(total)
    near = param - length * grad
    if own.l1:
        near = jnp.sign(near) * jnp.maximum(jnp.abs(near) - length * own.l1, 0)
    return near / (1 + length * own.l2) - param, {"accum": total}


class ProximalAdagrad(Optimizer):
    """Adagrad with L1 and L2 regularization.


    State: ``accum.*``.
    """

    _targets = ("CPU", "Ascend", "GPU")
    _rule = Rule(_change, (Slot("accum", "accum"),))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        accum: NotNegative = 0.1,
        learning_rate: Any = 0.001,
        l1: NotNegative = 0.0,
        l2: NotNegative = 0.0,
        use_locking: Flag = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None: ...
