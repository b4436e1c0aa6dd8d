"""Moving pixels between space and channels: pixel_shuffle, DepthToSpace and their reverses."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, operator


def _check(x: Array, factor: Any, ranks: range) -> None:
    if type(factor) is not int:
        raise ArgumentTypeError(f"the factor must be an int, but got {factor!r}.")
    if factor < 1 or x.ndim not in ranks:
        raise ArgumentValueError(
            f"the factor must be positive and the input of {ranks.start} dimensions or more, but "
            f"got {factor} and {x.ndim}."
        )


def _check_channels(channels: int, factor: int) -> None:
    if channels % factor**2:
        raise ArgumentValueError(
            f"the number of channels must be a multiple of {factor**2}, but got {channels}."
        )


def _check_space(height: int, width: int, factor: int) -> None:
    if height % factor or width % factor:
        raise ArgumentValueError(
            f"height and width must be multiples of {factor}, but got {height} and {width}."
        )


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
    r = upscale_factor
    _check(input, r, range(3, 100))
    *lead, channels, h, w = input.shape
    _check_channels(channels, r)
    split = input.reshape(-1, channels // r**2, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return split.reshape(*lead, channels // r**2, h * r, w * r)


@operator("pixel_unshuffle", int_grad=True)
def pixel_unshuffle(input: Array, downscale_factor: int) -> Array:
    """Make groups of channels of squares of pixels: the reverse of ``pixel_shuffle``."""
    r = downscale_factor
    _check(input, r, range(3, 100))
    *lead, channels, h, w = input.shape
    _check_space(h, w, r)
    split = input.reshape(-1, channels, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
    return split.reshape(*lead, channels * r**2, h // r, w // r)


@operator("DepthToSpace", primitive="(block_size)", int_grad=True)
def _depth_to_space(x: Array, block_size: int) -> Array:
    """Move blocks of channels (N, C * r**2, H, W) into space: (N, C, H * r, W * r).

    Args:
        x: Tensor of 4 dimensions.
        block_size: r, at least 2.
    """
    r = block_size
    _check(x, r, range(4, 5))
    n, channels, h, w = x.shape
    _check_channels(channels, r)
    split = x.reshape(n, r, r, channels // r**2, h, w).transpose(0, 3, 4, 1, 5, 2)
    return split.reshape(n, channels // r**2, h * r, w * r)


@operator("SpaceToDepth", primitive="(block_size)", int_grad=True)
def _space_to_depth(x: Array, block_size: int) -> Array:
    """Move blocks of space (N, C, H * r, W * r) into channels: (N, C * r**2, H, W).

    Args:
        x: Tensor of 4 dimensions.
        block_size: r, at least 2.
    """
    r = block_size
    _check(x, r, range(4, 5))
    n, channels, h, w = x.shape
    _check_space(h, w, r)
    split = x.reshape(n, channels, h // r, r, w // r, r).transpose(0, 3, 5, 1, 2, 4)
    return split.reshape(n, channels * r**2, h // r, w // r)
