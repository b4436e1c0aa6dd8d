"""``mindspore.dataset.transforms``: a few transforms of single arrays, on NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad._core.missing import missing_names
from msgrad.common import dtype as mstype

__all__ = ["Compose", "OneHot", "TypeCast"]


class Compose:
    """Apply several transforms in turn.

    Args:
        transforms: list of functions; a tuple that one gives is the arguments of the next.
    """

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = list(transforms)

    def __call__(self, *values: Any) -> Any:
        for transform in self.transforms:
            made = transform(*values)
            values = made if isinstance(made, tuple) else (made,)
        return values[0] if len(values) == 1 else values


class TypeCast:
    """Cast to a dtype.

    Args:
        output_type: A dtype of MindSpore or of NumPy.
    """

    def __init__(self, output_type: Any) -> None:
        known = isinstance(output_type, mstype.DType)
        self._dtype = mstype.dtype_to_nptype(output_type) if known else np.dtype(output_type)

    def __call__(self, value: Any) -> np.ndarray:
        return np.asarray(value).astype(self._dtype)


class OneHot:
    """Make one-hot vectors of class numbers.

    Args:
        num_classes: int.
        smoothing_rate: float, 0 to 1, taken from the right class and spread over all.
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        self._classes = num_classes
        self._rate = smoothing_rate

    def __call__(self, value: Any) -> np.ndarray:
        label = np.asarray(value)
        if label.min() < 0 or label.max() >= self._classes:
            raise ArgumentValueError(f"OneHot: the class {label} is outside [0, {self._classes}).")
        hot = np.eye(self._classes, dtype=label.dtype if self._rate == 0 else np.float32)[label]
        return hot if self._rate == 0 else hot * (1 - self._rate) + self._rate / self._classes


__getattr__ = missing_names(__name__)
