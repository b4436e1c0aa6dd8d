"""Lamb: bias-corrected Adam with decoupled weight decay, in steps as long as the weights."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from msgrad.nn.optim import _checks
from msgrad.nn.optim._step import descend
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Lamb"]


@functools.cache
def lamb(beta1: float, beta2: float, eps: float) -> optax.GradientTransformationExtraArgs:
    """Give the rule ``w -= lr * norm(w) / norm(r) * r``, ``r`` being Adam's direction plus
    ``decay * w``; where a norm is 0, the step is ``lr * r``.

    Args:
        beta1: Decay of the mean of gradients.
        beta2: Decay of the mean of their squares.
        eps: Added to the root of the bias-corrected mean of squares.
    """
    first, second = np.float32(beta1), np.float32(beta2)

    def init(params: Any) -> dict[str, Any]:
        return {name: [jnp.zeros_like(p) for p in params] for name in ("moments1", "moments2")}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, decay: Any, step: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        m = [m * first + g * (1 - first) for g, m in zip(grads, state["moments1"], strict=True)]
        v = [
            v * second + g * g * (1 - second) for g, v in zip(grads, state["moments2"], strict=True)
        ]
        count = step.reshape(()).astype(jnp.float32) + 1
        whole1, whole2 = 1 - first**count, 1 - second**count
        ways = []
        for way, size, share, param in zip(m, v, decay, params, strict=True):
            way = way / whole1 / (jnp.sqrt(size / whole2) + eps) + share * param
            ways.append(_trust(param, way) * way)
        return descend(ways, lr), {"moments1": m, "moments2": v}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


def _trust(param: jax.Array, way: jax.Array) -> jax.Array:
    sizes = [jnp.sqrt(jnp.sum(jnp.square(x.astype(jnp.float32)))) for x in (param, way)]
    both = (sizes[0] > 0) & (sizes[1] > 0)
    return jnp.where(both, sizes[0] / jnp.where(both, sizes[1], 1.0), 1.0)


class Lamb(Optimizer):
    """Adam with a step for each parameter that is as long as the parameter, times the rate.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        beta1: float in (0, 1), decay of the mean of gradients.
        beta2: float in (0, 1), decay of the mean of squares.
        eps: float above 0, added to the root.
        weight_decay: As for ``Optimizer``, but decoupled: part of the direction.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``lamb_m.*``, ``lamb_v.*`` (0).

    Differs from MindSpore: it runs on every device; MindSpore 2.10 has no kernel for CPU.
    """

    _decoupled = True
    _state_labels = {"moments1": "lamb_m.{}", "moments2": "lamb_v.{}"}

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2, self.eps = _checks.betas("Lamb", beta1, beta2, eps)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return lamb(self.beta1, self.beta2, self.eps)
