"""Resampling of arrays as OpenCV does it, which MindSpore uses: the same bytes for uint8.

Sizes and points are (height, width) and (x, y); images (H, W) or (H, W, C).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad.dataset.vision.utils import Inter

# OpenCV's fixed point: of weights in resize and in warping, of coordinates, and of their fractions.
_WEIGHT_BITS, _WARP_BITS, _PLACE_BITS, _PART_BITS = 11, 15, 10, 5


def _linear(part: np.ndarray) -> np.ndarray:
    return np.stack([1 - part, part], -1)


def _cubic(part: np.ndarray) -> np.ndarray:
    a = np.float32(-0.75)
    far, near, next_ = part + 1, part, 1 - part
    first = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a
    second = ((a + 2) * near - (a + 3)) * near * near + 1
    third = ((a + 2) * next_ - (a + 3)) * next_ * next_ + 1
    return np.stack([first, second, third, 1 - first - second - third], -1)


def _taps(new: int, old: int, mode: Inter) -> tuple[np.ndarray, np.ndarray]:
    """Return for each new pixel of an axis the old ones it is made of, and their weights."""
    scale = 1 / (new / old)
    if mode is Inter.AREA:
        # Of a larger image: the nearest pixels, joined only where two of them share a new one.
        first = np.floor(np.arange(new) * scale).astype(int)
        part = (np.arange(new) + 1 - (first + 1) / scale).astype(np.float32)
        part = np.where(part <= 0, 0, part - np.floor(part)).astype(np.float32)
    else:
        place = ((np.arange(new) + 0.5) * scale - 0.5).astype(np.float32)
        first = np.floor(place).astype(int)
        part = place - first.astype(np.float32)
    if mode is Inter.BICUBIC:
        return np.clip(first[:, None] + np.arange(-1, 3), 0, old - 1), _cubic(part)
    return np.clip(first[:, None] + np.arange(2), 0, old - 1), _linear(part)


def _areas(new: int, old: int) -> np.ndarray:
    """Return the share of each old pixel in each new one, (new, old)."""
    edges = np.arange(new + 1) * (old / new)
    begins, ends = (
        np.maximum.outer(edges[:-1], np.arange(old)),
        np.minimum.outer(edges[1:], np.arange(old) + 1),
    )
    return (np.clip(ends - begins, 0, None) * (new / old)).astype(np.float32)


def resize(image: np.ndarray, size: tuple[int, int], mode: Inter) -> np.ndarray:
    """Return the image in another size.

    Args:
        image: uint8 or float32.
        size: Height and width.
        mode: NEAREST, BILINEAR, BICUBIC or AREA.
    """
    (height, width), old = size, image.shape[:2]
    if old == tuple(size):
        return image.copy()
    if mode is Inter.NEAREST:
        rows, columns = (
            np.minimum((np.arange(new) * (1 / (new / was))).astype(int), was - 1)
            for new, was in zip(size, old, strict=True)
        )
        return image[rows[:, None], columns]
    halved = old == (2 * height, 2 * width)
    if halved and mode is not Inter.BICUBIC and image.dtype in (np.uint8, np.uint16, np.int16):
        parts = [image[i::2, j::2].astype(np.int32) for i in (0, 1) for j in (0, 1)]
        return np.asarray((sum(parts[1:], parts[0]) + 2) >> 2).astype(image.dtype)
    if mode is Inter.AREA and height <= old[0] and width <= old[1]:
        flat = image.astype(np.float32)
        made = np.tensordot(_areas(height, old[0]), flat, 1)
        return limited(np.moveaxis(np.tensordot(_areas(width, old[1]), made, (1, 1)), 0, 1), image)
    rows, by_row = _taps(height, old[0], mode)
    columns, by_column = _taps(width, old[1], mode)
    if mode is not Inter.BICUBIC:
        # Beyond the edge a row counts in two parts, rounded each, but a column whole.
        by_column[columns[:, 0] == columns[:, 1]] = 1, 0
    exact = image.dtype == np.uint8
    # Two taps of 8 and 11 bits, twice, stay within 32.
    kind = np.float32 if not exact else np.int64 if mode is Inter.BICUBIC else np.int32
    if exact:
        one = 1 << _WEIGHT_BITS
        by_row, by_column = (np.rint(w * one).astype(kind) for w in (by_row, by_column))
    source = image.astype(kind)
    tail = (1,) * (image.ndim - 2)
    wide: Any = sum(
        source[:, columns[:, k]] * by_column[:, k].reshape(-1, *tail)
        for k in range(columns.shape[1])
    )
    high: list[Any] = [
        (wide[rows[:, k]], by_row[:, k].reshape(-1, 1, *tail)) for k in range(rows.shape[1])
    ]
    if not exact:
        return limited(np.asarray(sum(part * weight for part, weight in high)), image)
    if len(high) == 2:
        made = (sum((part >> 4) * weight >> 16 for part, weight in high) + 2) >> 2
    else:
        made = np.rint(sum(part * weight for part, weight in high) / (1 << (2 * _WEIGHT_BITS)))
    return np.clip(made, 0, 255).astype(np.uint8)


def limited(made: np.ndarray, image: np.ndarray) -> np.ndarray:
    """Return float values rounded and limited to the dtype of an image."""
    if image.dtype.kind == "f":
        return made.astype(image.dtype)
    limits = np.iinfo(image.dtype)
    return np.clip(np.rint(made), limits.min, limits.max).astype(image.dtype)


def colour(fill: Any, image: np.ndarray) -> Any:
    """Return what fills an image: OpenCV's colours have four numbers, the last is 0 here."""
    return np.resize((*fill, 0), image.shape[2]) if image.ndim > 2 else fill[0]


