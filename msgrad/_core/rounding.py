"""Products and quotients that are rounded where an operator ends, as when each runs by itself.

In one program XLA's CPU compiler computes ``a * b - c`` in a single step, with the product exact
(a fused multiply-add). So ``x * x - a * a`` is not 0 at ``x = a`` but the rounding error of one
product, and its square root may be nan, where MindSpore has 0. No option of the compiler turns that
off alone: ``--xla_cpu_max_isa=AVX`` does, and makes ``erf`` 16 times as slow, random numbers twice.
Within an operator it is left on, but for remainders: there nothing is to be left of a product.

By what is broadcast, and by constants, XLA divides as it multiplies by the reciprocal, on every
device: rounded twice, ``49.0 / 49.0`` may be a little less than 1, and 0 where it is rounded down.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero

from msgrad._core.promotion import wide

_CONTRACTED = ("float32", "float64")


@jax.custom_jvp
def _looked_at(product: jax.Array) -> jax.Array:
    # The same values, and no product any more for what follows: it is compared and selected, which
    # the compiler cannot take away, nor move the addition through. It costs nothing measurable.
    # ``reduce_precision`` is gone before contraction; an ``optimization_barrier`` ends the kernel.
    # Functions of ``jax.numpy`` would be traced each for itself: that took twice as long.
    nan = jax.lax.full_like(product, jnp.nan)
    return jax.lax.select(jax.lax.eq(product, product), product, nan)


_looked_at.defjvps(lambda tangent, _, __: tangent)


def rounded(product: jax.Array) -> jax.Array:
    """Return ``product`` such that the compiler does not contract it with what follows."""
    if str(product.dtype) in _CONTRACTED:
        return _looked_at(product)
    if jnp.issubdtype(product.dtype, jnp.complexfloating):
        return jax.lax.complex(_looked_at(product.real), _looked_at(product.imag))
    return product


@jax.custom_jvp
def quotient(x: jax.Array, y: jax.Array) -> jax.Array:
    """Return the inexact ``x / y``, rounded once."""
    # A divisor that depends on the dividend has no reciprocal that is computed before.
    return jnp.divide(x, jnp.where(x == x, y, jnp.asarray(jnp.nan, y.dtype)))


def _quotient_jvp(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    # JAX's own, which need not keep the dividend for the derivative by it.
    (x, y), (dx, dy) = primals, tangents
    result = quotient(x, y)
    tangent = jnp.zeros_like(result)
    if not isinstance(dx, SymbolicZero):
        tangent = tangent + dx / y
    if not isinstance(dy, SymbolicZero):
        tangent = tangent - dy * x * jax.lax.integer_pow(y, -2)
    return result, tangent


quotient.defjvp(_quotient_jvp, symbolic_zeros=True)


def mean_of(x: jax.Array, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    """Return the mean of inexact numbers; of small integers that are all one, exactly that one."""
    named = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    total = jnp.sum(wide(x), axis=axis, keepdims=keepdims)
    count = math.prod(x.shape[a] for a in named)
    if isinstance(count, int) and count.bit_count() == 1 and not jnp.iscomplexobj(total):
        # Its reciprocal is exact, so a product is no less so, and becomes a part of what reads it.
        return (total * (1 / count)).astype(x.dtype)
    return quotient(total, jnp.asarray(count, total.dtype)).astype(x.dtype)
