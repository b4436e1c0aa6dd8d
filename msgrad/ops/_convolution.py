"""The ways in which a convolution is computed: as the one of XLA, or as what is faster there.

On a CPU, XLA has a fast kernel for images of one group of channels. Several groups, volumes, and
images smaller than the kernel go through plain loops: the gradient of a weight of 32 groups of 4
channels takes 550 ms where PyTorch takes 1, that of an image under a depthwise kernel with a stride
63 instead of 2. So these are written in other operations.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from msgrad._core.context import platform
from msgrad._core.op import Array
from msgrad.ops.reduction import once

Ints = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]

# Most elements of its kernel, times outputs, for which an image is taken apart into windows, and
# fewest channels, one kind times the other, for which that pays.
_WINDOWS, _CHANNELS = 256, 256
# Most elements of a depthwise kernel that are written one by one: 7 x 7.
_TAPS = 49
# Most images whose products are added element by element in the gradient of a depthwise weight.
_SUMMED = 8
_VOLUME = 3
# Channels that groups are put together to, at least, and about how many convolutions there are then
# at the most: each takes 0.1 s to compile.
_BLOCK, _BLOCKS = 32, 8
# Elements of an outgoing gradient that stay in a core's cache (1 MB), and most parts it is cut in.
_PART, _PARTS = 2**18, 32

# Without the barrier of JAX: it has several values, and where one has, none is kept when compiled,
# so none of ``once`` either.
_recomputed = functools.partial(jax.checkpoint, prevent_cse=False)


class Windows(NamedTuple):
    """Which elements a convolution reads: a value per dimension, as in ``window_member``."""

    outs: Ints
    stride: Ints
    dilation: Ints
    pairs: Pairs


Form = Callable[[Array, Array, Windows], Array]


def window_member(
    array: Array, offset: Ints, outs: Ints, stride: Ints, dilation: Ints, behind: int = 0
) -> Array:
    """Return the element at an offset of each window; ``behind`` dimensions follow the windows'."""
    first = tuple(o * d for o, d in zip(offset, dilation, strict=True))
    last = tuple(f + (n - 1) * s + 1 for f, n, s in zip(first, outs, stride, strict=True))
    more, rest = array.ndim - len(offset) - behind, array.shape[array.ndim - behind :]
    return lax.slice(
        array,
        (0,) * more + first + (0,) * behind,
        array.shape[:more] + last + rest,
        (1,) * more + stride + (1,) * behind,
    )


def convolution(x: Array, weight: Array, windows: Windows, groups: int) -> Array:
    """Convolve (N, C, ...) with (C_out, C / groups, ...) to images of the sizes ``outs``."""
    form = _faster_form(x, weight, windows.outs, groups)
    return form(x, weight, windows) if form else _by_xla(x, weight, windows, groups)


def _faster_form(x: Array, weight: Array, outs: Ints, groups: int) -> Form | None:
    """Return what computes a convolution faster than XLA's own, or None."""
    if not all(isinstance(size, int) for size in (*x.shape, *outs)):  # Left open by export.
        return None
    taps, count, on_cpu = math.prod(weight.shape[2:]), math.prod(outs), platform() == "cpu"
    if groups > 1:
        if not on_cpu:
            return None
        if weight.shape[1] > 1:
            return functools.partial(_by_blocks, groups=groups)
        return _by_taps if taps <= _TAPS else None
    few = count < taps and math.prod(weight.shape[:2]) >= _CHANNELS
    small = (few or count == 1) and count * taps <= _WINDOWS
    if small or (taps == 1 and on_cpu):
        return _by_product
    if not on_cpu:
        return None
    if len(outs) == _VOLUME:
        return _by_layers
    large = x.dtype == jnp.float32 and len(x) * len(weight) * count > _PART
    return _with_parts if large else None


def _by_xla(x: Array, weight: Array, windows: Windows, groups: int = 1) -> Array:
    _, stride, dilation, pairs = windows
    return lax.conv_general_dilated(
        x, weight, stride, pairs, rhs_dilation=dilation, feature_group_count=groups
    )


def _padded(x: Array, pairs: Pairs) -> Array:
    return lax.pad(x, jnp.zeros((), x.dtype), ((0, 0, 0), (0, 0, 0), *((*p, 0) for p in pairs)))


