"""Callbacks made of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.train.callback._callback import Callback, RunContext

__all__ = ["LambdaCallback", "LearningRateScheduler"]


_Hook = Callable[[RunContext], Any] | None


class LambdaCallback(Callback):
    """Call the given functions, each with the ``RunContext``.

    Args:
        on_train_epoch_begin, ..., on_eval_end: Functions, or None.
    """

    def __init__(
        self,
        on_train_epoch_begin: _Hook = None,
        on_train_epoch_end: _Hook = None,
        on_train_step_begin: _Hook = None,
        on_train_step_end: _Hook = None,
        on_train_begin: _Hook = None,
        on_train_end: _Hook = None,
        on_eval_epoch_begin: _Hook = None,
        on_eval_epoch_end: _Hook = None,
        on_eval_step_begin: _Hook = None,
        on_eval_step_end: _Hook = None,
        on_eval_begin: _Hook = None,
        on_eval_end: _Hook = None,
    ) -> None:
        super().__init__()
        given = {name: hook for name, hook in locals().items() if name.startswith("on_")}
        for name, hook in given.items():
            setattr(self, name, _nothing if hook is None else hook)


# Found by its name, so that a callback of named functions can be pickled.
def _nothing(run_context: RunContext) -> None:
    return None


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
        if following is None:
            raise ArgumentTypeError(
                "must be real number, not NoneType: the learning_rate_function must return the rate"
            )
        if following != now:
            held.set_data(Tensor(following, mstype.float32))
