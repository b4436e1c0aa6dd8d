"""Transforms that move pixels: resize, pad, flip, rotate, affine and perspective maps."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import a_number, a_probability, an_int, one_of
from msgrad.dataset.vision._operation import (
    ImageOperation,
    Sometimes,
    a_fill,
    a_range,
    a_share,
    a_size,
    around,
    check_length,
    checked_image,
    only_pil,
    run,
)
from msgrad.dataset.vision.utils import Border, Inter, get_image_size, is_pil


def a_mode(value: Any, name: str = "interpolation") -> Inter:
    return one_of(name, value, Inter)


class Resampling(ImageOperation):
    """Base of those that refuse ANTIALIAS for arrays, as there it is not."""

    _mode = Inter.BILINEAR

    def __call__(self, *images: Any) -> Any:
        if self._mode is Inter.ANTIALIAS:
            only_pil(images[0])
        return super().__call__(*images)


class HorizontalFlip(ImageOperation, function="hflip"):
    """Swap left and right."""


class VerticalFlip(ImageOperation, function="vflip"):
    """Swap top and bottom."""


class RandomHorizontalFlip(Sometimes, function="flipped"):
    """Swap left and right, with a probability."""


class RandomVerticalFlip(Sometimes, function="flipped_down"):
    """Swap top and bottom, with a probability."""


class Resize(Resampling, function="resize_to"):
    """Resize.

    Args:
        size: (height, width), or one number for the shorter side, the ratio kept.
        interpolation: Inter; ANTIALIAS for PIL images only, AREA and PILCUBIC for arrays only.
    """

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR) -> None:
        self._size = size if isinstance(size, int) else None
        self._both = a_size(size)
        self._mode = a_mode(interpolation)

    def _draw(self, image: Any) -> tuple[Any, ...]:
        if self._size is None:
            return self._both, self._mode
        height, width = get_image_size(image)
        if height < width:
            return (self._size, int(self._size * width / height)), self._mode
        return (int(self._size * height / width), self._size), self._mode


class RandomResize(ImageOperation, function="resize_to", arrays=True):
    """Resize, by an interpolation drawn from NEAREST, BILINEAR, BICUBIC and AREA.

    Args:
        size: As for ``Resize``.
    """

    def __init__(self, size: Any) -> None:
        self._resize = Resize(size)

    def _draw(self, image: Any) -> tuple[Any, ...]:
        modes = [Inter.BILINEAR, Inter.NEAREST, Inter.BICUBIC, Inter.AREA]
        size, _ = self._resize._draw(image)
        return size, modes[self._chance().below(len(modes))]


def padding_of(padding: Any) -> tuple[int, int, int, int]:
    """Return (left, top, right, bottom), given as these, as (x, y) or as one number.

    Raises:
        TypeError, ValueError: If it is none of them.
    """
    given = (padding, padding) if isinstance(padding, int) else padding
    if not isinstance(given, (list, tuple)):
        raise ArgumentTypeError(f"padding must be one, two or four numbers, but got {padding}.")
    if len(given) not in (2, 4):
        raise ArgumentValueError("The size of the padding list or tuple should be 2 or 4.")
    values = [an_int("padding", value, 0) for value in given]
    left, top, right, bottom = values if len(values) == 4 else values * 2
    return left, top, right, bottom


class Pad(ImageOperation, function="pad"):
    """Put pixels around.

    Args:
        padding: One number, (left and right, top and bottom) or (left, top, right, bottom).
        fill_value: Number or colour of three, for ``Border.CONSTANT``.
    """

    def __init__(
        self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT
    ) -> None:
        around = padding_of(padding)
        self._args = (around, a_fill(fill_value), one_of("padding_mode", padding_mode, Border))


class PadToSize(ImageOperation):
    """Put pixels around until a size is reached.

    Args:
        offset: (top, left) of the image within, one number for both; the middle by default.
    """

    def __init__(
        self,
        size: Any,
        offset: Any = None,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        for name, given in (("size", size), ("offset", offset)):
            if isinstance(given, (list, tuple)) and len(given) not in (2, 2 * (name == "size")):
                raise ArgumentValueError(f"{name} should be one int or two, but got {given}.")
        self._size = a_size(size)
        both = (
            (offset,) * 2
            if isinstance(offset, int)
            else one_of("offset", offset, list, tuple, type(None))
        )
        self._offset = [an_int("offset", one, 0) for one in both or ()]
        self._rest = (a_fill(fill_value), one_of("padding_mode", padding_mode, Border))

    def __call__(self, image: Any) -> np.ndarray:
        array = np.asarray(checked_image(image))
        lacking = [new - old for new, old in zip(self._size, array.shape, strict=False)]
        top, left = self._offset or (lacking[0] // 2, lacking[1] // 2)
        around = (left, top, lacking[1] - left, lacking[0] - top)
        if min(around) < 0:
            raise EngineError(
                f"PadToSize: an image of {array.shape} is too large for {self._size}."
            )
        return run("pad", array, around, *self._rest)


class Rotate(ImageOperation, function="rotate", arrays=True):
    """Rotate counter-clockwise.

    Args:
        degrees: float.
    """

    def __init__(
        self,
        degrees: float,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ) -> None:
        self._degrees = a_number("degrees", degrees)
        mode = a_mode(resample, "resample")
        if mode in (Inter.ANTIALIAS, Inter.PILCUBIC):
            raise EngineError("Rotate: only NEAREST, BILINEAR, BICUBIC and AREA are supported.")
        if center is not None and (not isinstance(center, tuple) or len(center) != 2):
            raise ArgumentValueError(f"Value center needs to be a 2-tuple, but got {center}.")
        self._rest = (mode, one_of("expand", expand, bool), center, a_fill(fill_value))
        self._args = (self._degrees, *self._rest)


class RandomRotation(ImageOperation, function="rotate"):
    """Rotate by a random angle.

    Args:
        degrees: (from, to), or one number: from ``-degrees``.
    """

    def __init__(
        self,
        degrees: Any,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ) -> None:
        self._range = a_range("degrees", degrees, -(2.0**24), 2.0**24, around=0.0)
        self._rest = Rotate(0.0, resample, expand, center, fill_value)._rest

    def _draw(self, image: Any) -> tuple[Any, ...]:
        if is_pil(image):
            return random.uniform(*self._range), *self._rest
        low, high = self._range
        drawn = around(self._chance(), low, high)
        # One angle is taken as it is given: rounded before `rotate` does so it is another one.
        return low if low == high else drawn, *self._rest


class Affine(ImageOperation, function="affine", arrays=True):
    """Rotate, move, scale and shear, around the middle.

    Args:
        degrees: float, clockwise, -180 to 180.
        translate: (x, y), as shares of width and height.
        scale: float.
        shear: (x, y) in degrees, or one number for x.
    """

    def __init__(
        self,
        degrees: float,
        translate: Any,
        scale: float,
        shear: Any,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        check_length("translate", translate, 2)
        shift = tuple(a_number(f"translate[{i}]", t, -1, 1) for i, t in enumerate(translate))
        sheared = shear if isinstance(shear, (list, tuple)) else (shear, 0.0)
        check_length("shear", sheared, 2)
        if a_mode(resample, "resample") in (Inter.ANTIALIAS, Inter.PILCUBIC):
            raise EngineError("Affine: only NEAREST, BILINEAR, BICUBIC and AREA are supported.")
        number = a_number("scale", scale, 1e-12)
        turn = a_number("degrees", degrees, -180, 180)
        self._rest = (turn, shift, number, tuple(a_number("shear", s, -180, 180) for s in sheared))
        self._outside = (resample, a_fill(fill_value))

    def _draw(self, image: Any) -> tuple[Any, ...]:
        degrees, shift, scale, shear = self._rest
        height, width = get_image_size(image)
        return degrees, (shift[0] * width, shift[1] * height), scale, shear, *self._outside


class RandomAffine(ImageOperation, function="affine"):
    """Rotate, move, scale and shear by random amounts.

    Args:
        degrees: (from, to), or one number: from ``-degrees``.
        translate: (x, y), at most these shares; or (from x, to x, from y, to y).
        scale: (from, to).
        shear: One number, (from, to) along x, or (from x, to x, from y, to y).
    """

    def __init__(
        self,
        degrees: Any,
        translate: Any = None,
        scale: Any = None,
        shear: Any = None,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        self._degrees = a_range("degrees", degrees, -(2.0**24), 2.0**24, around=0.0)
        self._shift = self._four("translate", translate, -1, 1)
        self._scale = (1.0, 1.0) if scale is None else a_share("scale", scale)
        if shear is not None and not isinstance(shear, (list, tuple)):
            shear = (-a_number("shear", shear, 0), shear)
        self._shear = self._four("shear", shear, -(2.0**24), 2.0**24)
        self._outside = (a_mode(resample, "resample"), a_fill(fill_value))

    @staticmethod
    def _four(name: str, value: Any, low: float, high: float) -> tuple[float, ...]:
        given = (0, 0, 0, 0) if value is None else value
        check_length(name, given, 2, 4)
        first = a_range(name, given[:2], low, high)
        return (*first, *(a_range(name, given[2:], low, high) if len(given) == 4 else (0, 0)))

    def _draw(self, image: Any) -> tuple[Any, ...]:
        height, width = get_image_size(image)
        a, b, c, d = self._shift
        if not is_pil(image):
            draw = self._chance().single
            far = ((a, b, width), (c, d, height))
            ranges = [self._degrees, *((np.float32(f) * n, np.float32(t) * n) for f, t, n in far)]
            ranges += [self._scale, self._shear[:2], self._shear[2:]]
            degrees, x, y, scale, *shear = (float(draw(*ends)) for ends in ranges)
            return math.fmod(degrees, 360), (x, y), scale, tuple(shear), *self._outside
        # Here the first two are how far at most, either way, in whole pixels.
        degrees = random.uniform(*self._degrees)
        x, y = (round(random.uniform(-f * n, f * n)) for f, n in ((a, width), (b, height)))
        scale = random.uniform(*self._scale)
        shear = [random.uniform(*self._shear[i : i + 2]) for i in (0, 2)]
        return degrees, (x, y), scale, tuple(shear), *self._outside


class Perspective(Resampling, function="perspective"):
    """Move four points of the image to four others.

    Args:
        start_points, end_points: Four (x, y) each.
    """

    def __init__(
        self, start_points: Any, end_points: Any, interpolation: Inter = Inter.BILINEAR
    ) -> None:
        check_length("start_points", start_points, 4)
        check_length("end_points", end_points, 4)
        self._mode = a_mode(interpolation)
        kind = Inter.BICUBIC if self._mode is Inter.PILCUBIC else self._mode
        self._args = (start_points, end_points, kind)


class RandomPerspective(Resampling, function="perspective", python=True):
    """Move the corners of an image inwards at random, with a probability.

    Args:
        distortion_scale: float, 0 to 1, how far.
    """

    def __init__(
        self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC
    ) -> None:
        self._far = a_number("distortion_scale", distortion_scale, 0, 1)
        self._prob, self._mode = a_probability(prob), a_mode(interpolation)

    def _draw(self, image: Any) -> tuple[Any, ...] | None:
        only_pil(image)
        if random.random() >= self._prob:
            return None
        height, width = get_image_size(image)
        corners = [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)]
        most = int(width / 2 * self._far), int(height / 2 * self._far)
        moved = [
            tuple(
                random.randint(0, far) if place == 0 else random.randint(place - far, place)
                for place, far in zip(corner, most, strict=True)
            )
            for corner in corners
        ]
        return corners, moved, self._mode


__all__ = [n for n in public_names(globals()) if n[0].isupper() and n != "Resampling"]
