"""Layers that MindSpore has dropped since, and that programs of 1.x still use."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentValueError
from msgrad._core.user_code import user_level
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell


class ResizeBilinear(Cell):
    """Resizes images by bilinear interpolation; ``nn.ResizeBilinear`` of MindSpore 1.x.

    Args:
        half_pixel_centers: Whether pixels are measured at their middle.

    Inputs: x (N, C, H, W), and ``size``, a pair of ints, or ``scale_factor``, an int;
    ``align_corners``, whether corners stay where they are.

    Raises:
        ValueError: If neither or both of ``size`` and ``scale_factor`` are given.
    """

    def __init__(self, half_pixel_centers: bool = False) -> None:
        super().__init__()
        warnings.warn(
            "nn.ResizeBilinear is gone in MindSpore 2; use ops.interpolate(x, mode='bilinear').",
            DeprecationWarning,
            stacklevel=user_level(inspect.currentframe()),
        )
        self.half_pixel_centers = half_pixel_centers

    def construct(
        self, x: Tensor, size: Any = None, scale_factor: Any = None, align_corners: bool = False
    ) -> Tensor:
        if (size is None) == (scale_factor is None):
            raise ArgumentValueError(
                "For 'ResizeBilinear', give either 'size' or 'scale_factor', but got "
                f"{size} and {scale_factor}."
            )
        if size is None:
            size = tuple(scale_factor * each for each in x.shape[2:])
        return ops.ResizeBilinearV2(align_corners, self.half_pixel_centers)(x, tuple(size))
