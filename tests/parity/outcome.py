"""What a case of an operator compares: its results and its gradients, by MindSpore's API alone."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor


def numbers(*shape: int, low: float = -1.0, high: float = 1.0, seed: int = 0) -> Any:
    """Return the same float32 Tensor of uniform numbers every time."""
    values = np.random.RandomState(seed).rand(*shape) * (high - low) + low
    return Tensor(values.astype(np.float32))


def weighted(results: Any) -> Any:
    """Return the sum of the floating results, each element with a factor of its own."""
    total = 0
    for result in results if isinstance(results, (tuple, list)) else [results]:
        if isinstance(result, Tensor) and result.dtype in (ms.float16, ms.float32, ms.float64):
            factors = np.cos(np.arange(result.size)).reshape(result.shape)
            total = total + (result * Tensor(factors, result.dtype)).sum()
    return total


def outcome(operator: Any, inputs: Any, positions: tuple[int, ...] | None = None) -> Any:
    """Return what an operator gives for inputs, and the gradients of its weighted results.

    Args:
        operator: What is called.
        inputs: Its arguments.
        positions: Those with a gradient; None for no gradients.
    """
    results = operator(*inputs)
    if positions is None:
        return results
    return results, ms.grad(lambda *args: weighted(operator(*args)), positions)(*inputs)
