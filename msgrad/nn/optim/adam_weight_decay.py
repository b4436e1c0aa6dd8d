"""AdamWeightDecay: Adam without bias correction, with decoupled weight decay."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.nn._hyper import Positive, Share, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["AdamWeightDecay"]


def _mean(beta: float, old: Array, new: Array) -> Array:
    # 1 - beta in the dtype of the numbers, which decides its last digits.
    share = jnp.asarray(beta, new.dtype)
    return old * share + new * (1 - share)


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= lr * (m / (sqrt(v) + eps) + decay * w)``."""
    m = _mean(own.beta1, slots["moments1"], grad)
    v = _mean(own.beta2, slots["moments2"], grad * grad)
    way = m / (jnp.sqrt(v) + own.eps) + own.weight_decay * param
    return -(own.lr * way), {"moments1": m, "moments2": v}


class AdamWeightDecay(Optimizer):
    """Adam without bias correction, and with weight decay apart from the gradient.

    Args:
        weight_decay: As for ``Optimizer``, but decoupled: ``lr * weight_decay * w`` is taken off.

    State: ``adam_m.*``, ``adam_v.*`` (0).
    """

    _rule = Rule(
        _change,
        (Slot("moments1", label="adam_m.{}"), Slot("moments2", label="adam_v.{}")),
        decoupled=True,
    )

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: Share = 0.9,
        beta2: Share = 0.999,
        eps: Positive = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None: ...
