"""``EarlyStopping`` and ``ReduceLROnPlateau``, which watch a metric or the loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from msgrad import log
from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.train.callback._callback import Callback, RunContext, a_bool, an_int, mean_loss

__all__ = ["EarlyStopping", "ReduceLROnPlateau"]


# The names for which mode "auto" means that less is better; for every other, more is.
_LESS_IS_BETTER = (
    "eval_loss hausdorff_distance loss mae mean_surface_distance mse perplexity "
    "root_mean_square_distance"
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
        self._less = mode == "min" or (mode == "auto" and monitor in _LESS_IS_BETTER.split())
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


class EarlyStopping(Monitored):
    """Stop when the watched value has not improved for ``patience`` epochs.

    Args:
        monitor: ``'loss'``, ``'eval_loss'`` or the name of a metric of the Model.
        min_delta: float; smaller improvements do not count.
        patience: int, epochs to wait; 0 stops after the first epoch, as in MindSpore.
        verbose: Whether to print when it stops.
        mode: ``'min'``, ``'max'`` or ``'auto'`` (by the name: losses and errors are to fall).
        baseline: float; improvements that do not reach it do not end the wait.
        restore_best_weights: Whether the training network gets back its state of the best epoch:
            the weights, and what the optimizer keeps, with its step and its learning rate.

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
                weights = params.train_network.parameters_and_names()
                self._best_weights = {name: param.copy() for name, param in weights}
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = params.cur_epoch_num
            run_context.request_stop()
            self._restore(params.train_network)

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


class ReduceLROnPlateau(Monitored):
    """Multiply the learning rate by ``factor`` when the watched value has not improved.

    Args:
        monitor: ``'loss'``, ``'eval_loss'`` or the name of a metric of the Model.
        factor: float, above 0 and below 1.
        patience: int, epochs to wait.
        verbose: Whether to print each change.
        mode: ``'min'``, ``'max'`` or ``'auto'`` (by the name: losses and errors are to fall).
        min_delta: float; smaller improvements do not count.
        cooldown: int, epochs after a change that do not count.
        min_lr: float, the lowest learning rate.

    Raises:
        TypeError, ValueError: For arguments that are not accepted; ValueError also in training,
            where the optimizer's learning rate is a schedule or differs by group.
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        if not isinstance(factor, float):
            raise ArgumentTypeError(
                f"The input value must be 'float',  but got '{type(factor).__name__}'."
            )
        if not 0.0 < factor < 1.0:
            raise ArgumentValueError(
                f"The input value must be in range of (0.0, 1.0), but got {factor} with type "
                "'float'."
            )
        self.factor = factor
        self.cooldown = an_int(cooldown)
        self.min_lr = of_type(None, "min_lr", min_lr, float, int)
        super().__init__(monitor, patience, verbose, mode, min_delta)

    def _start(self) -> None:
        super()._start()
        self.cooldown_counter = 0

    def _counted(self) -> dict[str, Any]:
        return {**super()._counted(), "cooldown_counter": self.cooldown_counter}

    def _go_on(self, counted: Mapping[str, Any]) -> None:
        super()._go_on(counted)
        self.cooldown_counter = int(counted["cooldown_counter"])

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare the value with the best one, and lower the rate.

        Raises:
            ValueError: If the optimizer's learning rate is a schedule or differs by group.
        """
        params = run_context.original_args()
        rate = params.optimizer.learning_rate
        if not isinstance(rate, Parameter):
            raise ArgumentValueError(
                "ReduceLROnPlateau does not support dynamic learning rate and group learning rate "
                "now."
            )
        value = self._get_monitor_value(params)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best = value
            self.wait = 0
        elif self.cooldown_counter == 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(rate, params.cur_epoch_num)

    def _reduce(self, rate: Parameter, epoch: int) -> None:
        old = np.float32(rate.asnumpy())
        if old <= np.float32(self.min_lr):
            return
        new = max(old * np.float32(self.factor), np.float32(self.min_lr))
        rate.set_data(Tensor(new, mstype.float32))
        self.cooldown_counter = self.cooldown
        self.wait = 0
        if self.verbose:
            print(
                f"Epoch {epoch:05d}: ReduceLROnPlateau reducing learning rate to {new!s}.",
                flush=True,
            )
