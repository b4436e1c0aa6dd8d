"""``EarlyStopping``: ends a training that no longer improves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgrad.train.callback._callback import RunContext, a_bool
from msgrad.train.callback._monitored import Monitored

__all__ = ["EarlyStopping"]


class EarlyStopping(Monitored):
    """Stop when the watched value has not improved for ``patience`` epochs.

    Args:
        monitor: ``'loss'``, ``'eval_loss'`` or the name of a metric of the Model.
        min_delta: float; smaller improvements do not count.
        patience: int, epochs to wait; 0 stops after the first epoch, as in MindSpore.
        verbose: Whether to print when it stops.
        mode: ``'min'``, ``'max'`` or ``'auto'`` (by the name: losses and errors are to fall).
        baseline: float; improvements that do not reach it do not end the wait.
        restore_best_weights: Whether the network gets back its weights of the best epoch.

    Raises:
        TypeError, ValueError: For arguments that are not accepted.

    Differs from MindSpore: ``baseline`` is used as given; 2.10 takes 0 in its place. What was
    counted can be part of a checkpoint (see ``ModelCheckpoint``), so that a resumed training does
    not wait anew.
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ) -> None:
        self.baseline = baseline
        self.restore_best_weights = a_bool(restore_best_weights)
        super().__init__(monitor, patience, verbose, mode, min_delta)

    def _start(self) -> None:
        super()._start()
        self.stopped_epoch = 0
        self._best_weights: dict[str, Any] = {}

    def _counted(self) -> dict[str, Any]:
        best = {f"best_weights.{name}": value for name, value in self._best_weights.items()}
        return {**super()._counted(), "stopped_epoch": self.stopped_epoch, **best}

    def _go_on(self, counted: Mapping[str, Any]) -> None:
        super()._go_on(counted)
        self.stopped_epoch = int(counted["stopped_epoch"])
        self._best_weights = {
            name.removeprefix("best_weights."): value
            for name, value in counted.items()
            if name.startswith("best_weights.")
        }

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare the value with the best one, and stop."""
        params = run_context.original_args()
        value = self._get_monitor_value(params)
        if value is None:
            return
        self.wait += 1
        if self.is_improvement(value, self.best):
            self.best = value
            if self.restore_best_weights:
                weights = params.network.parameters_and_names()
                self._best_weights = {name: param.copy() for name, param in weights}
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = params.cur_epoch_num
            run_context.request_stop()
            self._restore(params.network)

    def _restore(self, network: Any) -> None:
        if not self._best_weights:
            return
        if self.verbose:
            print("Restoring model weights from the end of the best epoch.", flush=True)
        for name, param in network.parameters_and_names():
            param.set_data(self._best_weights[name])

    def on_train_end(self, run_context: RunContext) -> None:
        """Print when it stopped."""
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)
