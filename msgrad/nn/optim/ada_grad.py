"""Adagrad: steps along gradients over the root of the sum of their squares."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import optax

from msgrad.nn._checks import of_type
from msgrad.nn.optim import _checks
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Adagrad"]


@functools.cache
def adagrad(accum: float, update_slots: bool) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``s += g * g``, ``w -= lr * g / sqrt(s)``.

    Args:
        accum: What ``s`` begins with.
        update_slots: Whether ``s`` grows.
    """

    def init(params: Any) -> dict[str, Any]:
        return {"accum": [jnp.full_like(param, accum) for param in params]}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        sums = state["accum"]
        if update_slots:
            sums = [total + g * g for g, total in zip(grads, sums, strict=True)]
        changes = [
            -(rate * g / jnp.sqrt(total)) for rate, g, total in zip(lr, grads, sums, strict=True)
        ]
        return changes, {"accum": sums}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class Adagrad(Optimizer):
    """Adagrad.

    Args:
        params: As for ``Optimizer``.
        accum: float, 0 or more, what the sums of squares begin with.
        learning_rate: As for ``Optimizer``.
        update_slots: Whether the sums grow.
        loss_scale: As for ``Optimizer``.
        weight_decay: As for ``Optimizer``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``accum.*``.

    Differs from MindSpore: ``update_slots=False`` works; MindSpore 2.10 ignores it on CPU.
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._first = _checks.a_float("Adagrad", "accum", accum)
        self.update_slots = of_type("Adagrad", "update_slots", update_slots, bool)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return adagrad(self._first, self.update_slots)
