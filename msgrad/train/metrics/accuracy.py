"""``Accuracy``: the fraction of samples labelled rightly."""

from __future__ import annotations

import numpy as np

from msgrad.train.metrics.metric import EvaluationBase, Mean

__all__ = ["Accuracy"]


class Accuracy(EvaluationBase, Mean):
    """The fraction of samples whose largest score, or whose every label, is right.

    Args:
        eval_type: ``'classification'``, or ``'multilabel'`` where a sample counts only if all of
            its labels are right.

    Raises:
        TypeError: For another ``eval_type``.
    """

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)

    def _take(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type == "classification":
            right = y_pred.argmax(axis=1) == y
        else:
            right = (y_pred == y).all(axis=1)
        self._add(right.sum(), right.size)
