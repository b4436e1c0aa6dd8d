"""ASGD with ``param_groups``."""

from __future__ import annotations

from typing import Any

from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._checks import of_type
from msgrad.nn._hyper import AboveZero, FromZero, hyperparameters
from msgrad.nn.optim._rule import Rule, Slot
from msgrad.nn.optim.asgd import asgd

__all__ = ["ASGD"]


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
