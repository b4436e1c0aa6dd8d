"""ProximalAdagrad: Adagrad whose steps also shrink the weights, by L1 and L2."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import optax

from msgrad.nn._checks import of_type
from msgrad.nn.optim import _checks
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["ProximalAdagrad"]


@functools.cache
def proximal_adagrad(accum: float, l1: float, l2: float) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``w = sign(p) * max(|p| - e * l1, 0) / (1 + e * l2)`` with
    ``e = lr / sqrt(s)``, ``p = w - e * g``, ``s`` the sum of squared gradients.

    Args:
        accum: What ``s`` begins with.
        l1: See above.
        l2: See above.
    """

    def init(params: Any) -> dict[str, Any]:
        return {"accum": [jnp.full_like(param, accum) for param in params]}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        sums = [total + g * g for g, total in zip(grads, state["accum"], strict=True)]
        changes = []
        for rate, g, total, param in zip(lr, grads, sums, params, strict=True):
            length = rate / jnp.sqrt(total)
            near = param - length * g
            if l1:
                near = jnp.sign(near) * jnp.maximum(jnp.abs(near) - length * l1, 0)
            changes.append(near / (1 + length * l2) - param)
        return changes, {"accum": sums}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class ProximalAdagrad(Optimizer):
    """Adagrad with L1 and L2 regularization.

    Args:
        params: As for ``Optimizer``.
        accum: float, 0 or more, what the sums of squares begin with.
        learning_rate: As for ``Optimizer``.
        l1: float, 0 or more.
        l2: float, 0 or more.
        use_locking: Accepted for compatibility.
        loss_scale: As for ``Optimizer``.
        weight_decay: As for ``Optimizer``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``accum.*``.
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._first = _checks.a_float("ProximalAdagrad", "accum", accum)
        self.l1 = _checks.a_float("ProximalAdagrad", "l1", l1)
        self.l2 = _checks.a_float("ProximalAdagrad", "l2", l2)
        self.use_locking = of_type("ProximalAdagrad", "use_locking", use_locking, bool)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return proximal_adagrad(self._first, self.l1, self.l2)
