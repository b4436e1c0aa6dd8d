"""Transforms of images: ``dataset.vision.py_transforms_util``, a function for each of a PIL image.

And those with the arguments that they had before MindSpore 2.0; see ``DROPPED_PATHS``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad.dataset import vision
from msgrad.dataset.vision.utils import is_pil as is_pil

augment_error_message = (
    "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."
)

_NAMES = """
adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_saturation auto_contrast
center_crop equalize grayscale pad random_crop to_tensor
"""
# Function -> the transform whose options it takes after the image.
_TRANSFORMS: dict[str, Any] = {
    **{name: getattr(vision, name.title().replace("_", "")) for name in _NAMES.split()},
    "invert_color": vision.Invert,
}


def _function(name: str, transform: Any) -> Callable[..., Any]:
    def call(img: Any, *options: Any) -> Any:
        if not is_pil(img) and name != "to_tensor":
            raise TypeError(augment_error_message.format(type(img)))
        return transform(*options)(img)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Apply ``vision.{transform.__name__}``, given its options, to a PIL image."
    return call


_FUNCTIONS = {name: _function(name, transform) for name, transform in _TRANSFORMS.items()}
globals().update(_FUNCTIONS)

__all__ = ["augment_error_message", "is_pil", *_FUNCTIONS]


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
