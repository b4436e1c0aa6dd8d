"""Counts by class that ``Precision``, ``Recall`` and ``Fbeta`` divide; not the metrics."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.train.metrics.metric import EvaluationBase, rearrange_inputs

EPSILON = sys.float_info.min


class ClassCounts(EvaluationBase):
    """Base that counts predicted, true and rightly predicted members of each class."""

    _text = (
        "For '{name}.update', predicted value (input[0]) should have the same classes number as "
        "true value (input[1]), but got predicted value classes {got}, true value classes {want}."
    )

    def clear(self) -> None:
        """Forget all batches."""
        self._right: Any = 0.0
        self._predicted: Any = 0.0
        self._actual: Any = 0.0
        self._seen = False

    def _count(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        classes, wanted = y_pred.shape[1], int(y.max()) + 1
        if wanted > classes:
            raise ArgumentValueError(
                self._text.format(name=type(self).__name__, got=classes, want=wanted)
            )
        eye = np.eye(classes)
        true = eye[y.astype(np.int64).reshape(-1)]
        guess = eye[y_pred.argmax(axis=1).reshape(-1)]
        self._add((true * guess).sum(0), guess.sum(0), true.sum(0))

    def _add(self, right: Any, predicted: Any, actual: Any) -> None:
        self._right = self._right + right
        self._predicted = self._predicted + predicted
        self._actual = self._actual + actual
        self._seen = True


class Ratio(ClassCounts):
    """Base of the metrics that are a ratio of counts, by class or (multilabel) by sample."""

    _by = ""
    _to_check = EvaluationBase._to_check.replace("(", " (")

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in one batch.

        Args:
            inputs: Scores (N, C, ...) and labels, (N, ...) or one-hot (N, C, ...); for
                ``'multilabel'``, two arrays (N, C, ...) of 0 and 1.

        Raises:
            ValueError: If there are not two inputs, or shapes or classes do not match.
        """
        y_pred, y = self._batch(inputs)
        if self._type == "classification":
            self._count(y_pred, y)
            return
        rows = [np.moveaxis(each, 1, -1).reshape(-1, each.shape[1]) for each in (y_pred, y)]
        new = ((rows[0] * rows[1]).sum(1), rows[0].sum(1), rows[1].sum(1))
        old = (self._right, self._predicted, self._actual) if self._seen else ((), (), ())
        self._right, self._predicted, self._actual = (
            np.concatenate(pair) for pair in zip(old, new, strict=True)
        )
        self._seen = True

    def eval(self, average: bool = False) -> Any:
        """Return the ratio of each class (or sample), or their mean.

        Raises:
            RuntimeError: Before any sample.
        """
        if not self._seen:
            raise self._nothing_seen()
        of_type(None, "average", average, bool)
        each = self._right / (getattr(self, self._by) + EPSILON)
        return np.float64(each.mean()) if average else each
