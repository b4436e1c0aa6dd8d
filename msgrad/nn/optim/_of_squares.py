"""Optimizers that divide by the root of squares of gradients, summed up or averaged."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentValueError
from msgrad.nn._hyper import Exact, Flag, NotNegative, Positive, Ratio, hyperparameters
from msgrad.nn.optim import _groups
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots, unfused
from msgrad.nn.optim.optimizer import Listing, Optimizer

__all__ = ["FTRL", "Adadelta", "Adagrad", "ProximalAdagrad", "RMSProp"]


def _adagrad(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``s += g * g``, ``w -= lr * g / sqrt(s)``."""
    total = slots["accum"] + grad * grad if own.update_slots else slots["accum"]
    return -(own.lr * grad / jnp.sqrt(total)), {"accum": total}


class Adagrad(Listing):
    """Adagrad.

    Args:
        update_slots: Whether the sums grow.

    State: ``accum.*``.

    Differs from MindSpore: ``update_slots=False`` works; MindSpore 2.10 ignores it on CPU.
    """

    _rule = Rule(_adagrad, (Slot("accum", "accum"),))

    params: Any
    accum: NotNegative = 0.1
    learning_rate: Any = 0.001
    update_slots: Flag = True
    loss_scale: float = 1.0
    weight_decay: Any = 0.0


def _proximal_adagrad(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w = sign(p) * max(|p| - e * l1, 0) / (1 + e * l2)`` with ``e = lr / sqrt(s)``,
    ``p = w - e * g``, ``s`` the sum of squared gradients.
    """
    total = slots["accum"] + grad * grad
    length = own.lr / jnp.sqrt(total)
    near = param - length * grad
    if own.l1:
        near = jnp.sign(near) * jnp.maximum(jnp.abs(near) - length * own.l1, 0)
    return near / (1 + length * own.l2) - param, {"accum": total}


class ProximalAdagrad(Listing):
    """Adagrad with L1 and L2 regularization.


    State: ``accum.*``.
    """

    _targets = ("CPU", "Ascend", "GPU")
    _by_rows = True
    _rule = Rule(_proximal_adagrad, (Slot("accum", "accum"),))

    params: Any
    accum: NotNegative = 0.1
    learning_rate: Any = 0.001
    l1: NotNegative = 0.0
    l2: NotNegative = 0.0
    use_locking: Flag = False
    loss_scale: float = 1.0
    weight_decay: Any = 0.0


def adadelta(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``d = sqrt(u + epsilon) / sqrt(s + epsilon) * g``, ``w -= lr * d``, with ``s`` and ``u`` the
    means of squared gradients and of squared ``d``.
    """
    size = own.rho * slots["accum"] + (1 - own.rho) * grad * grad
    way = jnp.sqrt(slots["accum_update"] + own.epsilon) / jnp.sqrt(size + own.epsilon) * grad
    made = own.rho * slots["accum_update"] + (1 - own.rho) * way * way
    return -(own.lr * way), {"accum": size, "accum_update": made}


class Adadelta(Listing):
    """Adadelta.

    Args:
        rho: float in [0, 1], decay of both means of squares.
        epsilon: float, 0 or more, added under the roots.

    State: ``accum.*``, ``accum_update.*`` (0).
    """

    _rule = Rule(adadelta, (Slot("accum"), Slot("accum_update")))

    params: Any
    learning_rate: Any = 1.0
    rho: Ratio = 0.9
    epsilon: NotNegative = 1e-6
    loss_scale: float = 1.0
    weight_decay: Any = 0.0


def _rmsprop(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``a = momentum * a + lr * g / sqrt(s + epsilon)``, ``w -= a``, ``s`` the mean of squares."""
    new = {"ms": slots["ms"] * own.decay + (1 - own.decay) * grad * grad}
    size = new["ms"]
    if own.centered:
        mean = new["mg"] = slots["mg"] * own.decay + (1 - own.decay) * grad
        # A variance, which rounding can leave below 0.
        size = jnp.maximum(size - mean * mean, 0)
    way = own.lr * grad / jnp.sqrt(size + own.epsilon)
    new["moment"] = slots["moment"] * own.momentum + way
    return -new["moment"], new


class RMSProp(Listing):
    """Steps along gradients over the root of the running mean of their squares.

    Differs from MindSpore: on a CPU it adds ``epsilon`` to the root instead, but for the last
    elements of a Parameter whose size is no multiple of 8, and where ``centered``.

    Args:
        decay: float, 0 or more, of the mean of squares, which begins with 1.
        epsilon: float above 0, added under the root.
        centered: Whether to divide by the root of the variance instead.

    State: with ``centered`` ``mean_grad.*`` (0); ``mean_square.*`` (1), ``moment.*`` (0).
    """

    _rule = Rule(
        _rmsprop,
        (
            Slot("mg", label="mean_grad.{}", when="centered"),
            Slot("ms", 1.0, label="mean_square.{}"),
            Slot("moment"),
        ),
    )

    params: Any
    learning_rate: Any = 0.1
    decay: NotNegative = 0.9
    momentum: NotNegative = 0.0
    epsilon: Positive = 1e-10
    use_locking: Flag = False
    centered: Flag = False
    loss_scale: float = 1.0
    weight_decay: Any = 0.0


def _ftrl(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
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

    _spared = ()
    _targets = ("CPU", "Ascend", "GPU")
    _by_rows = True
    _rule = Rule(_ftrl, (Slot("moments", "initial_accum"), Slot("linear")))

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
        weight_decay: Any = 0.0,
    ) -> None:
        if isinstance(learning_rate, (int, float)) and learning_rate >= 0:
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
