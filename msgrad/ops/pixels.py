"""Pixels: their colors, from 0 to 1, and moving them between space and channels."""

from __future__ import annotations

import math

import jax.numpy as jnp

from msgrad._core.op import Array, operator
from msgrad.ops._checks import floating, multiple_of, need


def _check_image(x: Array, least: int = 3) -> None:
    floating(x, "image")
    fits = x.ndim >= least and x.shape[-1] == 3
    need(fits, f"there must be {least} dimensions or more, the last of size 3", x)


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


def _check(x: Array, factor: int, ranks: range) -> None:
    fits = factor > 0 and x.ndim in ranks
    need(fits, f"the factor must be positive, and {ranks.start} dimensions be there", factor, x)


def _into_space(x: Array, r: int, ranks: range, block: int) -> Array:
    """Move blocks of channels into space; ``block``: which of three parts of them channels are."""
    _check(x, r, ranks)
    *lead, channels, h, w = x.shape
    multiple_of(r**2, "number of channels", channels)
    parts = [r, r]
    parts.insert(block, channels // r**2)
    rows, columns = (1 + d for d in range(3) if d != block)
    split = x.reshape(math.prod(lead), *parts, h, w).transpose(0, 1 + block, 4, rows, 5, columns)
    return split.reshape(*lead, channels // r**2, h * r, w * r)


def _into_channels(x: Array, r: int, ranks: range, order: tuple[int, ...]) -> Array:
    _check(x, r, ranks)
    *lead, channels, h, w = x.shape
    multiple_of(r, "height", h)
    multiple_of(r, "width", w)
    split = x.reshape(math.prod(lead), channels, h // r, r, w // r, r).transpose(order)
    return split.reshape(*lead, channels * r**2, h // r, w // r)


@operator("pixel_shuffle", int_grad=True)
def pixel_shuffle(input: Array, upscale_factor: int) -> Array:
    """Make squares of pixels of groups of neighbouring channels.

    Args:
        input: Tensor (..., C * r * r, H, W).
        upscale_factor: r, a positive int.

    Returns:
        Tensor (..., C, H * r, W * r).

    Raises:
        TypeError: If the factor is not an int.
        ValueError: If the number of channels is no multiple of its square.
    """
    return _into_space(input, upscale_factor, range(3, 100), 0)


@operator("pixel_unshuffle", int_grad=True)
def pixel_unshuffle(input: Array, downscale_factor: int) -> Array:
    """Make groups of channels of squares of pixels: the reverse of ``pixel_shuffle``."""
    return _into_channels(input, downscale_factor, range(3, 100), (0, 1, 3, 5, 2, 4))


@operator("DepthToSpace", primitive="(block_size)", int_grad=True)
def _depth_to_space(x: Array, block_size: int) -> Array:
    """Move blocks of channels (N, C * r**2, H, W) into space: (N, C, H * r, W * r).

    Args:
        x: Tensor of 4 dimensions.
        block_size: r, at least 2.
    """
    return _into_space(x, block_size, range(4, 5), 2)


@operator("SpaceToDepth", primitive="(block_size)", int_grad=True)
def _space_to_depth(x: Array, block_size: int) -> Array:
    """Move blocks of space (N, C, H * r, W * r) into channels: (N, C * r**2, H, W).

    Args:
        x: Tensor of 4 dimensions.
        block_size: r, at least 2.
    """
    return _into_channels(x, block_size, range(4, 5), (0, 3, 5, 1, 2, 4))
