"""``TopKCategoricalAccuracy``: how often the right class is among the k largest scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.train.metrics.metric import BuiltIn, Mean, one_hot, rearrange_inputs

__all__ = ["Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy"]


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
            ValueError: If there are not two inputs.
        """
        y_pred, y = self._pair(inputs, got="'inputs' size: ")
        if y_pred.shape == y.shape and one_hot(y):
            y = y.argmax(axis=1)
        largest = np.argsort(-y_pred, axis=1, kind="stable")[:, : self.k]
        self._add((largest == y.reshape(-1, 1)).any(axis=1).sum(), len(largest))


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """``TopKCategoricalAccuracy`` with k 1."""

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """``TopKCategoricalAccuracy`` with k 5."""

    def __init__(self) -> None:
        super().__init__(5)
