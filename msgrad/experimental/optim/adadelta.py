"""Adadelta with ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.experimental.optim import _checks
from msgrad.experimental.optim._step import Rule, Slot, Slots
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["Adadelta"]


def _change(
    grad: jax.Array, param: jax.Array, slots: Slots, lr: jax.Array, step: jax.Array, own: Any
) -> tuple[jax.Array, Slots]:
    size = own.rho * slots["accum"] + (1 - own.rho) * grad * grad
    way = jnp.sqrt(slots["accum_update"] + own.eps) / jnp.sqrt(size + own.eps) * grad
    made = own.rho * slots["accum_update"] + (1 - own.rho) * way * way
    return -lr * way, {"accum": size, "accum_update": made}


class Adadelta(Optimizer):
    """Adadelta.

    Args:
        params: As for ``Optimizer``.
        lr: Number or Tensor above 0.
        rho: float in [0, 1], decay of both means of squares.
        eps: Number above 0, added under the roots.
        weight_decay: Number, 0 or more.
        maximize: Whether to climb.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``accum.*``, ``accum_update.*`` (0).
    """

    _rule = Rule(_change, (Slot("accum"), Slot("accum_update")))

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ) -> None:
        _checks.at_least("Adadelta", "lr", lr, strictly=True)
        if not isinstance(rho, float):
            raise ArgumentTypeError(
                f"For 'Adadelta', the 'rho' must be 'float',  but got '{type(rho).__name__}'."
            )
        if not 0.0 <= rho <= 1.0:
            raise ArgumentValueError(
                f"For 'Adadelta', the 'rho' must be in range of [0.0, 1.0], but got {rho} with "
                "type 'float'."
            )
        _checks.at_least("Adadelta", "eps", eps, strictly=True)
        _checks.at_least("Adadelta", "weight_decay", weight_decay)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
