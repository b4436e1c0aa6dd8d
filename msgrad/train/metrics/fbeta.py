"""``Fbeta`` and ``F1``: weighted harmonic means of precision and recall."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentValueError
from msgrad.train.metrics._counts import EPSILON, ClassCounts

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
