"""Regions of images, drawn, or brought to one size: ROIAlign, CropAndResize, ExtractGlimpse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import wrap
from msgrad._core.checks import at_least, one_of
from msgrad._core.declared import Word
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import wide
from msgrad._core.random import next_key
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import of_dtype, of_length, of_rank, of_shape, same_type
from msgrad.ops.sampling import element_at, linear_at


@operator("ROIAlign", primitive="(...)")
def _roi_align(
    features: Array,
    rois: Indices,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sample_num: int = 2,
    roi_end_mode: int = 1,
) -> Array:
    """Compute means of points in regions of images, each region divided into equal parts.

    Args:
        features: Tensor (N, C, H, W), floating.
        rois: Tensor (R, 5) of the same dtype: which of N, and x1, y1, x2, y2.
        pooled_height: How many parts a region has from top to bottom.
        pooled_width: How many from left to right.
        spatial_scale: What the corners of a region are multiplied by.
        sample_num: The points of a part along each dimension; below 1, one for each whole element
            that the part is long.
        roi_end_mode: Whether x2 and y2 belong to the region (1), or not (0).

    Returns:
        Tensor (R, C, pooled_height, pooled_width).

    Differs from MindSpore: with a ``sample_num`` below 1, a part shorter than an element has a
    point too; in MindSpore it has none, and its mean is NaN.
    """
    of_rank(features, 4, label="features")
    of_shape(rois, "rois", None, 5)
    one_of("", "roi_end_mode", roi_end_mode, 0, 1)
    same_type(features, rois)
    x, rois = wide(features), jax.lax.stop_gradient(wide(rois))
    corners = rois[:, 1:] * spatial_scale
    starts = corners[:, 1::-1]
    extent = corners[:, :1:-1] + roi_end_mode * spatial_scale - starts
    extent = jnp.maximum(extent, 1) if roi_end_mode == 0 else extent
    if sample_num < 1:
        counts = (pooled_height, pooled_width)
        weights = [
            _mean_weights(starts[:, d], extent[:, d], count, x.shape[2 + d])
            for d, count in enumerate(counts)
        ]
        image = rois[:, 0].astype(jnp.int32)
        # One region after the other: all of them at once would be as many images.
        pooled = jax.lax.map(
            lambda one: jnp.einsum("ph,chw,qw->cpq", one[1], x[one[0]], one[2]), (image, *weights)
        )
        return pooled.astype(features.dtype)
    inside, at = None, []
    for d, count in enumerate((pooled_height, pooled_width)):
        share = (np.arange(count * sample_num) + 0.5) / (count * sample_num)
        line = starts[:, d, None] + extent[:, d, None] * share.astype(x.dtype)
        # What lies within one element of the edge is at the edge, what lies further out is 0.
        near = (line >= -1) & (line <= x.shape[2 + d])
        line, near = (
            v[:, :, None] if d == 0 else v[:, None]
            for v in (jnp.clip(line, 0, x.shape[2 + d] - 1), near)
        )
        inside = near if inside is None else inside & near
        at.append(line)
    image = rois[:, 0].astype(jnp.int32)[:, None, None]
    points = jnp.where(jnp.asarray(inside)[..., None], linear_at(x, image, tuple(at)), 0)
    parts = (-1, pooled_height, sample_num, pooled_width, sample_num, x.shape[1])
    means = points.reshape(parts).mean((2, 4))
    return jnp.moveaxis(means, -1, 1).astype(features.dtype)


def _mean_weights(start: Any, extent: Any, count: int, size: int) -> Any:
    """Return what each element weighs in the means of the parts of regions, (R, parts, size)."""
    points = jnp.maximum(jnp.floor(extent / count), 1)[:, None, None]
    part = (extent / count)[:, None, None]
    begin = start[:, None, None] + part * np.arange(count)[:, None]

    def add(i: Any, weights: Any) -> Any:
        line = begin + part * (i + 0.5) / points
        near = (line >= -1) & (line <= size) & (i < points)
        line = jnp.clip(line, 0, size - 1)
        return weights + jnp.where(near, jnp.maximum(1 - abs(line - np.arange(size)), 0), 0)

    weights = jnp.zeros((len(start), count, size), start.dtype)
    return jax.lax.fori_loop(0, points.max(initial=0).astype(jnp.int32), add, weights) / points


@operator("CropAndResize", primitive="(method='bilinear', extrapolation_value=0.0)")
def crop_and_resize(
    image: Array,
    boxes: Array,
    box_indices: Indices,
    crop_size: tuple[int, ...],
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Array:
    """Cut regions out of images and resize them to one size.

    Args:
        image: Tensor (N, H, W, C).
        boxes: Tensor (R, 4), float32: y1, x1, y2, x2, where 1 is the last row or column.
        box_indices: int32 Tensor (R,): which of N.
        crop_size: The height and the width of the result.
        method: ``'bilinear'``, ``'nearest'``, or ``'bilinear_v2'``, which takes whole elements and
            their centers.
        extrapolation_value: What lies outside of the image.

    Returns:
        float32 Tensor (R, height, width, C).
    """
    one_of("", "method", method, "bilinear", "nearest", "bilinear_v2")
    of_rank(image, 4, label="image")
    of_shape(boxes, "boxes", None, 4)
    of_length(crop_size, "crop_size", 2)
    of_dtype(boxes, "boxes", jnp.float32)
    of_dtype(box_indices, "box_indices", jnp.int32)
    at, inside = [], []
    for d, count in enumerate(crop_size):
        last = image.shape[1 + d] - 1
        low, high = boxes[:, d, None] * last, boxes[:, d + 2, None] * last
        steps = np.arange(count, dtype=np.float32)
        line = low + steps * (high - low) / (count - 1) if count > 1 else 0.5 * (low + high)
        if method == "bilinear_v2":
            first, end = (jnp.trunc(boxes[:, i, None] * (last + 1)) for i in (d, d + 2))
            line = (steps + 0.5) * (end - first + 1) / count - 0.5
            line = jnp.clip(first + jnp.clip(line, 0, end - first), 0, last)
        # As MindSpore has it, a place at an element has no slope.
        line = jnp.where(line == jnp.floor(line), jax.lax.stop_gradient(line), line)
        line = line[:, :, None] if d == 0 else line[:, None]
        at.append(line)
        inside.append((line >= 0) & (line <= last))
    x = jnp.moveaxis(image, -1, 1)
    x = x.astype(jnp.float32)
    which = box_indices[:, None, None]
    if method == "nearest":
        # Half away from zero, as C rounds.
        out = element_at(x, which, tuple(jnp.floor(a + 0.5) for a in at))
    else:
        out = linear_at(x, which, tuple(at))
    return jnp.where((inside[0] & inside[1])[..., None], out, extrapolation_value)


@operator("ExtractGlimpse")
def _glimpse(
    key: Array,
    x: Array,
    offsets: Indices,
    size: tuple[int, ...],
    centered: bool,
    normalized: bool,
    noise: str,
) -> Array:
    if x.ndim != 4 or len(size) < 2:
        raise KernelError(f"the images must have 4 dimensions, but got {x.shape}, size {size}.")
    of_shape(offsets, "offsets", len(x), 2)
    at_least("", "size", min(size), 1)
    lengths = np.array(x.shape[1:3], np.float32)
    at = offsets * lengths if normalized else offsets
    at = at / 2 + lengths / 2 if centered else at
    # Towards zero, as C casts.
    first = (at - np.array(size[:2], np.float32) / 2).astype(jnp.int32)
    rows = first[:, 0, None, None] + np.arange(size[0], dtype=np.int32)[:, None]
    columns = first[:, 1, None, None] + np.arange(size[1], dtype=np.int32)
    inside = (rows >= 0) & (rows < x.shape[1]) & (columns >= 0) & (columns < x.shape[2])
    found = x.at[np.arange(len(x))[:, None, None], rows, columns].get(mode="clip")
    drawn = jax.random.wrap_key_data(key)
    if noise == "uniform":
        outside = jax.random.uniform(drawn, found.shape, x.dtype, -1, 1)
    elif noise == "gaussian":
        outside = 10 + jax.random.normal(drawn, found.shape, x.dtype) / 2
    else:
        outside = jnp.zeros_like(found)
    return jnp.where(inside[..., None], found, outside)


@function(
    primitive="ExtractGlimpse(centered=True, normalized=True, uniform_noise=True, noise='uniform')"
)
def _extract_glimpse(
    x: Tensor,
    size: Tensor,
    offsets: Tensor,
    centered: bool,
    normalized: bool,
    uniform_noise: bool,
    noise: Word,
) -> Tensor:
    """Cut a region around a point out of each image, with noise for what lies outside of it.

    Args:
        x: float32 Tensor (N, H, W, C).
        size: int32 Tensor (2,): the height and the width of the regions.
        offsets: float32 Tensor (N, 2): the row and the column of the points.
        centered: Whether points are counted from the middle of an image, in halves.
        normalized: Whether 1 is the height and the width of an image.
        uniform_noise: Whether the noise must be uniform.
        noise: ``'uniform'`` from -1 to 1, ``'gaussian'`` of mean 10 and deviation 0.5, ``'zero'``.

    Returns:
        float32 Tensor (N, height, width, C).
    """
    if noise not in ("uniform", "gaussian", "zero") or (uniform_noise and noise != "uniform"):
        raise ArgumentValueError(
            f"'noise' must be 'uniform', 'gaussian' or 'zero', and 'uniform' where 'uniform_noise' "
            f"is True, but got {noise!r}."
        )
    sizes = np.asarray(size._concrete("ExtractGlimpse"))
    kinds = (x.dtype.np_dtype, sizes.dtype, offsets.dtype.np_dtype)
    if kinds != (np.float32, np.int32, np.float32):
        raise ArgumentTypeError(
            f"the images must be float32, the size int32 and the offsets float32, but got {kinds}."
        )
    key = next_key(None)
    return _glimpse(key, x, offsets, tuple(sizes.tolist()), centered, normalized, noise)


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
    of_shape(size, "image_size", 3)
    of_shape(boxes, "bounding_boxes", None, None, 4)
    of_shape(least, "min_object_covered", 1)
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
