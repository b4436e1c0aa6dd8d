"""Maxima with their places, and back: unpooling, fractional pooling, and pooling by a power."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import static
from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import is_float
from msgrad._core.registry import function, spelling
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import channels_first, need, of_ints, of_rank, of_shape, same_shape
from msgrad.ops.adaptive_ops import _adaptive_max, adaptive_sizes
from msgrad.ops.conv_ops import per_dimension
from msgrad.ops.extremes import position_of
from msgrad.ops.pool_ops import avg_pool, max_pool
from msgrad.ops.random import uniform_numbers

Ints = tuple[int, ...]
_LAYOUTS = {1: None, 2: "NCHW", 3: "NCDHW"}


@function(primitive="AdaptiveMaxPool3D(x: input, output_size, /, _: return_indices = True)")
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Compute maxima of windows chosen so that the output has a given size.

    Args:
        input: Tensor (N, C, D, H, W) or (C, D, H, W), floating.
        output_size: int, or tuple or list of three; None keeps the input's size.
        return_indices: Whether to give also the places of the maxima, an int32 Tensor.
    """
    out, places = _adaptive_max(input, adaptive_sizes(static(output_size), 3), True)
    return (out, places.astype(mstype.int32)) if return_indices else out


@operator(
    "MaxPoolWithArgmax",
    primitive="MaxPoolWithArgmaxV2(x, /, kernel_size, strides=None, pads=0, dilation=(1, 1), "
    "ceil_mode=False, argmax_type=mstype.int64, _: data_format = 'NCHW') "
    "MaxPool3DWithArgmax(x, /, ksize: kernel_size, strides, pads, dilation=(1, 1, 1), "
    "ceil_mode=False, data_format='NCDHW', argmax_type=mstype.int64, _: rank = 3)",
    lists=False,
    int_grad=True,
)
def _with_places(
    x: Array,
    kernel_size: Any,
    strides: Any,
    pads: Any,
    dilation: Any,
    ceil_mode: bool,
    data_format: str,
    argmax_type: mstype.DType,
    rank: int = 2,
) -> Any:
    """Return maxima of windows, and their places in the image or volume.

    Args:
        x: Tensor (N, C, H, W), or (N, C, D, H, W) for volumes, floating.
        kernel_size: int, or one per dimension: size of a window.
        pads: What is put around, at most half a window.
        argmax_type: int32 or int64, the dtype of the places.
    """
    one_of("", "data_format", data_format, _LAYOUTS[rank])
    if argmax_type not in (mstype.int32, mstype.int64):
        raise ArgumentTypeError(f"the 'argmax_type' must be int32 or int64, but got {argmax_type}.")
    kernel = per_dimension("kernel_size", kernel_size, rank)
    strides = kernel if strides is None else per_dimension("strides", strides, rank)
    kind = argmax_type.np_dtype
    return max_pool.kernel(x, kernel, strides, "pad", pads, dilation, ceil_mode, kind)


_UNPOOL = (
    "x, argmax: indices, /, ksize: kernel_size, strides: stride = 0, pads: padding = 0, "
    "output_shape: output_size = ()"
)


