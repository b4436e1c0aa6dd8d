"""``Perplexity``: the exponential of the mean cross entropy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError
from msgrad.nn._checks import of_type
from msgrad.train.metrics.metric import Mean, rearrange_inputs

__all__ = ["Perplexity"]


class Perplexity(Mean):
    """The exponential of the mean negative log probability of the right class.

    Args:
        ignore_label: int, a label not counted, or None.

    Raises:
        TypeError: If ``ignore_label`` is of another type.
    """

    _to_check = "whether the update method has been called before calling eval method"

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        if ignore_label is not None:
            of_type(None, "ignore_label", ignore_label, int)
        self.ignore_label = ignore_label

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with one batch.

        Args:
            inputs: Probabilities (..., C) and labels (...).

        Raises:
            ValueError: If there are not two inputs.
            RuntimeError: If their shapes do not match.
        """
        preds, labels = self._pair(inputs, "label")
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
        self._add(-float(np.log(np.maximum(chosen, 1e-10)).sum()), chosen.size)

    def eval(self) -> float:
        """Return the perplexity; raises ``RuntimeError`` before any sample."""
        return math.exp(super().eval())
