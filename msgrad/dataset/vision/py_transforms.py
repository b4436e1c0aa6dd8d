"""``mindspore.dataset.vision.py_transforms``: those on PIL images, as before MindSpore 2.0."""

from __future__ import annotations

import warnings
from typing import Any

from msgrad._core.missing import missing_names
from msgrad.dataset.vision.transforms import *  # noqa: F403 # pyright: ignore
from msgrad.dataset.vision.transforms import CutOut as _CutOut
from msgrad.dataset.vision.transforms import Decode as _Decode
from msgrad.dataset.vision.transforms import Normalize as _Normalize

warnings.warn(
    "mindspore.dataset.vision.py_transforms is no more in MindSpore 2; import "
    "mindspore.dataset.vision.",
    DeprecationWarning,
    stacklevel=2,
)


class Decode(_Decode):
    """Read an image file's bytes as a PIL image."""

    def __init__(self) -> None:
        super().__init__(True)


class Normalize(_Normalize):
    """Return ``(image - mean) / std`` by channel, of an array whose channels come first."""

    def __init__(self, mean: Any, std: Any) -> None:
        super().__init__(mean, std, is_hwc=False)


class Cutout(_CutOut):
    """Set random squares of an array (C, H, W) to zero."""

    def __init__(self, length: int, num_patches: int = 1) -> None:
        super().__init__(length, num_patches, is_hwc=False)


def __getattr__(name: str) -> Any:
    from msgrad.dataset import transforms

    return getattr(transforms, name, None) or missing_names(__name__)(name)
