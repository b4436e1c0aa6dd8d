"""Boxes around objects: their overlap, how they are coded, which of them to keep.

A box is ``(x1, y1, x2, y2)``; as MindSpore counts, both its edges belong to it, unless said.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.errors import ParameterNameError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.random import draws_of, next_key
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import floating, need, of_dtype, of_length, of_shape, same_type
from msgrad.ops.random import Seed


def _corners(boxes: Array) -> list[Array]:
    return [boxes[..., i] for i in range(4)]


def _check_boxes(*given: Array) -> None:
    same_type(*given)
    for boxes in given:
        floating(boxes, "boxes")
        of_shape(boxes, "boxes", None, 4)


def _centered(boxes: Array) -> tuple[Array, Array, Array, Array]:
    x1, y1, x2, y2 = _corners(boxes)
    return (x1 + x2) * 0.5, (y1 + y2) * 0.5, x2 - x1 + 1, y2 - y1 + 1


@operator("BoundingBoxEncode", primitive="(...)")
def bounding_box_encode(
    anchor_box: Array,
    groundtruth_box: Array,
    means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
) -> Array:
    """Code boxes by how they differ from anchors: where the center is, and the logarithms of sizes.

    Args:
        anchor_box: Tensor (N, 4), floating.
        groundtruth_box: Tensor (N, 4) of the same dtype.
        means: What is taken from each of the four numbers.
        stds: What each of the four is divided by.

    Returns:
        Tensor (N, 4): what ``bounding_box_decode`` takes.
    """
    _check_boxes(anchor_box, groundtruth_box)
    px, py, pw, ph = _centered(anchor_box)
    gx, gy, gw, gh = _centered(groundtruth_box)
    codes = [(gx - px) / pw, (gy - py) / ph, jnp.log(gw / pw), jnp.log(gh / ph)]
    code = jnp.stack(codes, -1)
    return (code - jnp.asarray(means, code.dtype)) / jnp.asarray(stds, code.dtype)


@operator("BoundingBoxDecode", primitive="(...)")
def bounding_box_decode(
    anchor_box: Array,
    deltas: Array,
    max_shape: tuple[int, ...],
    means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: float = 0.016,
) -> Array:
    """Return the boxes that ``bounding_box_encode`` coded, cut off at the edges of an image.

    Args:
        anchor_box: Tensor (N, 4), floating.
        deltas: Tensor (N, 4), the codes.
        max_shape: Height and width of the image.
        means: What is added to each of the four numbers.
        stds: What each of the four is multiplied by.
        wh_ratio_clip: The factor by which a size changes at most, or its inverse.
    """
    _check_boxes(anchor_box, deltas)
    of_length(max_shape, "max_shape", 2)
    px, py, pw, ph = _centered(anchor_box)
    kind = deltas.dtype
    dx, dy, dw, dh = _corners(deltas * jnp.asarray(stds, kind) + jnp.asarray(means, kind))
    bound = abs(float(np.log(wh_ratio_clip)))
    w, h = pw * jnp.exp(jnp.clip(dw, -bound, bound)), ph * jnp.exp(jnp.clip(dh, -bound, bound))
    x, y = px + pw * dx, py + ph * dy
    corners = [x - w * 0.5 + 0.5, y - h * 0.5 + 0.5, x + w * 0.5 - 0.5, y + h * 0.5 - 0.5]
    height, width = max_shape
    limits = (width, height, width, height)
    return jnp.stack([jnp.clip(c, 0, n) for c, n in zip(corners, limits, strict=True)], -1)


@operator("CheckValid", primitive=True)
def check_valid(bboxes: Indices, img_metas: Indices) -> Array:
    """Whether boxes lie within an image.

    Args:
        bboxes: Tensor (N, 4).
        img_metas: Tensor (3,): height, width and a factor of both.

    Returns:
        bool Tensor (N,).
    """
    _check_boxes(bboxes)
    of_shape(img_metas, "img_metas", 3)
    x1, y1, x2, y2 = _corners(bboxes)
    height, width, factor = img_metas
    return (x1 >= 0) & (y1 >= 0) & (x2 <= width * factor - 1) & (y2 <= height * factor - 1)


def overlap(a: Array, b: Array, edge: int, of_second: bool = False) -> Array:
    """Return the area two boxes share, as a part of that of both, or of the second's.

    Args:
        a: Boxes (..., 4), which broadcast with the others.
        b: Boxes (..., 4).
        edge: 1 where both edges belong to a box, 0 where they have no width.
        of_second: Whether to divide by the area of the second alone.
    """
    ax1, ay1, ax2, ay2 = _corners(a)
    bx1, by1, bx2, by2 = _corners(b)
    w = jnp.minimum(ax2, bx2) - jnp.maximum(ax1, bx1) + edge
    h = jnp.minimum(ay2, by2) - jnp.maximum(ay1, by1) + edge
    shared = jax.nn.relu(w) * jax.nn.relu(h)
    area = (bx2 - bx1 + edge) * (by2 - by1 + edge)
    whole = area if of_second else area + (ax2 - ax1 + edge) * (ay2 - ay1 + edge) - shared
    return shared / whole


@operator("IOU", primitive="(mode='iou')")
def iou(anchor_boxes: Indices, gt_boxes: Indices, mode: str = "iou") -> Array:
    """Return how much boxes overlap; no gradient passes, as in MindSpore.

    Args:
        anchor_boxes: Tensor (N, 4), floating.
        gt_boxes: Tensor (M, 4) of the same dtype.
        mode: ``'iou'`` for the shared area by that of both, ``'iof'`` by that of ``gt_boxes``.

    Returns:
        Tensor (M, N).
    """
    if mode not in ("iou", "iof"):
        raise ParameterNameError(f"the 'mode' must be 'iou' or 'iof', but got {mode!r}.")
    _check_boxes(anchor_boxes, gt_boxes)
    a, b = (jax.lax.stop_gradient(x.astype(jnp.float32)) for x in (anchor_boxes, gt_boxes))
    return overlap(a[None], b[:, None], 1, mode == "iof").astype(anchor_boxes.dtype)


def kept(overlaps: Array, threshold: Any) -> Array:
    """Whether each box overlaps with none that stands before it and is kept; bool (N,)."""
    count = overlaps.shape[0]

    def step(i: Any, keep: Array) -> Array:
        covered = keep[i] & (overlaps[i] > threshold) & (jnp.arange(count) > i)
        return keep & ~covered

    return jax.lax.fori_loop(0, count, step, jnp.ones(count, bool))


@operator("NMSWithMask", primitive="(iou_threshold=0.5)")
def _nms_with_mask(bboxes: Indices, iou_threshold: float) -> tuple[Array, Array, Array]:
    """Order boxes by their scores, and say which overlap with no better one.

    Args:
        bboxes: Tensor (N, 5): boxes whose edges have no width, and scores.
        iou_threshold: The part of the area of both from which on two overlap.

    Returns:
        The boxes in order (N, 5), their places in it (N,), int32, and which are kept (N,), bool.
    """
    of_shape(bboxes, "bboxes", None, 5)
    floating(bboxes, "bboxes")
    bboxes = jax.lax.stop_gradient(bboxes)
    ordered = bboxes[jnp.argsort(bboxes[:, 4], stable=True, descending=True)]
    boxes = ordered[:, :4].astype(jnp.float32)
    keep = kept(overlap(boxes[:, None], boxes[None], 0), iou_threshold)
    return ordered, jnp.arange(bboxes.shape[0], dtype=jnp.int32), keep


@operator("RandomChoiceWithMask")
def _choice_with_mask(key: Array, input_x: Indices, count: int) -> tuple[Array, Array]:
    flat = input_x.reshape(-1)
    noise = jax.random.uniform(jax.random.wrap_key_data(key), flat.shape)
    order = jnp.argsort(jnp.where(flat, noise, 2.0))[:count]
    order = jnp.pad(order, (0, count - order.size)).astype(jnp.int32)
    found = jnp.arange(count) < flat.sum(dtype=jnp.int32)
    places = jnp.stack(jnp.unravel_index(order, input_x.shape), -1).astype(jnp.int32)
    return jnp.where(found[:, None], places, 0), found


@function(primitive="RandomChoiceWithMask(count=256, seed=0, seed2: _ = 0)")
def choice_with_mask(
    input_x: Tensor, count: int = 256, seed: Seed | None = None
) -> tuple[Tensor, Tensor]:
    """Return places of elements that are True, in random order.

    Args:
        input_x: bool Tensor of 1 to 5 dimensions.
        count: How many places.
        seed: Names a stream of its own.

    Returns:
        int32 Tensor (count, dimensions), and bool Tensor (count,): whether there was one more.
    """
    of_dtype(input_x._peek(), "input", jnp.bool_)
    fits = 1 <= input_x.ndim <= 5 and count > 0
    need(fits, "there must be 1 to 5 dimensions and a positive 'count'", input_x, count)
    # Which number comes next depends on how many are True: these are looked at if there is a seed.
    draws = draws_of("choice_with_mask", seed, input_x.shape)
    if draws is None:
        return _choice_with_mask(next_key(seed), input_x, count)
    mask = np.asarray(input_x._concrete("RandomChoiceWithMask"))
    rows = draws.shuffled(list(np.argwhere(mask)))[:count]
    found = np.zeros((count, mask.ndim), np.int32)
    found[: len(rows)] = np.reshape(rows, (-1, mask.ndim))
    return Tensor(found), Tensor(np.arange(count) < len(rows))


@operator("NonMaxSuppressionWithOverlaps")
def _in_order(overlaps: Indices, scores: Indices, threshold: Indices) -> tuple[Array, Array]:
    order = jnp.argsort(scores, stable=True, descending=True)
    return order.astype(jnp.int32), kept(overlaps[order][:, order], threshold)


@function(primitive="NonMaxSuppressionWithOverlaps")
def _non_max_suppression_with_overlaps(
    overlaps: Tensor,
    scores: Tensor,
    max_output_size: Tensor,
    overlap_threshold: Tensor,
    score_threshold: Tensor,
) -> Tensor:
    """Return which boxes overlap with no better one, the best first.

    Args:
        overlaps: Tensor (N, N), float32.
        scores: Tensor (N,), float32.
        max_output_size: How many at most, 0-d, int32.
        overlap_threshold: From where on two overlap, 0-d.
        score_threshold: What a score must be above, 0-d.

    Returns:
        int32 Tensor; how many there are depends on the values, so it cannot be compiled.
    """
    order, keep = _in_order(overlaps, scores, overlap_threshold)
    places, most = (
        np.asarray(t._concrete("NonMaxSuppressionWithOverlaps")) for t in (order, max_output_size)
    )
    better = keep & (scores[order] > score_threshold)
    return Tensor(
        places[np.asarray(better._concrete("NonMaxSuppressionWithOverlaps"))][: int(most)]
    )


@operator(
    "CombinedNonMaxSuppression",
    primitive="(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, "
    "score_threshold, /, pad_per_class=False, clip_boxes=True)",
)
def _combined(
    boxes: Indices,
    scores: Indices,
    iou_threshold: Indices,
    score_threshold: Indices,
    max_output_size_per_class: int,
    max_total_size: int,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> tuple[Array, Array, Array, Array]:
    """Return the best boxes of each image that overlap with no better one of their class.

    Args:
        boxes: Tensor (B, N, 1 or C, 4), float32: y1, x1, y2, x2.
        scores: Tensor (B, N, C), float32.
        max_output_size_per_class: How many of a class at most, 0-d, int32; its value must be known.
        max_total_size: How many at most, 0-d, int32; its value must be known.
        iou_threshold: From where on two overlap, 0-d.
        score_threshold: What a score must be above, 0-d.
        pad_per_class: Whether there are at most as many places as the classes may fill.
        clip_boxes: Whether boxes are cut off at 0 and 1.

    Returns:
        Boxes (B, n, 4), scores (B, n) and classes (B, n), zeros behind the last; and how many there
        are, int32 (B,).
    """
    fits = boxes.ndim == 4 and scores.ndim == 3 and boxes.shape[2] in (1, scores.shape[2])
    need(fits, "boxes must be (B, N, 1 or C, 4) and scores (B, N, C)", boxes, scores)
    images, count, classes = scores.shape
    per_class, total = max_output_size_per_class, max_total_size
    total = min(total, per_class * classes) if pad_per_class else total

    def of_class(boxes: Array, scores: Array) -> tuple[Array, Array]:
        order = jnp.argsort(scores, stable=True, descending=True)
        boxes, scores = boxes[order], scores[order]
        good = scores > score_threshold
        overlaps = jnp.where(good[:, None] & good, overlap(boxes[:, None], boxes[None], 0), 0)
        keep = good & kept(overlaps, iou_threshold)
        keep = keep & (jnp.cumsum(keep) <= per_class)
        return boxes, jnp.where(keep, scores, -jnp.inf)

    each = jnp.broadcast_to(boxes, (images, count, classes, 4)).swapaxes(1, 2)
    found, ranks = jax.vmap(jax.vmap(of_class))(each, scores.swapaxes(1, 2))
    found, ranks = found.reshape(images, -1, 4), ranks.reshape(images, -1)
    short = max(total - ranks.shape[1], 0)
    ranks = jnp.pad(ranks, ((0, 0), (0, short)), constant_values=-jnp.inf)
    found = jnp.pad(found, ((0, 0), (0, short), (0, 0)))
    best = jnp.argsort(ranks, axis=1, stable=True, descending=True)[:, :total]
    ranks = jnp.take_along_axis(ranks, best, 1)
    some = ranks > -jnp.inf
    picked = jnp.take_along_axis(found, best[..., None], 1)
    picked = jnp.clip(picked, 0, 1) if clip_boxes else picked
    return (
        jnp.where(some[..., None], picked, 0),
        jnp.where(some, ranks, 0),
        jnp.where(some, best // count, 0).astype(jnp.float32),
        some.sum(1, dtype=jnp.int32),
    )
