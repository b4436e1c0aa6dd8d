"""``ScalarSummary`` and its like: values that ``SummaryRecord.record`` writes at the next step.

In a compiled program the value is handed out while it runs.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.callbacks import tell_host
from msgrad._core.engine import is_tracer
from msgrad.ops.primitive import Primitive

# (kind, name) -> the latest value; taken by whoever records next.
pending: dict[tuple[str, str], np.ndarray] = {}
_RANKS = {"scalar": (0, 1), "image": (4, 4), "histogram": (1, None), "tensor": (1, None)}


class _Summary(Primitive):
    """Keeps a value for ``SummaryRecord``; what does not suit its kind is left out."""

    _kind = ""

    def __init__(self) -> None:
        super().__init__(type(self).__name__)

    def __call__(self, name: str, value: Any) -> None:
        least, most = _RANKS[self._kind]
        if not isinstance(name, str) or not name or not is_tensor(value):
            return
        if value.ndim < least or (most is not None and value.ndim > most):
            return
        if self._kind == "scalar" and value.size != 1:
            return
        raw = value._number()
        key = (self._kind, name)

        def keep(values: Any) -> None:
            pending[key] = np.array(values)

        if is_tracer(raw):
            tell_host(keep, [raw])
        else:
            keep(raw)


def take() -> dict[tuple[str, str], np.ndarray]:
    """Return the values kept since the last time, and forget them."""
    jax.effects_barrier()
    found = dict(pending)
    pending.clear()
    return found


class ScalarSummary(_Summary):
    """Keeps a number; called with a name and a Tensor of one element."""

    _kind = "scalar"


class ImageSummary(_Summary):
    """Keeps images; called with a name and a Tensor (N, C, H, W)."""

    _kind = "image"


class HistogramSummary(_Summary):
    """Keeps how values are spread; called with a name and a Tensor of one dimension or more."""

    _kind = "histogram"


class TensorSummary(_Summary):
    """Keeps the values of a Tensor, written as a histogram and, if they are few, as text.

    Called with a name and a Tensor of one dimension or more.
    """

    _kind = "tensor"