def _by_product(x: Array, weight: Array, windows: Windows) -> Array:
    """Convolve small images, or with a kernel of one element, by one product of matrices.

    Where an image, or its gradient, has fewer pixels than the kernel, XLA's convolution takes plain
    loops on a CPU: 22 ms for 16 images of 256 channels and 2x2 pixels, the product 1.3. From as
    many pixels on it is the faster one, but for a kernel of one element: the gradient of 256 x 64
    takes 32 ms, as a product 4. What of the kernel only ever meets padding is left out.
    """
    kept, pads = [], []
    outs, stride, dilation, _ = windows
    given = (x.shape[2:], weight.shape[2:], *windows)
    for size, k, out, s, d, (before, _) in zip(*given, strict=True):
        met = [i for i in range(k) if any(0 <= o * s + i * d - before < size for o in range(out))]
        first, last = (met[0], met[-1]) if met else (0, 0)
        kept.append(slice(first, last + 1))
        low = before - first * d
        pads.append((low, (out - 1) * s + (last - first) * d + 1 - size - low))
    weight = weight[(slice(None), slice(None), *kept)]
    x = _padded(x, tuple(pads))
    if math.prod(weight.shape[2:]) == 1:
        members = window_member(x, (0,) * len(outs), outs, stride, dilation)
    elif math.prod(outs) == 1:
        members = x[(slice(None), slice(None), *(slice(None, None, d) for d in dilation))]
    else:
        offsets = itertools.product(*map(range, weight.shape[2:]))
        members = jnp.stack([window_member(x, at, outs, stride, dilation) for at in offsets], 2)
    # A gradient comes out of a barrier as it went in, else XLA copies it.
    rows = once(weight.reshape(-1)).reshape(len(weight), -1)
    # In the order of the product here: XLA copies it twice otherwise, also on the way back.
    columns = members.reshape(len(x), rows.shape[1], -1).swapaxes(0, 1)
    out = rows @ columns.reshape(rows.shape[1], -1)
    return out.reshape(len(weight), len(x), *outs).swapaxes(0, 1)


# A gradient would keep all the layers otherwise.
@functools.partial(jax.checkpoint, static_argnums=2)
def _by_layers(x: Array, weight: Array, windows: Windows) -> Array:
    """Convolve volumes: layers side by side as channels of one image, as many as the kernel has.

    XLA's fast kernel is for images; loops take 10 to 60 times as long.
    """
    outs, stride, dilation, pairs = windows
    depth, images = weight.shape[2], x.shape[0] * outs[0]
    padded = _padded(x, (pairs[0], (0, 0), (0, 0)))
    layers = [
        window_member(padded, (i,), outs[:1], stride[:1], dilation[:1], 2) for i in range(depth)
    ]
    side_by_side = jnp.stack(layers, 2).transpose(0, 3, 1, 2, 4, 5)
    out = convolution(
        side_by_side.reshape(images, x.shape[1] * depth, *x.shape[3:]),
        weight.reshape(len(weight), x.shape[1] * depth, *weight.shape[3:]),
        Windows(outs[1:], stride[1:], dilation[1:], pairs[1:]),
        1,
    )
    return jnp.moveaxis(out.reshape(x.shape[0], outs[0], len(weight), *outs[1:]), 1, 2)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def _by_taps(x: Array, weight: Array, windows: Windows) -> Array:
    """Convolve each channel by itself: the sum over the kernel's elements, in one loop."""
    outs, stride, dilation, pairs = windows
    wide = jnp.promote_types(x.dtype, jnp.float32)
    image = _padded(x.astype(wide), pairs)[:, :, None]
    out: Array = jnp.zeros((), wide)
    for at in itertools.product(*map(range, weight.shape[2:])):
        tap = _tap(weight[(..., *at)].astype(wide), x)
        out += window_member(image, at, outs, stride, dilation) * tap
    # In vectors along a row only where the loop has the shape of images, not of what reads them.
    return once(out.astype(x.dtype).reshape(x.shape[0], len(weight), *outs))


def _tap(element: Array, x: Array) -> Array:
    """Return one element of each kernel beside the channels of images."""
    return element.reshape(x.shape[1], -1, *(1 for _ in x.shape[2:]))


def _by_shifts(x: Array, weight: Array, windows: Windows) -> Array:
    """Do the same as ``_by_taps``; the gradient in the image is one loop over slices here.

    That of ``_by_taps`` adds padded images, of which XLA looks at each element before it reads it:
    four times as long. So the images are moved within a frame here, from which windows are taken.
    """
    outs, stride = windows.outs, windows.stride
    wide = jnp.promote_types(x.dtype, jnp.float32)
    # A barrier comes out of the gradient as it went in: before what reads it in another layout.
    image, taps, frames = once(x).astype(wide)[:, :, None], weight.astype(wide), []
    for size, k, out, s, d, (low, _) in zip(x.shape[2:], weight.shape[2:], *windows, strict=True):
        first = max((k - 1) * d - low, 0)
        frames.append((first, low + first, max(low + size, (out - 1) * s + 1) + first - size))
    total: Array = jnp.zeros((), wide)
    for at in itertools.product(*map(range, weight.shape[2:])):
        lows = [low - i * d for (_, low, _), i, d in zip(frames, at, windows.dilation, strict=True)]
        pads = [(low, rest - low, 0) for low, (*_, rest) in zip(lows, frames, strict=True)]
        member = image * _tap(taps[(..., *at)], x)
        total += lax.pad(member, jnp.zeros((), wide), ((0, 0, 0), (0, 0, 0), (0, 0, 0), *pads))
    first = tuple(frame[0] for frame in frames)
    found = window_member(once(total), first, outs, stride, (1,) * len(outs))
    return found.astype(x.dtype).reshape(x.shape[0], len(weight), *outs)


