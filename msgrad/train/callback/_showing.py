"""Callbacks that show, or keep, how a run goes."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.train.callback._callback import Callback, RunContext, _handle_loss, an_int, mean_loss

__all__ = ["History", "LossMonitor", "TimeMonitor"]


class History(Callback):
    """Keep, for each epoch, its number (``epoch``) and its loss and metrics (``history``)."""

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}
        self.epoch: dict[str, list[int]] = {"epoch": []}

    def begin(self, run_context: RunContext) -> None:
        """Start counting epochs anew; ``history`` goes on, as in MindSpore."""
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context: RunContext) -> None:
        """Note the epoch: ``net_output``, the mean loss of its last step, and the metrics."""
        params = run_context.original_args()
        self.epoch["epoch"].append(params.get("cur_epoch_num", 1))
        self.history.setdefault("net_output", []).append(mean_loss(params.get("net_outputs")))
        for name, value in (params.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)


class LossMonitor(Callback):
    """Print the loss every few steps, and in ``fit`` the metrics.

    Args:
        per_print_times: int, steps from one line to the next; 0 prints none.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is below 0; in training, if a loss is NaN or infinite.
    """

    def __init__(self, per_print_times: int = 1) -> None:
        super().__init__()
        self._per_print_times = an_int(per_print_times)
        self._last_print_time = 0

    def step_end(self, run_context: RunContext) -> None:
        """Print the loss of the step.

        Raises:
            ValueError: If the loss is NaN or infinite, and all that the step returned. Beside
                flags, as of a loss scale, it may be so in a step that changed nothing.
        """
        params = run_context.original_args()
        loss = _handle_loss(params.net_outputs)
        step, batches = params.cur_step_num, params.batch_num
        epoch = params.get("cur_epoch_num", (step - 1) // batches + 1)
        place = f"epoch: {epoch} step: {(step - 1) % batches + 1}"
        if isinstance(loss, float) and not np.isfinite(loss):
            raise ArgumentValueError(
                f"In {place}, loss is NAN or INF, training process cannot continue, terminating "
                "training."
            )
        if step <= self._last_print_time:
            self._last_print_time = 0
        if self._per_print_times and step - self._last_print_time >= self._per_print_times:
            self._last_print_time = step
            print(f"{place}, loss is {loss}", flush=True)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Print the metrics where an evaluation came before."""
        params = run_context.original_args()
        metrics = params.get("metrics")
        if metrics:
            # NumPy 2 would show `np.float64(0.5)`.
            shown = {n: v.item() if isinstance(v, np.generic) else v for n, v in metrics.items()}
            print(f"Eval result: epoch {params.cur_epoch_num}, metrics: {shown}", flush=True)


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
        if self.data_time:
            text += f" (data time: {self._waited * 1000:5.3f} ms)"
        print(text, flush=True)
