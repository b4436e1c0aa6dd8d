"""AdaMax: Adam with the largest of the decayed gradients for the root of their mean square."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad.nn._hyper import Positive, Share, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, unfused
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["AdaMax"]


def _advance(own: Any, slots: Slots) -> Slots:
    power = unfused(slots["beta1_power"] * np.float32(own.beta1))
    return {"beta1_power": power, "whole": 1 - power.reshape(())}


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= lr / (1 - beta1**t) * m / (u + eps)``, ``u = max(beta2 * u, |g|)``."""
    first, second = np.float32(own.beta1), np.float32(own.beta2)
    m = first * slots["moment1"] + (1 - first) * grad
    size = jnp.maximum(second * slots["moment2"], jnp.abs(grad))
    return -(own.lr / slots["whole"] * m / (size + own.eps)), {"moment1": m, "moment2": size}


class AdaMax(Optimizer):
    """Adam after the infinity norm.

    Args:
        beta2: float in (0, 1), decay of the largest gradient.
        eps: float above 0, added to the largest gradient.

    State: ``beta1_power`` (1), ``moment1.*``, ``moment2.*`` (0).
    """

    _rule = Rule(
        _change,
        (Slot("beta1_power", 1.0, shared=(1,)), Slot("moment1"), Slot("moment2")),
        advance=_advance,
    )

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.001,
        beta1: Share = 0.9,
        beta2: Share = 0.999,
        eps: Positive = 1e-8,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None: ...