@operator(
    "MaxUnpool",
    primitive=f"MaxUnpool2D({_UNPOOL}, data_format='NCHW', _: rank = 2) "
    f"MaxUnpool3D({_UNPOOL}, data_format='NCDHW', _: rank = 3)",
    lists=False,
)
def _unpool(
    x: Array,
    indices: Indices,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    output_size: Any,
    rank: int,
    data_format: str | None = None,
) -> Array:
    """Put maxima back where they were, and zeros elsewhere.

    Args:
        x: Tensor (N, C, ...) or (C, ...), floating.
        indices: The place of each, int Tensor of the same shape.
        kernel_size: The size of the windows that the maxima are of, int or one per dimension.
        stride: From window to window; None or 0 for their size.
        padding: What was put around the images.
        output_size: The shape of the result; by default what the windows tell.
    """
    one_of("", "data_format", data_format, _LAYOUTS[rank], None)
    of_rank(x, rank + 1, rank + 2)
    kernel = per_dimension("kernel_size", kernel_size, rank)
    strides = per_dimension("stride", stride or kernel, rank)
    pads = (padding,) * rank if isinstance(padding, int) else padding
    given = zip(x.shape[-rank:], kernel, strides, pads, strict=True)
    usual = tuple((n - 1) * s - 2 * p + k for n, k, s, p in given)
    sizes = output_size[-rank:] if output_size else usual
    near = len(sizes) == rank and all(
        abs(size - want) < step for size, want, step in zip(sizes, usual, strides, strict=True)
    )
    need(near, f"the output's sizes must be near {usual}", sizes)
    same_shape(x, indices)
    of_ints(indices, "places")
    lead = x.shape[: x.ndim - rank]
    flat = x.reshape(math.prod(lead), math.prod(x.shape[-rank:]))
    empty = jnp.zeros((flat.shape[0], math.prod(sizes)), x.dtype)
    rows = np.arange(flat.shape[0])[:, None]
    return empty.at[rows, indices.reshape(flat.shape)].set(flat).reshape(*lead, *sizes)


_OF_UNPOOL = "x, indices, kernel_size, stride=None, padding=0, output_size=None"
max_unpool1d, max_unpool2d, max_unpool3d = (
    spelling(f"max_unpool{rank}d({_OF_UNPOOL}, _: rank = {rank})", _unpool) for rank in (1, 2, 3)
)


def _starts(sample: Array, size: int, count: int, kernel: int) -> Array:
    """Return where each of ``count`` windows begins, by one random number for each image."""
    if kernel > size or count < 1 or count + kernel - 1 > size:
        raise ArgumentValueError(f"{count} windows of {kernel} do not fit a size of {size}.")
    if count == 1:
        return jnp.full((*sample.shape, 1), size - kernel, jnp.int32)
    step = np.float32((size - kernel) / (count - 1))
    sample = sample[..., None]
    at = jnp.floor((jnp.arange(count) + sample) * step) - jnp.floor(sample * step)
    return at.astype(jnp.int32).at[..., -1].set(size - kernel)


@operator("FractionalMaxPool")
def _fractional(x: Array, samples: Indices, kernel: Ints, sizes: Ints) -> tuple[Array, Array]:
    rank = len(kernel)
    of_rank(x, rank + 2)
    of_shape(samples, "random_samples", *x.shape[:2], rank)
    need(is_float(x.dtype), "the input must be floating", x.dtype)
    spatial = x.shape[2:]
    flat: Any = 0
    for d, (size, count, k) in enumerate(zip(spatial, sizes, kernel, strict=True)):
        # The last dimension takes the first sample.
        starts = _starts(samples[..., rank - 1 - d], size, count, k)
        places = starts[..., None] + jnp.arange(k)
        shape = [1] * (2 * rank)
        shape[d], shape[rank + d] = count, k
        flat = flat * size + places.reshape(*x.shape[:2], *shape)
    flat = flat.reshape(*x.shape[:2], math.prod(sizes), math.prod(kernel))
    values = jnp.take_along_axis(x.reshape(*x.shape[:2], math.prod(spatial), 1), flat, 2)
    best = position_of(jax.lax.stop_gradient(values), values.ndim - 1, True)
    shape = (*x.shape[:2], *sizes)
    out, where = (jnp.take_along_axis(a, best, -1).reshape(shape) for a in (values, flat))
    return out, where.astype(mstype.int64.np_dtype)


