"""What ``EarlyStopping`` and ``ReduceLROnPlateau`` share: the value watched, and its comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from msgrad import log
from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.train.callback._callback import (
    Callback,
    RunContext,
    a_bool,
    an_int,
    mean_loss,
)

# The names for which mode "auto" means that less is better; for every other, more is.
_LESS_IS_BETTER = (
    "eval_loss",
    "hausdorff_distance",
    "loss",
    "mae",
    "mean_surface_distance",
    "mse",
    "perplexity",
    "root_mean_square_distance",
)


class Monitored(Callback):
    """Base of the callbacks that watch ``loss``, ``eval_loss`` or a metric at each epoch's end."""

    def __init__(
        self, monitor: str, patience: int, verbose: bool, mode: str, min_delta: float
    ) -> None:
        super().__init__()
        self.monitor = of_type(None, "monitor", monitor, str)
        self.patience = an_int(patience)
        self.verbose = a_bool(verbose)
        of_type(None, "mode", mode, str)
        if mode not in ("auto", "min", "max"):
            raise ArgumentValueError(f"mode should be 'auto', 'min' or 'max', but got {mode}.")
        self.mode = mode
        self.min_delta = abs(of_type(None, "min_delta", min_delta, float, int))
        self._less = mode == "min" or (mode == "auto" and monitor in _LESS_IS_BETTER)
        self._goes_on = False
        self._start()

    def _start(self) -> None:
        self.wait = 0
        self.best: Any = np.inf if self._less else -np.inf

    def is_improvement(self, value: Any, reference: Any) -> bool:
        """Whether a value is better than another one by more than ``min_delta``."""
        if self._less:
            return bool(value < reference - self.min_delta)
        return bool(value > reference + self.min_delta)

    def _get_monitor_value(self, params: Any) -> Any:
        if self.monitor == "loss":
            return mean_loss(params.get("net_outputs"))
        results = params.get("eval_results") or {}
        if self.monitor not in results:
            name = type(self).__name__
            log.warning(
                f"{name} watches '{self.monitor}', which this epoch does not have; there are "
                f"{['loss', *results]}. Pass a valid_dataset and the metric to Model."
            )
            return None
        return results[self.monitor]

    def on_train_begin(self, run_context: RunContext) -> None:
        """Start anew, unless ``restore_callback_state`` was called."""
        if not self._goes_on:
            self._start()
        self._goes_on = False

    def _counted(self) -> dict[str, Any]:
        """Return what a checkpoint must hold: ints, floats and Tensors by name."""
        return {"wait": self.wait, "best": float(self.best)}

    def _go_on(self, counted: Mapping[str, Any]) -> None:
        """Restore what ``_counted`` returned, as Tensors."""
        self._start()
        self.wait, self.best = int(counted["wait"]), float(counted["best"])
        self._goes_on = True
