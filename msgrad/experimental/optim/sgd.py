"""SGD with momentum, dampening and Nesterov's form, and ``param_groups``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.experimental.optim._step import Rule, Slot, Slots
from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._checks import at_least_zero, of_type

__all__ = ["SGD"]


def _change(
    grad: jax.Array, param: jax.Array, slots: Slots, lr: jax.Array, step: jax.Array, own: Any
) -> tuple[jax.Array, Slots]:
    if not own.momentum:
        return -lr * grad, slots
    # `stat` is 1 until the first step was made, whose gradient is taken whole.
    share = jnp.where(slots["stat"] > 0, 1.0, 1.0 - own.dampening).astype(grad.dtype)
    accum = slots["accum"] * own.momentum + share * grad
    way = grad + own.momentum * accum if own.nesterov else accum
    return -lr * way, {"accum": accum, "stat": jnp.zeros_like(slots["stat"])}


class SGD(Optimizer):
    """Stochastic gradient descent.

    Args:
        params: As for ``Optimizer``.
        lr: Number or Tensor, 0 or more.
        momentum: Number, 0 or more.
        dampening: Number; the share of a gradient that is kept out of the accumulated one.
        weight_decay: Number, 0 or more.
        nesterov: Whether to use Nesterov's form; needs a momentum and no dampening.
        maximize: Whether to climb.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.

    State: ``accum.*`` (0), ``stat.*`` (1 until the first step with momentum, then 0).
    """

    _rule = Rule(_change, (Slot("accum"), Slot("stat", 1.0)))

    def __init__(
        self,
        params: Any,
        lr: Any,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
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
        if not isinstance(weight_decay, (int, float)):
            raise ArgumentTypeError(
                "For 'Optimizer', the argument 'Weight_decay' must be int or float.but got "
                f"{type(weight_decay)}"
            )
        at_least_zero("SGD", "weight_decay", float(weight_decay))
        of_type("SGD", "nesterov", nesterov, bool)
        of_type("SGD", "maximize", maximize, bool)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ArgumentValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {float(momentum)}, 'dampening' {dampening}."
            )
        defaults = {
            "lr": lr,
            "momentum": float(momentum),
            "dampening": dampening,
            "weight_decay": float(weight_decay),
            "nesterov": nesterov,
            "maximize": maximize,
            "grad_centralization": False,
        }
        super().__init__(params, defaults)