def _fractional_pool(
    x: Tensor, kernel: Any, sizes: Any, ratio: Any, samples: Any, rank: int
) -> tuple[Tensor, Tensor]:
    if sizes is None:
        if ratio is None:
            raise ArgumentValueError("one of 'output_size' and 'output_ratio' must be given.")
        ratios = (ratio,) * rank if isinstance(ratio, float) else ratio
        sizes = [int(n * r) for n, r in zip(x.shape[-rank:], ratios, strict=True)]
    if samples is None:
        samples = uniform_numbers("rand", None, (*x.shape[:2], rank))
    kernel = per_dimension("kernel_size", kernel, rank)
    return _fractional(x, samples, kernel, per_dimension("output_size", tuple(sizes), rank))


def _fractional_function(rank: int) -> Any:
    def pool(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> Any:
        """Compute maxima of windows whose places are random, so that the output has a given size.

        Args:
            input: Tensor (N, C, ...), floating.
            kernel_size: The size of the windows, int or one per dimension.
            output_size: The output's sizes, int or one per dimension, or None.
            output_ratio: These as parts of the input's, float or one per dimension, or None.
            return_indices: Whether to give also the places of the maxima, an int64 Tensor.
            _random_samples: The random numbers, a Tensor (N, C, dimensions); by default drawn.
        """
        sizes = (output_size,) * rank if isinstance(output_size, int) else output_size
        out = _fractional_pool(input, kernel_size, sizes, output_ratio, _random_samples, rank)
        return out if return_indices else out[0]

    return function(name=f"fractional_max_pool{rank}d")(pool)


fractional_max_pool2d, fractional_max_pool3d = map(_fractional_function, (2, 3))


@function(
    primitive="FractionalMaxPoolWithFixedKsize(ksize, output_shape, data_format='NCHW') "
    "FractionalMaxPool3DWithFixedKsize(ksize, output_shape, data_format='NCDHW')"
)
def _fractional_fixed(
    input_x: Tensor, random_samples: Tensor, ksize: Any, output_shape: Any, data_format: str
) -> tuple[Tensor, Tensor]:
    """Return maxima of windows whose places are given by random numbers, and where they are.

    Args:
        input_x: Tensor (N, C, H, W) or (N, C, D, H, W), floating.
        random_samples: Tensor (N, C, 2) or (N, C, 3), from 0 to 1.
        ksize: The size of the windows, int or one per dimension.
        output_shape: The output's sizes, int or one per dimension.
        data_format: ``'NCHW'`` or ``'NCDHW'``.
    """
    channels_first(data_format)
    rank = input_x.ndim - 2
    sizes = (output_shape,) * rank if isinstance(output_shape, int) else output_shape
    return _fractional_pool(input_x, ksize, sizes, None, random_samples, rank)


@operator("lp_pool", product=True, lists=False, int_grad=True)
def _lp_pool(
    x: Array, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool, rank: int
) -> Array:
    """Compute the roots of sums of powers of windows.

    Args:
        x: Tensor (N, C, ...) or (C, ...), floating.
        norm_type: The power, not 0.
        kernel_size: The size of the windows, int or one per dimension.
        stride: From window to window; None for their size.
        ceil_mode: Whether a window that only begins in the input counts.
    """
    of_rank(x, rank + 1, rank + 2)
    kernel = per_dimension("kernel_size", kernel_size, rank)
    strides = kernel if stride is None else per_dimension("stride", stride, rank)
    batched = x if x.ndim == rank + 2 else x[None]
    powers = batched**norm_type
    means = avg_pool.kernel(powers, kernel, strides, "pad", 0, ceil_mode)
    sums = means * math.prod(kernel)
    out = (jnp.sign(sums) * jax.nn.relu(jnp.abs(sums))) ** (1.0 / norm_type)
    return out.reshape(*x.shape[: x.ndim - rank], *out.shape[2:])


_OF_POWERS = "x, norm_type, kernel_size, stride=None, ceil_mode=False"
lp_pool1d, lp_pool2d = (
    spelling(f"lp_pool{rank}d({_OF_POWERS}, _: rank = {rank})", _lp_pool) for rank in (1, 2)
)
