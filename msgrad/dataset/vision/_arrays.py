"""Operations on images that are arrays, (H, W, C) or (H, W): by OpenCV, as MindSpore's.

Each is a function of the image and of what an operation's constructor, or chance, has given.
``_pillow.py`` has the same functions for PIL images.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError, UnsupportedError
from msgrad._core.missing import library
from msgrad.dataset.vision.utils import Border, Inter, as_rgb, opened, pillow

# By the names of OpenCV's constants.
_MODES = {
    Inter.NEAREST: "INTER_NEAREST",
    Inter.BILINEAR: "INTER_LINEAR",
    Inter.BICUBIC: "INTER_CUBIC",
    Inter.AREA: "INTER_AREA",
}

# Of v, v(1-s), v(1-s rest), v(1-s(1-rest)): which is red, green, blue, by the circle's sixth.
_SECTORS = np.array([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]])


def opencv() -> Any:
    """Return OpenCV, computing by itself: Intel's kernels round otherwise than MindSpore.

    Raises:
        NotImplementedError: If OpenCV is not installed.
    """
    cv2 = library("cv2", "data", "An operation on an image", UnsupportedError)
    # A setting of the thread.
    cv2.ipp.setUseIPP(False)
    return cv2


def _made(function: str, image: np.ndarray, *args: Any, **options: Any) -> np.ndarray:
    """Return what a function of OpenCV, which drops an axis of one channel, makes of an image.

    Raises:
        RuntimeError: If it does not take such an image.
    """
    cv2 = opencv()
    try:
        made = getattr(cv2, function)(image, *args, **options)
    except cv2.error as error:
        raise EngineError(
            f"{function} does not take an image of {image.dtype} and {image.shape}: {error}"
        ) from error
    return made[..., None] if image.shape[2:] == (1,) and made.ndim == 2 else made


def decoded(data: np.ndarray) -> np.ndarray:
    """Return an image file's bytes as RGB, (H, W, 3), as it lies in the file.

    Raises:
        RuntimeError: If they are no image that can be read.
    """
    image, cv2 = opened(data), opencv()
    flags = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    # It makes other colours of CMYK, and does not know as many formats.
    by_opencv = image.mode != "CMYK"
    made = cv2.imdecode(np.frombuffer(data.tobytes(), np.uint8), flags) if by_opencv else None
    return np.array(as_rgb(image)) if made is None else made


def colored(image: np.ndarray, operation: str) -> np.ndarray:
    if image.ndim != 3 or image.shape[2] != 3:
        raise EngineError(
            f"{operation}: the image must have three channels, (H, W, 3), but is {image.shape}."
        )
    return image


def limited(made: np.ndarray, image: np.ndarray) -> np.ndarray:
    """Return float values rounded and limited to the dtype of an image."""
    if image.dtype.kind == "f":
        return made.astype(image.dtype)
    limits = np.iinfo(image.dtype)
    return np.clip(np.rint(made), limits.min, limits.max).astype(image.dtype)


def mixed(image: np.ndarray, other: Any, share: float) -> np.ndarray:
    """Return ``share`` of the image and the rest of another."""
    factor = np.float32(share)
    # In MindSpore's order: it multiplies the second before it adds, and rounds that.
    return _weighted(image, other, np.float32(1) - factor, image, factor)


def _weighted(
    image: np.ndarray, first: Any, share: np.float32, second: Any, rest: np.float32
) -> np.ndarray:
    pair = (np.broadcast_to(part, image.shape) for part in (first, second))
    a, b = (part.reshape(len(image), -1).astype(image.dtype) for part in pair)
    return _made("addWeighted", a, float(share), b, float(rest), 0).reshape(image.shape)


def gray_of(image: np.ndarray) -> np.ndarray:
    """Return the luminance, (H, W)."""
    return _made("cvtColor", image, opencv().COLOR_RGB2GRAY)


# Colors ---------------------------------------------------------------------------------------


def brightness(image: np.ndarray, factor: float) -> np.ndarray:
    if image.dtype == np.uint8:
        return _made("convertScaleAbs", image, alpha=factor)
    return limited(image * np.float32(factor), image)


def contrast(image: np.ndarray, factor: float) -> np.ndarray:
    mean, *_ = opencv().mean(gray_of(colored(image, "AdjustContrast")))
    # A half goes to the even number, as in MindSpore.
    mean = mean if image.dtype.kind == "f" else round(mean)
    return mixed(image, mean, factor)


def saturation(image: np.ndarray, factor: float) -> np.ndarray:
    return mixed(image, gray_of(colored(image, "AdjustSaturation"))[..., None], factor)


def color(image: np.ndarray, factor: float) -> np.ndarray:
    gray, share = gray_of(colored(image, "RandomColor"))[..., None], np.float32(factor)
    return _weighted(image, image, share, gray, np.float32(1) - share)


def hue(image: np.ndarray, factor: float) -> np.ndarray:
    if image.dtype != np.uint8:
        raise EngineError(f"AdjustHue: the image must be uint8, but is {image.dtype}.")
    cv2 = opencv()
    turned = _made("cvtColor", colored(image, "AdjustHue"), cv2.COLOR_RGB2HSV_FULL)
    # The bytes wrap around, as the circle does.
    turned[..., 0] += np.uint8(int(255 * factor) % 256)
    return _made("cvtColor", turned, cv2.COLOR_HSV2RGB_FULL)


def sharpness(image: np.ndarray, factor: float) -> np.ndarray:
    kernel = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / np.float32(13)
    smooth = image.copy()
    smooth[1:-1, 1:-1] = _made("filter2D", image, -1, kernel)[1:-1, 1:-1]
    return mixed(smooth, image, float(np.float32(1) - np.float32(factor)))


def gamma(image: np.ndarray, power: float, gain: float) -> np.ndarray:
    if image.dtype.kind == "f":
        scaled = (image.astype(np.float32) * np.float32(gain)).astype(np.float64)
        return np.clip(scaled ** float(np.float32(power)), 0, 1).astype(np.float32)
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
    count = opencv().calcHist
    counts = (count([planes], [i], None, [256], [0, 256]) for i in range(planes.shape[2]))
    tables = [table_of(each[:, 0].astype(int)) for each in counts]
    tables = [np.clip(table, 0, 255).astype(np.uint8) for table in tables]
    return _made("LUT", planes, np.stack(tables, -1)[None]).reshape(image.shape)


def posterize(image: np.ndarray, bits: int) -> np.ndarray:
    if image.dtype != np.uint8:
        raise EngineError(f"Posterize: the image must be uint8, but is {image.dtype}.")
    return image & np.uint8(256 - (1 << (8 - bits)))


def solarize(image: np.ndarray, low: float, high: float) -> np.ndarray:
    high = high if high > low else 255
    return np.where((image >= low) & (image <= high), 255 - image, image).astype(image.dtype)


def blur(image: np.ndarray, size: tuple[int, int], sigma: tuple[float, float]) -> np.ndarray:
    """Return it blurred; size and sigma are (x, y), a sigma of 0 is made of the size."""
    made = (float(np.float32(0.15 * one + 0.35)) for one in size)
    x, y = (own or other for own, other in zip(sigma, made, strict=True))
    return _made("GaussianBlur", image, size, x, sigmaY=y)


def normalize(image: np.ndarray, mean: np.ndarray, std: np.ndarray) -> np.ndarray:
    made = image.astype(np.float32)
    if mean.ndim == 1 and image.ndim > 2:
        # Rows, not pixels: NumPy is slow along three channels.
        made = made.reshape(*image.shape[:-2], -1)
        mean, std = (np.resize(each, made.shape[-1]) for each in (mean, std))
    made -= mean
    made /= std
    return made.reshape(image.shape)


def as_floats(image: np.ndarray) -> np.ndarray:
    """Return what OpenCV scales an image in: float32, of float64 that."""
    return image.astype(np.float64 if image.dtype == np.float64 else np.float32, copy=False)


def to_tensor(image: np.ndarray, dtype: Any) -> np.ndarray:
    planes = image.reshape(*image.shape[:2], -1)
    scaled = np.moveaxis(as_floats(planes), -1, 0) * np.float32(1 / 255)
    return np.ascontiguousarray(scaled, np.float32).astype(dtype)


# Places ---------------------------------------------------------------------------------------


def _flip(axis: int, image: np.ndarray) -> np.ndarray:
    # As bytes: of any dtype.
    rows = np.ascontiguousarray(image).view(np.uint8).reshape(*image.shape[:2], -1)
    return _made("flip", rows, axis).view(image.dtype).reshape(image.shape)


hflip, vflip = partial(_flip, 1), partial(_flip, 0)


def perspective(
    image: np.ndarray, starts: Any, ends: Any, mode: Inter, fill: Any = (0, 0, 0)
) -> np.ndarray:
    """Return it with four points moved to others."""
    points = (np.array(each, np.float32) for each in (starts, ends))
    matrix = opencv().getPerspectiveTransform(*points)
    return _warped("warpPerspective", image, matrix, image.shape[:2], mode, fill)


def _warped(
    function: str, image: np.ndarray, matrix: np.ndarray, size: Any, mode: Inter, fill: Any
) -> np.ndarray:
    flags = getattr(opencv(), _MODES[mode])
    return _made(function, image, matrix, size[::-1], flags=flags, borderValue=fill)


# The same for arrays by names that ``_pillow`` has, too: not all MindSpore does for PIL images.
flipped, flipped_down, enhanced_sharpness = hflip, vflip, sharpness


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
    # OpenCV's colours have four numbers, the last is 0 here.
    one = np.resize((*fill, 0), image.shape[2]) if image.ndim > 2 else fill[:1]
    made.reshape(len(made), -1)[...] = np.tile(one, made.shape[1])
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
        images, (height, width) = pillow(), size
        # One way after the other: Pillow begins with what leaves less, which rounds otherwise.
        wide = images.fromarray(image).resize((width, image.shape[0]), images.Resampling.BICUBIC)
        return np.array(wide.resize((width, height), images.Resampling.BICUBIC))
    return _made("resize", image, size[::-1], interpolation=getattr(opencv(), _MODES[mode]))


def rotate(
    image: np.ndarray, degrees: float, mode: Inter, expand: bool, center: Any, fill: Any
) -> np.ndarray:
    cv2, (height, width) = opencv(), image.shape[:2]
    # MindSpore's angle: from 0 to 360, a float32. A pixel in 20,000 depends on it.
    angle, size = float(np.float32(degrees % 360)), (height, width)
    center = center or ((width - 1) / 2, (height - 1) / 2)
    matrix = cv2.getRotationMatrix2D(center, angle, 1.0)
    if expand:
        _, _, wide, high = cv2.RotatedRect(center, (width, height), angle).boundingRect2f()
        matrix[:, 2] += wide / 2 - width / 2, high / 2 - height / 2
        size = (round(high), round(wide))
    # MindSpore has the channels of the colour the other way round here, and only here.
    return _warped("warpAffine", image, matrix, size, mode, fill[::-1])


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
    matrix = _affine_matrix(degrees, shift, scale, shear, ((width - 1) / 2, (height - 1) / 2))
    return _warped("warpAffine", image, matrix, (height, width), mode, fill)


def _affine_matrix(degrees: float, shift: Any, scale: float, shear: Any, center: Any) -> np.ndarray:
    """Return rotation, shear, scale and shift as one (2, 3) map of (x, y)."""
    single = np.float32
    # In float32, step by step, as MindSpore: a pixel in 10,000 depends on it.
    turn, along, across = (single(math.radians(single(angle))) for angle in (degrees, *shear))
    slant, size, (x, y), (right, down) = (
        turn - across,
        single(scale),
        *(map(single, pair) for pair in (center, shift)),
    )
    upright, tangent = single(math.cos(across)), single(math.tan(along))
    c, s = single(math.cos(slant)), single(math.sin(slant))
    a, d = c / upright * size, (single(math.cos(turn)) - s * tangent / upright) * size
    b, e = (-c * tangent / upright - single(math.sin(turn))) * size, s / upright * size
    return np.array(
        [[a, b, x * (1 - a) - b * y + right], [e, d, y * (1 - d) - e * x + down]], np.float64
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
