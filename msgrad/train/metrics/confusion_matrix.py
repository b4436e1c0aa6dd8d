"""``ConfusionMatrix``: how often each class is taken for each other one."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.train.metrics.metric import BuiltIn, not_updated, rearrange_inputs

__all__ = ["ConfusionMatrix"]

_NORMALIZED_OVER = {"target": 1, "prediction": 0, "all": None}


class ConfusionMatrix(BuiltIn):
    """Counts by true class (rows) and predicted class (columns): float64 (C, C).

    Args:
        num_classes: int.
        normalize: ``'no_norm'``, or divide by the sum of a row (``'target'``), of a column
            (``'prediction'``) or of everything (``'all'``).
        threshold: float; scores of the same shape as the labels are compared with it.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For another ``normalize``.
    """

    def __init__(
        self, num_classes: int, normalize: str | None = "no_norm", threshold: float = 0.5
    ) -> None:
        self.num_classes = of_type(None, "num_classes", num_classes, int)
        if normalize not in (*_NORMALIZED_OVER, "no_norm", None):
            raise ArgumentValueError(
                "For 'ConfusionMatrix', the argument 'normalize' must be in ['all', 'prediction', "
                f"'label', 'no_norm'(None)], but got {normalize}. ('label' is spelled 'target'.)"
            )
        self.normalize = normalize
        self.threshold = of_type(None, "threshold", threshold, float)
        super().__init__()

    def clear(self) -> None:
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch.

        Args:
            inputs: Classes (N,) or scores (N, C) or, for two classes, probabilities (N,); and
                labels (N,).

        Raises:
            ValueError: If there are not two inputs, or a class is out of range.
        """
        y_pred, y = self._pair(inputs)
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        elif y_pred.shape != y.shape:
            raise ArgumentValueError(
                f"For 'ConfusionMatrix.update', predicted value (input[0]) of shape {y_pred.shape} "
                f"and true value (input[1]) of shape {y.shape} do not match: pass classes (N,) or "
                "scores (N, C), and labels (N,)."
            )
        elif np.issubdtype(y_pred.dtype, np.floating):
            y_pred = y_pred >= self.threshold
        true, guess = (each.astype(np.int64).ravel() for each in (y, y_pred))
        if true.size and max(true.max(), guess.max()) >= self.num_classes:
            raise ArgumentValueError(
                f"For 'ConfusionMatrix.update', a class is {max(true.max(), guess.max())}, but "
                f"num_classes is {self.num_classes}."
            )
        np.add.at(self.confusion_matrix, (true, guess), 1)
        self._is_update = True

    def eval(self) -> np.ndarray:
        """Return the matrix; raises ``RuntimeError`` before any batch."""
        if not self._is_update:
            raise not_updated()
        counts = self.confusion_matrix.copy()
        if self.normalize not in _NORMALIZED_OVER:
            return counts
        total = counts.sum(axis=_NORMALIZED_OVER[self.normalize], keepdims=True)
        return np.divide(counts, total, out=np.zeros_like(counts), where=total != 0)
