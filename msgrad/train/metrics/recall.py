"""``Recall``: of the samples that have a class, the fraction that is given it."""

from __future__ import annotations

from typing import Any

from msgrad.train.metrics._counts import EPSILON, Ratio

__all__ = ["Recall"]


class Recall(Ratio):
    """Of the samples that have a class, the fraction that is given it: an array (C,), or its mean.

    Args:
        eval_type: ``'classification'``, or ``'multilabel'``: an array with one for each sample.

    Raises:
        TypeError: For another ``eval_type``.
    """

    def _each(self, right: Any, predicted: Any, actual: Any) -> Any:
        return right / (actual + EPSILON)
