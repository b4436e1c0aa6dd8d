"""Operations on images that are arrays, (H, W, C) or (H, W): OpenCV's formulas, as MindSpore's.

Each is a function of the image and of what an operation's constructor, or chance, has given.
``_pillow.py`` has the same functions for PIL images.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError
from msgrad.dataset.vision._resample import (
    colour,
    limited,
    resize,
    warp_affine,
    warp_perspective,
)
from msgrad.dataset.vision.utils import Border, Inter, pillow

# Of v, v(1-s), v(1-s rest), v(1-s(1-rest)): which is red, green, blue, by the circle's sixth.
_SECTORS = np.array([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]])


def colored(image: np.ndarray, operation: str) -> np.ndarray:
    if image.ndim != 3 or image.shape[2] != 3:
        raise EngineError(
            f"{operation}: the image must have three channels, (H, W, 3), but is {image.shape}."
        )
    return image


def mixed(image: np.ndarray, other: Any, share: float) -> np.ndarray:
    """Return ``share`` of the image and the rest of another."""
    # As cv::addWeighted: in float32, the second product not rounded before it is added.
    factor = np.float32(share)
    rest = np.asarray(other, np.float64) * float(np.float32(1) - factor)
    return limited((image * factor + rest).astype(np.float32), image)


def gray_of(image: np.ndarray) -> np.ndarray:
    """Return the luminance, (H, W)."""
    if image.dtype.kind != "u":
        return (image @ np.array([0.299, 0.587, 0.114])).astype(image.dtype)
    return ((image.astype(int) @ np.array([9798, 19235, 3735]) + (1 << 14)) >> 15).astype(
        image.dtype
    )


# Colors ---------------------------------------------------------------------------------------


def brightness(image: np.ndarray, factor: float) -> np.ndarray:
    return limited(image * np.float32(factor), image)


def contrast(image: np.ndarray, factor: float) -> np.ndarray:
    mean = gray_of(colored(image, "AdjustContrast")).mean()
    # A half goes to the even number, as in MindSpore.
    mean = mean if image.dtype.kind == "f" else round(float(mean))
    return mixed(image, mean, factor)


def saturation(image: np.ndarray, factor: float) -> np.ndarray:
    return mixed(image, gray_of(colored(image, "AdjustSaturation"))[..., None], factor)


color = saturation


def hue(image: np.ndarray, factor: float) -> np.ndarray:
    if image.dtype != np.uint8:
        raise EngineError(f"AdjustHue: the image must be uint8, but is {image.dtype}.")
    red, green, blue = np.moveaxis(colored(image, "AdjustHue").astype(int), -1, 0)
    top = np.maximum(np.maximum(red, green), blue)
    spread = top - np.minimum(np.minimum(red, green), blue)
    # OpenCV's: both by division tables of 12 bits; the hue counts to 256 one way, to 255 the other.
    whole = np.maximum(np.arange(256), 1)
    by_value, by_spread = np.rint((255 << 12) / whole), np.rint((256 << 12) / (6.0 * whole))
    amount = (spread * by_value[top].astype(int) + (1 << 11)) >> 12
    angle = np.where(
        top == red,
        green - blue,
        np.where(top == green, blue - red + 2 * spread, red - green + 4 * spread),
    )
    angle = (angle * by_spread[spread].astype(int) + (1 << 11)) >> 12
    angle = np.where(angle < 0, angle + 256, angle)
    turned = (angle + int(255 * factor)) % 256
    place, rest = np.divmod(turned.astype(np.float32) * np.float32(6 / 255), np.float32(1))
    # In OpenCV's order: what is cut off below changes with the last bit.
    unit = np.float32(1 / 255)
    s, v = amount.astype(np.float32) * unit, top.astype(np.float32) * unit
    table = np.stack([v, v * (1 - s), v * (1 - s * rest), v * (1 - s * (1 - rest))])
    picked = np.moveaxis(_SECTORS[place.astype(int) % 6], -1, 0)
    made = np.moveaxis(np.take_along_axis(table, picked, 0), 0, -1) * np.float32(255)
    # OpenCV cuts in its vectors of 32 pixels, and rounds in what is left of a row.
    last = image.shape[1] - image.shape[1] % 32
    made[:, last:] = np.rint(made[:, last:])
    return made.astype(np.uint8)


def sharpness(image: np.ndarray, factor: float) -> np.ndarray:
    kernel = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / np.float32(13)
    smooth = image.copy()
    height, width = image.shape[:2]
    total = sum(
        image[i : height - 2 + i, j : width - 2 + j] * kernel[i, j]
        for i in range(3)
        for j in range(3)
    )
    smooth[1:-1, 1:-1] = limited(np.asarray(total), image)
    return mixed(smooth, image, float(np.float32(1) - np.float32(factor)))


def gamma(image: np.ndarray, power: float, gain: float) -> np.ndarray:
    if image.dtype.kind == "f":
        return np.clip((image * gain) ** power, 0, 1).astype(np.float32)
    table = (np.arange(256) / 255) ** power * gain * 255.999
    return np.clip(table, 0, 255).astype(image.dtype)[image]


def invert(image: np.ndarray) -> np.ndarray:
    return 255 - colored(image, "Invert")


def equalize(image: np.ndarray) -> np.ndarray:
    return _by_channel(image, _equalizing)


def _equalizing(counts: np.ndarray) -> np.ndarray:
    first, whole = int(np.flatnonzero(counts)[0]), int(counts.sum())
    if counts[first] == whole:
        return np.arange(256)
    above = (np.cumsum(counts) - counts[first]).astype(np.float32)
    return np.rint(above * (np.float32(255) / np.float32(whole - counts[first])))


def autocontrast(image: np.ndarray, cutoff: float, ignore: Any) -> np.ndarray:
    def table(counts: np.ndarray) -> np.ndarray:
        counts = counts.copy()
        counts[list(ignore)] = 0
        whole = counts.sum()
        for ways in (counts, counts[::-1]):
            cut = whole * int(cutoff) // 100
            before = np.concatenate([[0], np.cumsum(ways)[:-1]])
            ways[:] = np.maximum(ways - np.maximum(cut - before, 0), 0)
        low, high = np.flatnonzero(counts)[[0, -1]] if counts.any() else (0, 0)
        if high <= low:
            return np.arange(256)
        scale = np.float32(255.0 / (high - low))
        return np.arange(256, dtype=np.float32) * scale - np.float32(low) * scale

    return _by_channel(image, table)


def _by_channel(image: np.ndarray, table_of: Any) -> np.ndarray:
    if image.dtype != np.uint8:
        raise EngineError(f"The image must be uint8, but is {image.dtype}.")
    planes = image.reshape(*image.shape[:2], -1)
    made = np.empty_like(planes)
    for i in range(planes.shape[2]):
        table = table_of(np.bincount(planes[..., i].ravel(), minlength=256))
        made[..., i] = np.clip(table, 0, 255).astype(np.uint8)[planes[..., i]]
    return made.reshape(image.shape)


def posterize(image: np.ndarray, bits: int) -> np.ndarray:
    if image.dtype != np.uint8:
        raise EngineError(f"Posterize: the image must be uint8, but is {image.dtype}.")
    return image & np.uint8(256 - (1 << (8 - bits)))


def solarize(image: np.ndarray, low: float, high: float) -> np.ndarray:
    high = high if high > low else 255
    return np.where((image >= low) & (image <= high), 255 - image, image).astype(image.dtype)


def blur(image: np.ndarray, size: tuple[int, int], sigma: tuple[float, float]) -> np.ndarray:
    """Return it blurred; size and sigma are (x, y)."""
    exact = image.dtype == np.uint8
    made = image.astype(np.int64 if exact else np.float32)
    for axis, length, deviation in ((1, size[0], sigma[0]), (0, size[1], sigma[1])):
        weights = _gaussian(length, deviation, exact)
        around = [(0, 0)] * image.ndim
        around[axis] = (length // 2, length // 2)
        wide = np.pad(made, around, "reflect")
        made = sum(
            np.take(wide, range(i, i + image.shape[axis]), axis) * weights[i] for i in range(length)
        )
    made = (np.asarray(made) + (1 << 15)) >> 16 if exact else made
    return limited(np.asarray(made), image)


def _gaussian(length: int, sigma: float, exact: bool) -> np.ndarray:
    if sigma <= 0:
        sigma = length * 0.15 + 0.35
    places = np.arange(length) - (length - 1) / 2
    weights = np.exp(-(places**2) / (2 * sigma**2))
    weights /= weights.sum()
    if not exact:
        return weights.astype(np.float32)
    # OpenCV's 8 bits: what rounding left of one weight goes to the next, and at last to the middle.
    whole, left = np.zeros(length, np.int64), 0.0
    for i in range(length // 2):
        whole[i] = whole[-1 - i] = round(weights[i] * 256 + left)
        left += weights[i] * 256 - whole[i]
    whole[length // 2] = 256 - whole.sum()
    return whole


def normalize(image: np.ndarray, mean: np.ndarray, std: np.ndarray) -> np.ndarray:
    return (image.astype(np.float32) - mean) / std


def to_tensor(image: np.ndarray, dtype: Any) -> np.ndarray:
    planes = image.reshape(*image.shape[:2], -1)
    scaled = np.moveaxis(planes, -1, 0).astype(np.float32) * np.float32(1 / 255)
    return np.ascontiguousarray(scaled).astype(dtype)


# Places ---------------------------------------------------------------------------------------


def hflip(image: np.ndarray) -> np.ndarray:
    return image[:, ::-1].copy()


def vflip(image: np.ndarray) -> np.ndarray:
    return image[::-1].copy()


# The same for arrays by names that ``_pillow`` has, too: not all MindSpore does for PIL images.
flipped, flipped_down, enhanced_sharpness, perspective = hflip, vflip, sharpness, warp_perspective


def crop(image: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    if top + height > image.shape[0] or left + width > image.shape[1] or min(top, left) < 0:
        raise EngineError(
            f"Crop: {height} x {width} at ({top}, {left}) lies outside of an image of "
            f"{image.shape[:2]}."
        )
    return image[top : top + height, left : left + width].copy()


cropped = crop


def pad(image: np.ndarray, around: tuple[int, ...], fill: Any, mode: Border) -> np.ndarray:
    """Return it padded left, top, right, bottom."""
    left, top, right, bottom = around
    edges = [(top, bottom), (left, right)] + [(0, 0)] * (image.ndim - 2)
    if mode is not Border.CONSTANT:
        return np.pad(image, edges, mode.value)
    height, width = image.shape[:2]
    made = np.empty((height + top + bottom, width + left + right, *image.shape[2:]), image.dtype)
    made[...] = colour(fill, image)
    made[top : top + height, left : left + width] = image
    return made


def center_crop(image: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    lacking = [max(0, new - old) for new, old in zip(size, image.shape, strict=False)]
    if any(lacking):
        top, left = (lacking[0] + 1) // 2, (lacking[1] + 1) // 2
        around = (left, top, lacking[1] - left, lacking[0] - top)
        image = pad(image, around, (0, 0, 0), Border.CONSTANT)
    top, left = ((old - new) // 2 for new, old in zip(size, image.shape, strict=False))
    return crop(image, top, left, *size)


def resize_to(image: np.ndarray, size: tuple[int, int], mode: Inter) -> np.ndarray:
    if mode is Inter.PILCUBIC:
        if colored(image, "Resize").dtype != np.uint8:
            raise EngineError(f"Resize: PILCUBIC needs uint8, but the image is {image.dtype}.")
        images = pillow()
        picture = images.fromarray(image)
        return np.array(picture.resize(size[::-1], images.Resampling.BICUBIC))
    return resize(image, size, mode)


def rotate(
    image: np.ndarray, degrees: float, mode: Inter, expand: bool, center: Any, fill: Any
) -> np.ndarray:
    height, width = size = image.shape[:2]
    x, y = center or ((width - 1) / 2, (height - 1) / 2)
    # MindSpore's angle: from 0 to 360, a float32. A pixel in 20,000 depends on it.
    angle = math.radians(np.float32(degrees % 360))
    a, b = math.cos(angle), math.sin(angle)
    matrix = np.array([[a, b, (1 - a) * x - b * y], [-b, a, b * x + (1 - a) * y]])
    if expand:
        wide = abs(width * a) + abs(height * b)
        high = abs(width * b) + abs(height * a)
        matrix[:, 2] += wide / 2 - width / 2, high / 2 - height / 2
        size = (round(high), round(wide))
    # MindSpore has the channels of the colour the other way round here, and only here.
    return warp_affine(image, matrix, size, mode, fill[::-1])


def affine(
    image: np.ndarray,
    degrees: float,
    shift: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
    mode: Inter,
    fill: Any,
) -> np.ndarray:
    height, width = image.shape[:2]
    turn = _affine_matrix(degrees, scale, shear)
    center = np.array([(width - 1) / 2, (height - 1) / 2])
    matrix = np.column_stack([turn, center + shift - turn @ center])
    return warp_affine(image, matrix, (height, width), mode, fill)


def _affine_matrix(degrees: float, scale: float, shear: tuple[float, float]) -> np.ndarray:
    """Return rotation, shear and scale as one (2, 2) map of (x, y)."""
    turn, (along, across) = math.radians(degrees), map(math.radians, shear)
    c, s = math.cos(turn - across) / math.cos(across), math.sin(turn - across) / math.cos(across)
    tangent = math.tan(along)
    return scale * np.array(
        [[c, -c * tangent - math.sin(turn)], [s, -s * tangent + math.cos(turn)]]
    )


# Color spaces, in float64 and 0 to 1 ----------------------------------------------------------


def rgb_to_hsv(image: np.ndarray) -> np.ndarray:
    red, green, blue = np.moveaxis(image, -1, 0)
    top, low = image.max(-1), image.min(-1)
    spread = top - low
    gray = spread == 0
    some = np.where(gray, 1, spread)
    r, g, b = (top - red) / some, (top - green) / some, (top - blue) / some
    angle = np.where(red == top, b - g, np.where(green == top, 2 + r - b, 4 + g - r))
    amount = spread / np.where(gray, 1, top)
    return np.stack([np.where(gray, 0, angle / 6 % 1), np.where(gray, 0, amount), top], -1)


def hsv_to_rgb(image: np.ndarray) -> np.ndarray:
    angle, s, v = np.moveaxis(image, -1, 0)
    place, rest = np.divmod(angle * 6, 1)
    table = np.stack([v, v * (1 - s), v * (1 - s * rest), v * (1 - s * (1 - rest))])
    return np.moveaxis(
        np.take_along_axis(table, np.moveaxis(_SECTORS[place.astype(int) % 6], -1, 0), 0), 0, -1
    )
