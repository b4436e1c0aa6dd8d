"""Convolutions and transposed convolutions; what they share is in ``_convolution``."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._family import Layer, given
from msgrad.nn._hyper import Count, Switch
from msgrad.nn.layer._convolution import Convolution
from msgrad.ops.conv_ops import conv_transpose, convolve


def _check_input_3d(input_shape: Any, op_name: str) -> None:
    """Check that a shape has three sizes."""
    if len(input_shape) != 3:
        raise ArgumentValueError(
            f"For '{op_name}', the dimension of input must be 3d, but got {len(input_shape)}."
        )


def _deconv_output_length(
    is_valid: bool,
    is_same: bool,
    is_pad: bool,
    input_length: int,
    filter_size: int,
    stride_size: int,
    dilation_size: int,
    padding: int,
) -> int:
    """Return the length that a transposed convolution gives; ``padding`` is that of both ends."""
    behind = (filter_size - 1) * dilation_size + 1 - stride_size
    added = max(behind, 0) if is_valid else behind - padding if is_pad else 0
    return input_length * stride_size + added if is_valid or is_same or is_pad else 0


class _Conv(Convolution):
    """Base of the convolutions, from which programs derive their own, that define ``construct``.

    Made by itself, it takes what it is given as it is: ``kernel_size`` is a tuple of any length.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: Any,
        pad_mode: str,
        padding: Any,
        dilation: Any,
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        data_format: str = "NCHW",
        transposed: bool = False,
        dtype: Any = mstype.float32,
    ) -> None:
        settings = given(locals(), "weight_init", "bias_init", "transposed", "dtype")
        Layer._begin(self, settings)
        self._transposed = transposed
        self._draw(weight_init, bias_init, dtype)

    def _operate(self, x: Tensor, bias: Parameter | None, weight: Tensor | None = None) -> Tensor:
        return convolve(
            x,
            self.weight if weight is None else weight,
            bias,
            len(self.kernel_size),
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
        )


class _Settings(Layer):
    # What most of them take; ``dtype`` comes last.
    in_channels: int
    out_channels: int
    kernel_size: int | tuple[int, int]
    stride: int | tuple[int, int] = 1
    pad_mode: str = "same"
    padding: int | tuple[int, ...] = 0
    dilation: int | tuple[int, int] = 1
    group: Count = 1
    has_bias: Switch = False
    weight_init: Any = None
    bias_init: Any = None


class Conv2d(_Settings, _Conv):
    """Convolution of images.

    Args:
        padding: For ``'pad'`` only: int, or (top, bottom, left, right).

    Inputs: x (N, in_channels, H, W), of the dtype of the parameters. Output: (N, out_channels,
    H_out, W_out).
    """

    data_format: str = "NCHW"
    dtype: Any = mstype.float32


class Conv1d(_Settings, _Conv, rank=1):
    """Convolution of sequences (N, C, L); see ``Conv2d`` for the arguments.

    Here ``kernel_size``, ``stride``, ``padding`` (put on both sides) and ``dilation`` are ints. The
    weight is (out, in / group, 1, k), and a Tensor for ``weight_init`` is (out, in / group, k).
    """

    kernel_size: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    dtype: Any = mstype.float32

    def construct(self, x: Tensor) -> Tensor:
        return self._of_sequences(x)


class Conv3d(_Settings, _Conv, rank=3, operator="Conv3D"):
    """Convolution of volumes (N, C, D, H, W); see ``Conv2d``."""

    kernel_size: int | tuple[int, int, int]
    stride: int | tuple[int, int, int] = 1
    dilation: int | tuple[int, int, int] = 1
    data_format: str = "NCDHW"
    dtype: Any = mstype.float32


