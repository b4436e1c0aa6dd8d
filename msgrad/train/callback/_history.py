"""``History``: keeps the outputs and metrics of each epoch."""

from __future__ import annotations

from typing import Any

from msgrad.train.callback._callback import Callback, RunContext, mean_loss

__all__ = ["History"]


class History(Callback):
    """Keep, for each epoch, its number (``epoch``) and its loss and metrics (``history``)."""

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}
        self.epoch: dict[str, list[int]] = {"epoch": []}

    def begin(self, run_context: RunContext) -> None:
        """Start anew."""
        self.epoch = {"epoch": []}
        self.history = {}

    def epoch_end(self, run_context: RunContext) -> None:
        """Note the epoch: ``net_output``, the mean loss of its last step, and the metrics."""
        params = run_context.original_args()
        self.epoch["epoch"].append(params.get("cur_epoch_num", 1))
        self.history.setdefault("net_output", []).append(mean_loss(params.get("net_outputs")))
        for name, value in (params.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)
