"""``Recall``: of the samples that have a class, the fraction that is given it."""

from __future__ import annotations

from typing import Any

from msgrad.train.metrics._counts import EPSILON, Ratio

__all__ = ["Recall"]


class Recall(Ratio):
    """Of the samples that have a class, the fraction given it: an array (C,), or its mean."""

    def _each(self, right: Any, predicted: Any, actual: Any) -> Any:
        return right / (actual + EPSILON)
