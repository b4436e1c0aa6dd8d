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

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core as jex
from jax.interpreters import ad, batching, mlir

from msgrad._core.promotion import wide

_CONTRACTED = ("float32", "float64")

# No ``jax.custom_jvp``: a division with its gradient took 2.6 times as long to trace.
_rounded, _quotient = jex.Primitive("rounded"), jex.Primitive("quotient")


def _looked_at(product: jax.Array) -> jax.Array:
    # The same values, and no product any more for what follows: it is compared and selected, which
    # the compiler cannot take away, nor move the addition through. It costs nothing measurable.
    # ``reduce_precision`` is gone before contraction; an ``optimization_barrier`` ends the kernel.
    nan = jax.lax.full_like(product, jnp.nan)
    return jax.lax.select(jax.lax.eq(product, product), product, nan)


def _divided(x: jax.Array, y: jax.Array) -> jax.Array:
    # A divisor that depends on the dividend has no reciprocal that is computed before.
    x, y = jnp.broadcast_arrays(x, y)
    return jax.lax.div(x, jax.lax.select(jax.lax.eq(x, x), y, jax.lax.full_like(y, jnp.nan)))


def _push_quotient(primals: Any, tangents: Any) -> tuple[Any, Any]:
    # JAX's own, which need not keep the dividend for the derivative by it.
    (x, y), (dx, dy) = primals, tangents
    parts = [] if type(dx) is ad.Zero else [jax.lax.div(dx, y)]
    if type(dy) is not ad.Zero:
        by_y = jax.lax.mul(jax.lax.mul(dy, x), jax.lax.integer_pow(y, -2))
        parts.append(jax.lax.neg(by_y))
    return _quotient.bind(x, y), functools.reduce(jax.lax.add, parts)


for _primitive, _run in ((_rounded, _looked_at), (_quotient, _divided)):
    _primitive.def_impl(jax.jit(_run))
    mlir.register_lowering(_primitive, mlir.lower_fun(_run, multiple_results=False))
_rounded.def_abstract_eval(lambda product: product)
_quotient.def_abstract_eval(lambda x, y: jax.lax.div_p.abstract_eval(x, y)[0])
ad.primitive_jvps[_rounded] = lambda primals, tangents: (_rounded.bind(*primals), *tangents)
ad.primitive_jvps[_quotient] = _push_quotient
batching.defvectorized(_rounded)
batching.defbroadcasting(_quotient)


def rounded(product: jax.Array) -> jax.Array:
    """Return ``product`` such that the compiler does not contract it with what follows."""
    if str(product.dtype) in _CONTRACTED:
        return _rounded.bind(product)
    if jnp.issubdtype(product.dtype, jnp.complexfloating):
        return jax.lax.complex(_rounded.bind(product.real), _rounded.bind(product.imag))
    return product


def quotient(x: jax.Array, y: jax.Array) -> jax.Array:
    """Return the inexact ``x / y``, rounded once."""
    dtype, rank = jnp.result_type(x, y), max(x.ndim, y.ndim)
    x, y = (v if v.dtype == dtype else v.astype(dtype) for v in (x, y))
    x, y = (
        jax.lax.expand_dims(v, range(rank - v.ndim)) if 0 < v.ndim < rank else v for v in (x, y)
    )
    return _quotient.bind(x, y)


def mean_of(x: jax.Array, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    """Return the mean of inexact numbers; of small integers that are all one, exactly that one."""
    named = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    named = tuple([a % x.ndim for a in named])
    total = jax.lax.reduce_sum(wide(x), named)
    total = jax.lax.expand_dims(total, named) if keepdims else total
    count = math.prod(x.shape[a] for a in named)
    if isinstance(count, int) and count.bit_count() == 1 and not jnp.iscomplexobj(total):
        # Its reciprocal is exact, so a product is no less so, and becomes a part of what reads it.
        return (total * (1 / count)).astype(x.dtype)
    return quotient(total, jnp.asarray(count, total.dtype)).astype(x.dtype)
