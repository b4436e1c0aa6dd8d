"""SGD, with momentum, dampening and Nesterov's form."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import optax

from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.optim._step import descend
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["SGD"]


@functools.cache
def sgd(moving: bool, dampening: float, nesterov: bool) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``a = momentum * a + (1 - dampening) * g``, the first ``a`` being ``g``.

    Args:
        moving: Whether the momentum is above 0; if not, the step is ``lr * g``.
        dampening: See above.
        nesterov: Step along ``g + momentum * a`` instead of ``a``.
    """

    def init(params: Any) -> dict[str, Any]:
        zeros, ones = ([fill(p) for p in params] for fill in (jnp.zeros_like, jnp.ones_like))
        return {"accum": zeros, "stat": ones}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, momentum: jax.Array, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        if not moving:
            return descend(grads, lr), state
        trace, old = optax.trace(momentum, nesterov), state["accum"]
        if dampening:
            # `stat` is 1 until the first step was made.
            damped = [
                g * jnp.where(fresh > 0, 1.0, 1.0 - dampening).astype(g.dtype)
                for g, fresh in zip(grads, state["stat"], strict=True)
            ]
            ways, new = trace.update(damped, optax.TraceState(old))
        else:
            ways, new = trace.update(grads, optax.TraceState(old))
        stat = [jnp.zeros_like(fresh) for fresh in state["stat"]]
        return descend(ways, lr), {"accum": new.trace, "stat": stat}  # pyright: ignore

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class SGD(Optimizer):
    """Stochastic gradient descent.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        momentum: 0 or more.
        dampening: 0 or more; the share of a gradient that is kept out of the accumulated one.
        weight_decay: A number; see ``Optimizer``.
        nesterov: Whether to use Nesterov's form; needs a momentum and no dampening.
        loss_scale: As for ``Optimizer``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For negative numbers, or ``nesterov`` without momentum or with dampening.

    State: ``accum.*`` (0) and ``stat.*`` (1 until the first step with momentum, then 0).
    """

    _dynamic_decay = False
    _integer_gradients = False
    _hyper_names = ("momentum",)

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum = float(momentum) if isinstance(momentum, int) else momentum
        if not isinstance(momentum, float):
            raise ArgumentTypeError(
                f"For 'SGD', the argument 'momentum' must be float type, but got {type(momentum)}."
            )
        if momentum < 0:
            raise ArgumentValueError(
                f"For 'SGD', the argument 'momentum' must be at least 0.0, but got {momentum}."
            )
        dampening = float(dampening) if isinstance(dampening, int) else dampening
        if not isinstance(dampening, float):
            raise ArgumentTypeError(
                f"For 'SGD', the argument 'dampening' must be float type, but got "
                f"{type(dampening)}."
            )
        if dampening < 0:
            raise ArgumentValueError(
                "For 'SGD', the argument 'dampening' must be at least 0.0, but got 'dampening' "
                f"{dampening}"
            )
        of_type("SGD", "nesterov", nesterov, bool)
        if nesterov and (momentum == 0 or dampening != 0):
            raise ArgumentValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        self.dampening = dampening
        self.nesterov = nesterov
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self._moving = (self.momentum._writes(), momentum > 0)
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        version, moving = self._moving
        raw = concrete(self.momentum._read())
        if self.momentum._writes() != version and not is_tracer(raw):
            moving = bool(raw > 0)
            self._moving = (self.momentum._writes(), moving)
        return sgd(moving, self.dampening, self.nesterov)
