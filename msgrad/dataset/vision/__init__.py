"""``mindspore.dataset.vision``: a few transforms of images (H, W, C), on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.missing import missing_names

__all__ = ["HWC2CHW", "Normalize", "Rescale"]


class Rescale:
    """Return ``image * rescale + shift`` as float32.

    Args:
        rescale: float.
        shift: float.
    """

    def __init__(self, rescale: float, shift: float) -> None:
        self._rescale, self._shift = np.float32(rescale), np.float32(shift)

    def __call__(self, image: Any) -> np.ndarray:
        return np.asarray(image).astype(np.float32) * self._rescale + self._shift


class Normalize:
    """Return ``(image - mean) / std`` by channel as float32.

    Args:
        mean: One float for each channel.
        std: One float for each channel.
        is_hwc: Whether the channels are the last axis, or the first.
    """

    def __init__(self, mean: Any, std: Any, is_hwc: bool = True) -> None:
        shape = (-1,) if is_hwc else (-1, 1, 1)
        self._mean = np.reshape(np.asarray(mean, np.float32), shape)
        self._std = np.reshape(np.asarray(std, np.float32), shape)

    def __call__(self, image: Any) -> np.ndarray:
        return (np.asarray(image).astype(np.float32) - self._mean) / self._std


class HWC2CHW:
    """Put the channels first."""

    def __call__(self, image: Any) -> np.ndarray:
        return np.ascontiguousarray(np.moveaxis(np.asarray(image), -1, 0))


__getattr__ = missing_names(__name__)
