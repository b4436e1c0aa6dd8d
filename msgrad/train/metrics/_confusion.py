"""``ConfusionMatrix``, and the rates that are read off one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.checks import of_type, one_of
from msgrad._core.errors import ArgumentValueError, UnsupportedError
from msgrad.train.metrics.metric import BuiltIn, not_updated, rearrange_inputs

__all__ = ["ConfusionMatrix", "ConfusionMatrixMetric"]


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


_DECREASES = ["none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel"]
_Rates = Callable[[Any, Any, Any, Any], Any]
# Of true positives, false positives, true negatives and false negatives.
_RATES: dict[str, _Rates] = {
    "sensitivity recall hit_rate true_positive_rate tpr": lambda tp, fp, tn, fn: tp / (tp + fn),
    "specificity selectivity true_negative_rate tnr": lambda tp, fp, tn, fn: tn / (fp + tn),
    "precision positive_predictive_value ppv": lambda tp, fp, tn, fn: tp / (tp + fp),
    "negative_predictive_value npv": lambda tp, fp, tn, fn: tn / (tn + fn),
    "miss_rate false_negative_rate fnr": lambda tp, fp, tn, fn: fn / (tp + fn),
    "fall_out false_positive_rate fpr": lambda tp, fp, tn, fn: fp / (fp + tn),
    "false_discovery_rate fdr": lambda tp, fp, tn, fn: fp / (tp + fp),
    "false_omission_rate for": lambda tp, fp, tn, fn: fn / (tn + fn),
    "threat_score critical_success_index ts csi": lambda tp, fp, tn, fn: tp / (tp + fn + fp),
    "accuracy acc": lambda tp, fp, tn, fn: (tp + tn) / (tp + fn + fp + tn),
    "f1_score f1": lambda tp, fp, tn, fn: 2 * tp / (2 * tp + fn + fp),
    "balanced_accuracy ba": lambda *c: (_rate("tpr", *c) + _rate("tnr", *c)) / 2,
    "fowlkes_mallows_index fm": lambda *c: np.sqrt(_rate("ppv", *c) * _rate("tpr", *c)),
    "informedness bookmaker_informedness bm": (lambda *c: _rate("tpr", *c) + _rate("tnr", *c) - 1),
    "markedness deltap mk": lambda *c: _rate("ppv", *c) + _rate("npv", *c) - 1,
    "matthews_correlation_coefficient mcc": lambda tp, fp, tn, fn: (
        (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    ),
    "prevalence_threshold pt": lambda *c: (
        (np.sqrt(_rate("tpr", *c) * (1 - _rate("tnr", *c))) + _rate("tnr", *c) - 1)
        / (_rate("tpr", *c) + _rate("tnr", *c) - 1)
    ),
}
_BY_NAME = {name: rate for names, rate in _RATES.items() for name in names.split()}


def _rate(name: str, *counts: Any) -> Any:
    """Return a rate, nan where it divides by 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.asarray(_BY_NAME[name](*map(np.asarray, counts)))
        return np.where(np.isinf(found), np.nan, found)


class ConfusionMatrixMetric(BuiltIn):
    """A rate of true and false positives and negatives, over all batches.

    Args:
        skip_channel: Accepted as MindSpore has it: with False the first class does not count.
        metric_name: Such as ``'sensitivity'``, ``'precision'`` or ``'f1_score'``; the names that
            statistics uses, and their abbreviations.
        calculation_method: Whether the rate of each batch is computed, and their mean taken, rather
            than one of all samples.
        decrease: How the rates of a batch are joined then: ``'mean'`` or ``'sum'``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For another ``decrease``.
    """

    def __init__(
        self,
        skip_channel: bool = True,
        metric_name: str = "sensitivity",
        calculation_method: bool = False,
        decrease: str = "mean",
    ) -> None:
        self.skip_channel = of_type(None, "skip_channel", skip_channel, bool)
        self.calculation_method = of_type(None, "calculation_method", calculation_method, bool)
        self.metric_name = of_type(None, "metric_name", metric_name, str)
        self.decrease = of_type(None, "decrease", decrease, str)
        one_of(None, "decrease", decrease, *_DECREASES)
        super().__init__()

    def clear(self) -> None:
        self._counts = np.zeros(4)
        self._total, self._number = 0.0, 0

    def _of(self, counts: np.ndarray) -> np.ndarray:
        name = self.metric_name.replace(" ", "_").lower()
        if name not in _BY_NAME:
            raise UnsupportedError(
                f"The metric is not implemented: {self.metric_name}; known are {list(_BY_NAME)}."
            )
        return _rate(name, *np.moveaxis(counts, -1, 0))

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch of one-hot predictions and labels, (N, C) or (N, C, ...).

        Raises:
            ValueError: If there are not two inputs of one shape, or labels are not 0 and 1.
            NotImplementedError: For a ``decrease`` that gives no single number.
        """
        y_pred, y = self._pair(inputs)
        if not np.all(y.astype(np.uint8) == y) or y_pred.ndim < 2 or y_pred.shape != y.shape:
            raise ArgumentValueError(
                "For 'ConfusionMatrix.update', both values must have one shape of 2 dimensions at "
                "least, and the true value (input[1]) must be a binarized ndarray, but got shapes "
                f"{y_pred.shape} and {y.shape}."
            )
        if not self.skip_channel and y.shape[1] > 1:
            y_pred, y = y_pred[:, 1:], y[:, 1:]
        sums = (y_pred.astype(float) + y).reshape(*y.shape[:2], -1)
        true = y.astype(float).reshape(sums.shape).sum(2)
        tp, tn = (sums == 2).sum(2), (sums == 0).sum(2)
        counts = np.stack([tp, sums.shape[2] - true - tn, tn, true - tp], -1)
        if not self.calculation_method or y_pred.ndim == 2 or y_pred.shape[2:] == (1,):
            self._counts += counts.sum((0, 1))
            self.calculation_method = False
            return
        rates = self._of(counts)
        known = ~np.isnan(rates)
        rates = np.where(known, rates, 0)
        if self.decrease == "sum":
            self._total += rates.sum() * known.sum()
            self._number += int(known.sum())
        elif self.decrease == "mean":
            rows = known.sum(1) > 0
            means = rates.sum(1)[rows] / known.sum(1)[rows]
            self._total += means.sum()
            self._number += int(rows.sum())
        else:
            raise UnsupportedError(
                f"ConfusionMatrixMetric joins rates by 'mean' or 'sum', but got {self.decrease}."
            )

    def eval(self) -> Any:
        """Return the rate; raises ``RuntimeError`` before any sample where batches are averaged."""
        if not self.calculation_method:
            return np.reshape(self._of(self._counts), 1)
        if not self._number:
            raise self._nothing_seen()
        return float(self._total / self._number)
