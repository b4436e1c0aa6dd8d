"""Transforms that cut out parts of images."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import an_int, one_of
from msgrad.dataset.transforms.transforms import alone
from msgrad.dataset.vision._arrays import decoded
from msgrad.dataset.vision._geometry import Resampling, Resize, a_mode, padding_of
from msgrad.dataset.vision._operation import (
    ImageOperation,
    a_fill,
    a_share,
    a_size,
    check_length,
    checked_image,
    only_pil,
    run,
)
from msgrad.dataset.vision.utils import Border, Inter, SliceMode, get_image_size, is_pil


class Crop(ImageOperation, function="crop"):
    """Cut out a part.

    Args:
        coordinates: (top, left).
    """

    def __init__(self, coordinates: Any, size: Any) -> None:
        check_length("coordinates", coordinates, 2)
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
        return alone(self._cropped(list(map(self._padded, images)), self._chance()))

    def _cropped(self, images: Any, chance: Draws) -> list[Any]:
        """Return the same part of each image; of batches each one's own."""
        if is_pil(images[0]) or images[0].ndim <= 3:
            part = self._part(images[0], chance)
            return [run("cropped", image, *part) for image in images]
        each = [self._cropped(ones, chance) for ones in zip(*images, strict=True)]
        return [np.stack(ones) for ones in zip(*each, strict=True)]

    def _part(self, image: Any, chance: Draws) -> tuple[int, int, int, int]:
        """Return a random part's top, left, height and width."""
        high, broad = get_image_size(image)
        height, width = self._size
        if high < height or broad < width:
            raise EngineError(
                f"RandomCrop: the size {self._size} is larger than the image, {high} x {broad}."
            )
        if (high, broad) == (height, width):
            return 0, 0, height, width
        if is_pil(image):
            top, left = random.randint(0, high - height), random.randint(0, broad - width)
        else:
            left, top = chance.below(broad - width + 1), chance.below(high - height + 1)
        return top, left, height, width

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
        self._scale, self._ratio = a_share("scale", scale), a_share("ratio", ratio)
        self._mode = a_mode(interpolation)
        self._attempts = an_int("max_attempts", max_attempts, 1)

    def __call__(self, *images: Any) -> Any:
        part = self._part(images[0])
        if self._mode is Inter.ANTIALIAS:
            Resize(self._size, self._mode)(images[0])
        made = tuple(
            run("resize_to", run("cropped", image, *part), self._size, self._mode)
            for image in images
        )
        return alone(made)

    def _part(self, image: Any) -> tuple[int, int, int, int]:
        """Return a random part's top, left, height and width."""
        height, width = get_image_size(image)
        pil = is_pil(image)
        chance, whole = None if pil else self._chance(), round if pil else _rounded
        for _ in range(self._attempts):
            share, shape = self._share_and_shape(chance)
            broad = whole(math.sqrt(height * width * share * shape))
            high = whole(broad / shape)
            if chance is not None:
                broad, high = max(broad, 1), max(high, 1)
            if 0 < broad <= width and 0 < high <= height:
                if chance is None:
                    top, left = random.randint(0, height - high), random.randint(0, width - broad)
                else:
                    left, top = chance.below(width - broad + 1), chance.below(height - high + 1)
                return top, left, high, broad
        low, most = self._ratio
        high, broad = height, width
        if width / height < low:
            high = max(whole(width / low), 1)
        elif width / height > most:
            broad = max(whole(height * most), 1)
        return whole((height - high) / 2), whole((width - broad) / 2), high, broad

    def _share_and_shape(self, chance: Draws | None) -> tuple[float, float]:
        """Return a part's share of the area, and its width by its height, both drawn."""
        if chance is None:
            share = random.uniform(*self._scale)
            return share, math.exp(random.uniform(*map(math.log, self._ratio)))
        share = float(chance.single(*self._scale))
        ends = (math.log(np.float32(end)) for end in self._ratio)
        return share, math.exp(chance.single(*ends))


def _rounded(value: float) -> int:
    """Return the nearest integer to a number of 0 or more, of a half the larger one."""
    return math.floor(value + 0.5)


class RandomCropDecodeResize(RandomResizedCrop):
    """Read an image file's bytes and do as ``RandomResizedCrop``."""

    def __call__(self, data: Any) -> Any:
        return super().__call__(decoded(data))


class ResizedCrop(Resampling):
    """Cut out a part and resize it.

    Args:
        top, left, height, width: int, the part.
        size: Its new (height, width), or one number for both.
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
        self._resize = Resize(a_size(size), interpolation)
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
        down = one_of("use_vertical_flip", use_vertical_flip, bool)
        self._flip = "flipped_down" if down else "flipped"

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
        array, (rows, columns) = np.asarray(checked_image(image)), self._counts
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
