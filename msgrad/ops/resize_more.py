"""Resizing as Primitives; ``resize_ops`` has interpolate, and the kernels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import static
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError, UnsupportedError
from msgrad._core.op import Array, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops.resize_ops import _resize_cubic, _resize_linear, _resize_nearest, _rule

Sizes = tuple[int, ...]


def _sizes(x: Tensor, size: Any, rank: int) -> Sizes:
    """Return the sizes that came as a tuple, a list or a Tensor; one for each dimension of rank."""
    sizes = static(size)
    sizes = (sizes,) if isinstance(sizes, int) else sizes
    if not isinstance(sizes, tuple) or not all(type(s) is int for s in sizes):
        raise ArgumentTypeError(f"the sizes must be ints, but got {size!r}.")
    if len(sizes) != rank or min(sizes) < 1 or x.ndim != rank + 2:
        raise ArgumentValueError(
            f"there must be {rank} positive sizes and {rank + 2} dimensions, but got {sizes} and "
            f"{x.ndim}."
        )
    return sizes


def _resizes(name: str, resize: Callable[..., Any], doc: str) -> None:
    def resized(
        image: Tensor, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
    ) -> Tensor:
        sizes = _sizes(image, size, 2)
        return resize(image, sizes, _rule(align_corners, half_pixel_centers))

    resized.__doc__ = f"""{doc}

    Args:
        image: Tensor (N, C, H, W), floating.
        size: The new height and width, a tuple or an int32 Tensor.
        align_corners: Whether the corners keep their places.
        half_pixel_centers: Whether places are counted from the centers of elements.
    """
    function(name=name, primitive=f"{name}(*)")(resized)


_resizes("ResizeBicubic", _resize_cubic, "Resize images by cubic interpolation.")
_resizes("ResizeNearestNeighborV2", _resize_nearest, "Resize images by the nearest element.")


@function(primitive="ResizeLinear1D(*)")
def _resize_linear_1d(
    x: Tensor, size: Any, *, coordinate_transformation_mode: str = "align_corners"
) -> Tensor:
    """Resize sequences linearly.

    Args:
        x: Tensor (N, C, L), floating.
        size: The new length: a tuple or a Tensor of one int.
        coordinate_transformation_mode: ``'align_corners'`` or ``'half_pixel'``.
    """
    rules = {"align_corners": "corners", "half_pixel": "centers"}
    if coordinate_transformation_mode not in rules:
        raise KernelError(
            f"the mode must be in {list(rules)}, but got {coordinate_transformation_mode!r}."
        )
    return _resize_linear(x, _sizes(x, size, 1), rules[coordinate_transformation_mode])


def _volume(x: Tensor, output_size: Any, scales: Any) -> Sizes:
    if (output_size is None) == (scales is None):
        raise ArgumentValueError("one of 'output_size' and 'scales' must be given, not both.")
    if output_size is not None:
        return _sizes(x, output_size, 3)
    factors = static(scales)
    return _sizes(x, [math.floor(n * f) for n, f in zip(x.shape[2:], factors, strict=True)], 3)


@function(primitive="UpsampleNearest3D")
def _upsample_nearest_3d(x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor:
    """Resize volumes by the nearest element.

    Args:
        x: Tensor (N, C, D, H, W), floating.
        output_size: The three new sizes, or None.
        scales: The three factors of the sizes, or None.
    """
    return _resize_nearest(x, _volume(x, output_size, scales), "")


@function(primitive="UpsampleTrilinear3D(*)")
def _upsample_trilinear_3d(
    x: Tensor, output_size: Any = None, scales: Any = None, *, align_corners: bool = False
) -> Tensor:
    """Resize volumes linearly.

    Args:
        x: Tensor (N, C, D, H, W), floating.
        output_size: The three new sizes, or None.
        scales: The three factors of the sizes, or None.
        align_corners: Whether the corners keep their places.
    """
    rule = "corners" if align_corners else "centers"
    return _resize_linear(x, _volume(x, output_size, scales), rule)


@operator("ResizeArea", primitive="(align_corners=False)")
def _resize_area(images: Array, size: Sizes, align_corners: bool) -> Array:
    """Resize images by means over what an element covers.

    Args:
        images: Tensor (N, H, W, C).
        size: The new height and width, an int32 Tensor.
        align_corners: Whether the corners keep their places.

    Returns:
        float32 Tensor (N, height, width, C).
    """
    if images.ndim != 4 or len(size) != 2 or min(size) < 1:
        raise ArgumentValueError(
            f"the images must have 4 dimensions and there must be 2 positive sizes, but got "
            f"{images.ndim} and {size}."
        )
    out = images.astype(jnp.float32)
    for axis, count in enumerate(size, 1):
        n = images.shape[axis]
        factor = (n - 1) / (count - 1) if align_corners and count > 1 else n / count
        starts = (np.arange(count) * np.float32(factor))[:, None]
        cells = np.arange(math.ceil(float(starts[-1, 0] + factor)))
        shares = np.clip(
            np.minimum(starts + factor, cells + 1) - np.maximum(starts, cells), 0, None
        )
        weights = np.zeros((count, n))
        np.add.at(weights.T, np.minimum(cells, n - 1), np.maximum(shares, 0).T)
        rows = jnp.asarray((weights / weights.sum(1, keepdims=True)).astype(np.float32))
        out = jnp.moveaxis(jnp.tensordot(rows, out, (1, axis), precision="highest"), 0, axis)
    return out


_KERNELS = {
    "lanczos3": "lanczos3",
    "lanczos5": "lanczos5",
    "triangle": "linear",
    "keyscubic": "cubic",
}


@operator("ScaleAndTranslate")
def _scaled(
    images: Array, scale: Array, translation: Array, size: Sizes, kernel: str, antialias: bool
) -> Array:
    if images.ndim != 4 or len(size) != 2:
        raise ArgumentValueError(
            f"the images must have 4 dimensions and there must be 2 sizes, but got {images.ndim} "
            f"and {size}."
        )
    shape = (images.shape[0], *size, images.shape[3])
    images = images.astype(jnp.float32)
    return jax.image.scale_and_translate(
        images, shape, (1, 2), scale, translation, kernel, antialias, jax.lax.Precision.HIGHEST
    )


@function(primitive="ScaleAndTranslate(kernel_type='lanczos3', antialias=True)")
def _scale_and_translate(
    images: Tensor,
    size: Any,
    scale: Tensor,
    translation: Tensor,
    kernel_type: str,
    antialias: bool,
) -> Tensor:
    """Scale images and move them.

    Args:
        images: Tensor (N, H, W, C).
        size: The new height and width, an int32 Tensor.
        scale: The factors of height and width, float32 Tensor (2,).
        translation: How far the result is moved down and to the right, float32 Tensor (2,).
        kernel_type: ``'lanczos3'``, ``'lanczos5'``, ``'triangle'`` or ``'keyscubic'``.
        antialias: Whether the kernel is wider where an image is made smaller.

    Returns:
        float32 Tensor (N, height, width, C).

    Raises:
        NotImplementedError: For another kernel of MindSpore's.
    """
    if kernel_type not in _KERNELS:
        raise UnsupportedError(
            f"the 'kernel_type' must be in {list(_KERNELS)} here, but got {kernel_type!r}."
        )
    return _scaled(images, scale, translation, static(size), _KERNELS[kernel_type], antialias)
