"""``Accuracy``: the fraction of samples labelled rightly."""

from __future__ import annotations

from typing import Any

from msgrad.train.metrics.metric import EvaluationBase, Mean, rearrange_inputs

__all__ = ["Accuracy"]


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

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in one batch.

        Args:
            inputs: Scores (N, C, ...) and labels, (N, ...) or one-hot (N, C, ...); for
                ``'multilabel'``, two arrays (N, C, ...) of 0 and 1.

        Raises:
            ValueError: If there are not two inputs, or their shapes do not match.
        """
        y_pred, y = self._batch(inputs)
        if self._type == "classification":
            right = y_pred.argmax(axis=1) == y
        else:
            right = (y_pred == y).all(axis=1)
        self._add(right.sum(), right.size)
