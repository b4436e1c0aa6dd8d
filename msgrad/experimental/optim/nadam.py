"""NAdam: Adam with Nesterov's form and a momentum that grows."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, Betas, FromZero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, remainder, rest

__all__ = ["NAdam"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    step, momentum_decay = own.step, own.momentum_decay
    m = slots["exp_avg"] + (grad - slots["exp_avg"]) * rest(first)
    v = slots["exp_avg_sq"] * second + grad * grad * rest(second)
    now = first * (1 - 0.5 * 0.96 ** (step * momentum_decay))
    then = first * (1 - 0.5 * 0.96 ** ((step + 1) * momentum_decay))
    product = slots["mu_product"] * now
    size = jnp.sqrt(v / remainder(second, step)) + own.eps
    way = (1 - now) / (1 - product) * grad + then / (1 - product * then) * m
    return -(own.lr * way / size), {"exp_avg": m, "exp_avg_sq": v, "mu_product": product}


class NAdam(Optimizer):
    """Adam with Nesterov's momentum.

    Args:
        eps: Number above 0, added to the root.
        momentum_decay: Number, 0 or more; how fast the momentum grows to ``betas[0]``.

    State: ``step_t``, ``exp_avg.*``, ``exp_avg_sq.*`` (0), ``mu_product_*`` (1), the last not
    among the optimizer's parameters, as in MindSpore.
    """

    _rule = Rule(
        _change, (Slot("exp_avg"), Slot("exp_avg_sq"), Slot("mu_product", 1.0, scalar=True))
    )
    _step_label = "step_t"
    _step_early = True

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: AboveZero = 2e-3,
        betas: Betas = (0.9, 0.999),
        eps: AboveZero = 1e-8,
        weight_decay: FromZero = 0.0,
        momentum_decay: FromZero = 4e-3,
    ) -> None: ...
