"""Adagrad: steps along gradients over the root of the sum of their squares."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.nn._hyper import Flag, NotNegative, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Adagrad"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``s += g * g``, ``w -= lr * g / sqrt(s)``."""
    total = slots["accum"] + grad * grad if own.update_slots else slots["accum"]
    return -(own.lr * grad / jnp.sqrt(total)), {"accum": total}


class Adagrad(Optimizer):
    """Adagrad.

    Args:
        update_slots: Whether the sums grow.

    State: ``accum.*``.

    Differs from MindSpore: ``update_slots=False`` works; MindSpore 2.10 ignores it on CPU.
    """

    _rule = Rule(_change, (Slot("accum", "accum"),))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        accum: NotNegative = 0.1,
        learning_rate: Any = 0.001,
        update_slots: Flag = True,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None: ...
