"""``Dice``: the overlap of two masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import positive_float
from msgrad.train.metrics.metric import Metric, nothing_seen, rearrange_inputs

__all__ = ["Dice"]


class Dice(Metric):
    """``2 * sum(a * b) / (sum(a^2) + sum(b^2) + smooth)`` of each batch, over the number of rows.

    Args:
        smooth: float above 0, added to the denominator.

    Raises:
        TypeError: If ``smooth`` is not a float.
        ValueError: If it is not above 0.
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = positive_float(None, "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._dice_coeff_sum = 0.0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in one batch: two arrays (N, ...) of one shape.

        Raises:
            ValueError: If there are not two inputs of one shape.
        """
        y_pred, y = self._pair(inputs)
        if y_pred.shape != y.shape:
            raise ArgumentValueError(
                "For 'Dice.update', predicted value (input[0]) and true value (input[1]) should "
                f"have same shape, but got predicted value shape: {y_pred.shape}, true value "
                f"shape: {y.shape}."
            )
        a, b = y_pred.astype(np.float64).ravel(), y.astype(np.float64).ravel()
        self._dice_coeff_sum += float(2 * (a @ b) / (a @ a + b @ b + self.smooth))
        self._samples_num += y.shape[0]

    def eval(self) -> float:
        """Give the value; raises ``RuntimeError`` before any sample."""
        if self._samples_num == 0:
            nothing_seen("Dice coefficient")
        return self._dice_coeff_sum / self._samples_num
