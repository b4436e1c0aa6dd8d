"""``Precision``: of the samples given a class, the fraction that has it."""

from __future__ import annotations

from typing import Any

from msgrad.train.metrics._counts import EPSILON, Ratio

__all__ = ["Precision"]


class Precision(Ratio):
    """Of the samples given a class, the fraction that has it: an array (C,), or its mean."""

    def _each(self, right: Any, predicted: Any, actual: Any) -> Any:
        return right / (predicted + EPSILON)
