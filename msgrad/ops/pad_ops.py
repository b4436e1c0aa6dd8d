"""Padding: the sizes of a Tensor's dimensions extended at their ends, by a value or by elements.

Other changes of shape are in ``array``.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentValueError
from msgrad._core.former import warn_of
from msgrad._core.op import Array, operator
from msgrad.ops._checks import of_length
from msgrad.ops.array import Sizes

_PAD_MODES = {
    "reflect": "reflect",
    "replicate": "edge",
    "edge": "edge",
    "circular": "wrap",
}


@operator("pad", int_grad=True)
def pad(
    input_x: Array,
    padding: Sizes | tuple[tuple[int, ...], ...],
    mode: str = "constant",
    value: float | bool | None = None,
) -> Array:
    """Pad the last dimensions.

    Args:
        input_x: Tensor.
        padding: Pairs (before, after), the last dimension's first, in a row; negative ones cut.
            MindSpore 1 has a pair for each dimension, the first's first; that works with a warning.
        mode: ``'constant'``, ``'reflect'``, ``'replicate'`` or ``'circular'``.
        value: What to fill with, 0 by default; for ``'constant'`` only.

    Raises:
        ValueError: For an odd number of paddings, an unknown mode, or a value with another mode.
    """
    row: Any = padding
    if isinstance(row, tuple) and row and isinstance(row[0], tuple):
        warn_of(
            "pad(x, ((before, after), ...))",
            "the pairs in a row, those of the last dimension first",
        )
        row = tuple(n for pair in row[::-1] for n in pair)
    if len(row) % 2 or len(row) > 2 * input_x.ndim:
        raise ArgumentValueError(
            "the size of padding must be divisible by 2 and at most twice the rank of the input "
            f"({input_x.ndim}), but got {len(row)}."
        )
    pairs = [(0, 0)] * (input_x.ndim - len(row) // 2)
    pairs += [(row[i], row[i + 1]) for i in range(len(row) - 2, -1, -2)]
    if mode == "constant":
        # Written into a full array: lax.pad mixes dtypes when it is differentiated in 64 bits.
        sizes = [n + a + b for (a, b), n in zip(pairs, input_x.shape, strict=True)]
        room = tuple(
            slice(max(0, a), n - max(0, b)) for (a, b), n in zip(pairs, sizes, strict=True)
        )
        return jnp.full(sizes, value or 0, input_x.dtype).at[room].set(_cut(input_x, pairs))
    one_of("", "mode", mode, *_PAD_MODES)
    if value is not None:
        raise ArgumentValueError(
            f"the padding mode '{mode}' can not set value, but got value {value}."
        )
    if mode == "reflect" and any(
        max(pair) >= n for pair, n in zip(pairs, input_x.shape, strict=True) if max(pair) > 0
    ):
        raise ArgumentValueError(
            f"paddings of mode 'reflect' must be less than the dimension's size, but got {row} "
            f"for a shape of {list(input_x.shape)}."
        )
    ends = [(max(0, a), max(0, b)) for a, b in pairs]
    # A circle is closed where it was cut; other modes continue as if nothing were.
    if mode == "circular":
        return jnp.pad(_cut(input_x, pairs), ends, _PAD_MODES[mode])
    return _cut(jnp.pad(input_x, ends, _PAD_MODES[mode]), pairs)


def _cut(x: Array, pairs: list[tuple[int, int]]) -> Array:
    """Return what negative paddings leave of an array."""
    if not any(p < 0 for pair in pairs for p in pair):
        return x
    kept = (slice(max(0, -a), n - max(0, -b)) for (a, b), n in zip(pairs, x.shape, strict=True))
    return x[tuple(kept)]


def _check_pairs(input_x: Array, paddings: Any) -> None:
    of_length(paddings, "paddings", input_x.ndim)
    if any(p < 0 for pair in paddings for p in pair):
        raise ArgumentValueError(f"all elements of 'paddings' must be >= 0, but got {paddings}.")


@operator("Pad", primitive="(paddings)", int_grad=True)
def _pad_pairs(input_x: Array, paddings: Any) -> Array:
    """Put zeros around a Tensor.

    Args:
        input_x: Tensor.
        paddings: One pair (before, after) for each dimension.
    """
    _check_pairs(input_x, paddings)
    return jnp.pad(input_x, paddings)


@operator("MirrorPad", primitive="(mode='REFLECT')")
def mirror_pad(input_x: Array, paddings: Any, mode: str = "REFLECT") -> Array:
    """Continue a Tensor over its edges by its mirror image.

    Args:
        input_x: Tensor.
        paddings: Tensor (dimensions, 2): how many elements before and after.
        mode: ``'REFLECT'`` leaves out the edge itself, ``'SYMMETRIC'`` repeats it.
    """
    one_of("", "mode", mode, "REFLECT", "SYMMETRIC")
    _check_pairs(input_x, paddings)
    room = 1 if mode == "REFLECT" else 0
    for size, pair in zip(input_x.shape, paddings, strict=True):
        if max(pair) > size - room:
            raise ArgumentValueError(
                f"paddings must be no greater than the dimension size: {list(pair)} not less than "
                f"[{size}]"
            )
    return jnp.pad(input_x, paddings, mode.lower())
