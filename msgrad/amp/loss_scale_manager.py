"""Loss-scale managers: what ``Model`` and ``build_train_network`` take a loss scale from."""

from __future__ import annotations

from typing import Any

from msgrad._core.checks import positive_int
from msgrad._core.declared import Guarded
from msgrad._core.errors import ArgumentValueError
from msgrad.nn import Cell
from msgrad.nn.wrap import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]


class LossScaleManager(Guarded):
    """Base of the managers; a subclass defines the three methods."""

    def get_loss_scale(self) -> Any:
        """Return the scale as it is now."""

    def update_loss_scale(self, overflow: Any) -> None:
        """Count a step.

        Args:
            overflow: Whether its gradients overflowed.
        """

    def get_update_cell(self) -> Cell | None:
        """Return the Cell that updates the scale in a training step, or None."""


class FixedLossScaleManager(LossScaleManager):
    """A scale that stays.

    Args:
        loss_scale: Number, 1 or more.
        drop_overflow_update: Whether steps whose gradients overflow are left out.

    Raises:
        ValueError: If the scale is below 1.
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True) -> None:
        if loss_scale < 1:
            raise ArgumentValueError(
                f"The argument 'loss_scale' must be >= 1, but got {loss_scale}"
            )
        self._loss_scale = loss_scale
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self) -> float:
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether steps whose gradients overflow are left out."""
        return self._drop_overflow_update

    def get_update_cell(self) -> Cell | None:
        """Return a ``FixedLossScaleUpdateCell``; None where no step is left out."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale that shrinks after an overflow and grows after a while without one.

    Args:
        init_loss_scale: Number to start with, 1 or more.
        scale_factor: Number above 0 to multiply or divide by.
        scale_window: After how many steps without overflow it grows; int above 0.

    Raises:
        ValueError: For numbers outside their range.
        TypeError: If the window is not an int.
    """

    def __init__(
        self, init_loss_scale: float = 2**24, scale_factor: float = 2, scale_window: int = 2000
    ) -> None:
        if init_loss_scale < 1.0:
            raise ArgumentValueError(
                f"The argument 'init_loss_scale' must be > 1, but got {init_loss_scale}"
            )
        if scale_factor <= 0:
            raise ArgumentValueError(
                f"The argument 'scale_factor' must be > 0, but got {scale_factor}"
            )
        self.loss_scale = init_loss_scale
        self.scale_window = positive_int("DynamicLossScaleManager", "scale_window", scale_window)
        self.scale_factor = scale_factor
        self.increase_ratio = scale_factor
        self.decrease_ratio = 1 / scale_factor
        self.cur_iter = 1
        self.last_overflow_iter = 0

    def get_loss_scale(self) -> float:
        return self.loss_scale

    def update_loss_scale(self, overflow: Any) -> None:
        """Update the scale after a step.

        Args:
            overflow: Whether its gradients overflowed.
        """
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
        elif (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
            self.loss_scale *= self.increase_ratio
        self.cur_iter += 1

    def get_drop_overflow_update(self) -> bool:
        """Whether steps whose gradients overflow are left out: True."""
        return True

    def get_update_cell(self) -> Cell:
        """Return the ``DynamicLossScaleUpdateCell`` of these settings."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
