"""Products that are rounded where an operator ends, as when each operator runs by itself.

In one program XLA's CPU compiler computes ``a * b - c`` in a single step, with the product exact
(a fused multiply-add). So ``x * x - a * a`` is not 0 at ``x = a`` but the rounding error of one
product, and its square root may be nan, where MindSpore has 0. No option of the compiler turns that
off alone: ``--xla_cpu_max_isa=AVX`` does, and makes ``erf`` 16 times as slow, random numbers twice.
Within an operator it is left on, but for remainders: there nothing is to be left of a product.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

_CONTRACTED = ("float32", "float64")


@jax.custom_jvp
def _looked_at(product: jax.Array) -> jax.Array:
    # The same values, and no product any more for what follows: it is compared and selected, which
    # the compiler cannot take away, nor move the addition through. It costs nothing measurable.
    # ``reduce_precision`` is gone before contraction; an ``optimization_barrier`` ends the kernel.
    return jnp.where(product == product, product, jnp.asarray(jnp.nan, product.dtype))


_looked_at.defjvps(lambda tangent, _, __: tangent)


def rounded(product: jax.Array) -> jax.Array:
    """Return ``product`` such that the compiler does not contract it with what follows."""
    if str(product.dtype) in _CONTRACTED:
        return _looked_at(product)
    if jnp.issubdtype(product.dtype, jnp.complexfloating):
        return jax.lax.complex(_looked_at(product.real), _looked_at(product.imag))
    return product
