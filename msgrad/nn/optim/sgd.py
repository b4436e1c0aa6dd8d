"""SGD, with momentum, dampening and Nesterov's form."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentValueError
from msgrad.nn._hyper import Damping, Flag, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["SGD"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``a = momentum * a + (1 - dampening) * g``, the first ``a`` being ``g``, ``w -= lr * a``.

    Nesterov's form steps along ``g + momentum * a``; without momentum a step is along ``g``.
    """
    if not own.moving:
        return -(own.lr * grad), {}
    fresh = slots["stat"]
    if own.dampening:
        # `stat` is 1 until the first step was made.
        grad = grad * jnp.where(fresh > 0, 1.0, 1.0 - own.dampening).astype(grad.dtype)
    accum = grad + own.momentum * slots["accum"]
    way = grad + own.momentum * accum if own.nesterov else accum
    return -(own.lr * way), {"accum": accum, "stat": jnp.zeros_like(fresh)}


class SGD(Optimizer):
    """Stochastic gradient descent.

    Args:
        momentum: 0 or more.
        dampening: 0 or more; the share of a gradient that is kept out of the accumulated one.
        weight_decay: A number; see ``Optimizer``.
        nesterov: Whether to use Nesterov's form; needs a momentum and no dampening.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For negative numbers, or ``nesterov`` without momentum or with dampening.

    State: ``accum.*`` (0) and ``stat.*`` (1 until the first step with momentum, then 0).
    """

    _dynamic_decay = False
    _integer_gradients = False
    _hyper_names = ("momentum",)
    _rule = Rule(_change, (Slot("accum"), Slot("stat", 1.0)))
    _moving: tuple[int, bool] = (-1, False)

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: Damping = 0.0,
        dampening: Damping = 0.0,
        weight_decay: float = 0.0,
        nesterov: Flag = False,
        loss_scale: float = 1.0,
    ) -> None:
        if nesterov and (momentum == 0 or dampening != 0):
            raise ArgumentValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {momentum}, 'dampening' {dampening}."
            )

    def _own(self) -> tuple[tuple[str, Any], ...]:
        version, moving = self._moving
        raw = concrete(self.momentum._read())
        if self.momentum._writes() != version and not is_tracer(raw):
            moving = bool(raw > 0)
            self._moving = (self.momentum._writes(), moving)
        return (*super()._own(), ("moving", moving))
