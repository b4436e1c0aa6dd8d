"""Adadelta: steps of the size of the steps before, over the root mean square of gradients."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import optax

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.nn.optim import _checks
from msgrad.nn.optim._step import descend
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Adadelta"]


@functools.cache
def adadelta(rho: float, epsilon: float) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``d = sqrt(u + epsilon) / sqrt(s + epsilon) * g``, ``w -= lr * d``.

    Args:
        rho: Decay of ``s``, the mean of squared gradients, and of ``u``, that of squared ``d``.
        epsilon: See above.
    """

    def init(params: Any) -> dict[str, Any]:
        return {name: [jnp.zeros_like(p) for p in params] for name in ("accum", "accum_update")}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        squares = [rho * s + (1 - rho) * g * g for g, s in zip(grads, state["accum"], strict=True)]
        ways = [
            jnp.sqrt(u + epsilon) / jnp.sqrt(s + epsilon) * g
            for g, s, u in zip(grads, squares, state["accum_update"], strict=True)
        ]
        made = [
            rho * u + (1 - rho) * way * way
            for way, u in zip(ways, state["accum_update"], strict=True)
        ]
        return descend(ways, lr), {"accum": squares, "accum_update": made}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class Adadelta(Optimizer):
    """Adadelta.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        rho: float in [0, 1], decay of both means of squares.
        epsilon: float, 0 or more, added under the roots.
        loss_scale: As for ``Optimizer``.
        weight_decay: As for ``Optimizer``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``accum.*``, ``accum_update.*`` (0).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        of_type("Adadelta", "rho", rho, float)
        if not 0.0 <= rho <= 1.0:
            raise ArgumentValueError(
                f"For 'Adadelta', the 'rho' must be in range of [0.0, 1.0], but got {rho} with "
                "type 'float'."
            )
        self.rho = rho
        self.epsilon = _checks.a_float("Adadelta", "epsilon", epsilon)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return adadelta(self.rho, self.epsilon)
