"""``LearningRateSchedule``, the base of learning rates that are computed from the step."""

from __future__ import annotations

from typing import Any

from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell

__all__ = ["LearningRateSchedule"]


class LearningRateSchedule(Cell):
    """Base of schedules; a subclass computes the rate in ``construct(global_step)``.

    Inputs: global_step, int32 Tensor (1,), 0 in the first step. Output: a Tensor of one number.
    """

    def construct(self, global_step: Tensor) -> Any:
        """Compute the learning rate; to be defined by the subclass."""
        raise NotImplementedError(
            f"{type(self).__name__} must define construct(self, global_step), which gives the "
            "learning rate of a step."
        )
