"""Windows of images as columns and back: unfold, fold; and those of deformable convolutions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, operator
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import multiple_of, need, of_rank, of_shape
from msgrad.ops._convolution import window_member
from msgrad.ops.conv_ops import convolve, per_dimension, same_pairs
from msgrad.ops.sampling import linear_at

Ints = tuple[int, ...]


def _pair(what: str, value: Any, least: int) -> Ints:
    pair = (value,) * 2 if type(value) is int else tuple(value)
    if not all(type(v) is int for v in pair):
        raise ArgumentTypeError(f"the {what!r} must be an int or two ints, but got {value!r}.")
    pair = pair * 2 if len(pair) == 1 else pair
    fits = len(pair) == 2 and min(pair) >= least
    need(fits, f"the {what!r} must be 2 ints of {least} or more", value)
    return pair


def _windows(x: Array, kernel: Any, stride: Any, dilation: Any, padding: Any) -> Array:
    """Return the windows of (N, C, H, W) as (N, C, kernel's elements, rows, columns)."""
    kernel, stride, dilation, padding = (
        _pair(what, value, least)
        for what, value, least in (
            ("kernel_size", kernel, 1),
            ("stride", stride, 1),
            ("dilation", dilation, 1),
            ("padding", padding, 0),
        )
    )
    of_rank(x, 4)
    x = jnp.pad(x, ((0, 0), (0, 0), *((p, p) for p in padding)))
    return jnp.stack(_members(x, kernel, stride, dilation), 2)


def _members(x: Array, kernel: Ints, stride: Ints, dilation: Ints) -> list[Array]:
    """Return for each element of a window what it is in all windows: (N, C, ...) each."""
    outs = tuple(
        (n - (k - 1) * d - 1) // s + 1
        for n, k, d, s in zip(x.shape[2:], kernel, dilation, stride, strict=True)
    )
    if min(outs) < 1:
        raise ArgumentValueError(f"a window of {kernel} does not fit an image of {x.shape[2:]}.")
    offsets = itertools.product(*map(range, kernel))
    return [window_member(x, offset, outs, stride, dilation) for offset in offsets]


@operator("ExtractVolumePatches", primitive="(kernel_size, strides, padding)", int_grad=True)
def _volume_patches(input_x: Array, kernel_size: Any, strides: Any, padding: str) -> Array:
    """Return the windows of volumes as channels.

    Args:
        input_x: Tensor (N, C, D, H, W).
        kernel_size: int, three ints, or five of which the first two are 1.
        strides: The same, from window to window.
        padding: ``'VALID'`` or ``'SAME'``.

    Returns:
        Tensor (N, elements of a window * C, ...): the windows along each dimension.
    """
    of_rank(input_x, 5)
    one_of("", "padding", padding.upper(), "VALID", "SAME")
    kernel, steps = (
        per_dimension(what, v if type(v) is int else v[-3:], 3)
        for what, v in (("kernel_size", kernel_size), ("strides", strides))
    )
    if padding.upper() == "SAME":
        pairs = same_pairs(input_x.shape[2:], kernel, steps, (1, 1, 1))
        input_x = jnp.pad(input_x, ((0, 0), (0, 0), *pairs))
    found = jnp.stack(_members(input_x, kernel, steps, (1, 1, 1)), 1)
    return found.reshape(found.shape[0], math.prod(found.shape[1:3]), *found.shape[3:])


@operator("Im2Col", primitive="(ksizes, strides=1, dilations=1, pads=0)", int_grad=True)
def _im2col(x: Array, ksizes: Any, strides: Any, dilations: Any, pads: Any) -> Array:
    """Return the windows of images as columns.

    Args:
        x: Tensor (N, C, H, W).
        ksizes: The windows' size, int or two ints.
        strides: From window to window.
        dilations: From element to element.
        pads: How many zeros are put around the images.

    Returns:
        Tensor (N, C, elements of a window, windows).
    """
    found = _windows(x, ksizes, strides, dilations, pads)
    return found.reshape(*found.shape[:3], math.prod(found.shape[3:]))


@operator("Col2Im", int_grad=True)
def _col2im(
    x: Array, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> Array:
    kernel = _pair("kernel_size", kernel_size, 1)
    size = _pair("output_size", output_size, 1)
    of_shape(x, "input", None, None, kernel[0] * kernel[1], None)
    image = jnp.empty((*x.shape[:2], *size), x.dtype)

    def columns(image: Array) -> Array:
        found = _windows(image, kernel, stride, dilation, padding)
        return found.reshape(*found.shape[:3], math.prod(found.shape[3:]))

    of_shape(x, "input", *jax.eval_shape(columns, image).shape)
    (out,) = jax.linear_transpose(columns, image)(x)
    return out


@function(primitive="Col2Im(kernel_size, dilation=1, padding=0, stride=1)")
def col2im(
    input_x: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any,
    padding_value: Any = 0,
    stride: Any = 1,
    padding: Any = 0,
) -> Tensor:
    """Add up columns where they lie in images; see ``fold``.

    Args:
        input_x: Tensor (N, C, elements of a window, windows).
        output_size: int32 Tensor of the images' two sizes.
        kernel_size: The windows' size.
        dilation: From element to element.
        padding_value: How many zeros had been put around the images.
        stride: From window to window.
        padding: The same as ``padding_value``.
    """
    return _col2im(input_x, output_size, kernel_size, dilation, padding or padding_value, stride)


@operator("unfold", int_grad=True)
def unfold(
    input: Array, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Array:
    """Return the windows of images as columns.

    Args:
        input: Tensor (N, C, H, W).
        kernel_size: int or two ints.
        dilation: From element to element, int or two ints.
        padding: How many zeros are put around the images, int or two ints.
        stride: From window to window, int or two ints.

    Returns:
        Tensor (N, C * elements of a window, windows).
    """
    found = _windows(input, kernel_size, stride, dilation, padding)
    rows = found.shape[1] * found.shape[2]
    return found.reshape(found.shape[0], rows, math.prod(found.shape[3:]))


@operator("fold", int_grad=True)
def fold(
    input: Array,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Array:
    """Add up columns where they lie in images: the transpose of ``unfold``.

    Args:
        input: Tensor (N, C * elements of a window, windows), or (N, C, elements, windows).
        output_size: The images' height and width, an int32 Tensor.
        kernel_size: As for ``unfold``.
        dilation: As for ``unfold``.
        padding: As for ``unfold``.
        stride: As for ``unfold``.

    Returns:
        Tensor (N, C, H, W).
    """
    if input.ndim == 3:
        elements = math.prod(_pair("kernel_size", kernel_size, 1))
        multiple_of(elements, "second dimension", input.shape[1])
        input = input.reshape(input.shape[0], input.shape[1] // elements, elements, input.shape[2])
    return _col2im.kernel(input, output_size, kernel_size, dilation, padding, stride)


@operator("DeformableOffsets", product=True, primitive="(...)")
def _deformable_offsets(
    x: Array,
    offsets: Array,
    strides: Ints,
    pads: Ints,
    ksize: Ints,
    dilations: Ints = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Array:
    """Return the windows of images beside one another, each element read at a place of its own.

    The arguments are those of ``deformable_conv2d``.

    Args:
        pads: Zeros above, below, to the left and to the right.
        ksize: Height and width of the windows, kh and kw.
        data_format: ``'NCHW'``.

    Returns:
        Tensor (N, C, rows * kh, columns * kw).
    """
    one_of("", "data_format", data_format, "NCHW")
    one_of("", "modulated", modulated, True)
    (kh, kw), groups = ksize, deformable_groups
    n, channels, *sizes = x.shape
    _, count, rows, columns = offsets.shape
    fits = count == 3 * groups * kh * kw and channels % groups == 0
    need(fits, f"there must be offsets of each of {groups} groups of channels", x, offsets)
    along_x, along_y, factor = offsets.reshape(n, 3, groups, kh, kw, rows, columns).swapaxes(0, 1)
    steps = (np.arange(rows) * strides[2] - pads[0], np.arange(columns) * strides[3] - pads[2])
    ys = (np.arange(kh) * dilations[2])[:, None, None, None] + steps[0][:, None]
    xs = (np.arange(kw) * dilations[3])[:, None, None] + steps[1]
    at = (along_y + ys.astype(x.dtype), along_x + xs.astype(x.dtype))
    image = np.arange(n * groups).reshape(n, groups, *(1,) * 4)
    grouped = x.reshape(n * groups, channels // groups, *sizes)
    read = linear_at(grouped, jnp.asarray(image), at) * factor[..., None]
    placed = read.transpose(0, 1, 6, 4, 2, 5, 3)
    return placed.reshape(n, channels, rows * kh, columns * kw)


@function
def deformable_conv2d(
    x: Tensor,
    weight: Tensor,
    offsets: Tensor,
    kernel_size: tuple[int, ...],
    strides: tuple[int, ...],
    padding: tuple[int, ...],
    bias: Tensor | None = None,
    dilations: tuple[int, ...] = (1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:
    """Convolve images whose elements are read at places that are moved by given offsets.

    Args:
        x: Tensor (N, C, H, W), floating.
        weight: Tensor (C_out, C / groups, kh, kw).
        offsets: Tensor (N, 3 * deformable_groups * kh * kw, rows, columns): how far each element
            is moved along x, along y, and its factor.
        kernel_size: kh and kw.
        strides: Four ints, of which the last two count.
        padding: Zeros above, below, to the left and to the right.
        bias: Tensor (C_out,), or None.
        dilations: Four ints, of which the last two count.
        groups: Groups of channels.
        deformable_groups: How many groups of channels have offsets of their own.
        modulated: True: there are factors.

    Returns:
        Tensor (N, C_out, rows, columns).
    """
    spread = _deformable_offsets(
        *(x, offsets, strides, padding, kernel_size, dilations),
        *("NCHW", deformable_groups, modulated),
    )
    return convolve(spread, weight, bias, 2, kernel_size, "valid", 0, 1, groups)
