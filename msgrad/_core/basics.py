"""The few operators that the layers below ``msgrad.ops`` call themselves."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.engine import graft, lower_one_level
from msgrad._core.op import Array, Operand, operator
from msgrad._core.promotion import is_float


@operator("Cast", public=False)
def cast(input: Operand, dtype: Any) -> Array:
    """Convert to a NumPy dtype."""
    target = np.dtype(dtype)
    if is_float(input.dtype) and target.kind in "iu" and target.itemsize <= 2:
        # Like a cast in C, which wraps around; XLA's would stop at the largest value.
        return input.astype(jnp.int32).astype(target)
    return input.astype(target)


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
