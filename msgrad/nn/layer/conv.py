"""Convolution layers; the operators are in ``msgrad.ops.conv_ops``.

``pad_mode`` is ``'same'`` unless told, there is no bias unless told, and a padding other than 0
goes with ``'pad'`` only. The weight is drawn first, then the bias.
Transposed convolutions are in ``conv_transpose``.
"""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._family import given
from msgrad.nn.layer._convolution import Convolution
from msgrad.ops.conv_ops import convolve


def _check_input_3d(input_shape: Any, op_name: str) -> None:
    """Check that a shape has three sizes."""
    if len(input_shape) != 3:
        raise ArgumentValueError(
            f"For '{op_name}', the dimension of input must be 3d, but got {len(input_shape)}."
        )


class _Conv(Convolution):
    def _operate(self, x: Tensor, bias: Parameter | None) -> Tensor:
        return convolve(
            x,
            self.weight,
            bias,
            self._operator,
            len(self.kernel_size),
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
        )


class Conv2d(_Conv):
    """Convolution of images.

    Args:
        padding: For ``'pad'`` only: int, or (top, bottom, left, right).

    Inputs: x (N, in_channels, H, W), of the dtype of the parameters. Output: (N, out_channels,
    H_out, W_out).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(**given(locals()))


class Conv1d(_Conv, rank=1):
    """Convolution of sequences (N, C, L); see ``Conv2d`` for the arguments.

    Here ``kernel_size``, ``stride``, ``padding`` (put on both sides) and ``dilation`` are ints. The
    weight is (out, in / group, 1, k), and a Tensor for ``weight_init`` is (out, in / group, k).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(**given(locals()))

    def construct(self, x: Tensor) -> Tensor:
        return self._of_sequences(x)


class Conv3d(_Conv, rank=3, operator="Conv3D"):
    """Convolution of volumes (N, C, D, H, W); see ``Conv2d``."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int, int],
        stride: int | tuple[int, int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        dilation: int | tuple[int, int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(**given(locals()))


__all__ = public_names(globals())
