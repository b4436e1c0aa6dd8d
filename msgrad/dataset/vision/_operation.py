"""``ImageOperation``, the base of image transforms, and how their arguments are read."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError, UnsupportedError
from msgrad.dataset._arguments import a_number, a_probability, an_int, check_kind, check_valid
from msgrad.dataset.transforms.transforms import TensorOperation, alone
from msgrad.dataset.vision import _arrays, _pillow
from msgrad.dataset.vision.utils import is_pil


class ImageOperation(TensorOperation):
    """Base of image transforms: one function, on an array or on a PIL image.

    What kind goes in comes out, where Pillow has the operation; else an array.
    """

    # Whether MindSpore runs it in Python only; see Compose.
    python_only = False
    # Whether a PIL image becomes an array, also where nothing is done to it.
    _arrays = False
    _function = ""
    _args: tuple[Any, ...] | None = ()
    _told = {
        "size": "(height, width), or one number for both.",
        "interpolation": "Inter.",
        "resample": "Inter.",
        "fill_value": "Number or colour of three for what lies outside.",
        "padding_mode": "Border.",
        "expand": "Whether the image becomes as large as the rotated one is.",
        "center": "(x, y) to rotate around; the middle by default.",
        "prob": "float, 0 to 1.",
    }

    def __init_subclass__(
        cls, function: str = "", python: bool = False, arrays: bool = False
    ) -> None:
        super().__init_subclass__()
        cls._arrays = arrays or cls._arrays
        cls._function = function or cls._function
        cls.python_only = python or cls.python_only

    def __init__(self) -> None: ...

    def _draw(self, image: Any) -> tuple[Any, ...] | None:
        """Return the function's arguments for this image, by chance where that decides."""
        return self._args

    def device(self, device_target: str = "CPU") -> ImageOperation:
        """Say where it runs, which is the CPU; returns the transform.

        Raises:
            TypeError: If the device is not a str.
            ValueError: If it is neither ``'CPU'`` nor ``'Ascend'``.
            NotImplementedError: For ``'Ascend'``.
        """
        check_kind("device_target", device_target, str)
        check_valid("device_target", device_target, ("CPU", "Ascend"))
        if device_target == "Ascend":
            raise UnsupportedError("msgrad transforms images on the CPU; leave .device() out.")
        return self

    def __call__(self, *images: Any) -> Any:
        """Return the image changed; several ones all in the same way."""
        each = [checked_image(image) for image in images]
        if self._arrays:
            each = [np.array(image) if is_pil(image) else image for image in each]
        args = self._draw(each[0])
        return alone(each if args is None else [run(self._function, one, *args) for one in each])


def checked_image(image: Any, axes: int = 2) -> Any:
    """Return an image of so many axes or more; raises ``TypeError`` if it is none."""
    if not isinstance(image, np.ndarray) and not is_pil(image):
        raise ArgumentTypeError(
            f"Input should be NumPy or PIL image, got {type(image)}; read files with Decode()."
        )
    if isinstance(image, np.ndarray) and image.ndim < axes:
        raise EngineError(f"An image is (H, W, C) or (H, W), but the array is {image.shape}.")
    return image


def only_pil(image: Any) -> None:
    """Raise ``TypeError`` unless it is a PIL image."""
    if not is_pil(image):
        raise ArgumentTypeError(
            f"img should be PIL image. Got {type(image)}. Use Decode() for encoded data or ToPIL() "
            "for decoded data."
        )


def only_array(image: Any, noun: str = "array") -> None:
    """Raise ``TypeError`` unless it is an array."""
    if not isinstance(image, np.ndarray):
        raise ArgumentTypeError(f"img should be NumPy {noun}. Got {type(image)}.")


# What MindSpore does to each image of several, (..., H, W, C), and what to any number at once.
_TO_EACH = {
    *("hflip", "vflip", "flipped", "rotate"),
    *("resize_to", "center_crop", "cropped", "pad"),
}
_TO_NUMBERS = {"gamma", "normalize"}
# What makes uint8 of bool; the rest gives bool.
_TO_UINT8 = {*("pad", "equalize", "autocontrast", "posterize", "sharpness", "blur"), "perspective"}


