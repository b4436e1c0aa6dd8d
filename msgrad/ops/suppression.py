"""CombinedNonMaxSuppression: the best boxes of images, class by class."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import static
from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops.detection import kept, overlap


@operator("CombinedNonMaxSuppression")
def _combined(
    boxes: Indices,
    scores: Indices,
    iou_threshold: Indices,
    score_threshold: Indices,
    per_class: int,
    total: int,
    clip_boxes: bool,
) -> tuple[Array, Array, Array, Array]:
    if boxes.ndim != 4 or scores.ndim != 3 or boxes.shape[2] not in (1, scores.shape[2]):
        raise ArgumentValueError(
            "the boxes must be of shape (B, N, 1 or C, 4) and the scores of shape (B, N, C), but "
            f"got {boxes.shape} and {scores.shape}."
        )
    images, count, classes = scores.shape

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


@function(primitive="CombinedNonMaxSuppression(*)")
def _combined_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Tensor,
    score_threshold: Tensor,
    *,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
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
    per_class, total = static(max_output_size_per_class), static(max_total_size)
    if pad_per_class:
        total = min(total, per_class * scores.shape[2])
    thresholds = (iou_threshold, score_threshold)
    return _combined(boxes, scores, *thresholds, per_class, total, clip_boxes)
