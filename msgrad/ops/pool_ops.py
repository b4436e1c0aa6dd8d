"""Pooling: the maximum or the mean of windows of a given size; ``adaptive_ops`` chooses it."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from msgrad._core.context import platform
from msgrad._core.declared import Window, Word
from msgrad._core.errors import ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_inexact, limits, wide
from msgrad._core.registry import function, spelling
from msgrad._core.rounding import quotient
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import channels_first, floating, of_rank, refuse
from msgrad.ops._convolution import Ints, Pairs, window_member
from msgrad.ops.conv_ops import check_pad_mode, explicit_pairs, per_dimension, same_pairs
from msgrad.ops.extremes import position_of

# Windows of so few elements are reduced element by element: on a CPU along each dimension, on
# others in all of the window.
_FEW, _FEW_ELSEWHERE = 7, 4


def _lowest(dtype: Any) -> Any:
    return jnp.array(-jnp.inf, dtype) if is_inexact(dtype) else limits(dtype)[0]


def _outputs(
    sizes: Sequence[int],
    kernel: Ints,
    stride: Ints,
    dilation: Ints,
    pairs: Pairs,
    ceil_mode: bool,
    error: type[Exception] = ArgumentValueError,
    short: bool = False,
) -> tuple[Ints, Pairs]:
    """Return the output's sizes, and the padding with what ``ceil_mode`` adds at the end.

    ``short``: a quotient below 0 is rounded to 0, as MindSpore's is where MaxPool pads nothing. A
    window that the input is too short for by less than a stride takes what there is; one element
    too short is nevertheless refused.
    """
    outs, padded = [], []
    for size, k, s, d, (before, after) in zip(sizes, kernel, stride, dilation, pairs, strict=True):
        room = size + before + after - (k - 1) * d - 1
        out = (-(-room // s) if ceil_mode else room // s) + 1
        # A window that would start in the padding behind the input is left out.
        if ceil_mode and (out - 1) * s >= size + before:
            out -= 1
        if short and -s < room + 1 < 0:
            out = 1
        if out < 1:
            raise error(
                f"the each element of the output shape must be larger than 0, but a window of {k} "
                f"(dilation {d}) does not fit a size of {size} padded by {(before, after)}."
            )
        outs.append(out)
        padded.append((before, after + max(0, (out - 1) * s - room)))
    return tuple(outs), tuple(padded)


def _window(rank: int, x: Array, members: Ints) -> Ints:
    return (1,) * (x.ndim - rank) + members


def _reduced(
    x: Array,
    combine: Callable[..., Any],
    start: Any,
    kernel: Ints,
    stride: Ints,
    dilation: Ints,
    pairs: Pairs,
) -> Array:
    rank = len(kernel)
    return lax.reduce_window(
        x,
        start,
        combine,
        _window(rank, x, kernel),
        _window(rank, x, stride),
        ((0, 0),) * (x.ndim - rank) + pairs,
        window_dilation=_window(rank, x, dilation),
    )


def _largest(x: Array, outs: Ints, kernel: Ints, stride: Ints, pairs: Pairs) -> Array:
    """Take maxima; their gradient goes to the first of equal elements of a window.

    Along one dimension after the other, where windows are small: XLA's gradient of reduce_window
    takes three times as long for 3x3 on a CPU, and runs on one core. There convolutions have the
    channels last, and so has what stands between them, unless something asks for another order.
    """
    on_cpu = platform() == "cpu"
    if max(kernel) > _FEW if on_cpu else math.prod(kernel) > _FEW_ELSEWHERE:
        start = -jnp.inf if is_inexact(x.dtype) else _lowest(x.dtype)
        return _reduced(x, lax.max, start, kernel, stride, (1,) * len(kernel), pairs)
    return _one_by_one(x, outs, kernel, stride, pairs, _lowest(x.dtype), _larger)


def _larger(best: Array, other: Array) -> Array:
    return lax.select((other > best) | (other != other), other, best)


def _one_by_one(
    x: Array,
    outs: Ints,
    kernel: Ints,
    stride: Ints,
    pairs: Pairs,
    start: Any,
    combine: Callable[[Array, Array], Array],
) -> Array:
    """Reduce windows along one dimension after the other, member by member."""
    # Sequences are short enough for any order.
    last = platform() == "cpu" and len(kernel) > 1
    behind = int(last)
    x = jnp.moveaxis(x, 1, -1) if last else x
    around = ((0, 0, 0),) * (2 - behind) + tuple((*p, 0) for p in pairs)
    x = lax.pad(x, jnp.asarray(start, x.dtype), around + ((0, 0, 0),) * behind)
    for count, size, step in zip(reversed(outs), reversed(kernel), reversed(stride), strict=True):
        members = (window_member(x, (at,), (count,), (step,), (1,), behind) for at in range(size))
        x, behind = functools.reduce(combine, members), behind + 1
    return jnp.moveaxis(x, -1, 1) if last else x


def _argmax(
    x: Array, outs: Ints, kernel: Ints, stride: Ints, dilation: Ints, pairs: Pairs
) -> tuple[Array, Array]:
    """Return the maxima and where they are, counted in row-major order over the spatial sizes."""
    lead = x.ndim - len(kernel)
    padded = lax.pad(x, _lowest(x.dtype), ((0, 0, 0),) * lead + tuple((*p, 0) for p in pairs))
    places = jnp.arange(math.prod(x.shape[lead:]), dtype=jnp.int32).reshape(x.shape[lead:])
    places = lax.pad(places, jnp.int32(-1), tuple((*p, 0) for p in pairs))
    offsets = list(itertools.product(*map(range, kernel)))
    values = jnp.stack(
        [window_member(padded, offset, outs, stride, dilation) for offset in offsets]
    )
    where = jnp.stack([window_member(places, offset, outs, stride, dilation) for offset in offsets])
    where = jnp.broadcast_to(where.reshape(len(offsets), *(1,) * lead, *outs), values.shape)
    best = position_of(lax.stop_gradient(values), 0, True)
    picked = (jnp.take_along_axis(array, best, 0)[0] for array in (values, where))
    return tuple(picked)  # pyright: ignore[reportReturnType]


def _half_at_most(pairs: Pairs, kernel: Ints) -> None:
    if any(max(pair) > k // 2 for pair, k in zip(pairs, kernel, strict=True)):
        raise ArgumentValueError(
            "it is required that the padding is no more than half of the 'kernel_size', but got "
            f"pads {pairs} and kernel_size {kernel}."
        )


@operator("MaxPool", public=False, int_grad=True)
def max_pool(
    x: Array,
    kernel_size: Ints,
    stride: Ints,
    pad_mode: str,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    indices: Any = None,
) -> Any:
    """Compute maxima of windows in as many dimensions as ``kernel_size`` has; for the layers.

    Args:
        x: Tensor (N, C, ...), floating; for ``'pad'`` integers too.
        kernel_size: One int per dimension.
        stride: One int per dimension.
        pad_mode: ``'valid'``, ``'same'`` or ``'pad'``.
        padding: For ``'pad'``: an int, one per dimension, or two of them.
        dilation: int, or one per dimension.
        ceil_mode: Whether a window that only begins in the input counts.
        indices: None, or the dtype of the places of the maxima, then given beside them.

    Raises:
        TypeError: If the input is not a floating Tensor.
        ValueError: For another number of dimensions, or windows that do not fit.
    """
    rank = len(kernel_size)
    # What pads with the lowest number has kernels of integers.
    refuse(x, jnp.bool_, jnp.complexfloating) if pad_mode == "pad" else floating(x)
    of_rank(x, rank + 2)
    dilations = per_dimension("dilation", dilation, rank)
    if pad_mode == "same":
        pairs = same_pairs(x.shape[2:], kernel_size, stride, dilations)
    else:
        pairs = explicit_pairs(padding if pad_mode == "pad" else 0, rank)
        _half_at_most(pairs, kernel_size)
    outs, pairs = _outputs(
        x.shape[2:], kernel_size, stride, dilations, pairs, ceil_mode, short=pad_mode == "valid"
    )
    # JAX cannot differentiate a reduce_window whose windows are dilated.
    if indices is None and max(dilations) == 1:
        return _largest(x, outs, kernel_size, stride, pairs)
    values, places = _argmax(x, outs, kernel_size, stride, dilations, pairs)
    return values if indices is None else (values, places.astype(indices))


@operator("AvgPool", public=False)
def avg_pool(
    x: Array,
    kernel_size: Ints,
    stride: Ints,
    pad_mode: str,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor: int = 0,
) -> Array:
    """Compute means of windows in as many dimensions as ``kernel_size`` has; for the layers.

    Args:
        x: Tensor (N, C, ...), floating.
        kernel_size, stride, pad_mode, padding, ceil_mode: As for ``max_pool``.
        count_include_pad: Whether elements of the padding count as zeros or not at all.
        divisor: What to divide by instead of the number of elements, unless 0.

    Raises:
        TypeError: If the input is not a floating Tensor.
        ValueError: For another number of dimensions, or padding wider than the window.
        RuntimeError: For windows of images that do not fit (ValueError for volumes).
    """
    rank = len(kernel_size)
    floating(x)
    of_rank(x, rank + 2)
    once = (1,) * rank
    if pad_mode == "same":
        pairs = same_pairs(x.shape[2:], kernel_size, stride, once)
    else:
        pairs = explicit_pairs(padding if pad_mode == "pad" else 0, rank)
        if any(sum(pair) > k for pair, k in zip(pairs, kernel_size, strict=True)):
            raise ArgumentValueError(
                f"the sum of the pads in the two directions should be less than or "
                f"equal to the corresponding kernel size, but got pads: {pairs} and kernel: "
                f"{kernel_size}."
            )
    own = pairs
    error = KernelError if rank == 2 else ArgumentValueError
    outs, pairs = _outputs(x.shape[2:], kernel_size, stride, once, pairs, ceil_mode, error)

    def total(array: Array, around: Pairs) -> Array:
        return _reduced(array, lax.add, 0.0, kernel_size, stride, once, around)

    y = wide(x)
    if platform() == "cpu" and max(kernel_size) <= _FEW:
        sums = _one_by_one(y, outs, kernel_size, stride, pairs, 0, jnp.add)
    else:
        sums = total(y, pairs)
    if divisor:
        return quotient(sums, jnp.asarray(divisor, y.dtype)).astype(x.dtype)
    counted = jnp.ones(x.shape[2:], y.dtype)
    if count_include_pad:
        counted = jnp.pad(counted, own, constant_values=1)
        # What ``ceil_mode`` added behind the padding never counts.
        beyond = ((0, p[1] - o[1]) for p, o in zip(pairs, own, strict=True))
        return quotient(sums, total(counted, tuple(beyond))).astype(x.dtype)
    return quotient(sums, total(counted, pairs)).astype(x.dtype)


@function(name="max_pool", public=False)
def _max_pool(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
    rank: int = 2,
) -> Any:
    """Compute maxima of windows.

    Args:
        x: Tensor (N, C, H, W), floating.
        kernel_size: int or tuple of two ints.
        stride: The same; None for the kernel's size.
        padding: int or tuple of two ints, at most half the kernel.
        dilation: int or tuple of two ints.
        return_indices: Whether to give also the places of the maxima, int64 Tensor, counted in
            row-major order over H and W.
        ceil_mode: Whether a window that only begins in the input counts.

    Raises:
        TypeError: For an input that is not floating, or sizes that are not ints.
        ValueError: For another rank, or sizes that do not fit.
    """
    kernel = per_dimension("kernel_size", kernel_size, rank)
    strides = per_dimension("stride", kernel if stride is None else stride, rank)
    kind = mstype.int64.np_dtype if return_indices else None
    return max_pool(x, kernel, strides, "pad", padding, dilation, ceil_mode, kind)


@function(name="avg_pool", public=False)
def _avg_pool(
    input_x: Tensor,
    kernel_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    rank: int = 2,
) -> Tensor:
    """Compute means of windows.

    Args:
        input_x: Tensor (N, C, H, W), floating.
        kernel_size: int or tuple of two ints.
        stride: int or tuple of two ints; 1 unless told.
        padding: int, or (top, bottom, left, right), at most the kernel's size together.
        ceil_mode: Whether a window that only begins in the input counts.
        count_include_pad: Whether elements of the padding count as zeros or not at all.
        divisor_override: What to divide by instead of the number of elements, unless 0.

    Raises:
        TypeError: For an input that is not floating, or sizes that are not ints.
        ValueError: For another rank, or sizes that do not fit.
    """
    if rank == 2 and isinstance(padding, (tuple, list)) and len(padding) != 4:
        raise ArgumentValueError(f"padding should be int or tuple of length 4, but got {padding}.")
    kernel = per_dimension("kernel_size", kernel_size, rank)
    strides = per_dimension("stride", stride, rank)
    rest = (ceil_mode, count_include_pad, divisor_override)
    return avg_pool(input_x, kernel, strides, "pad", padding, *rest)


_OF_ANOTHER_RANK = """Compute {} of windows of a Tensor {}; see ``{}``.

    Raises:
        TypeError, ValueError: As for ``{}``.
    """
_MAXIMA = "x, kernel_size, stride=None, padding=0, dilation=1"
_MEANS = "input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True"
max_pool2d = spelling(f"max_pool2d({_MAXIMA}, return_indices=False, ceil_mode=False)", _max_pool)
max_pool3d = spelling(
    f"max_pool3d({_MAXIMA}, ceil_mode=False, return_indices=False, _: rank = 3)",
    _max_pool,
    _OF_ANOTHER_RANK.format("maxima", "(N, C, D, H, W)", "max_pool2d", "max_pool2d"),
)
avg_pool1d = spelling(
    f"avg_pool1d({_MEANS}, _: rank = 1)",
    _avg_pool,
    _OF_ANOTHER_RANK.format("means", "(N, C, L)", "avg_pool2d", "avg_pool2d"),
)
avg_pool2d = spelling(f"avg_pool2d({_MEANS}, divisor_override=0)", _avg_pool)
avg_pool3d = spelling(
    f"avg_pool3d({_MEANS}, divisor_override=0, _: rank = 3)",
    _avg_pool,
    _OF_ANOTHER_RANK.format("means", "(N, C, D, H, W)", "avg_pool2d", "avg_pool2d"),
)


def lowered(pad_mode: Any) -> Any:
    """Return a mode in lower case: pooling, unlike convolution, takes both."""
    return pad_mode.lower() if isinstance(pad_mode, str) else pad_mode


def _given(
    rank: int, data_format: str, pad_mode: Any, padding: Any, kernel_size: Any, strides: Any
) -> tuple[Ints, Ints, str]:
    channels_first(data_format)
    mode = check_pad_mode(lowered(pad_mode), padding)
    kernel = per_dimension("kernel_size", kernel_size, rank)
    return kernel, per_dimension("strides", strides, rank), mode


def _in_valid_or_same(name: str, pool: Callable[..., Any], mode: str, checks: bool = True) -> None:
    def pooled(
        x: Tensor,
        *,
        kernel_size: Window = 1,
        strides: Window = 1,
        pad_mode: Word = mode,
        data_format: str = "NCHW",
    ) -> Any:
        if isinstance(pad_mode, str) and pad_mode.upper() == "PAD":
            raise ArgumentValueError(
                "the 'pad_mode' must be str and must be in '['VALID', 'SAME']', but got 'PAD'."
            )
        return pool(x, *_given(2, data_format, pad_mode, 0, kernel_size, strides))

    pooled.__doc__ = pool.__doc__
    function(name=name, primitive=f"{name}(*)", checks=checks)(pooled)


def _excluding(x: Tensor, kernel: Ints, stride: Ints, mode: str) -> Tensor:
    """Compute means of windows; the rim that is padded does not count."""
    return avg_pool(x, kernel, stride, mode, count_include_pad=False)


@operator("MaxPoolWithArgmax")
def _with_indices(x: Array, kernel: Ints, stride: Ints, mode: str) -> tuple[Array, Array]:
    """Compute maxima of windows, and their places in the image."""
    out, places = max_pool.kernel(x, kernel, stride, mode, indices=jnp.int32)
    # Here a place counts from the start of its image, over the channels too.
    first = jnp.arange(x.shape[1], dtype=jnp.int32) * (x.shape[2] * x.shape[3])
    return out, places + first[:, None, None]


@function(primitive="MaxPool3D(*)")
def _max_pool3d_primitive(
    x: Tensor,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "VALID",
    pad_list: Any = 0,
    ceil_mode: Any = None,
    data_format: str = "NCDHW",
) -> Tensor:
    """Compute maxima of windows of (N, C, D, H, W).

    Args:
        x: Tensor of 5 dimensions, floating.
    """
    given = _given(3, data_format, pad_mode, pad_list, kernel_size, strides)
    return max_pool(x, *given, pad_list, 1, bool(ceil_mode))


@function(primitive="AvgPool3D(*)")
def _avg_pool3d_primitive(
    x: Tensor,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    data_format: str = "NCDHW",
) -> Tensor:
    """Compute means of windows of (N, C, D, H, W).

    Args:
        x: Tensor of 5 dimensions, floating.
        count_include_pad: Whether the zeros of the rim count in a mean.
        divisor_override: What a sum is divided by, or 0 for the number of elements.
    """
    given = _given(3, data_format, pad_mode, pad, kernel_size, strides)
    return avg_pool(x, *given, pad, ceil_mode, count_include_pad, divisor_override)


_in_valid_or_same("MaxPool", max_pool, "valid")
_in_valid_or_same("AvgPool", _excluding, "VALID")
_in_valid_or_same("MaxPoolWithArgmax", _with_indices, "valid", checks=False)
