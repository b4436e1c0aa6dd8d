"""Momentum: gradient descent along an accumulated gradient."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import optax

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter, ParameterTuple
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.optim._step import descend
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Momentum"]


@functools.cache
def accumulated(nesterov: bool) -> optax.GradientTransformationExtraArgs:
    """Give the rule: ``a = momentum * a + g``.

    Args:
        nesterov: Step along ``g + momentum * a`` instead of ``a``.
    """

    def init(params: Any) -> dict[str, Any]:
        return {"moments": [jnp.zeros_like(param) for param in params]}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, momentum: jax.Array, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        trace = optax.trace(momentum, nesterov)
        ways, new = trace.update(grads, optax.TraceState(state["moments"]))
        return descend(ways, lr), {"moments": new.trace}  # pyright: ignore

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class Momentum(Optimizer):
    """Gradient descent with momentum.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``.
        momentum: float, 0 or more.
        weight_decay: As for ``Optimizer``.
        loss_scale: As for ``Optimizer``.
        use_nesterov: Whether to use Nesterov's form.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For negative numbers.

    State: ``moments.*`` (0).

    Differs from MindSpore: ``use_nesterov`` works; MindSpore 2.10 ignores it on CPU.
    """

    _hyper_names = ("momentum",)

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: float,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        of_type("Momentum", "momentum", momentum, float)
        if momentum < 0:
            raise ArgumentValueError(
                f"For 'Momentum', the argument 'momentum' must be at least 0.0, but got {momentum}"
            )
        if not isinstance(use_nesterov, bool):
            raise ArgumentTypeError(
                f"The input value must be a bool, but got {type(use_nesterov).__name__}."
            )
        self.use_nesterov = use_nesterov
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self._add_state(self._rule())

    @property
    def params(self) -> ParameterTuple:
        """The parameters."""
        return self.parameters

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return accumulated(self.use_nesterov)
