"""Layers that compare images or measure them: SSIM, MSSSIM, PSNR, ImageGradients, CentralCrop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.checks import above, of_type, one_of, within
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_rank, check_tensor
from msgrad.nn._family import Bare, Layer
from msgrad.nn._hyper import Count, Exact, Rate, hyperparameters
from msgrad.nn.cell import Cell
from msgrad.nn.layer.container import CellList
from msgrad.nn.layer.conv import Conv2d
from msgrad.nn.layer.pooling import AvgPool2d


def _alike(owner: str, img1: Any, img2: Any, *dtypes: mstype.DType) -> None:
    """Raise unless the images have 4 dimensions, one shape and one dtype, among ``dtypes``."""
    check_rank(owner, check_tensor(owner, "img1", img1), 4)
    check_rank(owner, check_tensor(owner, "img2", img2), 4)
    check_tensor(owner, "img1", img1, *dtypes)
    check_tensor(owner, "img2", img2, img1.dtype)
    one_of(owner, "shape of img2", img2.shape, img1.shape)


def _unit(value: Any, dtype: mstype.DType) -> Any:
    """Return an image or a number in float32; integers as shares of the largest there is."""
    scale = 1.0 if dtype in mstype.float_type else 1.0 / np.iinfo(dtype.np_dtype).max
    return value.astype(mstype.float32) * scale if isinstance(value, Tensor) else value * scale


class _Similarity(Layer):
    """What SSIM and MSSSIM share: settings, the Gaussian window and one comparison.

    Args:
        max_val: What the values of the images range over.
        filter_size: Size of the Gaussian window.
        filter_sigma: Its deviation.
        k1: Sets the constant that keeps the comparison of brightness stable.
        k2: The same for contrast.
    """

    _raises = """Raises:
    TypeError: For arguments of other types, or images of another dtype.
    ValueError: For settings that are not positive, or images of other shapes."""

    max_val: float = 1.0
    filter_size: Count = 11
    filter_sigma: Rate = 1.5
    k1: Exact = 0.01
    k2: Exact = 0.03

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        _largest(self.cls_name, self.max_val)

    def _window(self) -> Conv2d:
        size = self.filter_size
        line = np.exp(-((np.arange(size) - (size - 1) / 2) ** 2) / (2 * self.filter_sigma**2))
        weights = np.outer(line, line) / line.sum() ** 2
        window = Tensor(weights.reshape(1, 1, size, size), mstype.float32)
        blur = Conv2d(1, 1, size, pad_mode="valid", weight_init=window)
        blur.weight.requires_grad = False
        return blur

    def _scaled(self, img1: Tensor, img2: Tensor) -> tuple[Tensor, Tensor, float, float]:
        """Return the images in float32 with the two constants that fit their range."""
        largest = _unit(self.max_val, img1.dtype)
        constants = [(k * largest) ** 2 for k in (self.k1, self.k2)]
        return _unit(img1, img1.dtype), _unit(img2, img2.dtype), *constants


def _compare(blur: Cell, img1: Tensor, img2: Tensor, c1: float, c2: float) -> tuple[Tensor, Tensor]:
    """Return the similarity and its part without brightness, each (N, C)."""
    n, c, h, w = img1.shape
    x, y = (image.reshape((n * c, 1, h, w)) for image in (img1, img2))
    moments = blur(ops.cat((x, y, x * x, y * y, x * y)))
    mean1, mean2, square1, square2, product = ops.chunk(moments, 5)
    covariance = product - mean1 * mean2
    variances = square1 - mean1 * mean1 + square2 - mean2 * mean2
    contrast = (2 * covariance + c2) / (variances + c2)
    light = (2 * mean1 * mean2 + c1) / (mean1 * mean1 + mean2 * mean2 + c1)
    means = [v.mean((1, 2, 3)).reshape((n, c)) for v in (light * contrast, contrast)]
    return means[0], means[1]


def _largest(owner: str, max_val: Any) -> Any:
    of_type(owner, "max_val", max_val, int, float)
    above(owner, "max_val", max_val, 0)
    return max_val


class SSIM(_Similarity):
    """The structural similarity of two images.

    Inputs: img1 and img2, Tensors (N, C, H, W) of one floating dtype, H and W not below the
    window's. Output: (N,) float32.
    """

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        self.conv = self._window()

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _alike("SSIM", img1, img2, mstype.float32, mstype.float16)
        if min(img1.shape[2:]) < self.filter_size:
            raise ArgumentValueError(
                f"For 'SSIM', the height and width of 'img1' must be at least {self.filter_size}, "
                f"but got {img1.shape}."
            )
        return _compare(self.conv, *self._scaled(img1, img2))[0].mean(-1)


class MSSSIM(_Similarity):
    """The structural similarity of two images at several sizes, each half of the one before.

    Args:
        power_factors: The weight of each size, in a tuple or list.

    Inputs: img1 and img2, Tensors (N, C, H, W) of one floating dtype or uint8. Output: (N,)
    float32.
    """

    @hyperparameters
    def __init__(
        self,
        max_val: float = 1.0,
        power_factors: tuple[float, ...] | list[float] = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: Count = 11,
        filter_sigma: Rate = 1.5,
        k1: Exact = 0.01,
        k2: Exact = 0.03,
    ) -> None: ...

    def _begin(self, given: dict[str, Any]) -> None:
        power_factors = given.pop("power_factors")
        super()._begin(given)
        of_type("MSSSIM", "power_factors", power_factors, tuple, list)
        self.level = len(power_factors)
        self.conv = [self._window() for _ in power_factors]
        self.multi_convs_list = CellList(self.conv)
        self.weight_tensor = Tensor(power_factors, mstype.float32)
        self.avg_pool = AvgPool2d(kernel_size=2, stride=2, pad_mode="valid")

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        kinds = (mstype.float64, mstype.float32, mstype.float16, mstype.uint8)
        _alike("MSSSIM", img1, img2, *kinds)
        x, y, *constants = self._scaled(img1, img2)
        factors, similarity = [], None
        for blur in self.multi_convs_list:
            similarity, contrast = _compare(blur, x, y, *constants)
            factors.append(contrast)
            x, y = self.avg_pool(x), self.avg_pool(y)
        factors[-1] = similarity
        return (ops.relu(ops.stack(factors, -1)) ** self.weight_tensor).prod(-1).mean(-1)


class PSNR(Cell):
    """The peak signal-to-noise ratio of two images, in decibels.

    Args:
        max_val: What the values of the images range over.

    Inputs: img1 and img2, Tensors (N, C, H, W) of one dtype. Output: (N,) float32.

    Raises:
        TypeError: If ``max_val`` is not a number, or the dtypes differ.
        ValueError: If ``max_val`` is not positive, or the shapes differ.
    """

    def __init__(self, max_val: float = 1.0) -> None:
        super().__init__()
        self.max_val = _largest("PSNR", max_val)

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        _alike("PSNR", img1, img2)
        dtype = img1.dtype
        error = ops.square(_unit(img1, dtype) - _unit(img2, dtype)).mean((-3, -2, -1))
        return 10 * ops.log(_unit(self.max_val, dtype) ** 2 / error) / math.log(10.0)


class ImageGradients(Bare):
    """The differences of neighbours, downwards and to the right; 0 in the last row or column.

    Inputs: images (N, C, H, W). Output: a tuple of two Tensors of the same shape.

    Raises:
        ValueError: For another number of dimensions.
    """

    def construct(self, images: Tensor) -> tuple[Tensor, Tensor]:
        check_rank("ImageGradients", check_tensor("ImageGradients", "images", images), 4)
        down, right = images[:, :, 1:] - images[:, :, :-1], images[..., 1:] - images[..., :-1]
        rows, columns = ops.zeros_like(images[:, :, :1]), ops.zeros_like(images[..., :1])
        return ops.cat((down, rows), 2), ops.cat((right, columns), 3)


class CentralCrop(Cell):
    """The middle of images.

    Args:
        central_fraction: The share of height and width that stays, a float in (0, 1].

    Inputs: image (C, H, W) or (N, C, H, W).

    Raises:
        TypeError: If ``central_fraction`` is not a float.
        ValueError: If it is out of range, or the image has another number of dimensions.
    """

    def __init__(self, central_fraction: float) -> None:
        super().__init__()
        of_type("CentralCrop", "central_fraction", central_fraction, float)
        within("CentralCrop", "central_fraction", central_fraction, "(0.0, 1.0]")
        self.central_fraction = central_fraction

    def construct(self, image: Tensor) -> Tensor:
        check_rank("CentralCrop", image, 3, 4)
        edges = [int((size - size * self.central_fraction) / 2) for size in image.shape[-2:]]
        rows, columns = (
            slice(edge, size - edge) for edge, size in zip(edges, image.shape[-2:], strict=True)
        )
        return image[..., rows, columns]


__all__ = public_names(globals())
