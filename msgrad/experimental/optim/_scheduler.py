"""``LRScheduler``, the base of the schedulers of learning rates, and those that repeat."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.checks import at_least, of_type
from msgrad._core.docstrings import Documented
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, ParameterNameError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["CosineAnnealingWarmRestarts", "CyclicLR", "LRScheduler"]


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
        of_type(None, "last_epoch", last_epoch, int)
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
        """Return the rates of ``last_epoch``, as the subclass defines them."""
        raise NotImplementedError(
            f"{type(self).__name__} must define get_lr(self), which gives a rate for each group."
        )

    def get_last_lr(self) -> list[Any]:
        """Return the rates that the last step has set, as Tensors."""
        return [Tensor(float(rate), mstype.float32) for rate in self._last_lr]

    def step(self, epoch: int | None = None) -> bool | None:
        """Go on to the next epoch, or to ``epoch``, and set its rates; returns True."""
        self._go(float(self.last_epoch) + 1 if epoch is None else epoch)
        self._set(self.get_lr() if epoch is None else self._get_closed_form_lr())
        return True

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


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half cosines from the first rates to ``eta_min``, each ``T_mult`` times as long as before.

    Args:
        T_0: int above 0, the epochs of the first one.
        T_mult: int, 1 or more.
        eta_min: Number.

    Raises:
        ValueError: For numbers outside their range.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ArgumentValueError(
                f"T_0 should be an integer and equal or greater than 0, but got {T_0}"
            )
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ArgumentValueError(
                f"T_mult should be an integer and equal or greater than 1, but got {T_mult}"
            )
        self.T_0, self.T_i, self.T_mult, self.eta_min = T_0, T_0, T_mult, eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self._base]

    def step(self, epoch: float | None = None) -> None:
        now = float(self.last_epoch) + 1 if epoch is None else epoch
        at_least("CosineAnnealingWarmRestarts", "epoch", now, 0)
        start, length = 0, self.T_0
        if self.T_mult == 1:
            start = now // length * length
        else:
            while now >= start + length:
                start, length = start + length, length * self.T_mult
        self.T_cur, self.T_i = now - start, length
        self._go(math.floor(now))
        self._set(self.get_lr())


class CyclicLR(LRScheduler):
    """Up from ``base_lr`` to ``max_lr`` and down again.

    Args:
        base_lr: Number, or a list of one for each group.
        max_lr: Number, or a list of one for each group.
        step_size_up: int, the steps up.
        step_size_down: int, the steps down; as many as up if None.
        mode: ``"triangular"``, ``"triangular2"`` (half as high each time) or ``"exp_range"``
            (``gamma ** step`` as high).
        gamma: Number.
        scale_fn: Function that says how high, instead of ``mode``.
        scale_mode: ``"cycle"`` or ``"iterations"``: what ``scale_fn`` is given.

    Raises:
        ValueError: For another mode, or lists of another length.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], Any] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
    ) -> None:
        of_optimizer(optimizer)
        lows = [*map(float, each(optimizer, "values for base_lr, got", base_lr))]
        if last_epoch == -1:
            for group, low in zip(optimizer.param_groups, lows, strict=True):
                set_rate(group, low)
                group.pop("initial_lr", None)
        self.max_lrs = [*map(float, each(optimizer, "values for max_lr, got", max_lr))]
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_up_ratio = step_size_up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ArgumentValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma = mode, gamma
        by_mode: dict[str, tuple[Callable[[float], Any], str]] = {
            "triangular": (lambda count: 1.0, "cycle"),
            "triangular2": (lambda count: 0.5 ** (count - 1), "cycle"),
            "exp_range": (lambda count: self.gamma**count, "iterations"),
        }
        self._scale, self.scale_mode = by_mode[mode] if scale_fn is None else (scale_fn, scale_mode)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lows

    def get_lr(self) -> list[float]:
        epoch = self._epoch
        cycle = math.floor(1 + epoch / self.total_size)
        place = 1.0 + epoch / self.total_size - cycle
        up = self.step_up_ratio
        height = place / up if place <= up else (place - 1) / (up - 1)
        scale = float(self._scale(cycle if self.scale_mode == "cycle" else epoch))
        pairs = zip(self._base, self.max_lrs, strict=True)
        return [low + (high - low) * height * scale for low, high in pairs]


def each(optimizer: Optimizer, what: str, value: Any) -> list[Any]:
    """Return one value for each group of an optimizer; raises ``ValueError`` for other lengths."""
    count = len(optimizer.param_groups)
    found = list(value) if isinstance(value, (list, tuple)) else [value] * count
    if len(found) != count:
        raise ArgumentValueError(f"Expected {count} {what} {len(found)}")
    return found
