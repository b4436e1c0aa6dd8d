"""Layers that rearrange or resize images."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.checks import at_least, of_type
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Layer
from msgrad.nn._hyper import Count
from msgrad.nn.cell import Cell


class Upsample(Layer):
    """Resizes the dimensions after the second; see ``ops.interpolate`` for the arguments.

    Args:
        size: The new sizes, or
        scale_factor: their factors.
        mode: ``'nearest'``, ``'linear'``, ``'bilinear'``, ``'trilinear'`` or ``'area'``.
        align_corners: For the linear modes.
        recompute_scale_factor: Must be True with ``scale_factor``.
    """

    size: Any = None
    scale_factor: Any = None
    mode: str = "nearest"
    align_corners: bool | None = None
    recompute_scale_factor: bool | None = None

    def construct(self, x: Tensor) -> Tensor:
        return ops.interpolate(
            x,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )


class PixelShuffle(Layer):
    """Makes squares of pixels of groups of channels: (.., C r^2, H, W) to (.., C, H r, W r).

    Args:
        upscale_factor: r, a positive int.
    """

    upscale_factor: Count

    def construct(self, input: Tensor) -> Tensor:
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Layer):
    """Makes groups of channels of squares of pixels; the reverse of ``PixelShuffle``.

    Args:
        downscale_factor: r, a positive int.
    """

    downscale_factor: Count

    def construct(self, input: Tensor) -> Tensor:
        return ops.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """Puts the channels of groups in turn: the first of each group, the second of each, ...

    Args:
        groups: How many groups there are, which divides the channels.

    Inputs: x (N, C, ...). Output: of the same shape.

    Raises:
        TypeError: If ``groups`` is not an int.
        ValueError: If it is not positive.
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        of_type("ChannelShuffle", "groups", groups, int, bool)
        at_least("ChannelShuffle", "groups", groups, 1)
        self.groups = groups

    def construct(self, x: Tensor) -> Tensor:
        groups = x.reshape((x.shape[0], self.groups, x.shape[1] // self.groups, -1))
        return groups.swapaxes(1, 2).reshape(x.shape)


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
