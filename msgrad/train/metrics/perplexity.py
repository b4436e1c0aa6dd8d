"""``Perplexity``: the exponential of the mean cross entropy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.nn._checks import of_type
from msgrad.train.metrics.metric import Metric, rearrange_inputs

__all__ = ["Perplexity"]


class Perplexity(Metric):
    """The exponential of the mean negative log probability of the right class.

    Args:
        ignore_label: int, a label not counted, or None.

    Raises:
        TypeError: If ``ignore_label`` is of another type.
    """

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        if ignore_label is not None:
            of_type(None, "ignore_label", ignore_label, int)
        self.ignore_label = ignore_label
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._sum_metric = 0.0
        self._num_inst = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in one batch.

        Args:
            inputs: Probabilities (..., C) and labels (...).

        Raises:
            ValueError: If there are not two inputs.
            RuntimeError: If their shapes do not match.
        """
        if len(inputs) != 2:
            raise ArgumentValueError(
                f"For 'Perplexity.update', it needs 2 inputs (predicted value, label), but got "
                f"{len(inputs)}."
            )
        preds, labels = (self._convert_data(item) for item in inputs)
        if labels.size * preds.shape[-1] != preds.size:
            raise EngineError(
                "For 'Perplexity.update', predicted value (input[0]) and label (input[1]) should "
                f"have the same shape, but got predicted value shape {preds.shape}, label shape "
                f"{labels.shape}."
            )
        flat = labels.reshape(-1).astype(np.int64)
        chosen = preds.reshape(-1, preds.shape[-1])[np.arange(flat.size), flat]
        if self.ignore_label is not None:
            chosen = chosen[flat != self.ignore_label]
        self._sum_metric -= float(np.log(np.maximum(chosen, 1e-10)).sum())
        self._num_inst += chosen.size

    def eval(self) -> float:
        """Give the perplexity; raises ``RuntimeError`` before any sample."""
        if self._num_inst == 0:
            raise EngineError(
                "The 'Perplexity' can not be calculated, because the number of samples is 0, "
                "please check whether the update method has been called before calling eval "
                "method."
            )
        return math.exp(self._sum_metric / self._num_inst)
