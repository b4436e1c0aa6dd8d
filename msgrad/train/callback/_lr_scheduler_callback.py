"""``LearningRateScheduler``: sets the learning rate after each step by a function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.train.callback._callback import Callback, RunContext

__all__ = ["LearningRateScheduler"]


class LearningRateScheduler(Callback):
    """After each step, set the learning rate to ``learning_rate_function(rate, step)``.

    Args:
        learning_rate_function: Called with the present rate (float, to eight decimals, as in
            MindSpore) and the number of steps done; gives the next rate.
    """

    def __init__(self, learning_rate_function: Callable[[float, int], float]) -> None:
        super().__init__()
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: RunContext) -> None:
        """Set the rate."""
        params = run_context.original_args()
        held = params.optimizer.learning_rate
        now = float(np.array2string(held.asnumpy()))
        following = self.learning_rate_function(now, params.cur_step_num)
        if following != now:
            held.set_data(Tensor(following, mstype.float32))
