"""The few operators that the layers below ``msgrad.ops`` call themselves."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.engine import graft, lower_one_level
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import convert


def slices_at(x: jax.Array, indices: jax.Array, axis: int) -> jax.Array:
    """Return the slices of ``axis`` that the indices name, as ``jnp.take``; it is traced in a third
    of the time.

    Negative indices count from the end; what is out of bounds gives nan.
    """
    size, rank = x.shape[axis], indices.ndim
    if not size or not indices.size:
        return jnp.take(x, indices, axis)
    if indices.dtype.itemsize < 4:
        indices = indices.astype(np.int32)
    below = jax.lax.lt(indices, jax.lax.full_like(indices, 0))
    from_end = jax.lax.add(indices, jax.lax.full_like(indices, size))
    indices = jax.lax.expand_dims(jax.lax.select(below, from_end, indices), (rank,))
    axis %= x.ndim
    numbers = jax.lax.GatherDimensionNumbers(
        offset_dims=(*range(axis), *range(axis + rank, x.ndim + rank - 1)),
        collapsed_slice_dims=(axis,),
        start_index_map=(axis,),
    )
    sizes = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    return jax.lax.gather(x, indices, numbers, sizes, mode="fill")


@operator("Cast", public=False)
def cast(input: Operand, dtype: Any) -> Array:
    """Convert to a NumPy dtype."""
    return convert(input, np.dtype(dtype))


@operator("StopGradient", public=False, view=True)
def stop_gradient(value: Operand) -> Array:
    """Return the value with gradient zero."""
    return jax.lax.stop_gradient(value)


@operator("Assign", public=False)
def as_constant(value: Operand) -> Array:
    """Return the value without a gradient of the innermost gradient call."""
    return lower_one_level(value)


@operator("Assign", public=False)
def as_constant_of(value: Operand, source: Operand) -> Array:
    """Return the value without its gradient, and with the gradient of ``source``."""
    return graft(lower_one_level(value), source)
