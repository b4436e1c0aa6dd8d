"""``TimeMonitor``: prints how long an epoch took."""

from __future__ import annotations

import time

from msgrad._core.errors import ArgumentTypeError
from msgrad.train.callback._callback import Callback, RunContext

__all__ = ["TimeMonitor"]


class TimeMonitor(Callback):
    """Print the time of each epoch and of a step on average.

    Args:
        data_size: Steps of an epoch; not needed, the dataset says how many.
        data_time: Whether to show also how long the steps waited for data.

    Raises:
        TypeError: If ``data_time`` is not a bool.
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False) -> None:
        super().__init__()
        if not isinstance(data_time, bool):
            raise ArgumentTypeError(
                f"The 'data_time' must be a bool, but got {type(data_time).__name__}."
            )
        self.data_size = data_size
        self.data_time = data_time
        self._epoch_start = self._step_end = time.perf_counter()
        self._waited = 0.0

    def epoch_begin(self, run_context: RunContext) -> None:
        """Start the clock."""
        self._epoch_start = self._step_end = time.perf_counter()
        self._waited = 0.0

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Note how long the data took."""
        self._waited += time.perf_counter() - self._step_end

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Note when the step was over."""
        self._step_end = time.perf_counter()

    def epoch_end(self, run_context: RunContext) -> None:
        """Print the times."""
        params = run_context.original_args()
        passed = (time.perf_counter() - self._epoch_start) * 1000
        mode = "Eval" if params.get("mode") == "eval" else "Train"
        steps = params.get("batch_num") or self.data_size or 1
        text = f"{mode} epoch time: {passed:5.3f} ms, per step time: {passed / steps:5.3f} ms"
        if self.data_time and mode == "Train":
            text += f" (data time: {self._waited * 1000:5.3f} ms)"
        print(text, flush=True)