def _warp_weights(mode: Inter) -> np.ndarray:
    """Return OpenCV's weights by the fractions of y and x, (32, 32, k, k) integers."""
    parts = np.arange(1 << _PART_BITS, dtype=np.float32) / (1 << _PART_BITS)
    one = _cubic(parts) if mode is Inter.BICUBIC else _linear(parts)
    table = one[:, None, :, None] * one[None, :, None, :]
    whole = np.rint(table * (1 << _WARP_BITS)).astype(int)
    # They add up to one: what rounding left goes to the smallest or largest of the middle.
    middle = whole.shape[-1] // 2
    for over, weights in zip(
        (whole.sum((2, 3)) - (1 << _WARP_BITS)).ravel(),
        whole.reshape(-1, *whole.shape[2:]),
        strict=True,
    ):
        if over:
            inner = weights[middle : middle + 2, middle : middle + 2]
            inner.flat[inner.argmin() if over > 0 else inner.argmax()] -= over
    return whole


def _remap(image: np.ndarray, x: np.ndarray, y: np.ndarray, mode: Inter, fill: Any) -> np.ndarray:
    """Return the pixels at places; with a fraction of 5 bits unless the mode is NEAREST."""
    height, width = image.shape[:2]
    tail = (1,) * (image.ndim - 2)
    exact = image.dtype == np.uint8
    outside = colour(fill, image)

    def at(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        found = image[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
        return np.where(inside.reshape(*inside.shape, *tail), found, outside).astype(image.dtype)

    if mode is Inter.NEAREST:
        return at(y, x)
    mask = (1 << _PART_BITS) - 1
    weights = _warp_weights(mode)[y & mask, x & mask]
    taps = weights.shape[-1]
    total: Any = 0
    for i in range(taps):
        for j in range(taps):
            found = at(
                (y >> _PART_BITS) + i - (taps // 2 - 1), (x >> _PART_BITS) + j - (taps // 2 - 1)
            )
            weight = weights[..., i, j].reshape(*x.shape, *tail)
            total = total + found.astype(np.int64 if exact else np.float64) * weight
    if not exact:
        return limited(total / (1 << _WARP_BITS), image)
    return np.clip((total + (1 << (_WARP_BITS - 1))) >> _WARP_BITS, 0, 255).astype(np.uint8)


def warp_affine(
    image: np.ndarray, matrix: np.ndarray, size: tuple[int, int], mode: Inter, fill: Any
) -> np.ndarray:
    """Return the image under a map of its points, (2, 3); ``fill`` is what comes from outside."""
    (a, b, right), (c, d, down) = matrix
    scale = 1 / (a * d - b * c)
    a, b, c, d = d * scale, -b * scale, -c * scale, a * scale
    right, down = -a * right - b * down, -c * right - d * down
    one, bits = 1 << _PLACE_BITS, 0 if mode is Inter.NEAREST else _PART_BITS
    half = one >> (bits + 1)
    x, y = np.arange(size[1]), np.arange(size[0])[:, None]
    columns = np.rint((b * y + right) * one).astype(int) + half + np.rint(a * x * one).astype(int)
    rows = np.rint((d * y + down) * one).astype(int) + half + np.rint(c * x * one).astype(int)
    return _remap(image, columns >> (_PLACE_BITS - bits), rows >> (_PLACE_BITS - bits), mode, fill)


def warp_perspective(
    image: np.ndarray, starts: Any, ends: Any, mode: Inter, fill: Any = (0, 0, 0)
) -> np.ndarray:
    """Return the image with four points moved to others."""
    equations, values = [], []
    for (x, y), (u, v) in zip(starts, ends, strict=True):
        equations += [[x, y, 1, 0, 0, 0, -x * u, -y * u], [0, 0, 0, x, y, 1, -x * v, -y * v]]
        values += [u, v]
    matrix = np.append(np.linalg.solve(np.array(equations, float), np.array(values, float)), 1)
    back = np.linalg.inv(matrix.reshape(3, 3))
    x, y = np.meshgrid(np.arange(image.shape[1]), np.arange(image.shape[0]))
    u, v, w = np.tensordot(back, np.stack([x, y, np.ones_like(x)]), 1)
    one = 1 if mode is Inter.NEAREST else 1 << _PART_BITS
    columns, rows = (np.rint(place / w * one).astype(int) for place in (u, v))
    return _remap(image, columns, rows, mode, fill)
