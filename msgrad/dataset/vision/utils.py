"""``mindspore.dataset.vision.utils``: enumerations, and image files as arrays."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad._core.missing import library, missing_names
from msgrad.dataset._arguments import check_kind


class Inter(IntEnum):
    """How an image is resampled."""

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class Border(StrEnum):
    """What stands outside an image that is padded."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ConvertMode(IntEnum):
    """From which order of channels to which ``ConvertColor`` converts."""

    COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


ImageBatchFormat = IntEnum("ImageBatchFormat", {"NHWC": 0, "NCHW": 1})
ImageBatchFormat.__doc__ = "The order of the axes of a batch of images."


ImageReadMode = IntEnum("ImageReadMode", {"UNCHANGED": 0, "GRAYSCALE": 1, "COLOR": 2})
ImageReadMode.__doc__ = "With which channels ``read_image`` reads."


SliceMode = IntEnum("SliceMode", {"PAD": 0, "DROP": 1})
SliceMode.__doc__ = "What ``SlicePatches`` does with rows and columns that are left over."


AutoAugmentPolicy = StrEnum(
    "AutoAugmentPolicy", {"IMAGENET": "imagenet", "CIFAR10": "cifar10", "SVHN": "svhn"}
)
AutoAugmentPolicy.__doc__ = "The data set for which the operations of ``AutoAugment`` were learned."


def pillow() -> Any:
    """Return the module ``PIL.Image``.

    Raises:
        NotImplementedError: If Pillow is not installed.
    """
    return library("PIL.Image", "data", "An image file, or a PIL image,", UnsupportedError)


def is_pil(image: Any) -> bool:
    """Whether it is an image of Pillow's."""
    # One exists only after Pillow was loaded.
    return type(image).__module__.startswith("PIL.") or any(
        cls.__module__ == "PIL.Image" for cls in type(image).__mro__
    )


def opened(data: np.ndarray) -> Any:
    """Return the PIL image that an image file's bytes are, its pixels not read yet."""
    with _readable():
        return pillow().open(io.BytesIO(data.tobytes()))


def as_rgb(image: Any) -> Any:
    """Return an opened PIL image as RGB."""
    with _readable():
        return image.convert("RGB")


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (OSError, SyntaxError) as error:
        raise EngineError(f"Decode: the bytes are no image that can be read: {error}") from error


def get_image_size(image: Any) -> list[int]:
    """Return the height and the width of an image, PIL or (..., H, W, C) or (H, W)."""
    if is_pil(image):
        return [image.height, image.width]
    check_kind("img", image, np.ndarray)
    return [int(n) for n in (image.shape if image.ndim == 2 else image.shape[-3:-1])]


def get_image_num_channels(image: Any) -> int:
    """Return the number of channels of an image, PIL or (..., H, W, C) or (H, W)."""
    if is_pil(image):
        return len(image.getbands())
    return 1 if image.ndim == 2 else int(image.shape[-1])


def read_file(filename: str) -> np.ndarray:
    """Return the bytes of a file as a uint8 array."""
    return np.frombuffer(_existing(filename).read_bytes(), np.uint8).copy()


def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> np.ndarray:
    """Return an image file as a uint8 array (H, W, C)."""
    with pillow().open(_existing(filename)) as image:
        kinds = {ImageReadMode.GRAYSCALE: "L", ImageReadMode.COLOR: "RGB"}
        array = np.array(image.convert(kinds[mode]) if mode in kinds else image)
    return array if array.ndim == 3 else array[..., None]


def write_file(filename: str, data: Any) -> None:
    """Write an array's bytes to a file.

    Raises:
        RuntimeError: If it cannot be written.
    """
    try:
        Path(filename).write_bytes(np.asarray(data).tobytes())
    except OSError as error:
        raise EngineError(f"The file {filename} cannot be written: {error}") from error


def encode_jpeg(image: Any, quality: int = 75) -> np.ndarray:
    """Return an image (H, W, C) or (H, W), uint8, as the bytes of a JPEG file."""
    return _encoded(image, "JPEG", quality=quality)


def encode_png(image: Any, compression_level: int = 6) -> np.ndarray:
    """Return an image (H, W, C) or (H, W), uint8, as the bytes of a PNG file."""
    return _encoded(image, "PNG", compress_level=compression_level)


def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Write an image to a JPEG file."""
    write_file(filename, encode_jpeg(image, quality))


def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Write an image to a PNG file."""
    write_file(filename, encode_png(image, compression_level))


def _encoded(image: Any, kind: str, **options: int) -> np.ndarray:
    array = image.asnumpy() if hasattr(image, "asnumpy") else image
    check_kind("image", array, np.ndarray)
    if array.dtype != np.uint8 or array.ndim not in (2, 3):
        raise EngineError(
            f"An image is uint8 (H, W) or (H, W, C), but is {array.dtype} {array.shape}."
        )
    file = io.BytesIO()
    squeezed = array[..., 0] if array.ndim == 3 and array.shape[2] == 1 else array
    pillow().fromarray(squeezed).save(file, kind, **options)
    return np.frombuffer(file.getvalue(), np.uint8).copy()


def _existing(filename: str) -> Path:
    check_kind("filename", filename, str)
    if not Path(filename).is_file():
        raise EngineError(f"The file {filename} does not exist.")
    return Path(filename)


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
