"""Adamax with ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad.experimental.optim import _checks
from msgrad.experimental.optim._step import Rule, Slot, Slots, remainder, rest
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["Adamax"]


def _change(
    grad: jax.Array, param: jax.Array, slots: Slots, lr: jax.Array, step: jax.Array, own: Any
) -> tuple[jax.Array, Slots]:
    first, second = own.betas[:2]
    m = slots["exp_avg"] * first + grad * rest(first)
    size = jnp.maximum(slots["exp_inf"] * second, jnp.abs(grad) + own.eps)
    return -(lr / remainder(first, step) * m / size), {"exp_avg": m, "exp_inf": size}


class Adamax(Optimizer):
    """Adam after the infinity norm.

    Args:
        params: As for ``Optimizer``.
        lr: Number or Tensor above 0.
        betas: tuple of two numbers in [0, 1), the decays of the mean and the largest gradient.
        eps: Number above 0, added to the size of a gradient.
        weight_decay: Number, 0 or more.
        maximize: Whether to climb.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``step_t``, ``exp_avg.*``, ``exp_inf.*`` (0).
    """

    _rule = Rule(_change, (Slot("exp_avg"), Slot("exp_inf")))
    _step_label = "step_t"
    _step_early = True

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ) -> None:
        _checks.at_least("Adamax", "lr", lr, strictly=True)
        _checks.betas("Adamax", betas)
        _checks.at_least("Adamax", "eps", eps, strictly=True)
        _checks.at_least("Adamax", "weight_decay", weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
