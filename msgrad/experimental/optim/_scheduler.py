"""``LRScheduler``, the base of the schedulers of learning rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgrad._core.docstrings import Documented
from msgrad._core.errors import ArgumentTypeError, ParameterNameError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["LRScheduler"]


class LRScheduler(Documented):
    """Base of the schedulers; a subclass defines ``get_lr``, a rate for each group.

    Args:
        optimizer: An optimizer of ``experimental.optim``.
        last_epoch: int, the epoch that was the last; -1 to begin.

    Raises:
        TypeError: If ``optimizer`` is not one, or ``last_epoch`` is not an int.
        KeyError: If ``last_epoch`` is not -1 and the groups have no ``initial_lr``.

    Making a scheduler makes the first step: it sets the rates of epoch 0.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        of_optimizer(optimizer)
        if not isinstance(last_epoch, int) or isinstance(last_epoch, bool):
            raise ArgumentTypeError(
                f"Invalid type: {last_epoch} of type {type(last_epoch)} is not an int"
            )
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", Tensor(rate_of(group), mstype.float32))
            elif "initial_lr" not in group:
                raise ParameterNameError(
                    "param 'initial_lr' is not specified in param_groups when resuming an optimizer"
                )
        self.optimizer = optimizer
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = Parameter(
            Tensor(float(last_epoch), mstype.float32), name=f"last_epoch_{type(self).__name__}"
        )
        self._last_lr = [group["lr"] for group in optimizer.param_groups]
        self.groups_num = len(optimizer.param_groups)
        self.step()

    @property
    def _epoch(self) -> int:
        return int(self.last_epoch)

    @property
    def _base(self) -> list[float]:
        return [float(rate) for rate in self.base_lrs]

    @property
    def _rates(self) -> list[float]:
        return [rate_of(group) for group in self.optimizer.param_groups]

    def get_lr(self) -> Sequence[Any]:
        """Return the rates of ``last_epoch``; to be defined by the subclass."""
        raise NotImplementedError(
            f"{type(self).__name__} must define get_lr(self), which gives a rate for each group."
        )

    def get_last_lr(self) -> list[Any]:
        """Return the rates that the last step has set, as Tensors."""
        return [Tensor(float(rate), mstype.float32) for rate in self._last_lr]

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, or to ``epoch``, and set its rates."""
        self._go(float(self.last_epoch) + 1 if epoch is None else epoch)
        self._set(self.get_lr() if epoch is None else self._get_closed_form_lr())

    def _get_closed_form_lr(self) -> Sequence[Any]:
        return self.get_lr()

    def _go(self, epoch: float) -> None:
        self.last_epoch.set_data(Tensor(float(epoch), mstype.float32))

    def _set(self, rates: Sequence[Any]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_rate(group, float(rate))
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


def of_optimizer(optimizer: Any) -> None:
    """Raise ``TypeError`` unless it is an optimizer of ``experimental.optim``."""
    if not isinstance(optimizer, Optimizer):
        raise ArgumentTypeError(f"{type(optimizer).__name__} is not an Optimizer")


def set_rate(group: dict[str, Any], rate: float) -> None:
    """Set the learning rate of a group."""
    group["lr"].set_data(Tensor(rate, mstype.float32))


def rate_of(group: dict[str, Any]) -> float:
    """Return the learning rate of a group."""
    return float(group["lr"])
