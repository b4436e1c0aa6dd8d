"""Transforms of an image together with its boxes, (x, y, width, height) of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import a_number
from msgrad.dataset.vision._crop import RandomCrop, RandomResizedCrop
from msgrad.dataset.vision._geometry import (
    RandomHorizontalFlip,
    RandomResize,
    RandomVerticalFlip,
    Resize,
)
from msgrad.dataset.vision._operation import ImageOperation, checked_image, run


class _WithBoxes:
    """What makes a transform one of two columns: an image, and its boxes, float32 (N, 4 or more).

    Differs from MindSpore: the boxes that are given stay as they are, if a source keeps them.
    """

    def __call__(self: Any, *columns: Any) -> Any:
        """Return image and boxes changed.

        Raises:
            RuntimeError: If there are not two columns, or the boxes are not within the image.
        """
        if len(columns) != 2:
            raise EngineError(
                "BoundingBox: invalid input, size of input data should be 2 (including image and "
                f"bounding box), but got: {len(columns)}."
            )
        image = np.array(checked_image(columns[0]))
        height, width = image.shape[:2]
        boxes = _checked_boxes(columns[1], height, width)
        return self._image_and_boxes(image, boxes)

    def _image_and_boxes(
        self: Any, image: np.ndarray, boxes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return an image changed, and its boxes, which may be written to.

        A subclass defines ``_move``, which changes their rows x, y, width and height, as an image
        of one size was made of another.
        """
        args = self._draw(image)
        if args is None:
            return image, boxes
        changed = run(self._function, image, *args)
        self._move(boxes[:, :4].T, image.shape, changed.shape)
        return changed, boxes


def _checked_boxes(boxes: Any, height: int, width: int) -> np.ndarray:
    """Return a copy of boxes that are within an image.

    Raises:
        RuntimeError: If they are no such boxes.
    """
    wanted = "BoundingBox: bounding boxes must be float32 of shape (N, 4) or wider"
    if not isinstance(boxes, np.ndarray) or boxes.dtype != np.float32:
        raise EngineError(f"{wanted}, but got {getattr(boxes, 'dtype', type(boxes))}.")
    if boxes.ndim != 2 or boxes.shape[1] < 4:
        raise EngineError(f"{wanted}, but got the shape {boxes.shape}.")
    x, y, wide, high = boxes[:, :4].T
    if (boxes[:, :4] < 0).any():
        raise EngineError("BoundingBox: the coordinates of the bounding boxes are below 0.")
    if (x + wide > width).any() or (y + high > height).any():
        raise EngineError(
            f"BoundingBox: bounding boxes is out of bounds of the image, as image width: {width}, "
            f"height: {height}, and they end at: {(x + wide).max()}, {(y + high).max()}."
        )
    return boxes.copy()


class RandomHorizontalFlipWithBBox(_WithBoxes, RandomHorizontalFlip):
    """Swap left and right of an image and its boxes, with a probability."""

    def _move(self, boxes: np.ndarray, before: Any, after: Any) -> None:
        boxes[0] = before[1] - boxes[0] - boxes[2]


class RandomVerticalFlipWithBBox(_WithBoxes, RandomVerticalFlip):
    """Swap top and bottom of an image and its boxes, with a probability."""

    def _move(self, boxes: np.ndarray, before: Any, after: Any) -> None:
        boxes[1] = before[0] - boxes[1] - boxes[3]


class _Resized(_WithBoxes):
    """What makes a transform that resizes one of two columns."""

    def _move(self, boxes: np.ndarray, before: Any, after: Any) -> None:
        boxes[::2] *= np.float32(after[1] / before[1])
        boxes[1::2] *= np.float32(after[0] / before[0])


class ResizeWithBBox(_Resized, Resize):
    """Resize an image and its boxes; see ``Resize``."""


class RandomResizeWithBBox(_Resized, RandomResize):
    """Resize an image and its boxes, by an interpolation that is drawn; see ``RandomResize``."""


def _within(boxes: np.ndarray, part: tuple[int, int, int, int]) -> np.ndarray:
    """Return what a part of an image has of boxes; those that end at its edge count."""
    top, left, height, width = part
    begins, sizes = boxes[:, :2] - (left, top), boxes[:, 2:4]
    ends = begins + sizes
    kept = ((ends >= 0) & (begins <= (width, height))).all(1)
    begins, ends = (np.clip(corner, 0, (width, height)) for corner in (begins, ends))
    return np.hstack([begins, ends - begins, boxes[:, 4:]])[kept].astype(np.float32)


class RandomCropWithBBox(_WithBoxes, RandomCrop):
    """Cut out a part from anywhere, and of the boxes what is in it; see ``RandomCrop``.

    Differs from MindSpore: with ``pad_if_needed`` too the boxes move with the image.
    """

    def _image_and_boxes(
        self, image: np.ndarray, boxes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        wide = self._padded(image)
        left, top, right, below = self._padding or (0, 0, 0, 0)
        high, broad = wide.shape[:2]
        top += (high - image.shape[0] - top - below) // 2
        left += (broad - image.shape[1] - left - right) // 2
        boxes[:, :2] += (left, top)
        part = self._part(wide, self._chance())
        return run("cropped", wide, *part), _within(boxes, part)


class RandomResizedCropWithBBox(_Resized, RandomResizedCrop):
    """Cut out a part and resize it, with what is in it of the boxes; see ``RandomResizedCrop``."""

    def _image_and_boxes(
        self, image: np.ndarray, boxes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        part = self._part(image)
        boxes = _within(boxes, part)
        self._move(boxes[:, :4].T, part[2:], self._size)
        return run("resize_to", run("cropped", image, *part), self._size, self._mode), boxes


class BoundingBoxAugment(_WithBoxes, ImageOperation):
    """Apply a transform of images to what is in some of the boxes; they stay as they are.

    Args:
        transform: The transform; what it makes is resized to its box.
        ratio: The probability of each box, 0 to 1.
    """

    _within = ("_transform",)

    def __init__(self, transform: Any, ratio: float = 0.3) -> None:
        if not isinstance(transform, ImageOperation) or transform.python_only:
            raise ArgumentTypeError(
                "Argument transform must be a transform of images that runs in C++ in MindSpore, "
                f"but got {type(transform)}."
            )
        self._transform, self._ratio = transform, a_number("ratio", ratio, 0, 1)

    def _image_and_boxes(
        self, image: np.ndarray, boxes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        chance = self._chance()
        drawn = [chance.single() < self._ratio for _ in boxes]
        for left, top, width, height in boxes[drawn, :4].astype(int):
            part = image[top : top + height, left : left + width]
            changed = self._transform(part.copy())
            if changed.shape != part.shape:
                changed = Resize((height, width))(changed)
            part[...] = changed
        return image, boxes


__all__ = public_names(globals())
