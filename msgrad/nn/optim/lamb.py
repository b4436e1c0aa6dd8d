"""Lamb: bias-corrected Adam with decoupled weight decay, in steps as long as the weights."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad.nn._hyper import Positive, Share, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, total
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Lamb"]


def _advance(own: Any, slots: Slots) -> Slots:
    betas = np.float32(own.beta1), np.float32(own.beta2)
    return {f"whole{i}": 1 - beta**own.step for i, beta in enumerate(betas, 1)}


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= lr * norm(w) / norm(r) * r``, ``r`` being Adam's direction plus ``decay * w``; where a
    norm is 0, the step is ``lr * r``.
    """
    first, second = np.float32(own.beta1), np.float32(own.beta2)
    m = slots["moments1"] * first + grad * (1 - first)
    v = slots["moments2"] * second + grad * grad * (1 - second)
    size = jnp.sqrt(v / slots["whole2"]) + own.eps
    way = m / slots["whole1"] / size + own.weight_decay * param
    return -(own.lr * (_trust(own, param, way) * way)), {"moments1": m, "moments2": v}


def _trust(own: Any, param: Array, way: Array) -> Array:
    squares = [jnp.sum(jnp.square(x.astype(jnp.float32))) for x in (param, way)]
    sizes = [jnp.sqrt(x) for x in total(own, squares)]
    both = (sizes[0] > 0) & (sizes[1] > 0)
    return jnp.where(both, sizes[0] / jnp.where(both, sizes[1], 1.0), 1.0)


class Lamb(Optimizer):
    """Adam with a step for each parameter that is as long as the parameter, times the rate.

    Args:
        weight_decay: As for ``Optimizer``, but decoupled: part of the direction.

    State: ``lamb_m.*``, ``lamb_v.*`` (0).

    Differs from MindSpore: it runs on every device; MindSpore 2.10 has no kernel for CPU.
    """

    _rule = Rule(
        _change,
        (Slot("moments1", label="lamb_m.{}"), Slot("moments2", label="lamb_v.{}")),
        decoupled=True,
        advance=_advance,
    )

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        beta1: Share = 0.9,
        beta2: Share = 0.999,
        eps: Positive = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None: ...
