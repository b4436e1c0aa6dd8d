"""Convolutions and transposed convolutions in 1, 2 and 3 dimensions, channels first.

MindSpore's modes of padding are turned into pairs (before, after) here, for pooling as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.core import ShapedArray

from msgrad._core.bridge import too_large
from msgrad._core.checks import of_type, one_of
from msgrad._core.declared import Forward, PadMode, Sizes, Window
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import promote
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import channels_first, floating, need, of_rank, of_shape, same_type
from msgrad.ops._convolution import Pairs, Windows, convolution

PAD_MODES = ("valid", "same", "pad")


def per_dimension(what: str, value: Any, rank: int, least: int = 1) -> tuple[int, ...]:
    """Return an int, or a tuple of ``rank`` ints (or of one), as one positive int per dimension.

    Raises:
        TypeError: If it is neither.
        ValueError: If it has another length, or a member is below ``least``.
    """
    members = (value,) * rank if type(value) is int else value
    if not isinstance(members, tuple) or not all(type(v) is int for v in members):
        raise ArgumentTypeError(
            f"the type of '{what}' should be one of '['int', 'tuple']', with ints in the tuple, "
            f"but got {value!r} of type '{type(value).__name__}'."
        )
    if any(v >= 2**63 for v in members):
        raise too_large("", what, max(members))
    members = members * rank if len(members) == 1 else members
    if len(members) != rank or any(v < least for v in members):
        raise ArgumentValueError(
            f"attr '{what}' must be an positive int number or a tuple of {rank} positive int "
            f"numbers, but got {value}"
        )
    return members


def same_pairs(
    sizes: Sequence[int], kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> Pairs:
    """Return the padding by which each output size is the input's over the stride, rounded up."""
    pairs = []
    for size, k, s, d in zip(sizes, kernel, stride, dilation, strict=True):
        total = max((-(-size // s) - 1) * s + (k - 1) * d + 1 - size, 0)
        pairs.append((total // 2, total - total // 2))
    return tuple(pairs)


def explicit_pairs(padding: Any, rank: int) -> Pairs:
    """Return a padding as pairs: an int, one int per dimension, or two of them.

    Raises:
        TypeError: If it is not made of ints.
        ValueError: If it has another length, or a member is negative.
    """
    members = (padding,) * rank if type(padding) is int else padding
    if not isinstance(members, tuple) or not all(type(p) is int for p in members):
        raise ArgumentTypeError(
            f"the 'padding' must be an int or a tuple of ints, but got {padding!r}."
        )
    if len(members) in (1, rank):
        wide = members * rank if len(members) == 1 else members
        pairs = tuple((p, p) for p in wide)
    elif len(members) == 2 * rank:
        pairs = tuple(zip(members[::2], members[1::2], strict=True))
    else:
        raise ArgumentValueError(
            f"the 'pad size' must be int and must = {2 * rank}, but got '{len(members)}' with type "
            "'int'."
        )
    need(not any(p < 0 for p in members), "the 'padding' must be int and must >= 0", padding)
    return pairs


def check_pad_mode(pad_mode: Any, padding: Any) -> str:
    """Return the mode; a padding other than 0 goes with ``'pad'`` only.

    Raises:
        TypeError: If the mode is not a string.
        ValueError: If it is not one of the three, or does not go with the padding.
    """
    of_type("", "pad_mode", pad_mode, str)
    one_of("", "pad_mode", pad_mode, *PAD_MODES)
    members = padding if isinstance(padding, tuple) else (padding,)
    if pad_mode != "pad" and any(p != 0 for p in members):
        raise ArgumentValueError(
            f"the 'pad' must be zero when 'pad_mode' is not 'pad', but got 'pad': {padding} and "
            f"'pad_mode': {pad_mode}."
        )
    return pad_mode


def _check_operands(x: Array, weight: Array, rank: int) -> None:
    same_type(x, weight)
    floating(x)
    for label, operand in (("x", x), ("weight", weight)):
        of_rank(operand, rank + 2, label=label)


def _biased(out: Array, bias: Array | None) -> Array:
    if bias is None:
        return out
    same_type(bias, out)
    of_shape(bias, "bias", out.shape[1])
    return jnp.add(*promote(out, bias.reshape(-1, *(1,) * (out.ndim - 2))))


@operator("Conv2D", public=False)
def convolve(
    x: Array,
    weight: Array,
    bias: Array | None,
    rank: int,
    stride: Any,
    pad_mode: str,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Array:
    """Convolve over ``rank`` dimensions; for the layers and the functions below.

    Args:
        x: Tensor (N, C, ...), floating.
        weight: Tensor (C_out, C / groups, ...) of the same dtype.
        bias: Tensor (C_out,), or None.
        rank: Number of spatial dimensions.
        stride: int, or one per dimension.
        pad_mode: ``'valid'``, ``'same'`` or ``'pad'``.
        padding: For ``'pad'`` only: int, one per dimension, or pairs (before, after) in a row.
        dilation: int, or one per dimension.
        groups: Number of groups of channels.
    """
    mode = check_pad_mode(pad_mode, padding)
    _check_operands(x, weight, rank)
    strides = per_dimension("stride", stride, rank)
    dilations = per_dimension("dilation", dilation, rank)
    kernel, sizes = weight.shape[2:], x.shape[2:]
    whole = type(groups) is int and groups > 0
    if whole and (x.shape[1] % groups or weight.shape[0] % groups):
        raise ArgumentValueError(
            "the argument 'groups' should be divisible by 'in_channel' and 'out_channel', but got "
            f"group:{groups}, in_channel:{x.shape[1]}, out_channel:{weight.shape[0]}."
        )
    if not whole or x.shape[1] != weight.shape[1] * groups:
        raise (ArgumentValueError if rank == 3 else KernelError)(
            "'C_in' of input 'x' shape divide by parameter 'group' must be equal to 'C_in' of "
            f"input 'weight' shape: {weight.shape[1]}, but got 'C_in' of input 'x' shape: "
            f"{x.shape[1]}, and 'group': {groups}."
        )
    if mode == "same":
        pairs = same_pairs(sizes, kernel, strides, dilations)
    else:
        pairs = explicit_pairs(padding, rank)
    reach = zip(sizes, pairs, kernel, dilations, strict=True)
    room = [size + sum(pair) - (k - 1) * d - 1 for size, pair, k, d in reach]
    if min(room) < 0:
        raise ArgumentValueError(
            "input shape's h and w after padding must be greater than or equal to kernel_size's h "
            f"and w respectively, but got input {list(sizes)}, padding {pairs}, kernel "
            f"{list(kernel)} and dilation {dilations}."
        )
    outs = tuple(more // s + 1 for more, s in zip(room, strides, strict=True))
    out = convolution(x, weight, Windows(outs, strides, dilations, pairs), groups)
    return _biased(out, bias)


def _convolution(rank: int, doc: str) -> Any:
    def convolution(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Sizes = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        one_each = not isinstance(padding, (tuple, list)) or len(padding) == rank
        need(one_each, f"'padding' must be a tuple or list of {rank} integers", padding)
        return convolve(input, weight, bias, rank, stride, pad_mode, padding, dilation, groups)

    convolution.__doc__ = doc
    return function(name=f"conv{rank}d")(convolution)


conv2d = _convolution(
    2,
    """Convolve images.

    Differs from MindSpore: with several ``groups`` on a CPU, an infinity or nan in one of them
    makes nan of those that are computed beside it, up to 32 channels or an eighth of all.

    Args:
        input: Tensor (N, C, H, W), floating.
        weight: Tensor (C_out, C / groups, kH, kW) of the same dtype.
        bias: Tensor (C_out,), or None.
        stride: int or tuple of two ints.
        pad_mode: ``'valid'``, ``'same'`` or ``'pad'``.
        padding: For ``'pad'`` only: int or tuple of two ints, put on both sides.
        dilation: int or tuple of two ints.
        groups: Number of groups of channels, each convolved by itself.

    Returns:
        Tensor (N, C_out, H_out, W_out).

    Raises:
        TypeError: For operands of unequal or integer dtypes.
        ValueError: For other ranks, modes or sizes, or a kernel larger than the padded input.
        RuntimeError: If the channels do not fit the weight and ``groups``.
    """,
)
conv1d = _convolution(
    1, "Convolve sequences: ``conv2d`` on Tensors (N, C, L) and (C_out, C / groups, k)."
)
conv3d = _convolution(
    3, "Convolve volumes: ``conv2d`` on Tensors (N, C, D, H, W) and (C_out, C / groups, ...)."
)


def transposed_size(
    size: int, kernel: int, stride: int, dilation: int, mode: str, pair: tuple[int, int], more: int
) -> int:
    """Return the size of one dimension of a transposed convolution's output."""
    reach = (kernel - 1) * dilation + 1
    if mode == "same":
        return size * stride
    if mode == "valid":
        return size * stride + max(reach - stride, 0)
    return (size - 1) * stride - sum(pair) + reach + more


def _transposed(
    x: Array,
    weight: Array,
    bias: Array | None,
    sizes: tuple[int, ...],
    strides: tuple[int, ...],
    befores: tuple[int, ...],
    dilations: tuple[int, ...],
    groups: int,
) -> Array:
    """Return the image that ``x`` is the convolution of, as its gradient has it.

    ``befores`` is the padding before each dimension of the convolution that this one is the
    transpose of; the padding after follows from ``sizes``, the output's.
    """
    need(x.shape[1] == weight.shape[0], "the weight must have a row for each channel", x, weight)
    outs = x.shape[2:]
    given = zip(sizes, outs, weight.shape[2:], strides, dilations, befores, strict=True)
    pairs = tuple(
        [
            (before, (out - 1) * s + (k - 1) * d + 1 - size - before)
            for size, out, k, s, d, before in given
        ]
    )
    windows = Windows(outs, strides, dilations, pairs)
    image = ShapedArray((x.shape[0], groups * weight.shape[1], *sizes), x.dtype)
    (out,) = jax.linear_transpose(lambda i: convolution(i, weight, windows, groups), image)(x)
    return _biased(out, bias)


@operator("Conv2DTranspose", public=False)
def conv_transpose(
    x: Array,
    weight: Array,
    bias: Array | None,
    stride: tuple[int, ...],
    pad_mode: str,
    padding: Any,
    dilation: tuple[int, ...],
    groups: int,
    output_padding: tuple[int, ...],
) -> Array:
    """Transpose a convolution in as many dimensions as ``stride`` has; for the layers.

    Args:
        x: Tensor (N, C, ...), floating.
        weight: Tensor (C, C_out / groups, ...).
        bias: Tensor (C_out,), or None.
        stride: One int per dimension.
        pad_mode: ``'valid'``, ``'same'`` or ``'pad'``.
        padding: As for ``conv2d``.
        dilation: One int per dimension.
        groups: Number of groups of channels.
        output_padding: One int per dimension, for ``'pad'`` only: added to the output's size.
    """
    rank = len(stride)
    _check_operands(x, weight, rank)
    kernel = weight.shape[2:]
    pairs = explicit_pairs(padding, rank) if pad_mode == "pad" else ((0, 0),) * rank
    given = (x.shape[2:], kernel, stride, dilation, pairs, output_padding)
    sizes = tuple(
        transposed_size(size, k, s, d, pad_mode, pair, more)
        for size, k, s, d, pair, more in zip(*given, strict=True)
    )
    if pad_mode == "same":
        pairs = same_pairs(sizes, kernel, stride, dilation)
    befores = tuple(before for before, _ in pairs)
    return _transposed(x, weight, bias, sizes, stride, befores, dilation, groups)


@operator("Conv2DTranspose")
def _conv_input(
    dout: Array,
    weight: Array,
    input_size: tuple[int, ...],
    pad_mode: str,
    padding: Any,
    stride: tuple[int, int],
    dilation: tuple[int, int],
    groups: int,
) -> Array:
    _check_operands(dout, weight, 2)
    sizes = input_size[2:]
    if pad_mode == "same":
        pairs = same_pairs(sizes, weight.shape[2:], stride, dilation)
    else:
        pairs = explicit_pairs(padding, 2)
    befores = tuple(before for before, _ in pairs)
    return _transposed(dout, weight, None, sizes, stride, befores, dilation, groups)


def _images_only(mode: int, data_format: str) -> None:
    need(mode == 1, "the 'mode' must be 1", mode)
    channels_first(data_format)


def _forward_primitive(name: str, rank: int, layout: str) -> None:
    def forward(
        x: Tensor,
        weight: Tensor,
        *,
        out_channel: Window,
        kernel_size: Window,
        mode: Forward = 1,
        pad_mode: PadMode = "valid",
        pad: Any = 0,
        stride: Window = 1,
        dilation: Window = 1,
        group: int = 1,
        data_format: str = layout,
    ) -> Tensor:
        """Convolve over the dimensions after the channels; see ``ops.conv2d``.

        Args:
            x: Tensor (N, C, ...), floating.
            weight: Tensor ``(out_channel, C / group, *kernel_size)`` of the same dtype.
        """
        _images_only(mode, data_format)
        kernel = per_dimension("kernel_size", kernel_size, rank)
        if weight.shape[0] != out_channel or tuple(weight.shape[2:]) != kernel:
            raise (ArgumentValueError if rank == 3 else KernelError)(
                f"the weight must have 'out_channel' {out_channel} and 'kernel_size' {kernel}, but "
                f"got shape {list(weight.shape)}."
            )
        return convolve(x, weight, None, rank, stride, pad_mode, pad, dilation, group)

    function(name=name, primitive=f"{name}(*)", checks=True)(forward)


@function(primitive="Conv2DTranspose(*) Conv2DBackpropInput(*)")
def _conv_input_primitive(
    dout: Tensor,
    weight: Tensor,
    input_size: Any,
    *,
    out_channel: int,
    kernel_size: Any,
    pad_mode: str = "valid",
    pad: Any = 0,
    pad_list: Any = None,
    mode: int = 1,
    stride: Any = 1,
    dilation: Any = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Tensor:
    """Compute the gradient of ``Conv2D`` for its input: a transposed convolution.

    Args:
        dout: Tensor (N, out_channel, H, W), the gradient of the output.
        weight: Tensor ``(out_channel, C / group, *kernel_size)`` of the same dtype.
        input_size: Shape of the input of ``Conv2D``.
        out_channel: Channels of ``dout``.
    """
    _images_only(mode, data_format)
    padding = pad if pad_list is None else tuple(pad_list)
    return _conv_input(
        dout,
        weight,
        input_size,
        check_pad_mode(pad_mode, padding),
        padding,
        per_dimension("stride", stride, 2),
        per_dimension("dilation", dilation, 2),
        group,
    )


_forward_primitive("Conv2D", 2, "NCHW")
_forward_primitive("Conv3D", 3, "NCDHW")


@function
def conv3d_transpose(
    inputs: Tensor,
    weight: Tensor,
    pad_mode: PadMode = "valid",
    padding: Any = 0,
    stride: Window = 1,
    dilation: Window = 1,
    group: int = 1,
    output_padding: Any = 0,
) -> Tensor:
    """Transpose a convolution of volumes.

    Args:
        inputs: Tensor (N, C, D, H, W), floating.
        weight: Tensor (C, C_out / group, ...) of the same dtype.
        pad_mode: ``'valid'``, ``'same'`` or ``'pad'``.
        padding: For ``'pad'``, an int or six.
        stride: int, or one per dimension.
        dilation: int, or one per dimension.
        group: Number of groups of channels.
        output_padding: For ``'pad'`` only: added to the output's sizes.
    """
    more = (output_padding,) * 3 if type(output_padding) is int else tuple(output_padding)
    return conv_transpose(
        *(inputs, weight, None, per_dimension("stride", stride, 3), pad_mode, padding),
        *(per_dimension("dilation", dilation, 3), group, more),
    )


@function(primitive="Conv3DTranspose(*)")
def _conv3d_transpose_primitive(
    dout: Tensor,
    weight: Tensor,
    *,
    in_channel: Window,
    out_channel: Window,
    kernel_size: Window,
    mode: Forward = 1,
    pad_mode: PadMode = "valid",
    pad: Any = 0,
    stride: Window = 1,
    dilation: Window = 1,
    group: int = 1,
    output_padding: Any = 0,
    data_format: str = "NCDHW",
) -> Tensor:
    """Transpose a convolution of volumes.

    Args:
        dout: Tensor (N, in_channel, D, H, W), floating.
        weight: Tensor ``(in_channel, out_channel / group, *kernel_size)`` of the same dtype.
        pad: For ``'pad'``, an int or six.
        output_padding: For ``'pad'`` only: added to the output's sizes.
    """
    _images_only(mode, data_format)
    return conv3d_transpose(dout, weight, pad_mode, pad, stride, dilation, group, output_padding)
