"""Adadelta with ``param_groups``."""

from __future__ import annotations

from typing import Any

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, FromZero, Ratio, hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.adadelta import adadelta

__all__ = ["Adadelta"]


def _change(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    own.epsilon = own.eps
    return adadelta(own, grad, param, slots)


class Adadelta(Optimizer):
    """Adadelta.

    Args:
        rho: float in [0, 1], decay of both means of squares.
        eps: Number above 0, added under the roots.

    State: ``accum.*``, ``accum_update.*`` (0).
    """

    _rule = Rule(_change, (Slot("accum"), Slot("accum_update")))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        lr: AboveZero = 1.0,
        rho: Ratio = 0.9,
        eps: AboveZero = 1e-6,
        weight_decay: FromZero = 0.0,
        *,
        maximize: bool = False,
    ) -> None: ...
