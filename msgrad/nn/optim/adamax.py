"""AdaMax: Adam with the largest of the decayed gradients for the root of their mean square."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import numpy as np
import optax

from msgrad.nn.optim import _checks
from msgrad.nn.optim._rounding import unfused
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["AdaMax"]


@functools.cache
def adamax(beta1: float, beta2: float, eps: float) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``w -= lr / (1 - beta1**t) * m / (u + eps)``, ``u = max(beta2 * u, |g|)``.

    Args:
        beta1: Decay of ``m``, the mean of gradients.
        beta2: Decay of ``u``.
        eps: See above.
    """
    first, second = np.float32(beta1), np.float32(beta2)

    def init(params: Any) -> dict[str, Any]:
        zeros = {name: [jnp.zeros_like(p) for p in params] for name in ("moment1", "moment2")}
        return {"beta1_power": jnp.ones((1,), jnp.float32), **zeros}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        power = unfused(state["beta1_power"] * first)
        m = [first * m + (1 - first) * g for g, m in zip(grads, state["moment1"], strict=True)]
        u = [
            jnp.maximum(second * u, jnp.abs(g))
            for g, u in zip(grads, state["moment2"], strict=True)
        ]
        whole = 1 - power.reshape(())
        changes = [
            -(rate / whole * way / (size + eps)) for rate, way, size in zip(lr, m, u, strict=True)
        ]
        return changes, {"beta1_power": power, "moment1": m, "moment2": u}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class AdaMax(Optimizer):
    """Adam after the infinity norm.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        beta1: float in (0, 1), decay of the mean of gradients.
        beta2: float in (0, 1), decay of the largest gradient.
        eps: float above 0, added to the largest gradient.
        weight_decay: As for ``Optimizer``.
        loss_scale: As for ``Optimizer``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``beta1_power`` (1), ``moment1.*``, ``moment2.*`` (0).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1, self.beta2, self.eps = _checks.betas("AdaMax", beta1, beta2, eps)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return adamax(self.beta1, self.beta2, self.eps)
