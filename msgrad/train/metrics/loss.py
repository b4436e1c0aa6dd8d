"""``Loss``: the mean of the losses of the batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad.train.metrics.metric import Mean, rearrange_inputs

__all__ = ["Loss"]


class Loss(Mean):
    """The mean of the losses of all batches, each counted once."""

    _to_check = "whether has called update method before calling eval method"

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update with the loss of one batch (a vector counts as its mean).

        Raises:
            ValueError: If there is not one input, or it has more than one axis.
        """
        if len(inputs) != 1:
            raise ArgumentValueError(
                f"For 'Loss.update', it needs 1 input (loss), but got {len(inputs)}"
            )
        loss = self._convert_data(inputs[0])
        if loss.ndim > 1:
            raise ArgumentValueError(
                f"For 'Loss.update', the dimension of your input (loss) must be 0 or 1, but got "
                f"{loss.ndim}."
            )
        self._add(np.float64(loss.mean(axis=-1) if loss.ndim else loss), 1)
