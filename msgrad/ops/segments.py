"""Reductions over segments: rows that share a number are added, multiplied or compared.

Writing at indices is in ``scattering`` and ``selecting``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import limits
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops.selecting import scatter_product


def _product(rows: Array, ids: Array, count: int) -> Array:
    return scatter_product(jnp.ones((count, *rows.shape[1:]), rows.dtype), rows, ids)


_REDUCE: dict[str, Callable[..., Array]] = {
    "Max": jax.ops.segment_max,
    "Min": jax.ops.segment_min,
    "Prod": _product,
    "Sum": jax.ops.segment_sum,
}


def _reduced(how: str, x: Array, ids: Array, count: int) -> Array:
    if ids.shape != x.shape[: ids.ndim]:
        raise ArgumentValueError(
            f"'segment_ids' must have the first dimensions of the input, {x.shape}, but got "
            f"{ids.shape}."
        )
    rows = x.reshape(-1, *x.shape[ids.ndim :])
    return _REDUCE[how](rows, ids.reshape(-1), count)


@operator("UnsortedSegment", int_grad=True)
def _unsorted(input: Array, segment_ids: Indices, num_segments: int, how: str) -> Array:
    if not jnp.issubdtype(segment_ids.dtype, jnp.integer):
        raise ArgumentTypeError(f"'segment_ids' must be int, but got {segment_ids.dtype}.")
    if num_segments < 1:
        raise ArgumentValueError(f"'num_segments' must be positive, but got {num_segments}.")
    # A negative number belongs to no segment.
    ids = jnp.where(segment_ids < 0, num_segments, segment_ids)
    found = _reduced(how, input, ids, num_segments)
    # The limit of the dtype where JAX has infinity.
    return jnp.clip(found, *limits(input.dtype)) if how in ("Max", "Min") else found


def _of_unsorted(how: str, summary: str) -> Any:
    def unsorted(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
        return _unsorted(x, segment_ids, int(num_segments), how)

    unsorted.__doc__ = f"""{summary} of the rows that share a segment.

    Args:
        x: Tensor.
        segment_ids: int Tensor with the first dimensions of ``x``; negative for no segment.
        num_segments: int, or int Tensor of one element: how many segments.

    Returns:
        Tensor (num_segments, ...).
    """
    return function(name=f"UnsortedSegment{how}", primitive=True)(unsorted)


unsorted_segment_max = _of_unsorted("Max", "Return the largest")
unsorted_segment_min = _of_unsorted("Min", "Return the smallest")
unsorted_segment_prod = _of_unsorted("Prod", "Return the product")
unsorted_segment_sum = _of_unsorted("Sum", "Return the sum")


@operator("Segment", int_grad=True)
def _segments(x: Array, ids: Indices, how: str, count: int) -> Array:
    amount = _reduced("Sum", jnp.ones(ids.shape, x.dtype), ids, count)
    amount = amount.reshape(-1, *[1] * (x.ndim - 1))
    if how == "Mean":
        return _reduced("Sum", x, ids, count) / jnp.maximum(amount, 1)
    found = _reduced(how, x, ids, count)
    return found if how in ("Prod", "Sum") else jnp.where(amount > 0, found, 0).astype(x.dtype)


def _sorted(how: str) -> Any:
    def reduced(input_x: Tensor, segment_ids: Tensor) -> Tensor:
        ids = np.asarray(segment_ids._concrete(f"Segment{how}"))
        if (np.diff(ids) < 0).any() or (ids < 0).any():
            raise ArgumentValueError(f"'segment_ids' must be sorted, and not negative, not {ids}.")
        return _segments(input_x, segment_ids, how, int(ids[-1]) + 1)

    reduced.__doc__ = f"""Reduce ({how.lower()}) the rows of each segment; of none, to 0 or 1.

    Args:
        input_x: Tensor (N, ...).
        segment_ids: int32 or int64 Tensor (N,), sorted.
    """
    return function(name=f"Segment{how}", primitive=True, public=False)(reduced)


_segment_max, _segment_mean, _segment_min = _sorted("Max"), _sorted("Mean"), _sorted("Min")
_segment_prod, _segment_sum = _sorted("Prod"), _sorted("Sum")
