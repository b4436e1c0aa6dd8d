"""AdamWeightDecay: Adam without bias correction, with decoupled weight decay."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import optax

from msgrad.nn.optim import _checks
from msgrad.nn.optim._step import descend
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["AdamWeightDecay"]


@functools.cache
def adam_weight_decay(
    beta1: float, beta2: float, eps: float
) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``w -= lr * (m / (sqrt(v) + eps) + decay * w)``.

    Args:
        beta1: Decay of ``m``, the mean of gradients.
        beta2: Decay of ``v``, the mean of their squares.
        eps: Added to the root.
    """

    def mean(beta: float, old: Any, new: Any) -> Any:
        # 1 - beta in the dtype of the numbers, which decides its last digits.
        share = jnp.asarray(beta, new.dtype)
        return old * share + new * (1 - share)

    def init(params: Any) -> dict[str, Any]:
        return {name: [jnp.zeros_like(p) for p in params] for name in ("moments1", "moments2")}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, decay: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        m = [mean(beta1, m, g) for g, m in zip(grads, state["moments1"], strict=True)]
        v = [mean(beta2, v, g * g) for g, v in zip(grads, state["moments2"], strict=True)]
        ways = [
            way / (jnp.sqrt(size) + eps) + share * param
            for way, size, share, param in zip(m, v, decay, params, strict=True)
        ]
        return descend(ways, lr), {"moments1": m, "moments2": v}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class AdamWeightDecay(Optimizer):
    """Adam without bias correction, and with weight decay apart from the gradient.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        beta1: float in (0, 1), decay of the mean of gradients.
        beta2: float in (0, 1), decay of the mean of squares.
        eps: float above 0, added to the root.
        weight_decay: As for ``Optimizer``, but decoupled: ``lr * weight_decay * w`` is taken off.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``adam_m.*``, ``adam_v.*`` (0).
    """

    _decoupled = True
    _state_labels = {"moments1": "adam_m.{}", "moments2": "adam_v.{}"}

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2, self.eps = _checks.betas("AdamWeightDecay", beta1, beta2, eps)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return adam_weight_decay(self.beta1, self.beta2, self.eps)
