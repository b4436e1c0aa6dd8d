"""RAdam: Adam with a rectified variance."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, Betas, FromZero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, remainder, rest

__all__ = ["RAdam"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    m = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = slots["exp_avg_sq"] * second + grad * grad * rest(second)
    whole = remainder(second, own.step)
    most = 2 / rest(second) - 1
    now = most - 2 * own.step * (1 - whole) / whole
    # Where the variance cannot be judged yet, the step is that of plain momentum.
    judged = now > 5
    ratio = (now - 4) * (now - 2) * most / ((most - 4) * (most - 2) * now)
    rectified = jnp.sqrt(jnp.where(judged, ratio, 1.0)) * jnp.sqrt(whole) / (jnp.sqrt(v) + own.eps)
    way = m / remainder(first, own.step) * jnp.where(judged, rectified, 1.0)
    return -(own.lr * way), {"exp_avg": m, "exp_avg_sq": v}


class RAdam(Optimizer):
    """Rectified Adam.

    Args:
        eps: Number above 0, added to the root.

    State: ``step_t``, ``exp_avg.*``, ``exp_avg_sq.*`` (0).
    """

    _rule = Rule(_change, (Slot("exp_avg"), Slot("exp_avg_sq")))
    _step_label = "step_t"
    _step_early = True

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: AboveZero = 1e-3,
        betas: Betas = (0.9, 0.999),
        eps: AboveZero = 1e-8,
        weight_decay: FromZero = 0.0,
    ) -> None: ...
