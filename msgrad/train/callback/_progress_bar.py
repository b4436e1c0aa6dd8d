"""``ProgressBar``: shows a training as a bar on the terminal; MindSpore has no such callback."""

from __future__ import annotations

import sys
from typing import Any

from msgrad.train.callback._callback import Callback, RunContext, mean_loss

__all__ = ["ProgressBar"]


class ProgressBar(Callback):
    """Show steps, speed and loss as a bar, where standard error is a terminal; else do nothing.

    Needs the ``tqdm`` package where it shows one.

    Raises:
        ImportError: In training on a terminal, without ``tqdm``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._bar: Any = None

    def on_train_begin(self, run_context: RunContext) -> None:
        """Open the bar."""
        if not sys.stderr.isatty():
            return
        from tqdm import tqdm

        params = run_context.original_args()
        self._bar = tqdm(total=params.epoch_num * params.batch_num, desc="training", unit="step")

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Move on by a step."""
        if self._bar is not None:
            params = run_context.original_args()
            loss = mean_loss(params.net_outputs)
            self._bar.set_postfix(epoch=params.cur_epoch_num, loss=f"{float(loss or 0):.4f}")
            self._bar.update()

    def __exit__(self, *error: Any) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
