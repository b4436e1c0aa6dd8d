"""Transforms of images with the arguments they had before MindSpore 2.0; see ``DROPPED_PATHS``."""

from __future__ import annotations

from typing import Any

from msgrad.dataset import vision


class DecodeOfC(vision.Decode):
    """Read an image file's bytes as an array; ``rgb`` must be True."""

    def __init__(self, rgb: bool = True) -> None:
        if not rgb:
            raise NotImplementedError("Decode reads RGB only; reverse the channels afterwards.")
        super().__init__(False)


class DecodeOfPython(vision.Decode):
    """Read an image file's bytes as a PIL image."""

    def __init__(self) -> None:
        super().__init__(True)


class NormalizeOfPython(vision.Normalize):
    """Return ``(image - mean) / std`` by channel, of an array whose channels come first."""

    def __init__(self, mean: Any, std: Any) -> None:
        super().__init__(mean, std, is_hwc=False)


class Cutout(vision.CutOut):
    """Set random squares of an array (C, H, W) to zero."""

    def __init__(self, length: int, num_patches: int = 1) -> None:
        super().__init__(length, num_patches, is_hwc=False)
