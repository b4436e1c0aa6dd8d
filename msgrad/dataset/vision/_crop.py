"""Transforms that cut out parts of images."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import an_int, one_of
from msgrad.dataset._chance import generator
from msgrad.dataset.transforms.transforms import alone
from msgrad.dataset.vision._geometry import Resampling, Resize, a_mode, padding_of
from msgrad.dataset.vision._operation import (
    ImageOperation,
    a_fill,
    a_range,
    a_size,
    only_pil,
    run,
    uniform,
)
from msgrad.dataset.vision.utils import Border, Inter, SliceMode, get_image_size, opened


class Crop(ImageOperation, function="crop"):
    """Cut out a part.

    Args:
        coordinates: (top, left).
    """

    def __init__(self, coordinates: Any, size: Any) -> None:
        if not isinstance(coordinates, (list, tuple)) or len(coordinates) != 2:
            raise ArgumentTypeError(f"coordinates must be (top, left), but got {coordinates}.")
        places = [an_int("coordinates", place, 0) for place in coordinates]
        self._args = (*places, *a_size(size))


class CenterCrop(ImageOperation, function="center_crop"):
    """Cut out the middle; zeros around it where the image is smaller."""

    def __init__(self, size: Any) -> None:
        self._args = (a_size(size),)


class RandomCrop(ImageOperation):
    """Cut out a part from anywhere.

    Args:
        padding: Put around before, as for ``Pad``; None for nothing.
        pad_if_needed: Whether an image that is too small is padded to the size.
    """

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self._size = a_size(size)
        self._padding = None if padding is None else padding_of(padding)
        self._if_needed = one_of("pad_if_needed", pad_if_needed, bool)
        self._rest = (a_fill(fill_value), one_of("padding_mode", padding_mode, Border))

    def __call__(self, *images: Any) -> Any:
        wide = [self._padded(image) for image in images]
        part = self._part(wide[0])
        return alone(tuple(run("cropped", image, *part) for image in wide))

    def _part(self, image: Any) -> tuple[int, int, int, int]:
        """Return a random part's top, left, height and width."""
        high, broad = get_image_size(image)
        height, width = self._size
        if high < height or broad < width:
            raise EngineError(
                f"RandomCrop: the size {self._size} is larger than the image, {high} x {broad}."
            )
        top = int(generator().integers(high - height + 1))
        return top, int(generator().integers(broad - width + 1)), height, width

    def _padded(self, image: Any) -> Any:
        if self._padding is not None:
            image = run("pad", image, self._padding, *self._rest)
        lacking = [
            max(0, new - old) for new, old in zip(self._size, get_image_size(image), strict=True)
        ]
        if self._if_needed and any(lacking):
            around = (lacking[1], lacking[0], lacking[1], lacking[0])
            image = run("pad", image, around, *self._rest)
        return image


class RandomResizedCrop(Resampling):
    """Cut out a part of random size and ratio, and resize it.

    Args:
        scale: (from, to), the part's share of the area.
        ratio: (from, to), width by height.
        interpolation: As for ``Resize``.
        max_attempts: int, how often is tried to find a part that fits; then the middle is taken.
    """

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        self._size = a_size(size)
        self._scale = a_range("scale", scale, 0, 2.0**24)
        self._ratio = a_range("ratio", ratio, 0, 2.0**24)
        self._mode = a_mode(interpolation)
        self._attempts = an_int("max_attempts", max_attempts, 1)

    def __call__(self, *images: Any) -> Any:
        part = part_of(images[0], self._scale, self._ratio, self._attempts)
        if self._mode is Inter.ANTIALIAS:
            Resize(self._size, self._mode)(images[0])
        made = tuple(
            run("resize_to", run("cropped", image, *part), self._size, self._mode)
            for image in images
        )
        return alone(made)


