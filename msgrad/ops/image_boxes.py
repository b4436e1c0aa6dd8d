"""SampleDistortedBoundingBoxV2: a random region of an image that shows one of its objects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from msgrad._core.bridge import wrap
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.random import next_key
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor


def _region(
    draw: Any, height: int, width: int, aspects: Sequence[float], areas: Sequence[float]
) -> tuple[int, int, int, int] | None:
    """Draw top, left, height and width of a region; None where it does not fit."""
    aspect = draw.uniform(*aspects)
    least, most = (part * height * width for part in areas)
    rows, last = (round(math.sqrt(area / aspect)) for area in (least, most))
    if round(last * aspect) > width:
        last = int((width + 0.5 - 1e-7) / aspect)
        last -= round(last * aspect) > width
    last = min(last, height)
    rows = int(draw.integers(min(rows, last), last + 1))
    columns = round(rows * aspect)
    rows += (rows * columns < least) - (rows * columns > most)
    columns = round(rows * aspect)
    if not least <= rows * columns <= most or not 0 < rows <= height or not 0 < columns <= width:
        return None
    top, left = draw.integers(height - rows + 1), draw.integers(width - columns + 1)
    return int(top), int(left), rows, columns


def _covered(region: tuple[int, ...], boxes: Any) -> float:
    """Return the largest part of a box (y1, x1, y2, x2 in pixels) that lies in a region."""
    starts = np.maximum(boxes[:, :2], region[:2])
    ends = np.minimum(boxes[:, 2:], np.add(region[:2], region[2:]))
    inside = np.maximum(ends - starts, 0).prod(1)
    return float((inside / (boxes[:, 2:] - boxes[:, :2]).prod(1)).max())


@function(
    primitive="SampleDistortedBoundingBoxV2(seed=0, seed2=0, aspect_ratio_range=(0.75, 1.33), "
    "area_range=(0.05, 1.0), max_attempts=100, use_image_if_no_bounding_boxes=False)"
)
def _sample_distorted_bounding_box(
    image_size: Tensor,
    bounding_boxes: Tensor,
    min_object_covered: Tensor,
    seed: int,
    seed2: int,
    aspect_ratio_range: Sequence[float],
    area_range: Sequence[float],
    max_attempts: int,
    use_image_if_no_bounding_boxes: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw a region of an image that shows enough of one of its objects; else, the whole image.

    Args:
        image_size: int Tensor (3,): height, width, channels.
        bounding_boxes: float32 Tensor (N, M, 4) of the objects: y1, x1, y2, x2 from 0 to 1.
        min_object_covered: float32 Tensor (1,): which part of one of them is enough.
        seed: With ``seed2``, names the region; both 0 for another one in every call.
        seed2: See ``seed``.
        aspect_ratio_range: Bounds of width / height.
        area_range: Bounds of the region's part of the image.
        max_attempts: How many regions are tried.
        use_image_if_no_bounding_boxes: Whether the image is an object where there is none.

    Returns:
        int Tensor (3,): ``[top, left, 0]``; int Tensor (3,): ``[height, width, -1]``; float32
        Tensor (1, 1, 4): the region as a box.
    """
    name = "SampleDistortedBoundingBoxV2"
    size, boxes, least = (
        np.asarray(t._concrete(name)) for t in (image_size, bounding_boxes, min_object_covered)
    )
    kinds = (size.dtype.kind, str(boxes.dtype), str(least.dtype))
    if kinds[0] not in "iu" or kinds[1:] != ("float32", "float32"):
        raise ArgumentTypeError(f"the Tensors must be int, float32 and float32, but got {kinds}.")
    if (size.shape, boxes.shape[2:], least.shape) != ((3,), (4,), (1,)):
        raise ArgumentValueError(
            f"the Tensors must be of shape (3,), (N, M, 4) and (1,), but got {size.shape}, "
            f"{boxes.shape} and {least.shape}."
        )
    aspects, areas = aspect_ratio_range, area_range
    if len(aspects) != 2 or len(areas) != 2 or max_attempts < 1:
        raise ArgumentValueError("the ranges have two bounds, and 'max_attempts' must be positive.")
    if not 0 < aspects[0] < aspects[1] or not 0 < areas[0] < areas[1] <= 1:
        raise ArgumentValueError(
            f"the bounds must be positive and rise, and areas be at most 1, not {aspects}, {areas}."
        )
    if not boxes.size and not use_image_if_no_bounding_boxes:
        raise ArgumentValueError("there are no boxes; see 'use_image_if_no_bounding_boxes'.")
    boxes = boxes.reshape(-1, 4) if boxes.size else np.array([[0, 0, 1, 1]], np.float32)
    if (boxes < 0).any() or (boxes > 1).any() or (boxes[:, :2] >= boxes[:, 2:]).any():
        raise KernelError("boxes must be y1, x1, y2, x2 from 0 to 1, with y1 < y2 and x1 < x2.")
    if not 0 <= least[0] <= 1:
        raise KernelError(f"'min_object_covered' must be from 0 to 1, but got {least[0]}.")
    seeds = (seed, seed2) if seed or seed2 else wrap(next_key(None))._concrete(name).tolist()
    height, width = map(int, size[:2])
    draw, scale = np.random.default_rng(seeds), np.array([height, width] * 2)
    top, left, rows, columns = 0, 0, height, width
    for _ in range(max_attempts):
        region = _region(draw, height, width, aspects, areas)
        if region and _covered(region, boxes * scale) >= least[0]:
            top, left, rows, columns = region
            break
    corners = np.array([top, left, top + rows, left + columns]) / scale
    return (
        Tensor(np.array([top, left, 0]).astype(size.dtype)),
        # -1 of an unsigned dtype is its largest number.
        Tensor(np.array([rows, columns, -1]).astype(size.dtype)),
        Tensor(corners.astype(np.float32).reshape(1, 1, 4)),
    )
