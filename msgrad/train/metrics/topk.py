"""``TopKCategoricalAccuracy``: how often the right class is among the k largest scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.train.metrics.metric import Metric, nothing_seen, one_hot, rearrange_inputs

__all__ = ["Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy"]


class TopKCategoricalAccuracy(Metric):
    """The fraction of samples whose class is among the ``k`` largest scores.

    Args:
        k: int, 1 or more.

    Raises:
        TypeError: If ``k`` is not an int.
        ValueError: If it is below 1.
    """

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
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._correct_num = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in one batch.

        Args:
            inputs: Scores (N, C) and labels, (N,) or one-hot (N, C).

        Raises:
            ValueError: If there are not two inputs.
        """
        if len(inputs) != 2:
            raise ArgumentValueError(
                "For 'TopKCategoricalAccuracy.update', it needs 2 inputs (predicted value, true "
                f"value), but got 'inputs' size: {len(inputs)}."
            )
        y_pred, y = (self._convert_data(item) for item in inputs)
        if y_pred.shape == y.shape and one_hot(y):
            y = y.argmax(axis=1)
        largest = np.argsort(-y_pred, axis=1, kind="stable")[:, : self.k]
        self._correct_num += (largest == y.reshape(-1, 1)).any(axis=1).sum()
        self._samples_num += len(largest)

    def eval(self) -> np.floating:
        """Give the fraction; raises ``RuntimeError`` before any sample."""
        if self._samples_num == 0:
            nothing_seen("TopKCategoricalAccuracy", "inputs (predicted value, true value)")
        return np.float64(self._correct_num / self._samples_num)


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """``TopKCategoricalAccuracy`` with k 1."""

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """``TopKCategoricalAccuracy`` with k 5."""

    def __init__(self) -> None:
        super().__init__(5)
