"""ASGD with ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.errors import ArgumentTypeError
from msgrad.experimental.optim import _checks
from msgrad.experimental.optim._step import Rule, Slot, Slots
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["ASGD"]


def _change(
    grad: jax.Array, param: jax.Array, slots: Slots, lr: jax.Array, step: jax.Array, own: Any
) -> tuple[jax.Array, Slots]:
    eta = jnp.where(step == 1, lr, slots["eta"])
    value = param * (1 - own.lambd * eta) - eta * grad
    mu = slots["mu"]
    mean = jnp.where(mu == 1, value, slots["ax"] + (value - slots["ax"]) * mu)
    new = {
        "ax": mean,
        "eta": lr / (1 + own.lambd * lr * step) ** own.alpha,
        "mu": 1 / jnp.maximum(1.0, step - own.t0),
    }
    return value - param, new


class ASGD(Optimizer):
    """Averaged stochastic gradient descent; ``ax`` is the mean of the weights.

    Args:
        params: As for ``Optimizer``.
        lr: Number or Tensor above 0.
        lambd: float, the decay.
        alpha: Number, the power by which the rate falls.
        t0: float, the step from which on the mean is more than the last weights.
        weight_decay: Number, 0 or more.
        maximize: Whether to climb.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``ax.*``, ``step_t`` (0).
    """

    _rule = Rule(_change, (Slot("eta", scalar=True), Slot("mu", 1.0, scalar=True), Slot("ax")))
    _step_label = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        maximize: bool = False,
    ) -> None:
        _checks.at_least("ASGD", "lr", lr, strictly=True)
        for name, value in (("lambd", lambd), ("t0", t0)):
            if not isinstance(value, float):
                raise ArgumentTypeError(
                    f"For 'ASGD', the type of {name} must be float, but got {type(value)}."
                )
        _checks.at_least("ASGD", "weight_decay", weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
