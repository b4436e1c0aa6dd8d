"""The windows of images: their elements one by one."""

from __future__ import annotations

from jax import lax

from msgrad._core.op import Array

Ints = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]


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
