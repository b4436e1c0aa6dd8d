"""Transforms of what an image is: bytes, PIL image, array of some dtype, normalized or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.dataset._arguments import a_number, an_int, check_kind, one_of
from msgrad.dataset.transforms.transforms import TypeCast, alone
from msgrad.dataset.vision._arrays import as_floats, decoded, limited
from msgrad.dataset.vision._operation import ImageOperation, checked_image, only_array, run
from msgrad.dataset.vision.utils import as_rgb, is_pil, opened, pillow


class Decode(ImageOperation):
    """Read an image file's bytes as RGB.

    Args:
        to_pil: Whether a PIL image is given, or an array (H, W, 3).
    """

    def __init__(self, to_pil: bool = False) -> None:
        self._to_pil = self.python_only = one_of("to_pil", to_pil, bool)

    def __call__(self, data: Any) -> Any:
        check_kind("input", data, np.ndarray, bytes)
        array = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
        if array.ndim != 1 or array.dtype.kind not in "uiS":
            raise ArgumentTypeError(
                "Input should be an encoded image in 1-D NumPy format, got format:"
                f"{type(data)}, dtype:{array.dtype}."
            )
        return as_rgb(opened(array)) if self._to_pil else decoded(array)


class ToPIL(ImageOperation, python=True):
    """Return an array as a PIL image."""

    def __call__(self, image: Any) -> Any:
        if is_pil(image):
            return image
        check_kind("input", image, np.ndarray)
        if image.ndim not in (2, 3) or image.shape[2:] > (4,):
            raise ArgumentValueError(
                f"The image must be (H, W) or (H, W, C), C at most 4, but is {image.shape}."
            )
        if image.shape[2:] == (1,):
            image = image[..., 0]
        if image.ndim == 3 and image.dtype != np.uint8:
            raise ArgumentTypeError(
                f"The input image type {image.dtype} is not supported when image shape is [H, W, "
                "2], [H, W, 3] or [H, W, 4]."
            )
        return pillow().fromarray(image)


class ToNumpy(ImageOperation, python=True):
    """Return a PIL image as an array."""

    def __call__(self, image: Any) -> np.ndarray:
        return image if isinstance(image, np.ndarray) else np.array(image)


class ToTensor(ImageOperation, function="to_tensor"):
    """Return the channels first, divided by 255.

    Args:
        output_type: A dtype of MindSpore or of NumPy.
    """

    def __init__(self, output_type: Any = np.float32) -> None:
        known = isinstance(output_type, mstype.DType)
        self._args = (mstype.dtype_to_nptype(output_type) if known else np.dtype(output_type),)

    def __call__(self, *images: Any) -> Any:
        # As in MindSpore, arrays and images are divided by 255 in two ways: here, in one of them.
        if self._draws:
            images = tuple(np.asarray(image) for image in images)
        return super().__call__(*images)


class ToType(TypeCast):
    """Cast to a dtype.

    Args:
        data_type: A dtype of MindSpore or of NumPy.
    """


class HWC2CHW(ImageOperation):
    """Put the channels first; an array (H, W) stays."""

    def __call__(self, *images: Any) -> Any:
        made = tuple(
            np.ascontiguousarray(np.moveaxis(array, -1, 0)) if array.ndim == 3 else array
            for array in map(np.asarray, map(checked_image, images))
        )
        return alone(made)


class Rescale(ImageOperation):
    """Return ``image * rescale + shift`` as float32.

    Args:
        rescale: float.
        shift: float.
    """

    def __init__(self, rescale: float, shift: float) -> None:
        self._rescale = np.float32(a_number("rescale", rescale))
        self._shift = np.float32(a_number("shift", shift))

    def __call__(self, image: Any) -> np.ndarray:
        image = np.asarray(checked_image(image, axes=0))
        # Rounded once, after both.
        wide = image.astype(np.float64) if self._shift else as_floats(image)
        return (wide * self._rescale + self._shift).astype(np.float32, copy=False)


class Normalize(ImageOperation):
    """Return ``(image - mean) / std`` by channel as float32.

    Args:
        mean: One float for each channel.
        std: One float for each channel.
        is_hwc: Whether the channels are the last axis, or the first.
    """

    def __init__(self, mean: Any, std: Any, is_hwc: bool = True) -> None:
        for name, values in (("mean", mean), ("std", std)):
            for i, value in enumerate(one_of(name, values, list, tuple)):
                a_number(f"{name}[{i}]", value, 0, 255 if name == "std" else 2.0**24)
        if len(mean) != len(std):
            raise ArgumentValueError("Length of mean and std must be equal.")
        if 0 in std:
            raise ArgumentValueError("Normalize: no value of std may be 0.")
        one_of("is_hwc", is_hwc, bool)
        self._axis = -1 if is_hwc else -3
        shape = (-1,) if is_hwc else (-1, 1, 1)
        self._mean = np.reshape(np.asarray(mean, np.float32), shape)
        self._std = np.reshape(np.asarray(std, np.float32), shape)

    def __call__(self, *images: Any) -> Any:
        made = tuple(map(self._one, images))
        return alone(made)

    def _one(self, image: Any) -> np.ndarray:
        array = np.asarray(checked_image(image, axes=1))
        channels = 1 if array.ndim == 2 else array.shape[self._axis]
        if self._mean.size not in (1, channels):
            raise EngineError(
                f"Normalize: number of channels does not match the size of mean and std vectors, "
                f"got {channels} channels of {array.shape} and {self._mean.size} means."
            )
        mean, std = (v.reshape(1) if array.ndim == 2 else v for v in (self._mean, self._std))
        return run("normalize", array, mean, std)


class NormalizePad(Normalize):
    """Normalize as ``Normalize`` does, and append a channel of zeros.

    Args:
        dtype: "float32" or "float16".

    Differs from MindSpore: there the last channel is not 0 but the next pixel's first value, and
    all pixels after the first come too early.
    """

    def __init__(self, mean: Any, std: Any, dtype: str = "float32", is_hwc: bool = True) -> None:
        super().__init__(mean, std, is_hwc)
        if one_of("dtype", dtype, str) not in ("float32", "float16"):
            raise ArgumentValueError("dtype only supports float32 or float16.")
        self._dtype = np.dtype(dtype)

    def _one(self, image: Any) -> np.ndarray:
        if np.asarray(checked_image(image)).ndim != 3:
            raise EngineError(f"NormalizePad: the image must be 3-d, but is {np.shape(image)}.")
        made = super()._one(image)
        empty = np.zeros_like(np.take(made, [0], self._axis))
        return np.concatenate([made, empty], self._axis).astype(self._dtype)


class LinearTransformation(ImageOperation, python=True):
    """Take ``mean_vector`` from an array, flattened, and multiply by a matrix; whitening.

    Args:
        transformation_matrix: (D, D), of which D is the array's size.
        mean_vector: (D,).
    """

    def __init__(self, transformation_matrix: Any, mean_vector: Any) -> None:
        matrix, mean = transformation_matrix, mean_vector
        if not isinstance(matrix, np.ndarray) or not isinstance(mean, np.ndarray):
            raise ArgumentTypeError("transformation_matrix and mean_vector must be NumPy arrays.")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(mean) != len(matrix):
            raise ArgumentValueError(f"The matrix {matrix.shape} does not go with {mean.shape}.")
        self._matrix, self._mean = matrix, mean

    def __call__(self, image: Any) -> np.ndarray:
        only_array(image)
        if image.size != len(self._mean):
            raise ArgumentValueError(
                f"transformation_matrix shape {self._matrix.shape} not compatible with Numpy image "
                f"shape {image.shape}."
            )
        return ((image.reshape(-1) - self._mean) @ self._matrix).reshape(image.shape)


class Erase(ImageOperation):
    """Fill a part of an array.

    Args:
        top, left, height, width: int, the part.
        value: Number or one for each channel.
        inplace: Whether the array itself is changed.
    """

    def __init__(
        self, top: int, left: int, height: int, width: int, value: Any = 0.0, inplace: bool = False
    ) -> None:
        rows, columns = an_int("top", top, 0), an_int("left", left, 0)
        self._rows = slice(rows, rows + an_int("height", height, 1))
        self._columns = slice(columns, columns + an_int("width", width, 1))
        for one in value if isinstance(value, tuple) and len(value) == 3 else (value,):
            a_number("value", one, 0, 255)
        self._value, self._inplace = value, one_of("inplace", inplace, bool)

    def __call__(self, image: Any) -> np.ndarray:
        image = checked_image(image)
        array = image if self._inplace and isinstance(image, np.ndarray) else np.array(image)
        if array.ndim != 3 or array.shape[2] != 3:
            raise EngineError(f"Erase: the image must be (H, W, 3), but is {array.shape}.")
        if self._rows.stop > array.shape[0] or self._columns.stop > array.shape[1]:
            raise EngineError(
                f"Erase: rows to {self._rows.stop} and columns to {self._columns.stop} lie outside "
                f"of an image of {array.shape}."
            )
        # Rounded, where the array is of integers.
        array[self._rows, self._columns] = limited(np.asarray(self._value, np.float64), array)
        return array


__all__ = [n for n in public_names(globals()) if n[0].isupper()]