def part_of(image: Any, scale: Any, ratio: Any, attempts: int) -> tuple[int, int, int, int]:
    """Return a random part's top, left, height and width."""
    height, width = get_image_size(image)
    for _ in range(attempts):
        area = height * width * uniform(*scale)
        shape = math.exp(uniform(math.log(ratio[0]), math.log(ratio[1])))
        broad, high = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
        if 0 < broad <= width and 0 < high <= height:
            top = int(generator().integers(height - high + 1))
            return top, int(generator().integers(width - broad + 1)), high, broad
    high, broad = height, width
    if width / height < ratio[0]:
        high = int(width / ratio[0] + 0.5)
    elif width / height > ratio[1]:
        broad = int(height * ratio[1] + 0.5)
    return (height - high + 1) // 2, (width - broad + 1) // 2, high, broad


class RandomCropDecodeResize(RandomResizedCrop):
    """Read an image file's bytes and do as ``RandomResizedCrop``."""

    def __call__(self, data: Any) -> Any:
        return super().__call__(np.array(opened(data).convert("RGB")))


class ResizedCrop(Resampling):
    """Cut out a part and resize it.

    Args:
        top, left, height, width: int, the part.
        size: Its new (height, width), or one number for the shorter side.
        interpolation: As for ``Resize``.
    """

    def __init__(
        self,
        top: int,
        left: int,
        height: int,
        width: int,
        size: Any,
        interpolation: Inter = Inter.BILINEAR,
    ) -> None:
        self._part = (an_int("top", top, 0), an_int("left", left, 0))
        self._part += (an_int("height", height, 1), an_int("width", width, 1))
        self._resize = Resize(size, interpolation)
        if interpolation is Inter.ANTIALIAS:
            raise EngineError("ResizedCrop: ANTIALIAS is for Resize, and PIL images, only.")

    def __call__(self, image: Any) -> Any:
        return self._resize(run("crop", image, *self._part))


class FiveCrop(ImageOperation, python=True):
    """Cut out the four corners and the middle of a PIL image; a tuple."""

    def __init__(self, size: Any) -> None:
        self._size = a_size(size)

    def __call__(self, image: Any) -> tuple[Any, ...]:
        only_pil(image)
        height, width = get_image_size(image)
        (h, w), cut = self._size, lambda *part: run("cropped", image, *part)
        if h > height or w > width:
            raise ArgumentValueError(f"Crop size {self._size} is larger than {height} x {width}.")
        right, low = width - w, height - h
        corners = [
            cut(top, left, h, w) for top, left in ((0, 0), (0, right), (low, 0), (low, right))
        ]
        return (*corners, run("center_crop", image, self._size))


class TenCrop(FiveCrop):
    """Cut out as ``FiveCrop`` does, from a PIL image and from it flipped; a tuple.

    Args:
        use_vertical_flip: Whether it is flipped top to bottom, or left to right.
    """

    def __init__(self, size: Any, use_vertical_flip: bool = False) -> None:
        super().__init__(size)
        self._flip = "flipped_down" if use_vertical_flip else "flipped"

    def __call__(self, image: Any) -> tuple[Any, ...]:
        only_pil(image)
        return super().__call__(image) + super().__call__(run(self._flip, image))


class SlicePatches(ImageOperation):
    """Cut into rows and columns of patches; a tuple of arrays.

    Args:
        num_height, num_width: int, how many.
        slice_mode: SliceMode, whether what is left over is dropped, or pads the image.
        fill_value: int, for that.
    """

    def __init__(
        self,
        num_height: int = 1,
        num_width: int = 1,
        slice_mode: SliceMode = SliceMode.PAD,
        fill_value: int = 0,
    ) -> None:
        self._counts = an_int("num_height", num_height, 1), an_int("num_width", num_width, 1)
        self._pads = one_of("slice_mode", slice_mode, SliceMode) is SliceMode.PAD
        self._fill = a_fill(fill_value)

    def __call__(self, image: Any) -> Any:
        array, (rows, columns) = np.asarray(image), self._counts
        height, width = array.shape[:2]
        if self._pads:
            around = (0, 0, -width % columns, -height % rows)
            array = run("pad", array, around, self._fill, Border.CONSTANT)
        h, w = array.shape[0] // rows, array.shape[1] // columns
        made = tuple(
            array[i * h : (i + 1) * h, j * w : (j + 1) * w]
            for i in range(rows)
            for j in range(columns)
        )
        return alone(made)


__all__ = [n for n in public_names(globals()) if n[0].isupper()]
