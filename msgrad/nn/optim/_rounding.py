"""Products that are rounded before they are added to, as MindSpore's kernels round them.

XLA's CPU backend contracts ``a * b + c`` into one fused instruction with one rounding, whatever
``xla_cpu_enable_fast_math``, ``optimization_barrier`` or ``reduce_precision`` say. Ten steps of
AMSGrad then differ from MindSpore's in the last bit of one number in eight; with these forms, which
LLVM does not see through, in none (``tests/parity/cases/optim.py``).
"""

from __future__ import annotations

import jax
import jax.numpy as jnp


def unfused(product: jax.Array) -> jax.Array:
    """Return ``product`` as it is, rounded before it is used."""
    size = jnp.abs(product)
    return jnp.where(product < 0, -size, size)


def unfused_square(x: jax.Array) -> jax.Array:
    """Return ``x * x``, rounded before it is used."""
    return jnp.abs(x * jnp.abs(x))
