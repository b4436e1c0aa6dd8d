"""FTRL: follow the regularized leader, with L1 and L2."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax.numpy as jnp
import optax

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.nn.optim._rounding import unfused
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["FTRL"]


@functools.cache
def ftrl(accum: float, power: float, l1: float, l2: float) -> optax.GradientTransformationExtraArgs:
    """Give the rule, with ``p = -power`` and ``s`` the sum of squared gradients::

        z += g - (s_new**p - s**p) / lr * w
        w = (sign(z) * l1 - z) / (s_new**p / lr + 2 * l2) if |z| > l1 else 0

    Args:
        accum: What ``s`` begins with.
        power: 0 or less.
        l1: See above.
        l2: See above.
    """

    def raised(total: Any) -> Any:
        return jnp.sqrt(total) if power == -0.5 else jnp.power(total, -power)

    def init(params: Any) -> dict[str, Any]:
        return {
            "moments": [jnp.full_like(param, accum) for param in params],
            "linear": [jnp.zeros_like(param) for param in params],
        }

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        sums = [total + g * g for g, total in zip(grads, state["moments"], strict=True)]
        changes, linear = [], []
        for rate, g, total, old, z, param in zip(
            lr, grads, sums, state["moments"], state["linear"], params, strict=True
        ):
            z = z + g - unfused((raised(total) - raised(old)) / rate * param)
            value = (jnp.sign(z) * l1 - z) / (raised(total) / rate + 2 * l2)
            changes.append(jnp.where(jnp.abs(z) > l1, value, 0) - param)
            linear.append(z)
        return changes, {"moments": sums, "linear": linear}

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class FTRL(Optimizer):
    """Follow the regularized leader.

    Args:
        params: As for ``Optimizer``; groups without ``lr``.
        initial_accum: float, 0 or more, what the sums of squares begin with.
        learning_rate: float.
        lr_power: float, 0 or less; the power of the sums that the rate is divided by, negative.
        l1: float, 0 or more.
        l2: float, 0 or more.
        use_locking: Accepted for compatibility.
        loss_scale: As for ``Optimizer``.
        weight_decay: As for ``Optimizer``, but of every parameter.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range, or a learning rate that is not one number.

    State: ``moments.*`` (``initial_accum``), ``linear.*`` (0).

    Differs from MindSpore: ``l1`` shrinks the weights, as documented; 2.10's CPU kernel adds it
    with the wrong sign.
    """

    _dynamic_decay = False
    _spared = ()

    def __init__(
        self,
        params: Any,
        initial_accum: float = 0.1,
        learning_rate: Any = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ArgumentValueError(
                "For 'FTRL', dynamic learning rate and group learning rate are currently not "
                "supported in FTRL, they should all be false, but got dynamic learning rate "
                f"{self.dynamic_lr} and group learning rate {self.is_group_lr}."
            )
        self._first = _bounded("initial_accum", initial_accum)
        self.lr_power = -_bounded("lr_power", lr_power, -1)
        self.l1 = _bounded("l1", l1)
        self.l2 = _bounded("l2", l2)
        self.use_locking = of_type("FTRL", "use_locking", use_locking, bool)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return ftrl(self._first, self.lr_power, self.l1, self.l2)


def _bounded(name: str, value: float, sign: int = 1) -> float:
    of_type("FTRL", name, value, float)
    if not 0 <= value * sign < math.inf:
        raise ArgumentValueError(
            f"For 'FTRL', the argument '{name}' must {'>=' if sign > 0 else '<='} 0.0, but got "
            f"{value}."
        )
    return value * sign
