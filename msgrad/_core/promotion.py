"""MindSpore's type promotion, applied to raw arrays while a kernel is traced.

The table differs from JAX's: uint8 with int8 gives int16, an int with float16 gives float16,
float16 with bfloat16 gives float32, and a Python scalar never widens within its category. Python
scalars reach a kernel as weakly typed arrays, which is how they are told apart.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.engine import to_device
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

WIDE_UNSIGNED = ("uint16", "uint32", "uint64")
HALF = (jnp.float16, jnp.bfloat16)
_FLOAT_RANK = {"float16": 1, "bfloat16": 1, "float32": 2, "float64": 3}

# Remembered, since a gradient call asks of each variable: jnp.issubdtype takes a microsecond.


@functools.cache
def is_float(dtype: Any) -> bool:
    """Whether ``dtype`` is a real floating type, bfloat16 included."""
    return jnp.issubdtype(dtype, jnp.floating)


@functools.cache
def is_complex(dtype: Any) -> bool:
    """Whether ``dtype`` is complex."""
    return jnp.issubdtype(dtype, jnp.complexfloating)


@functools.cache
def is_inexact(dtype: Any) -> bool:
    """Whether ``dtype`` is floating or complex."""
    return jnp.issubdtype(dtype, jnp.inexact)


def as_inexact(x: jax.Array) -> jax.Array:
    """Return an array of integers or bool in float32, any other as it is."""
    return x if is_inexact(x.dtype) else x.astype(jnp.float32)


def wide(x: jax.Array) -> jax.Array:
    """Cast half-precision numbers to float32: a sum of many of them would lose its value."""
    return x.astype(jnp.promote_types(x.dtype, jnp.float32))


@functools.cache
def result_type(left: np.dtype[Any], right: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of an arithmetic result of two Tensors (facts 2.3)."""
    if left == right:
        return left
    for one, other in ((left, right), (right, left)):
        if str(one) in WIDE_UNSIGNED:
            if other == np.bool_:
                return one
            raise ArgumentTypeError(
                f"Type implicit conversion between Tensor[{left}] and Tensor[{right}] is not "
                "supported; cast one of them first."
            )
    if is_complex(left) or is_complex(right):
        wide = any(str(d) in ("complex128", "float64") for d in (left, right))
        return np.dtype("complex128" if wide else "complex64")
    if is_float(left) and is_float(right):
        if _FLOAT_RANK[str(left)] == _FLOAT_RANK[str(right)]:
            return np.dtype("float32")
        return max(left, right, key=lambda d: _FLOAT_RANK[str(d)])
    if is_float(left) or is_float(right):
        return left if is_float(left) else right
    return np.promote_types(left, right)


def scalar_type(tensor: np.dtype[Any], scalar: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of a Tensor combined with a Python scalar (facts 2.3)."""
    if is_complex(scalar):
        raise ArgumentTypeError(
            "a complex Python number cannot be combined with a Tensor; wrap it in a Tensor of "
            "dtype complex64 or complex128 first."
        )
    if is_inexact(tensor):
        return tensor
    if is_float(scalar):
        return np.dtype("float32")
    if scalar == np.bool_:
        return tensor
    return np.dtype("int64") if tensor == np.bool_ else tensor


def is_weak(x: Any) -> bool:
    """Whether an operand is a Python number."""
    return getattr(x, "weak_type", False)


def limits(dtype: Any) -> tuple[jax.Array, jax.Array]:
    """Return the lowest and the highest number of a dtype, as arrays: those of 64 bits stay so."""
    info = jnp.finfo(dtype) if is_inexact(dtype) else jnp.iinfo(dtype)
    return to_device(np.asarray(info.min, dtype)), to_device(np.asarray(info.max, dtype))


def common_type(x: Any, y: Any) -> np.dtype[Any]:
    """Return the dtype two operands meet in, weakly typed ones being Python scalars."""
    if is_weak(x) and not is_weak(y):
        return scalar_type(y.dtype, x.dtype)
    if is_weak(y) and not is_weak(x):
        return scalar_type(x.dtype, y.dtype)
    if is_weak(x) and is_weak(y):
        both = result_type(x.dtype, y.dtype)
        return np.dtype("float32") if is_float(both) else np.dtype("int64")
    return result_type(x.dtype, y.dtype)


def check_broadcast(x: Any, y: Any) -> None:
    """Raise MindSpore's ``ValueError`` where two shapes do not broadcast."""
    try:
        # Not NumPy's: sizes may be symbols of ``jax.export``.
        jnp.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        raise ArgumentValueError(
            "the operands need to broadcast, but got input.shape = "
            f"{list(x.shape)} and other.shape = {list(y.shape)}; each pair of trailing dimensions "
            "must be equal or contain a 1."
        ) from None


def repeated(x: jax.Array, repeat: Callable[[jax.Array], jax.Array]) -> jax.Array:
    """Return ``repeat(x)``, elements of ``x``; gradients of 16 bits are added up in float32.

    JAX adds in the array's own dtype: 32768 ones make 8192 in float16, and 1024 in bfloat16.
    """
    return repeat(wide(x)).astype(x.dtype) if x.dtype in HALF else repeat(x)


def broadcast(x: jax.Array, shape: Sequence[int]) -> jax.Array:
    """Broadcast an array, as ``repeated`` says."""
    return repeated(x, lambda x: jnp.broadcast_to(x, shape))


def _alike(x: jax.Array, y: jax.Array, dtype: Any) -> tuple[jax.Array, jax.Array]:
    one, other = x.astype(dtype), y.astype(dtype)
    if dtype in HALF and x.shape != y.shape and not (is_weak(x) or is_weak(y)):
        shape = jnp.broadcast_shapes(x.shape, y.shape)
        return broadcast(one, shape), broadcast(other, shape)
    return one, other


def promote(x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Bring two operands to their common dtype, checking the shapes."""
    check_broadcast(x, y)
    return _alike(x, y, common_type(x, y))


def _category(dtype: np.dtype[Any]) -> int:
    return 3 if is_complex(dtype) else 2 if is_float(dtype) else int(dtype != np.bool_)


def promote_factors(x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Bring two operands of a product or quotient to their common dtype, checking the shapes.

    Only there a Tensor without dimensions widens the other as little as a Python number does:
    float16 of shape (2,) times float32 of shape () is float16, while their sum is float32.
    """
    x_wide, y_wide = promote(x, y)
    if not (is_weak(x) or is_weak(y) or is_complex(x_wide.dtype)):
        for one, other in ((x, y), (y, x)):
            if one.ndim and not other.ndim and _category(other.dtype) <= _category(one.dtype):
                return _alike(x, y, one.dtype)
    return x_wide, y_wide


def require_inexact(x: jax.Array) -> jax.Array:
    """Raise MindSpore's ``TypeError`` where an operator has no integer kernel."""
    if not is_inexact(x.dtype):
        raise ArgumentTypeError(
            f"the input must be a floating or complex Tensor, but got {x.dtype}; cast it first, as "
            "in x.astype(mindspore.float32)."
        )
    return x


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
