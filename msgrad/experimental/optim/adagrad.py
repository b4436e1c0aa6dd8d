"""Adagrad with ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, FromZero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots

__all__ = ["Adagrad"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    accum = slots["accum"] + grad * grad
    rate = own.lr / (1 + (own.step - 1) * own.lr_decay)
    return -(rate * grad / (jnp.sqrt(accum) + own.eps)), {"accum": accum}


class Adagrad(Optimizer):
    """Adagrad.

    Args:
        lr_decay: Number, 0 or more; step ``t``, from 0, has the rate ``lr / (1 + t * lr_decay)``.
        initial_accumulator_value: Number, 0 or more, what the sums of squares begin with.
        eps: Number above 0, added to the roots.

    State: ``accum.*``, ``step_t`` (0).
    """

    _rule = Rule(_change, (Slot("accum", "initial_accumulator_value"),))
    _step_label = "step_t"
    _order = ("lr", "lr_decay", "eps")

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: AboveZero = 1e-2,
        lr_decay: FromZero = 0.0,
        weight_decay: FromZero = 0.0,
        initial_accumulator_value: FromZero = 0.0,
        eps: AboveZero = 1e-10,
        *,
        maximize: bool = False,
    ) -> None: ...
