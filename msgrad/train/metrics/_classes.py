"""Metrics of classes: how many were right, of which class."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.train.metrics.metric import BuiltIn, EvaluationBase, Mean, one_hot, rearrange_inputs

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
        self._class_num, self._counts = 0, list[Any]()

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

    def clear(self) -> None:
        super().clear()
        self._class_num = 0

    def _take(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type == "classification":
            right = y_pred.argmax(axis=1) == y
        else:
            right = (y_pred == y).all(axis=1)
        self._add(right.sum(), right.size)


class Fbeta(ClassCounts):
    """``(1 + beta^2) * precision * recall / (beta^2 * precision + recall)`` of each class.

    Args:
        beta: float above 0, the weight of recall.

    Raises:
        ValueError: If ``beta`` is not above 0.
    """

    _title = "Fbeta"
    _text = (
        "For 'Fbeta.update', predicted value(inputs[0]) and true value(inputs[1]) should contain "
        "same classes, but got predicted value contains {got} classes and true value contains "
        "{want} classes."
    )

    def __init__(self, beta: float) -> None:
        super().__init__()
        if not beta > 0:
            raise ArgumentValueError(
                f"For 'Fbeta', the argument 'beta' must be greater than 0, but got {beta}."
            )
        self.beta = beta

    def _each(self, right: Any, predicted: Any, actual: Any) -> Any:
        square = self.beta**2
        return (1.0 + square) * right / (square * actual + predicted + EPSILON)


class F1(Fbeta):
    """``Fbeta`` with beta 1: the harmonic mean of precision and recall."""

    def __init__(self) -> None:
        super().__init__(1.0)


class Precision(Ratio):
    """Of the samples given a class, the fraction that has it: an array (C,), or its mean."""

    def _each(self, right: Any, predicted: Any, actual: Any) -> Any:
        return right / (predicted + EPSILON)


class Recall(Ratio):
    """Of the samples that have a class, the fraction given it: an array (C,), or its mean."""

    def _each(self, right: Any, predicted: Any, actual: Any) -> Any:
        return right / (actual + EPSILON)


class TopKCategoricalAccuracy(Mean):
    """The fraction of samples whose class is among the ``k`` largest scores.

    Args:
        k: int, 1 or more.

    Raises:
        TypeError: If ``k`` is not an int.
        ValueError: If it is below 1.
    """

    _title = "TopKCategoricalAccuracy"
    _to_check = BuiltIn._to_check.replace("(", " (")

    def __init__(self, k: int) -> None:
        super().__init__()
        if not isinstance(k, int):
            raise ArgumentTypeError(
                "For 'TopKCategoricalAccuracy', the type of the argument 'k' should be int, but "
                f"got 'k' type: {type(k)}."
            )
        if k < 1:
            raise ArgumentValueError(
                "For 'TopKCategoricalAccuracy', the argument 'k' must be at least 1, but got 'k' "
                f"value: {k}."
            )
        self.k = k

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch.

        Args:
            inputs: Scores (N, C) and labels, (N,) or one-hot (N, C).

        Raises:
            ValueError: If there are not two inputs, or less than ``k`` classes.
        """
        y_pred, y = self._pair(inputs, got="'inputs' size: ")
        if y_pred.shape == y.shape and one_hot(y):
            y = y.argmax(axis=1)
        largest = np.argsort(-y_pred, axis=1, kind="stable")[:, : self.k]
        if largest.shape[1] < self.k:
            raise ArgumentValueError(
                f"For 'TopKCategoricalAccuracy', scores of shape {list(y_pred.shape)} have no "
                f"{self.k} largest: pass more classes, or a smaller k."
            )
        self._add((largest == y.reshape(-1, 1)).any(axis=1).sum(), len(largest))


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """``TopKCategoricalAccuracy`` with k 1."""

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """``TopKCategoricalAccuracy`` with k 5."""

    def __init__(self) -> None:
        super().__init__(5)


__all__ = [n for n in public_names(globals()) if n not in ("ClassCounts", "Ratio")]
