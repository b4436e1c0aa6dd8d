"""Colors of images whose last dimension is red, green and blue, from 0 to 1."""

from __future__ import annotations

import jax.numpy as jnp

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_float


def _check_image(x: Array, least: int = 3) -> None:
    if not is_float(x.dtype):
        raise ArgumentTypeError(f"the image must be a floating Tensor, but got {x.dtype}.")
    if x.ndim < least or x.shape[-1] != 3:
        raise ArgumentValueError(
            f"the image must have {least} dimensions or more, the last of size 3, but got "
            f"{x.shape}."
        )


def _to_hsv(x: Array) -> Array:
    red, green, blue = (x[..., i] for i in range(3))
    value = x.max(-1)
    spread = value - x.min(-1)
    some = jnp.where(spread > 0, spread, 1)
    hue = jnp.where(
        value == red,
        (green - blue) / some,
        jnp.where(value == green, (blue - red) / some + 2, (red - green) / some + 4),
    )
    hue = jnp.where(spread > 0, hue / 6, 0)
    saturation = jnp.where(value > 0, spread / jnp.where(value > 0, value, 1), 0)
    return jnp.stack([jnp.where(hue < 0, hue + 1, hue), saturation, value], -1)


def _to_rgb(x: Array) -> Array:
    hue, saturation, value = (x[..., i] for i in range(3))
    shares = [jnp.abs(hue * 6 - 3) - 1, 2 - jnp.abs(hue * 6 - 2), 2 - jnp.abs(hue * 6 - 4)]
    return jnp.stack(
        [value * (1 - saturation * (1 - jnp.clip(share, 0, 1))) for share in shares], -1
    )


@operator("RGBToHSV", primitive=True, product=True)
def _rgb_to_hsv(images: Array) -> Array:
    """Return hue, saturation and value, each from 0 to 1.

    Args:
        images: Tensor (..., 3), floating.
    """
    _check_image(images, 1)
    return _to_hsv(images)


@operator("HSVToRGB", primitive=True, product=True)
def _hsv_to_rgb(x: Array) -> Array:
    """Return the colors of hue, saturation and value.

    Args:
        x: Tensor (..., 3), floating.
    """
    _check_image(x, 1)
    return _to_rgb(x)


@operator("AdjustHue", primitive=True, product=True)
def _adjust_hue(image: Array, delta: Array) -> Array:
    """Turn the hues of an image.

    Args:
        image: Tensor (..., 3) of 3 dimensions or more, floating.
        delta: Tensor of one number, a part of the circle of hues.
    """
    _check_image(image)
    hsv = _to_hsv(image)
    hue = jnp.mod(hsv[..., :1] + delta, 1)
    return _to_rgb(jnp.concatenate([hue, hsv[..., 1:]], -1)).astype(image.dtype)


@operator("AdjustSaturation", primitive=True, product=True)
def _adjust_saturation(image: Array, scale: Array) -> Array:
    """Multiply the saturation of an image, to 1 at most.

    Args:
        image: Tensor (..., 3) of 3 dimensions or more, floating.
        scale: Tensor of one number.
    """
    _check_image(image)
    hsv = _to_hsv(image)
    saturation = jnp.clip(hsv[..., 1:2] * scale, 0, 1)
    hsv = jnp.concatenate([hsv[..., :1], saturation, hsv[..., 2:]], -1)
    return _to_rgb(hsv).astype(image.dtype)
