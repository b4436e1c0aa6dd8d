"""Counts by class that ``Precision``, ``Recall`` and ``Fbeta`` divide; not the metrics."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.train.metrics.metric import EvaluationBase

EPSILON = sys.float_info.min


class ClassCounts(EvaluationBase):
    """Base that counts predicted, true and rightly predicted members of each class."""

    _text = (
        "For '{name}.update', predicted value (input[0]) should have the same classes number as "
        "true value (input[1]), but got predicted value classes {got}, true value classes {want}."
    )

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)

    def clear(self) -> None:
        self._counts: list[Any] = []

    def _take(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type == "classification":
            classes, wanted = y_pred.shape[1], int(y.max()) + 1
            if wanted > classes:
                raise ArgumentValueError(
                    self._text.format(name=type(self).__name__, got=classes, want=wanted)
                )
            eye = np.eye(classes)
            true = eye[y.astype(np.int64).reshape(-1)]
            guess = eye[y_pred.argmax(axis=1).reshape(-1)]
            join, over = np.add, 0
        else:
            # One count for each sample.
            guess, true = (np.moveaxis(v, 1, -1).reshape(-1, v.shape[1]) for v in (y_pred, y))
            join, over = lambda *pair: np.concatenate(pair), 1
        new = [each.sum(over, dtype=np.float64) for each in (true * guess, guess, true)]
        self._counts = list(map(join, self._counts, new)) if self._counts else new

    def eval(self, average: bool = False) -> Any:
        """Return the value of each class (or sample), or their mean.

        Raises:
            RuntimeError: Before any sample.
        """
        of_type(None, "average", average, bool)
        if not self._counts:
            raise self._nothing_seen()
        each = self._each(*self._counts)
        return np.float64(each.mean()) if average else each

    def _each(self, right: Any, predicted: Any, actual: Any) -> Any:
        raise NotImplementedError


class Ratio(ClassCounts):
    """Base of the metrics that are a ratio of counts, by class or (multilabel) by sample.

    Args:
        eval_type: ``'classification'``, or ``'multilabel'``: an array with one for each sample.
    """

    _raises = "Raises:\n    TypeError: For another ``eval_type``."
    _to_check = EvaluationBase._to_check.replace("(", " (")
