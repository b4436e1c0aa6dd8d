"""``mindspore.dataset.vision.py_transforms_util``: a function for each transform of a PIL image."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad.dataset import vision
from msgrad.dataset.vision.utils import is_pil as is_pil

augment_error_message = (
    "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."
)

# Function -> the transform whose options it takes after the image.
_TRANSFORMS: dict[str, Any] = {
    "adjust_brightness": vision.AdjustBrightness,
    "adjust_contrast": vision.AdjustContrast,
    "adjust_gamma": vision.AdjustGamma,
    "adjust_hue": vision.AdjustHue,
    "adjust_saturation": vision.AdjustSaturation,
    "auto_contrast": vision.AutoContrast,
    "center_crop": vision.CenterCrop,
    "equalize": vision.Equalize,
    "grayscale": vision.Grayscale,
    "invert_color": vision.Invert,
    "pad": vision.Pad,
    "random_crop": vision.RandomCrop,
    "to_tensor": vision.ToTensor,
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