class _Transposed(Convolution, transposed=True, operator="Conv2DTranspose"):
    """Base of the transposed convolutions.

    Args:
        pad_mode: ``'same'``, ``'valid'`` or ``'pad'``.
        padding: For ``'pad'`` only: what is cut off: int, or before and after in each dimension.
        output_padding: For ``'pad'`` only: zeros put after each dimension, int or tuple of ints.
        weight_init: As for ``Conv2d``, but a Tensor is (in, out / group, ...).
    """

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin(given)
        if self._rank > 1:
            self._output_padding = self._checked_output_padding(given["output_padding"])
        if self._rank == 3:
            self.output_padding = self._output_padding
            return
        for mode in ("pad", "same", "valid"):
            setattr(self, f"is_{mode}", self.pad_mode == mode)
        if self._rank == 2:
            around = self.padding
            around = around if isinstance(around, tuple) else (around,) * 4
            for side, count in zip(("top", "bottom", "left", "right"), around, strict=True):
                setattr(self, f"padding_{side}", count)

    def _operate(self, x: Tensor, bias: Parameter | None) -> Tensor:
        return conv_transpose(
            x,
            self.weight,
            bias,
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
            # Conv2dTranspose adds it after the bias.
            self._output_padding if self._rank == 3 else (0, 0),
        )

    def _checked_output_padding(self, value: Any) -> tuple[int, ...]:
        rank, owner = self._rank, self.cls_name
        members = (value,) * rank if type(value) is int else value
        if not isinstance(members, tuple) or not all(type(v) is int for v in members):
            raise ArgumentTypeError(
                f"For '{owner}', the type of 'output_padding' should be one of '['int', 'tuple']', "
                f"but got type '{type(value).__name__}'."
            )
        one_of(owner, "length of output_padding", len(members), rank)
        if any(members) and self.pad_mode != "pad":
            raise ArgumentValueError(
                f"For '{owner}', when output_padding is not zero, pad_mode must be 'pad', but got "
                f"'{self.pad_mode}'."
            )
        for more, stride, dilation in zip(members, self.stride, self.dilation, strict=True):
            if not 0 <= more < max(stride, dilation):
                raise ArgumentValueError(
                    f"For '{owner}', output_padding must be in range of [0, max(stride, dilation)) "
                    f"= [0, {max(stride, dilation)}), but got {more}."
                )
        return members


class Conv2dTranspose(_Transposed):
    """Transposed convolution of images: the gradient of ``Conv2d`` as a layer.

    With stride s, ``'same'`` gives output sizes ``s`` times the input's, ``'valid'`` ``s`` times
    plus what the kernel reaches beyond. ``padding`` is an int or (top, bottom, left, right).
    """

    in_channels: int
    out_channels: int
    kernel_size: int | tuple[int, int]
    stride: int | tuple[int, int] = 1
    pad_mode: str = "same"
    padding: int | tuple[int, ...] = 0
    output_padding: int | tuple[int, int] = 0
    dilation: int | tuple[int, int] = 1
    group: Count = 1
    has_bias: Switch = False
    weight_init: Any = None
    bias_init: Any = None
    dtype: Any = mstype.float32

    def construct(self, x: Tensor) -> Tensor:
        out = super().construct(x)
        # MindSpore adds the rows and columns after the bias, as zeros.
        below, right = self._output_padding
        return ops.pad(out, (0, right, 0, below)) if below or right else out


class Conv1dTranspose(_Settings, _Transposed, rank=1, operator="Conv2DBackpropInput"):
    """Transposed convolution of sequences (N, C, L); see ``Conv2dTranspose`` for the arguments.

    Here ``kernel_size``, ``stride``, ``padding`` (cut off on both sides) and ``dilation`` are ints,
    and a Tensor for ``weight_init`` is (in, out / group, k).
    """

    kernel_size: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    dtype: Any = mstype.float32

    def construct(self, x: Tensor) -> Tensor:
        return self._of_sequences(x)


class Conv3dTranspose(_Transposed, rank=3, operator="Conv3DTranspose"):
    """Transposed convolution of volumes (N, C, D, H, W); see ``Conv2dTranspose``."""

    in_channels: int
    out_channels: int
    kernel_size: int | tuple[int, int, int]
    stride: int | tuple[int, int, int] = 1
    pad_mode: str = "same"
    padding: int | tuple[int, ...] = 0
    dilation: int | tuple[int, int, int] = 1
    group: Count = 1
    output_padding: int | tuple[int, int, int] = 0
    has_bias: Switch = False
    weight_init: Any = None
    bias_init: Any = None
    data_format: str = "NCDHW"
    dtype: Any = mstype.float32


__all__ = public_names(globals())
