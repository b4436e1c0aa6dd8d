"""Optimizers with ``param_groups`` that step along a gradient, or by its sign."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import at_least_zero, of_type, within
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, Flag, FromZero, hyperparameters
from msgrad.nn.optim._descent import asgd, rprop
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots

__all__ = ["ASGD", "SGD", "Rprop"]


def _sgd(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    if not own.momentum:
        return -(own.lr * grad), {}
    # `stat` is 1 until the first step was made, whose gradient is taken whole.
    share = jnp.where(slots["stat"] > 0, 1.0, 1.0 - own.dampening).astype(grad.dtype)
    accum = slots["accum"] * own.momentum + share * grad
    way = grad + own.momentum * accum if own.nesterov else accum
    return -(own.lr * way), {"accum": accum, "stat": jnp.zeros_like(slots["stat"])}


class SGD(Optimizer):
    """Stochastic gradient descent.

    Args:
        lr: Number or Tensor, 0 or more.
        momentum: Number, 0 or more.
        weight_decay: Number, 0 or more.
        dampening: Number; the share of a gradient that is kept out of the accumulated one.
        nesterov: Whether to use Nesterov's form; needs a momentum and no dampening.

    State: ``accum.*`` (0), ``stat.*`` (1 until the first step with momentum, then 0).
    """

    _rule = Rule(_sgd, (Slot("accum"), Slot("stat", 1.0)))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: Any,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0.0,
        nesterov: Flag = False,
        *,
        maximize: Flag = False,
    ) -> None:
        if isinstance(lr, bool) or not (isinstance(lr, (float, int)) or is_tensor(lr)):
            raise ArgumentTypeError(
                "For 'SGD', the type of 'lr' should be one of '['float', 'int', 'Tensor']', but "
                f"got type '{type(lr).__name__}'."
            )
        if not lr >= 0:
            raise ArgumentValueError(f"Invalid learning rate: {lr}")
        of_type("SGD", "momentum", momentum, int, float)
        of_type("SGD", "dampening", dampening, int, float)
        if not momentum >= 0:
            raise ArgumentValueError(f"Invalid momentum value: {momentum}")
        of_type("Optimizer", "weight_decay", weight_decay, int, float, bool)
        at_least_zero("SGD", "weight_decay", float(weight_decay))
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ArgumentValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {float(momentum)}, 'dampening' {dampening}."
            )

    def _begin(self, given: dict[str, Any]) -> None:
        numbers = {name: float(given[name]) for name in ("momentum", "weight_decay")}
        super()._begin({**given, **numbers, "grad_centralization": False})


class ASGD(Optimizer):
    """Averaged stochastic gradient descent; ``ax`` is the mean of the weights.

    Args:
        lambd: float, the decay.
        alpha: Number, the power by which the rate falls.
        t0: float, the step from which on the mean is more than the last weights.

    State: ``ax.*``, ``step_t`` (0).
    """

    _rule = Rule(asgd, (Slot("eta", scalar=True), Slot("mu", 1.0, scalar=True), Slot("ax")))
    _step_label = "step_t"

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: AboveZero = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: FromZero = 0.0,
        maximize: bool = False,
    ) -> None:
        for name, value in (("lambd", lambd), ("t0", t0)):
            of_type("ASGD", name, value, float)


class Rprop(Optimizer):
    """Resilient backpropagation.

    Args:
        lr: Number or Tensor above 0, the size of the first step.
        etas: tuple of a number in (0, 1) and one above 1: the factors of a step where the sign of
            the gradient has turned, and where it has not.
        step_sizes: tuple of two numbers: the smallest and the largest step.

    State: ``prev.*``, ``step_size.*``, ``step_t`` (0).

    Differs from MindSpore: ``step_sizes`` that are not a pair are refused when they are given.
    """

    _rule = Rule(rprop, (Slot("prev"), Slot("step_size")))
    _step_label = "step_t"

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: AboveZero = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ) -> None:
        for name, pair in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ArgumentTypeError(
                    f"For Rprop, the {name} must be a pair of numbers, but got {pair}."
                )
        if etas[1] <= 1:
            raise ArgumentValueError(
                f"For Rprop, the etas[1] must be greater than 1.0, but got {etas[1]}."
            )
        within("Rprop", "etas[0]", etas[0], "(0, 1)")
