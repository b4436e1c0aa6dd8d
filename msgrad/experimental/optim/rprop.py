"""Rprop with ``param_groups``."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.experimental.optim.optimizer import Optimizer
from msgrad.nn._hyper import AboveZero, hyperparameters
from msgrad.nn.optim._rule import Rule, Slot
from msgrad.nn.optim.rprop import rprop

__all__ = ["Rprop"]


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
        if not 0 < etas[0] < 1:
            raise ArgumentValueError(
                f"For Rprop, the etas[0] must be between 0.0 and 1.0, but got {etas[0]}."
            )
