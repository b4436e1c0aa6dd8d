"""``ROC``, the receiver operating characteristic, and ``auc``, the area under a curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.train.metrics.metric import BuiltIn, not_updated, rearrange_inputs

__all__ = ["ROC", "auc"]


def _curve(scores: np.ndarray, labels: np.ndarray, positive: int) -> tuple[np.ndarray, ...]:
    """Return false and true positive rates, and the scores from which they hold."""
    order = np.argsort(scores)[::-1]
    scores, hits = scores[order], (labels[order] == positive).astype(np.int64)
    last = np.append(np.nonzero(scores[1:] - scores[:-1])[0], hits.size - 1)
    true = np.cumsum(hits)[last]
    false = 1 + last - true
    for counts, what in ((false, "negative"), (true, "positive")):
        if counts[-1] <= 0:
            raise ArgumentValueError(f"For 'ROC.eval', there is no {what} samples in true value.")
    rates = [np.append(0, counts) / counts[-1] for counts in (false, true)]
    return rates[0], rates[1], np.append(scores[last][0] + 1, scores[last])


class ROC(BuiltIn):
    """False and true positive rates of the last batch, for each threshold.

    Args:
        class_num: How many classes there are; None for one score per label.
        pos_label: The label that counts as positive, for one score per label; None for 1.

    Raises:
        TypeError: For arguments of other types.
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None) -> None:
        self.class_num = of_type(None, "class_num", class_num, int, type(None))
        self.pos_label = of_type(None, "pos_label", pos_label, int, type(None))
        super().__init__()

    def clear(self) -> None:
        """Forget the last batch."""
        self._seen: tuple[np.ndarray, np.ndarray] | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch, which replaces the last: scores (N,) or (N, C), and labels (N,).

        Raises:
            ValueError: If there are not two inputs, or they do not fit the settings.
        """
        scores, labels = self._pair(inputs)
        if scores.ndim == labels.ndim:
            if self.class_num not in (None, 1):
                raise ArgumentValueError(
                    "For 'ROC', when predicted value (input[0]) and true value (input[1]) have the "
                    f"same shape, the 'class_num' must be 1, but got {self.class_num}."
                )
            self.class_num, self.pos_label = 1, 1 if self.pos_label is None else self.pos_label
        elif scores.ndim != labels.ndim + 1:
            raise ArgumentValueError(
                "For 'ROC', predicted value (input[0]) and true value (input[1]) must have same "
                "dimensions, or the dimension of predicted value equal the dimension of true value "
                f"add 1, but got {scores.ndim} and {labels.ndim}."
            )
        elif self.pos_label is not None or self.class_num != scores.shape[1]:
            raise ArgumentValueError(
                "For 'ROC', with scores of each class the 'pos_label' must be None and 'class_num' "
                f"{scores.shape[1]}, but got {self.pos_label} and {self.class_num}."
            )
        self._seen = (scores, labels.ravel())

    def eval(self) -> Any:
        """Return the two rates and the thresholds: arrays, or lists of one for each class.

        Raises:
            RuntimeError: Before any batch.
            ValueError: If a class has no positive or no negative sample.
        """
        if self._seen is None:
            raise not_updated()
        scores, labels = self._seen
        if self.class_num == 1:
            return _curve(scores.ravel(), labels, self.pos_label or 0)
        curves = [_curve(scores[:, c], labels, c) for c in range(scores.shape[1])]
        return tuple(map(list, zip(*curves, strict=True)))


def auc(x: np.ndarray, y: np.ndarray, reorder: bool = False) -> Any:
    """Return the area under a curve, by the trapezoidal rule.

    Args:
        x: The abscissas, an array (N,), in order unless ``reorder``.
        y: The ordinates.
        reorder: Whether to put the points in order first.

    Raises:
        TypeError: If an argument is not an array.
        ValueError: If the lengths differ, there are less than 2 points, or x is not in order.
    """
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        raise ArgumentTypeError(
            f"For 'auc', the argument 'x' and 'y' must all be np.ndarray, but got {type(x)}, "
            f"{type(y)}"
        )
    if x.size != y.size or x.size < 2:
        raise ArgumentValueError(
            "For 'auc', 'x' and 'y' must have the same length, of 2 at least, but got "
            f"{x.shape} and {y.shape}."
        )
    x, y = x.ravel(), y.ravel()
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if np.any(steps < 0) and np.any(steps > 0):
        raise ArgumentValueError(
            "For 'auc', if the argument is False, the argument 'x' array must be increasing or "
            f"decreasing, but got 'x': {x}"
        )
    return (-1 if np.any(steps < 0) else 1) * np.trapezoid(y, x)
