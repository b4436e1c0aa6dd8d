"""``MAE`` and ``MSE``: the mean absolute and squared error over the first axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad.train.metrics.metric import Mean, rearrange_inputs

__all__ = ["MAE", "MSE"]


class _Error(Mean):
    _each: Callable[..., Any]

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch.

        Args:
            inputs: Predictions (N, ...) and true values of as many elements.

        Raises:
            ValueError: If there are not two inputs, or their sizes differ.
        """
        y_pred, y = self._pair(inputs)
        self._add(self._each(y.reshape(y_pred.shape) - y_pred).sum(), y.shape[0])


class MAE(_Error):
    """Absolute errors, summed over a row and averaged over rows."""

    _each = np.abs


class MSE(_Error):
    """Squared errors, summed over a row and averaged over rows."""

    _each = np.square
