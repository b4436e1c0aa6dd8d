"""``MAE`` and ``MSE``: the mean absolute and squared error over the first axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad.train.metrics.metric import Metric, nothing_seen, rearrange_inputs

__all__ = ["MAE", "MSE"]


class _Error(Metric):
    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._sum = np.float64(0.0)
        self._samples_num = 0

    def _each(self, difference: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in one batch.

        Args:
            inputs: Predictions (N, ...) and true values of as many elements.

        Raises:
            ValueError: If there are not two inputs, or their sizes differ.
        """
        y_pred, y = self._pair(inputs)
        self._sum += self._each(y.reshape(y_pred.shape) - y_pred).sum()
        self._samples_num += y.shape[0]

    def eval(self) -> np.floating:
        """Give the sum of the errors over the number of rows; ``RuntimeError`` before any."""
        if self._samples_num == 0:
            nothing_seen(type(self).__name__)
        return np.float64(self._sum / self._samples_num)


class MAE(_Error):
    """Absolute errors, summed over a row and averaged over rows."""

    def _each(self, difference: np.ndarray) -> np.ndarray:
        return np.abs(difference)


class MSE(_Error):
    """Squared errors, summed over a row and averaged over rows."""

    def _each(self, difference: np.ndarray) -> np.ndarray:
        return np.square(difference)