def run(function: str, image: Any, *args: Any) -> Any:
    """Return what a function of ``_pillow`` or else of ``_arrays`` makes of an image.

    Raises:
        RuntimeError: For an array of several images, if the function takes but one.
    """
    if is_pil(image):
        by_pillow = getattr(_pillow, function, None)
        if by_pillow is not None:
            return by_pillow(image, *args)
        image = np.array(image)
    checked_image(image, axes=0)
    if image.ndim > 3 and function not in _TO_NUMBERS:
        if function not in _TO_EACH:
            raise EngineError(f"An image is (H, W, C) or (H, W), but the array is {image.shape}.")
        return np.stack([run(function, one, *args) for one in image])
    if image.dtype != bool:
        return getattr(_arrays, function)(image, *args)
    made = getattr(_arrays, function)(image.view(np.uint8), *args)
    return made if function in _TO_UINT8 or made.dtype != np.uint8 else made.astype(bool)


class Sometimes(ImageOperation):
    """Base of those that do the same always, or with a probability, a float of 0 to 1."""

    def __init__(self, prob: float = 0.5) -> None:
        self._prob = a_probability(prob)

    def _draw(self, image: Any) -> tuple[Any, ...] | None:
        drawn = random.random() if is_pil(image) else self._chance().unit()
        return self._args if drawn < self._prob else None


def around(chance: Draws, low: float, high: float) -> float:
    """Return a number between two float32, drawn by how far it is from their middle."""
    begin, end, drawn = np.float32(low), np.float32(high), float(chance.single(-1, 1))
    middle, far = (float(both / np.float32(2)) for both in (end + begin, end - begin))
    return middle + drawn * far


def check_length(name: str, value: Any, *lengths: int) -> None:
    """Raise ``TypeError`` unless a value is a list or tuple of one of the lengths."""
    if not isinstance(value, (list, tuple)) or len(value) not in lengths:
        wanted = " or ".join(map(str, lengths))
        raise ArgumentTypeError(
            f"{name} should be a list or tuple of length {wanted}, but got {value}."
        )


def a_size(size: Any) -> tuple[int, int]:
    """Return height and width, given as both or as one number.

    Raises:
        TypeError, ValueError: If it is neither.
    """
    sizes = (size, size) if isinstance(size, int) else size
    if not isinstance(sizes, (list, tuple)) or len(sizes) != 2:
        raise ArgumentTypeError(
            f"size should be a single integer or a list/tuple (h, w) of length 2, but got {size}."
        )
    return an_int("size", sizes[0], 1), an_int("size", sizes[1], 1)


def a_range(name: str, value: Any, low: float, high: float, around: float | None = None) -> Any:
    """Return (from, to), given as both or as one number: ``around`` it, or around zero.

    Raises:
        TypeError, ValueError: If it is neither, or not in order.
    """
    if isinstance(value, (list, tuple)):
        if len(value) != 2:
            raise ArgumentTypeError(f"{name} must be one number or two, but got {value}.")
        for one in value:
            a_number(name, one, low, high)
        if value[0] > value[1]:
            raise ArgumentValueError(f"{name} should be in (min,max) format. Got (max,min).")
        return tuple(value)
    if around is None:
        raise ArgumentTypeError(f"{name} must be (from, to), but got {value}.")
    a_number(name, value, 0, high)
    return max(low, around - value), around + value


def a_share(name: str, value: Any) -> tuple[float, float]:
    """Return (from, to) of 0 or more, not both 0; raises as ``a_range``."""
    low, high = a_range(name, value, 0, 2.0**24)
    if not high:
        raise ArgumentValueError(f"{name} must end above 0, but got {value}.")
    return low, high


def a_fill(value: Any) -> tuple[int, ...]:
    """Return a colour of three, given as that or as one number.

    Raises:
        TypeError, ValueError: If it is neither.
    """
    values = (value,) * 3 if isinstance(value, (int, np.integer)) else value
    if not isinstance(values, tuple) or len(values) != 3:
        raise ArgumentTypeError("fill_value should be a single integer or a 3-tuple.")
    return tuple(an_int("fill_value", one, 0, 255) for one in values)
