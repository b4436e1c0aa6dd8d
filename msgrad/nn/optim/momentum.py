"""Momentum: gradient descent along an accumulated gradient."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentTypeError
from msgrad.common.parameter import ParameterTuple
from msgrad.nn._hyper import Exact, from_zero, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Momentum"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``a = momentum * a + g``; Nesterov's form steps along ``g + momentum * a``."""
    accum = grad + own.momentum * slots["moments"]
    way = grad + own.momentum * accum if own.use_nesterov else accum
    return -(own.lr * way), {"moments": accum}


class Momentum(Optimizer):
    """Gradient descent with momentum.


    Raises:
        TypeError: For arguments of other types.
        ValueError: For negative numbers.

    State: ``moments.*`` (0).

    Differs from MindSpore: ``use_nesterov`` works; MindSpore 2.10 ignores it on CPU.
    """

    _hyper_names = ("momentum",)
    _rule = Rule(_change, (Slot("moments"),))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: Exact,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        from_zero("Momentum", "momentum", momentum)
        if not isinstance(use_nesterov, bool):
            raise ArgumentTypeError(
                f"The input value must be a bool, but got {type(use_nesterov).__name__}."
            )

    @property
    def params(self) -> ParameterTuple:
        """The parameters."""
        return self.parameters
