"""Operations on PIL images, by Pillow; what is not here is done to the image as an array."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError
from msgrad.dataset.vision.utils import Border, Inter, pillow

_MODES = {
    Inter.NEAREST: "NEAREST",
    Inter.BILINEAR: "BILINEAR",
    Inter.BICUBIC: "BICUBIC",
    Inter.ANTIALIAS: "LANCZOS",
}


def _mode(mode: Inter) -> Any:
    if mode not in _MODES:
        raise ArgumentTypeError("Current Interpolation is not supported with PIL input.")
    return getattr(pillow().Resampling, _MODES[mode])


def _enhanced(kind: str, image: Any, factor: float) -> Any:
    from PIL import ImageEnhance

    return getattr(ImageEnhance, kind)(image).enhance(factor)


def _done(operation: str, image: Any, *args: Any, **options: Any) -> Any:
    from PIL import ImageOps

    return getattr(ImageOps, operation)(image, *args, **options)


def _turned(how: str, image: Any) -> Any:
    return image.transpose(pillow().Transpose[how])


brightness = partial(_enhanced, "Brightness")
contrast = partial(_enhanced, "Contrast")
color = saturation = partial(_enhanced, "Color")
enhanced_sharpness = partial(_enhanced, "Sharpness")
invert, equalize = partial(_done, "invert"), partial(_done, "equalize")
flipped = partial(_turned, "FLIP_LEFT_RIGHT")
flipped_down = partial(_turned, "FLIP_TOP_BOTTOM")


def hue(image: Any, factor: float) -> Any:
    if image.mode in ("L", "1", "I", "F"):
        return image
    planes = list(image.convert("HSV").split())
    turned = np.asarray(planes[0]) + np.uint8(int(factor * 255) % 256)
    planes[0] = pillow().fromarray(turned)
    return pillow().merge("HSV", planes).convert(image.mode)


def gamma(image: Any, power: float, gain: float) -> Any:
    bands = len(image.getbands())
    table = [int(255.999 * gain * pow(value / 255.0, power)) for value in range(256)]
    # As in MindSpore, an image with a fourth or a second channel stays as it is.
    return image.point(table * bands) if bands in (1, 3) else image


def autocontrast(image: Any, cutoff: float, ignore: Any) -> Any:
    return _done("autocontrast", image, cutoff, list(ignore) or None)


def cropped(image: Any, top: int, left: int, height: int, width: int) -> Any:
    return image.crop((left, top, left + width, top + height))


def pad(image: Any, around: tuple[int, ...], fill: Any, mode: Border) -> Any:
    left, top, right, bottom = around
    if mode is Border.CONSTANT:
        value = tuple(fill) if len(image.getbands()) > 2 else fill[0]
        return _done("expand", image, border=(left, top, right, bottom), fill=value)
    edges = [(top, bottom), (left, right)] + [(0, 0)] * (len(image.getbands()) > 1)
    return pillow().fromarray(np.pad(np.asarray(image), edges, mode.value))


def resize_to(image: Any, size: tuple[int, int], mode: Inter) -> Any:
    return image.resize(size[::-1], _mode(mode))


def rotate(image: Any, degrees: float, mode: Inter, expand: bool, center: Any, fill: Any) -> Any:
    value = tuple(fill) if len(image.getbands()) > 2 else fill[0]
    return image.rotate(degrees, _mode(mode), expand, center, fillcolor=value)


def affine(
    image: Any, degrees: float, shift: Any, scale: float, shear: Any, mode: Inter, fill: Any
) -> Any:
    center = np.array([image.width * 0.5 + 0.5, image.height * 0.5 + 0.5])
    # Shear is not what it is for arrays: MindSpore has torchvision's older formula for PIL images.
    along, across = (math.radians(degrees + angle) for angle in shear)
    back = np.array([[math.cos(along), math.sin(along)], [-math.sin(across), math.cos(across)]])
    back /= scale * math.cos(along - across)
    matrix = np.column_stack([back, center - back @ (center + shift)])
    # MindSpore fills with black here, whatever ``fill`` says.
    kind = pillow().Transform.AFFINE
    flat = [float(v) for v in matrix.ravel()]
    return image.transform(image.size, kind, flat, _mode(mode))


def perspective(image: Any, starts: Any, ends: Any, mode: Inter) -> Any:
    rows = []
    for (u, v), (x, y) in zip(starts, ends, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    values = np.array(starts, float).ravel()
    found = np.linalg.lstsq(np.array(rows, float), values, rcond=None)[0]
    kind = pillow().Transform.PERSPECTIVE
    return image.transform(image.size, kind, [float(v) for v in found], _mode(mode))


def to_tensor(image: Any, dtype: Any) -> np.ndarray:
    array = np.asarray(image)
    planes = array.reshape(*array.shape[:2], -1)
    wide = np.moveaxis(planes, -1, 0).astype(np.promote_types(dtype, np.float32))
    return (wide / wide.dtype.type(255)).astype(dtype)


def grayscale(image: Any, channels: int) -> Any:
    gray = image.convert("L")
    return gray if channels == 1 else pillow().merge("RGB", (gray, gray, gray))


def center_crop(image: Any, size: tuple[int, int]) -> Any:
    top, left = round((image.height - size[0]) / 2), round((image.width - size[1]) / 2)
    return cropped(image, top, left, *size)
