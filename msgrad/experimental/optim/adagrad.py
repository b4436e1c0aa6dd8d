"""Adagrad with ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad.experimental.optim import _checks
from msgrad.experimental.optim._step import Rule, Slot, Slots
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["Adagrad"]


def _change(
    grad: jax.Array, param: jax.Array, slots: Slots, lr: jax.Array, step: jax.Array, own: Any
) -> tuple[jax.Array, Slots]:
    accum = slots["accum"] + grad * grad
    rate = lr / (1 + (step - 1) * own.lr_decay)
    return -(rate * grad / (jnp.sqrt(accum) + own.eps)), {"accum": accum}


class Adagrad(Optimizer):
    """Adagrad.

    Args:
        params: As for ``Optimizer``.
        lr: Number or Tensor above 0.
        lr_decay: Number, 0 or more; step ``t``, from 0, has the rate ``lr / (1 + t * lr_decay)``.
        weight_decay: Number, 0 or more.
        initial_accumulator_value: Number, 0 or more, what the sums of squares begin with.
        eps: Number above 0, added to the roots.
        maximize: Whether to climb.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``accum.*``, ``step_t`` (0).
    """

    _rule = Rule(_change, (Slot("accum", "initial_accumulator_value"),))
    _step_label = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ) -> None:
        owner = "Adagrad"
        _checks.at_least(owner, "lr", lr, strictly=True)
        _checks.at_least(owner, "lr_decay", lr_decay)
        _checks.at_least(owner, "weight_decay", weight_decay)
        _checks.at_least(owner, "initial_accumulator_value", initial_accumulator_value)
        _checks.at_least(owner, "eps", eps, strictly=True)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
