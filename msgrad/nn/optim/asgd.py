"""ASGD: gradient descent with a falling rate, which also keeps the mean of the weights."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad.nn._hyper import Exact, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["ASGD"]


def asgd(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= eta * (lambd * w + g)``, then ``eta = lr / (1 + lambd * lr * step) ** alpha``.

    ``ax`` goes on to ``w`` by ``mu = 1 / max(1, step - t0)`` of the way.
    """
    mu, mean = slots["mu"], slots["ax"]
    eta = jnp.where(own.step == 1, own.lr, slots["eta"])
    value = param * (1 - own.lambd * eta) - eta * grad
    return value - param, {
        "ax": jnp.where(mu == 1, value, mean + (value - mean) * mu),
        "eta": own.lr / (1 + own.lambd * own.lr * own.step) ** own.alpha,
        "mu": 1 / jnp.maximum(1.0, own.step - own.t0),
    }


class ASGD(Optimizer):
    """Averaged stochastic gradient descent.

    Args:
        lambd: float, the decay.
        alpha: float, the power by which the rate falls.
        t0: float, the step from which on the mean is more than the last weights.

    Inputs: gradients, a tuple or list of Tensor. Output: True.

    Raises:
        TypeError: For arguments of other types.

    State: ``mu_*`` (1), ``eta_*`` (0), ``ax_.*`` (0), the mean of the weights.
    """

    _takes_lists = True
    _rule = Rule(
        asgd, (Slot("mu", 1.0, scalar=True), Slot("eta", scalar=True), Slot("ax", label="ax_.{}"))
    )

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        lambd: Exact = 1e-4,
        alpha: Exact = 0.75,
        t0: Exact = 1e6,
        weight_decay: Any = 0.0,
    ) -> None: ...