def _by_a_loop(x: Array, weight: Array, windows: Windows) -> Array:
    """Do the same as ``_by_taps``, one element of the kernel after the other.

    In its gradient some images are added in vectors, and what is left by a product with ones: a sum
    to one number takes 3 to 4 times as long, as XLA leaves the order of its additions.
    """
    outs, stride, dilation, pairs = windows
    wide = jnp.promote_types(x.dtype, jnp.float32)
    image, kernel = _padded(x.astype(wide), pairs), weight.shape[2:]
    reach = tuple((out - 1) * s + 1 for out, s in zip(outs, stride, strict=True))
    offsets = np.indices(kernel, np.int32).reshape(len(kernel), -1).T * np.array(dilation, np.int32)
    parts = max(n for n in range(1, _SUMMED + 1) if len(x) % n == 0)
    rows, ones = len(x) // parts, jnp.ones((1, math.prod(outs)), wide)

    # What it reads of the image would be kept for each element otherwise.
    @_recomputed
    def add(out: Array, given: tuple[Array, Array]) -> tuple[Array, None]:
        offset, element = given
        member = lax.dynamic_slice(image, (0, 0, *offset), (*image.shape[:2], *reach))
        member = member[(..., *(slice(None, None, s) for s in stride))][:, :, None]
        # As in ``_by_taps``.
        tap = once((jnp.tile(element, rows)[:, None] @ ones).reshape(rows, *out.shape[1:]))
        return out + jnp.concatenate([part * tap for part in jnp.split(member, parts)]), None

    taps = jnp.moveaxis(weight.astype(wide).reshape(len(weight), -1), 1, 0)
    out = jnp.zeros((*x.shape[:2], len(weight) // x.shape[1], *outs), wide)
    out, _ = lax.scan(add, out, (offsets, taps))
    return out.astype(x.dtype).reshape(x.shape[0], len(weight), *outs)


def _differentiated(form: Any, in_image: Form, in_weight: Form) -> None:
    """Have a form of convolution differentiated by others."""

    @form.defjvp
    def rule(
        windows: Windows, primals: tuple[Array, Array], tangents: tuple[Array, Array]
    ) -> tuple[Array, Array]:
        # A gradient keeps the image and the weight, none of their parts.
        @_recomputed
        def moved(x: Array, weight: Array, dx: Array, dweight: Array) -> Array:
            return in_image(dx, weight, windows) + in_weight(x, dweight, windows)

        return form(*primals, windows), moved(*primals, *tangents)


# XLA compiles a kernel for each tap otherwise.
_differentiated(_by_taps, _by_shifts, _by_a_loop)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def _with_parts(x: Array, weight: Array, windows: Windows) -> Array:
    """Convolve as XLA does, but for the gradient of the weight.

    That is a convolution whose kernel is the outgoing gradient, read again for each channel of the
    images: 34 ms instead of 12 where it does not stay in the cache (16 x 64 x 32 x 32).
    """
    return _by_xla(x, weight, windows)


def _in_parts(x: Array, weight: Array, windows: Windows) -> Array:
    """Convolve some images after the other, or some rows of each if one is too large."""
    outs, stride, dilation, pairs = windows
    row = len(weight) * math.prod(outs[1:])
    most = max(_PART, len(x) * outs[0] * row // _PARTS)
    images, rows = max(1, most // (outs[0] * row)), min(outs[0], max(1, most // row))
    x = _padded(x, (pairs[0], *((0, 0) for _ in pairs[1:])))
    reach = (weight.shape[2] - 1) * dilation[0] + 1

    def part(n: int, first: int) -> Array:
        last = min(first + rows, outs[0]) - 1
        seen = x[n : n + images, :, first * stride[0] : last * stride[0] + reach]
        return _by_xla(seen, weight, windows._replace(pairs=((0, 0), *pairs[1:])))

    return jnp.concatenate(
        [
            jnp.concatenate([part(n, first) for first in range(0, outs[0], rows)], 2)
            for n in range(0, len(x), images)
        ]
    )


_differentiated(_with_parts, _by_xla, _in_parts)


def _by_blocks(x: Array, weight: Array, windows: Windows, groups: int) -> Array:
    """Convolve groups of channels, some of them at a time with zeros between them.

    XLA's kernel is at its best from some 32 channels on, zeros included: it takes as long as
    PyTorch's for groups. An infinity in one group makes nan of those that are beside it.
    """
    size, rows = weight.shape[1], weight.shape[0] // groups
    count = -(-groups // max(1, max(_BLOCK, x.shape[1] // _BLOCKS) // size))
    ends = [groups * i // count for i in range(count + 1)]
    found = []
    for first, last in itertools.pairwise(ends):
        many, kernel = last - first, weight.shape[2:]
        own = jnp.eye(many, dtype=bool).reshape(many, 1, many, 1, *(1 for _ in kernel))
        part = weight[first * rows : last * rows].reshape(many, rows, 1, size, *kernel)
        # Not a product: XLA ends the process in the gradient of some.
        wide = jnp.where(own, part, 0).reshape(many * rows, many * size, *kernel)
        image = x[:, first * size : last * size]
        found.append(convolution(image, wide, windows, 1))
    return jnp.concatenate(found, 1)
