"""``Dice``: the overlap of two masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import positive_float
from msgrad.train.metrics.metric import Mean, rearrange_inputs

__all__ = ["Dice"]


class Dice(Mean):
    """``2 * sum(a * b) / (sum(a^2) + sum(b^2) + smooth)`` of each batch, over the number of rows.

    Args:
        smooth: float above 0, added to the denominator.

    Raises:
        TypeError: If ``smooth`` is not a float.
        ValueError: If it is not above 0.
    """

    _of = "Dice coefficient"

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = positive_float(None, "smooth", smooth)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch: two arrays (N, ...) of one shape.

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
        self._add(2 * (a @ b) / (a @ a + b @ b + self.smooth), y.shape[0])

    def eval(self) -> float:
        """Return the value; raises ``RuntimeError`` before any sample."""
        return float(super().eval())
