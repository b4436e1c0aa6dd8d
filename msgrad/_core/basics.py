"""The few operators that the layers below ``msgrad.ops`` call themselves."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.engine import graft, lower_one_level
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import is_inexact, limits, wide


def convert(x: Any, target: np.dtype[Any]) -> jax.Array:
    """Return an array in another dtype, a float in an integer one as a cast in C gives it.

    That wraps around, and what fits into no int is the lowest one; XLA stops at the largest value.
    Of a complex number it is the real part.
    """
    if not is_inexact(x.dtype) or target.kind not in "iu":
        return x.astype(target)
    x = wide(x.real)
    whole = np.dtype("int32" if target.itemsize < 4 or target == np.int32 else "int64")
    lowest, _ = limits(whole)
    beyond = -lowest.astype(x.dtype)
    # The upper half of uint64 is what lies above, with the first bit set.
    upper = (x >= beyond) & (target == np.uint64)
    x = jnp.where(upper, x - beyond, x)
    found = jnp.where((x >= -beyond) & (x < beyond), x.astype(whole), lowest)
    return jnp.where(upper, found ^ lowest, found).astype(target)


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
