"""The schedulers that repeat: ``CyclicLR`` and ``CosineAnnealingWarmRestarts``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from msgrad._core.errors import ArgumentValueError
from msgrad.experimental.optim._scheduler import LRScheduler, of_optimizer, set_rate
from msgrad.experimental.optim.optimizer import Optimizer

__all__ = ["CosineAnnealingWarmRestarts", "CyclicLR"]


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
        """Return the rates of ``last_epoch``."""
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self._base]

    def step(self, epoch: float | None = None) -> None:
        """Go on to the next epoch, or to ``epoch``, and set its rates."""
        now = float(self.last_epoch) + 1 if epoch is None else epoch
        if now < 0:
            raise ArgumentValueError(
                f"For 'CosineAnnealingWarmRestarts', 'epoch' must be 0 or more, but got {epoch}."
            )
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
        lows = _each(optimizer, "base_lr", base_lr)
        if last_epoch == -1:
            for group, low in zip(optimizer.param_groups, lows, strict=True):
                set_rate(group, low)
                group.pop("initial_lr", None)
        self.max_lrs = _each(optimizer, "max_lr", max_lr)
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
        """Return the rates of ``last_epoch``."""
        epoch = self._epoch
        cycle = math.floor(1 + epoch / self.total_size)
        place = 1.0 + epoch / self.total_size - cycle
        up = self.step_up_ratio
        height = place / up if place <= up else (place - 1) / (up - 1)
        scale = float(self._scale(cycle if self.scale_mode == "cycle" else epoch))
        pairs = zip(self._base, self.max_lrs, strict=True)
        return [low + (high - low) * height * scale for low, high in pairs]


def _each(optimizer: Optimizer, name: str, value: Any) -> list[float]:
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [float(value)] * count
    if len(value) != count:
        raise ArgumentValueError(f"Expected {count} values for {name}, got {len(value)}")
    return [float(item) for item in value]
