"""``mindspore.dataset.vision.py_transforms_util``: a function for each transform of a PIL image."""

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
