"""SGD with momentum, dampening and Nesterov's form, and ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._checks import at_least_zero, of_type
from msgrad.nn._hyper import Flag, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots

__all__ = ["SGD"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
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

    _rule = Rule(_change, (Slot("accum"), Slot("stat", 1.0)))

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
