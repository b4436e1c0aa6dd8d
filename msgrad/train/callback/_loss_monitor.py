"""``LossMonitor``: prints the loss, and stops a training whose loss is not finite."""

from __future__ import annotations

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.train.callback._callback import Callback, RunContext, an_int, mean_loss

__all__ = ["LossMonitor"]


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
            ValueError: If the loss is NaN or infinite.
        """
        params = run_context.original_args()
        loss = mean_loss(params.net_outputs)
        if loss is None:
            return
        step, batches = params.cur_step_num, params.batch_num
        epoch = params.get("cur_epoch_num", (step - 1) // batches + 1)
        place = f"epoch: {epoch} step: {(step - 1) % batches + 1}"
        if not np.isfinite(loss):
            raise ArgumentValueError(
                f"In {place}, loss is NAN or INF, training process cannot continue, terminating "
                "training."
            )
        if step <= self._last_print_time:
            self._last_print_time = 0
        if self._per_print_times and step - self._last_print_time >= self._per_print_times:
            self._last_print_time = step
            print(f"{place}, loss is {float(loss)}", flush=True)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Print the metrics where an evaluation came before."""
        params = run_context.original_args()
        metrics = params.get("metrics")
        if metrics:
            shown = {name: _plain(value) for name, value in metrics.items()}
            print(f"Eval result: epoch {params.cur_epoch_num}, metrics: {shown}", flush=True)


def _plain(value: object) -> object:
    # NumPy 2 would show `np.float64(0.5)`.
    return value.item() if isinstance(value, np.generic) else value
