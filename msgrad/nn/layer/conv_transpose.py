"""Layers of transposed convolution; plain ones, and what both share, are in ``conv``."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import check_tensor
from msgrad.nn.layer._bias import bias_apart
from msgrad.nn.layer.conv import (
    Convolution,
    check_sequences,
    flattened,
    flattened_weight,
    known_mode,
    one_per_dimension,
)
from msgrad.ops.conv_ops import conv_transpose

__all__ = ["Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"]


class _Transposed(Convolution):
    """What the layers share: how they call the operator."""

    _transposed = True

    def _spread_out(self, x: Any, output_padding: tuple[int, ...]) -> Tensor:
        check_tensor(self.cls_name, "x", x)
        bias = self.bias if self.has_bias else None
        apart = bias is not None and bias_apart()
        out = conv_transpose(
            x,
            self.weight,
            None if apart else bias,
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
            output_padding,
        )
        return ops.bias_add(out, bias) if apart and bias is not None else out


class Conv2dTranspose(_Transposed):
    """Transposed convolution of images: the gradient of ``Conv2d`` as a layer.

    With stride s, ``'same'`` gives output sizes ``s`` times the input's, ``'valid'`` ``s`` times
    plus what the kernel reaches beyond.

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int or tuple of two ints.
        stride: int or tuple of two ints.
        pad_mode: ``'same'``, ``'valid'`` or ``'pad'``.
        padding: For ``'pad'`` only: what is cut off, int or (top, bottom, left, right).
        output_padding: For ``'pad'`` only: rows and columns of zeros added to the output, int or
            tuple of two ints.
        dilation: int or tuple of two ints.
        group: Number of groups of channels.
        has_bias: Whether there is a bias.
        weight_init: As for ``Conv2d``; the weight is (in, out / group, kH, kW).
        bias_init: As for ``Conv2d``.
        dtype: Of the parameters.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For sizes that are not positive or do not fit together.
    """

    _operator = "Conv2DTranspose"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        pad_mode: str = "same",
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, int] = 0,
        dilation: int | tuple[int, int] = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            one_per_dimension("Conv2dTranspose", "kernel_size", kernel_size, 2),
            one_per_dimension("Conv2dTranspose", "stride", stride, 2),
            known_mode("Conv2dTranspose", pad_mode),
            padding,
            one_per_dimension("Conv2dTranspose", "dilation", dilation, 2),
            group,
            has_bias,
            weight_init,
            bias_init,
            "NCHW",
            dtype,
        )
        self.output_padding = output_padding
        self._output_padding = _output_padding(self, output_padding)

    def construct(self, x: Tensor) -> Tensor:
        """Spread out the input."""
        out = self._spread_out(x, (0, 0))
        # MindSpore adds the rows and columns after the bias, as zeros.
        below, right = self._output_padding
        return ops.pad(out, (0, right, 0, below)) if below or right else out


class Conv3dTranspose(_Transposed):
    """Transposed convolution of volumes (N, C, D, H, W); see ``Conv2dTranspose``.

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int or tuple of three ints; so are ``stride`` and ``dilation``.
        stride: See above.
        pad_mode: ``'same'``, ``'valid'`` or ``'pad'``.
        padding: For ``'pad'`` only: int, or six ints.
        dilation: See above.
        group: Number of groups of channels.
        output_padding: For ``'pad'`` only: int or tuple of three ints.
        has_bias: Whether there is a bias.
        weight_init: As for ``Conv2dTranspose``.
        bias_init: As for ``Conv2d``.
        data_format: ``'NCDHW'``.
        dtype: Of the parameters.
    """

    _operator = "Conv3DTranspose"

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
        output_padding: int | tuple[int, int, int] = 0,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            one_per_dimension("Conv3dTranspose", "kernel_size", kernel_size, 3),
            one_per_dimension("Conv3dTranspose", "stride", stride, 3),
            known_mode("Conv3dTranspose", pad_mode),
            padding,
            one_per_dimension("Conv3dTranspose", "dilation", dilation, 3),
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            dtype,
        )
        self.output_padding = output_padding
        self._output_padding = _output_padding(self, output_padding)

    def construct(self, x: Tensor) -> Tensor:
        """Spread out the input."""
        return self._spread_out(x, self._output_padding)


class Conv1dTranspose(_Transposed):
    """Transposed convolution of sequences (N, C, L); see ``Conv2dTranspose`` and ``Conv1d``.

    Args:
        in_channels: C of the input.
        out_channels: C of the output.
        kernel_size: int, as are ``stride``, ``padding`` and ``dilation``.
        stride: See above.
        pad_mode: ``'same'``, ``'valid'`` or ``'pad'``.
        padding: For ``'pad'`` only, cut off on both sides.
        dilation: See above.
        group: Number of groups of channels.
        has_bias: Whether there is a bias.
        weight_init: As for ``Conv2dTranspose``; a Tensor is (in, out / group, k).
        bias_init: As for ``Conv2d``.
        dtype: Of the parameters.
    """

    _operator = "Conv2DBackpropInput"

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
        flat = flattened("Conv1dTranspose", kernel_size, stride, pad_mode, padding, dilation)
        super().__init__(
            in_channels,
            out_channels,
            flat[0],
            flat[1],
            pad_mode,
            flat[2],
            flat[3],
            group,
            has_bias,
            flattened_weight("Conv1dTranspose", weight_init),
            bias_init,
            "NCHW",
            dtype,
        )

    def construct(self, x: Tensor) -> Tensor:
        """Spread out the input."""
        flat = check_sequences("Conv1dTranspose", x).expand_dims(2)
        return self._spread_out(flat, (0, 0)).squeeze(2)


def _output_padding(layer: _Transposed, value: Any) -> tuple[int, ...]:
    rank, owner = len(layer.kernel_size), layer.cls_name
    members = (value,) * rank if type(value) is int else value
    if not isinstance(members, tuple) or not all(type(v) is int for v in members):
        raise ArgumentTypeError(
            f"For '{owner}', the type of 'output_padding' should be one of '['int', 'tuple']', but "
            f"got type '{type(value).__name__}'."
        )
    if len(members) != rank:
        raise ArgumentValueError(
            f"For '{owner}', the 'output_padding' must have {rank} members, but got {value}."
        )
    if any(members) and layer.pad_mode != "pad":
        raise ArgumentValueError(
            f"For '{owner}', when output_padding is not zero, pad_mode must be 'pad', but got "
            f"'{layer.pad_mode}'."
        )
    for more, stride, dilation in zip(members, layer.stride, layer.dilation, strict=True):
        if not 0 <= more < max(stride, dilation):
            raise ArgumentValueError(
                f"For '{owner}', output_padding must be in range of [0, max(stride, dilation)) = "
                f"[0, {max(stride, dilation)}), but got {more}."
            )
    return members
