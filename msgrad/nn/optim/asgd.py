"""ASGD: gradient descent with a falling rate, which also keeps the mean of the weights."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import optax

from msgrad.nn._checks import of_type
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["ASGD"]


@functools.cache
def asgd(lambd: float, alpha: float, t0: float) -> optax.GradientTransformationExtraArgs:
    """Give the rule ``w -= eta * (lambd * w + g)``; after step ``t``, from 1,
    ``eta = lr / (1 + lambd * lr * t) ** alpha``, and ``ax`` goes on to ``w`` by
    ``mu = 1 / max(1, t - t0)`` of the way.

    Args:
        lambd: See above.
        alpha: See above.
        t0: See above.
    """

    def init(params: Any) -> dict[str, Any]:
        def scalars(value: float) -> list[jax.Array]:
            return [jnp.full((), value, jnp.float32) for _ in params]

        ax = [jnp.zeros_like(param) for param in params]
        return {"mu": scalars(1.0), "eta": scalars(0.0), "ax": ax}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, step: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        count = step.reshape(()).astype(jnp.float32) + 1
        changes, new = [], {"mu": [], "eta": [], "ax": []}
        for rate, g, mu, eta, ax, param in zip(
            lr, grads, state["mu"], state["eta"], state["ax"], params, strict=True
        ):
            eta = jnp.where(count == 1, rate, eta)
            value = param * (1 - lambd * eta) - eta * g
            changes.append(value - param)
            new["ax"].append(jnp.where(mu == 1, value, ax + (value - ax) * mu))
            new["eta"].append(rate / (1 + lambd * rate * count) ** alpha)
            new["mu"].append(1 / jnp.maximum(1.0, count - t0))
        return changes, new

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class ASGD(Optimizer):
    """Averaged stochastic gradient descent.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        lambd: float, the decay.
        alpha: float, the power by which the rate falls.
        t0: float, the step from which on the mean is more than the last weights.
        weight_decay: As for ``Optimizer``.

    Inputs: gradients, a tuple or list of Tensor. Output: True.

    Raises:
        TypeError: For arguments of other types.

    State: ``mu_*`` (1), ``eta_*`` (0), ``ax_.*`` (0), the mean of the weights.
    """

    _takes_lists = True
    _state_labels = {"mu": "mu_{}", "eta": "eta_{}", "ax": "ax_.{}"}

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = of_type("ASGD", "lambd", lambd, float)
        self.alpha = of_type("ASGD", "alpha", alpha, float)
        self.t0 = of_type("ASGD", "t0", t0, float)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return asgd(self.lambd, self.alpha, self.t0)
