"""``Fbeta`` and ``F1``: weighted harmonic means of precision and recall."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.train.metrics._counts import EPSILON, ClassCounts
from msgrad.train.metrics.metric import rearrange_inputs

__all__ = ["F1", "Fbeta"]


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
        super().__init__("classification")
        if not beta > 0:
            raise ArgumentValueError(
                f"For 'Fbeta', the argument 'beta' must be greater than 0, but got {beta}."
            )
        self.beta = beta

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in one batch.

        Args:
            inputs: Scores (N, C, ...) and labels, (N, ...) or one-hot (N, C, ...).

        Raises:
            ValueError: If there are not two inputs, or shapes or classes do not match.
        """
        self._count(*self._batch(inputs))

    def eval(self, average: bool = False) -> Any:
        """Return the value of each class, or their mean; ``RuntimeError`` before any sample."""
        of_type(None, "average", average, bool)
        if not self._seen:
            raise self._nothing_seen()
        square = self.beta**2
        each = (1.0 + square) * self._right / (square * self._actual + self._predicted + EPSILON)
        return np.float64(each.mean()) if average else each


class F1(Fbeta):
    """``Fbeta`` with beta 1: the harmonic mean of precision and recall."""

    def __init__(self) -> None:
        super().__init__(1.0)
