"""``DSCallback`` and ``WaitedDSCallback``: what a ``map`` tells of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgrad._core.errors import EngineError
from msgrad.dataset._arguments import an_int
from msgrad.train.callback import Callback, RunContext

__all__ = ["DSCallback", "WaitedDSCallback"]


@dataclass(frozen=True)
class CallbackParam:
    """Where a ``map`` is: epoch, row in it and row of all, each from 1; 0 before the first."""

    cur_epoch_num: int
    cur_step_num_in_epoch: int
    cur_step_num: int


class DSCallback:
    """Base of what a ``map`` calls; a subclass defines some of the events.

    Args:
        step_size: int, how many rows a step is.

    Raises:
        TypeError, ValueError: If ``step_size`` is no int above 0.
    """

    def __init__(self, step_size: int = 1) -> None:
        self.step_size = an_int("step_size", step_size, 1)

    def ds_begin(self, ds_run_context: CallbackParam) -> None:
        """Before the first row of an iterator."""

    def ds_epoch_begin(self, ds_run_context: CallbackParam) -> None:
        """Before the first row of each epoch."""

    def ds_epoch_end(self, ds_run_context: CallbackParam) -> None:
        """After the last row of each epoch."""

    def ds_step_begin(self, ds_run_context: CallbackParam) -> None:
        """Before the first row of each step."""

    def ds_step_end(self, ds_run_context: CallbackParam) -> None:
        """After the first row of each step."""

    def _events(self) -> list[str]:
        """Return the events that a subclass defines."""
        return [name for name in _EVENTS if getattr(type(self), name) is not getattr(_BASE, name)]


_BASE = DSCallback
_EVENTS = [name for name in vars(DSCallback) if name.startswith("ds_")]


class WaitedDSCallback(Callback, DSCallback):
    """Base of what a ``map`` calls when training has done the step, or the epoch, before.

    Give it to ``map`` and to the training as well. The first step and the first epoch are not told.
    """

    def __init__(self, step_size: int = 1) -> None:
        DSCallback.__init__(self, step_size)
        self._trained: dict[str, RunContext] = {}

    def sync_epoch_begin(self, train_run_context: RunContext, ds_run_context: Any) -> None:
        """Before the first row of an epoch, the last step of training being done."""

    def sync_step_begin(self, train_run_context: RunContext, ds_run_context: Any) -> None:
        """Before the first row of a step, the step of training before it being done."""

    def epoch_end(self, run_context: RunContext) -> None:
        """Note that an epoch of training is done."""
        self._trained["epoch"] = run_context

    def step_end(self, run_context: RunContext) -> None:
        """Note that a step of training is done."""
        self._trained["step"] = run_context

    def ds_epoch_begin(self, ds_run_context: CallbackParam) -> None:
        """Call ``sync_epoch_begin``, but for the first epoch."""
        if ds_run_context.cur_epoch_num > 1:
            self.sync_epoch_begin(self._of("epoch"), ds_run_context)

    def ds_step_begin(self, ds_run_context: CallbackParam) -> None:
        """Call ``sync_step_begin``, but for the first step."""
        if ds_run_context.cur_step_num > self.step_size:
            self.sync_step_begin(self._of("step"), ds_run_context)

    def _of(self, what: str) -> RunContext:
        # Rows are made by whoever asks for them: there is nobody to wait for.
        if what not in self._trained:
            raise EngineError(
                f"ds_{what}_begin timed out: no {what} of training has ended. Give this callback "
                "to the training too."
            )
        return self._trained.pop(what)

    def _events(self) -> list[str]:
        own = super()._events()
        for what in ("epoch", "step"):
            both = f"ds_{what}_begin", f"sync_{what}_begin"
            if all(getattr(type(self), x) is getattr(WaitedDSCallback, x) for x in both):
                own.remove(both[0])
        return own
