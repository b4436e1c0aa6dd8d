"""``ReduceLROnPlateau``: lowers the learning rate of a training that no longer improves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.train.callback._callback import RunContext, an_int
from msgrad.train.callback._monitored import Monitored

__all__ = ["ReduceLROnPlateau"]


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
