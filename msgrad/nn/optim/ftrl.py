"""FTRL: follow the regularized leader, with L1 and L2."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.nn._hyper import Exact, Flag, hyperparameters
from msgrad.nn.optim import _groups
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, unfused
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["FTRL"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """With ``p = -lr_power`` and ``s`` the sum of squared gradients::

    z += g - (s_new**p - s**p) / lr * w
    w = (sign(z) * l1 - z) / (s_new**p / lr + 2 * l2) if |z| > l1 else 0
    """

    def raised(total: Array) -> Array:
        return jnp.sqrt(total) if own.lr_power == -0.5 else jnp.power(total, -own.lr_power)

    old = slots["moments"]
    total = old + grad * grad
    z = slots["linear"] + grad - unfused((raised(total) - raised(old)) / own.lr * param)
    value = (jnp.sign(z) * own.l1 - z) / (raised(total) / own.lr + 2 * own.l2)
    change = jnp.where(jnp.abs(z) > own.l1, value, 0) - param
    return change, {"moments": total, "linear": z}


class FTRL(Optimizer):
    """Follow the regularized leader.

    Args:
        params: As for ``Optimizer``; groups without ``lr``.
        initial_accum: float, 0 or more, what the sums of squares begin with.
        learning_rate: float.
        lr_power: float, 0 or less; the power of the sums that the rate is divided by, negative.
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
    _rule = Rule(_change, (Slot("moments", "initial_accum"), Slot("linear")))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        initial_accum: Exact = 0.1,
        learning_rate: Any = 0.001,
        lr_power: Exact = -0.5,
        l1: Exact = 0.0,
        l2: Exact = 0.0,
        use_locking: Flag = False,
        loss_scale: float = 1.0,
        weight_decay: float = 0.0,
    ) -> None:
        if isinstance(learning_rate, (int, float)):
            of_type("FTRL", "learning_rate", learning_rate, float)
            if learning_rate == 0:
                raise ArgumentValueError(
                    "For 'FTRL', the 'learning_rate' must be float and must > 0, but got "
                    f"'{learning_rate}' with type 'float'."
                )
        given = {"initial_accum": initial_accum, "lr_power": -lr_power, "l1": l1, "l2": l2}
        for name, value in given.items():
            if not 0 <= value < math.inf:
                sign, value = ("<=", -value) if name == "lr_power" else (">=", value)
                raise ArgumentValueError(
                    f"For 'FTRL', the argument '{name}' must {sign} 0.0, but got {value}."
                )

    def _add_rates(self, given: _groups.Settings) -> None:
        super()._add_rates(given)
        if self.dynamic_lr or self.is_group_lr:
            raise ArgumentValueError(
                "For 'FTRL', dynamic learning rate and group learning rate are currently not "
                "supported in FTRL, they should all be false, but got dynamic learning rate "
                f"{self.dynamic_lr} and group learning rate {self.is_group_lr}."
            )
