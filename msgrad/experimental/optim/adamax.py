"""Adamax with ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, Betas, FromZero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, remainder, rest

__all__ = ["Adamax"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    first, second = own.betas[:2]
    m = slots["exp_avg"] * first + grad * rest(first)
    size = jnp.maximum(slots["exp_inf"] * second, jnp.abs(grad) + own.eps)
    return -(own.lr / remainder(first, own.step) * m / size), {"exp_avg": m, "exp_inf": size}


class Adamax(Optimizer):
    """Adam after the infinity norm.

    Args:
        betas: tuple of two numbers in [0, 1), the decays of the mean and the largest gradient.
        eps: Number above 0, added to the size of a gradient.

    State: ``step_t``, ``exp_avg.*``, ``exp_inf.*`` (0).
    """

    _rule = Rule(_change, (Slot("exp_avg"), Slot("exp_inf")))
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
        *,
        maximize: bool = False,
    ) -> None: ...
