"""RMSProp, with momentum and in its centered form."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import optax

from msgrad.nn._checks import of_type
from msgrad.nn.optim import _checks
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["RMSProp"]


@functools.cache
def rmsprop(
    decay: float, momentum: float, epsilon: float, centered: bool
) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``a = momentum * a + lr * g / sqrt(s + epsilon)``, ``w -= a``.

    Args:
        decay: Of ``s``, the mean of squared gradients, which begins with 1.
        momentum: See above.
        epsilon: Added under the root.
        centered: Take from ``s`` the square of the mean of gradients.
    """

    def init(params: Any) -> dict[str, Any]:
        def filled(fill: Any) -> list[Any]:
            return [fill(param) for param in params]

        state = {"ms": filled(jnp.ones_like), "moment": filled(jnp.zeros_like)}
        return {"mg": filled(jnp.zeros_like), **state} if centered else state

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        squares = [s * decay + (1 - decay) * g * g for g, s in zip(grads, state["ms"], strict=True)]
        new = {"ms": squares}
        sizes = squares
        if centered:
            new["mg"] = [
                mean * decay + (1 - decay) * g for g, mean in zip(grads, state["mg"], strict=True)
            ]
            # A variance, which rounding can leave below 0.
            sizes = [
                jnp.maximum(s - mean * mean, 0) for s, mean in zip(squares, new["mg"], strict=True)
            ]
        new["moment"] = [
            moment * momentum + rate * g / jnp.sqrt(size + epsilon)
            for moment, rate, g, size in zip(state["moment"], lr, grads, sizes, strict=True)
        ]
        return [-moment for moment in new["moment"]], new

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class RMSProp(Optimizer):
    """Steps along gradients over the root of the running mean of their squares.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        decay: float, 0 or more, of the mean of squares, which begins with 1.
        momentum: float, 0 or more.
        epsilon: float above 0, added under the root.
        use_locking: Accepted for compatibility.
        centered: Whether to divide by the root of the variance instead.
        loss_scale: As for ``Optimizer``.
        weight_decay: As for ``Optimizer``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: with ``centered`` ``mean_grad.*`` (0); ``mean_square.*`` (1), ``moment.*`` (0).
    """

    _state_labels = {"mg": "mean_grad.{}", "ms": "mean_square.{}"}

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = _checks.a_float("RMSProp", "decay", decay)
        self.momentum = _checks.a_float("RMSProp", "momentum", momentum)
        self.epsilon = _checks.a_float("RMSProp", "epsilon", epsilon, strictly=True)
        self.use_locking = of_type("RMSProp", "use_locking", use_locking, bool)
        self.centered = of_type("RMSProp", "centered", centered, bool)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return rmsprop(self.decay, self.momentum, self.epsilon, self.centered)
