"""RReLU, whose slope is drawn, PReLUExt, whose slope is trained, and LRN."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import of_type
from msgrad.nn.cell import Cell
from msgrad.ops.random import with_slopes


class RReLU(Cell):
    """``x`` where positive, else ``a * x`` with a slope drawn for each element, in any mode.

    Args:
        lower: The least slope.
        upper: The largest.

    Raises:
        TypeError: If they are not numbers, or the input is not a Tensor.
        ValueError: If ``lower`` is above ``upper``.
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3) -> None:
        super().__init__()
        of_type("RReLU", "upper", upper, float, int)
        of_type("RReLU", "lower", lower, float, int)
        if lower > upper:
            raise ArgumentValueError(
                "For RReLU, the value of 'upper' must be greater than or equal to 'lower', but got "
                f"upper: {upper}, lower: {lower}. "
            )
        self.lower = Tensor(lower, mstype.float32)
        self.upper = Tensor(upper, mstype.float32)

    def construct(self, x: Tensor) -> Tensor:
        if not isinstance(x, Tensor):
            raise ArgumentTypeError(f"For 'rrelu', the input must be a Tensor, but got {type(x)}.")
        return with_slopes(x, ops.uniform(x.shape, self.lower, self.upper))


class PReLUExt(Cell):
    """``x`` where positive, else ``a * x`` with a trained slope.

    Args:
        num_parameters: Number of slopes: 1, or C of the input (N, C, ...).
        init: Their first value.
        dtype: Of the slopes; None for float32.
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None) -> None:
        super().__init__()
        slopes = Tensor(np.full(num_parameters, init, np.float32), dtype)
        self.weight = Parameter(slopes, name="weight")

    def construct(self, input: Tensor) -> Tensor:
        return ops.prelu(input, self.weight)


class LRN(Cell):
    """Local response normalisation: elements divided by the squares of neighbouring channels.

    Args:
        depth_radius: How many channels on each side count.
        bias: Added to the sum.
        alpha: Factor on the sum of squares.
        beta: The power of the divisor.
        norm_region: ``'ACROSS_CHANNELS'``.

    Inputs: input_x (N, C, H, W), floating.
    """

    def __init__(
        self,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ) -> None:
        super().__init__()
        of_type("LRN", "depth_radius", depth_radius, int)
        self.lrn_op = ops.LRN(depth_radius, bias, alpha, beta, norm_region)

    def construct(self, input_x: Tensor) -> Tensor:
        return self.lrn_op(input_x)


__all__ = public_names(globals())
