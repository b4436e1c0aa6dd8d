"""AdamW with ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import Betas, FromZero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, remainder, rest

__all__ = ["AdamW"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    new = dict(slots)
    m = new["exp_avg"] = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = new["exp_avg_sq"] = slots["exp_avg_sq"] * second + grad * grad * rest(second)
    if own.amsgrad:
        v = new["max_exp_avg_sq"] = jnp.maximum(slots["max_exp_avg_sq"], v)
    size = jnp.sqrt(v) / jnp.sqrt(remainder(second, own.step)) + own.eps
    way = own.lr / remainder(first, own.step) * (m / size)
    return -way - own.lr * own.weight_decay * param, new


class AdamW(Optimizer):
    """Adam with decoupled weight decay; ``eps`` is added after the bias correction.

    Args:
        eps: Number, 0 or more, added to the root.

    State: ``exp_avg.*``, ``exp_avg_sq.*``, ``max_exp_avg_sq.*``, ``state_step`` (0).
    """

    _rule = Rule(_change, (Slot("exp_avg"), Slot("exp_avg_sq"), Slot("max_exp_avg_sq")), True)
    _step_label = "state_step"

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: FromZero = 1e-3,
        betas: Betas = (0.9, 0.999),
        eps: FromZero = 1e-8,
        weight_decay: FromZero = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None: ...
