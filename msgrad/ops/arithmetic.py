"""Element-wise arithmetic of two Tensors, and the operators of the Tensor class on it."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from msgrad._core.errors import ArgumentTypeError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_float, promote


@operator("Add", int_grad=True)
def add(input: Array, other: Array) -> Array:
    """Add element by element with broadcasting; two bools give their logical or."""
    x, y = promote("Add", input, other)
    return jnp.add(x, y)


@operator("Sub", int_grad=True)
def sub(input: Array, other: Array) -> Array:
    """Subtract ``other`` from ``input`` element by element with broadcasting."""
    x, y = promote("Sub", input, other)
    if x.dtype == jnp.bool_:
        raise ArgumentTypeError("For 'Sub', bool Tensors are not supported; cast them first.")
    return jnp.subtract(x, y)


@operator("Mul", int_grad=True)
def mul(input: Array, other: Array) -> Array:
    """Multiply element by element with broadcasting."""
    x, y = promote("Mul", input, other)
    return jnp.multiply(x, y)


@operator("Div", int_grad="float")
def div(input: Array, other: Array) -> Array:
    """Divide element by element with broadcasting; integers and bools give float32."""
    x, y = promote("Div", input, other)
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        x, y = x.astype(jnp.float32), y.astype(jnp.float32)
    return jnp.divide(x, y)


@operator("FloorDiv")
def floor_divide(input: Array, other: Array) -> Array:
    """Divide and round towards minus infinity."""
    x, y = promote("FloorDiv", input, other)
    if is_float(x.dtype):
        return jnp.floor(jnp.divide(x, y))
    return jnp.floor_divide(x, y)


@operator("Mod")
def floor_mod(input: Array, other: Array) -> Array:
    """Remainder of the division that rounds towards minus infinity."""
    x, y = promote("Mod", input, other)
    if x.dtype == jnp.bool_:
        raise ArgumentTypeError("For 'Mod', bool Tensors are not supported; cast them first.")
    return jnp.mod(x, y)


@operator("Pow", int_grad=True)
def pow(input: Array, exponent: Array) -> Array:
    """Raise to a power element by element; an integer to a negative power gives 0."""
    x, y = promote("Pow", input, exponent)
    if x.dtype == jnp.bool_:
        raise ArgumentTypeError("For 'Pow', bool Tensors are not supported; cast them first.")
    if jnp.issubdtype(x.dtype, jnp.inexact):
        return jnp.power(x, y)
    return jnp.where(y < 0, jnp.where(jnp.abs(x) == 1, x ** jnp.abs(y), 0), x ** jnp.abs(y))


@operator("Neg", int_grad=True)
def neg(input: Array) -> Array:
    """Negate element by element."""
    return jnp.negative(input)


@operator("Maximum")
def maximum(input: Array, other: Array) -> Array:
    """The larger of two Tensors element by element; at a tie the gradient is split evenly."""
    x, y = promote("Maximum", input, other)
    return jax.lax.max(*jnp.broadcast_arrays(x, y))


@operator("Minimum")
def minimum(input: Array, other: Array) -> Array:
    """The smaller of two Tensors element by element; at a tie the gradient is split evenly."""
    x, y = promote("Minimum", input, other)
    return jax.lax.min(*jnp.broadcast_arrays(x, y))
