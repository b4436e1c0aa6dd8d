"""Products of matrices and vectors, norms, polynomials and convolutions."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.errors import ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Arrays
from msgrad._core.promotion import as_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import Function, Like, functions, kernel
from msgrad.numpy.array_creations import arange, zeros
from msgrad.numpy.array_ops import atleast_1d, concatenate
from msgrad.numpy.dtypes import alike, promoted
from msgrad.numpy.elementwise import true_divide
from msgrad.numpy.utils import axes_of, tensor, tensors, typed
from msgrad.ops._checks import need


def _product(name: str, compute: Function, summary: str) -> Any:
    def product(a: Array, b: Array) -> Array:
        return compute(*alike(a, b))

    product.__name__, product.__doc__ = name, summary
    return kernel(name)(product)


inner = _product("inner", jnp.inner, "Return the sums of products over the last axes.")
dot = _product(
    "dot", jnp.dot, "Return the product over the last axis of ``a`` and the last but one of ``b``."
)
outer = _product(
    "outer", jnp.outer, "Return the products of all pairs of elements, of shape (a.size, b.size)."
)


@kernel("kron", product=True)
def kron(a: Like, b: Like) -> Array:
    """Return the Kronecker product: ``b`` multiplied by each element of ``a``."""
    return jnp.kron(*alike(a, b))


def tensordot(a: Tensor, b: Tensor, axes: Any = 2) -> Tensor:
    """Return the sums of products over the given axes of two Tensors."""
    if a.ndim * b.ndim == 0 and axes == 0:
        return ops.mul(a, b)
    return ops.tensor_dot(a, b, axes)


def matmul(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Return the matrix product of the last two axes."""
    if x1.ndim and x2.ndim and x1.shape[-1] != x2.shape[max(-2, -x2.ndim)]:
        raise ArgumentValueError(f"the shapes {x1.shape} and {x2.shape} do not fit.")
    found = ops.matmul(x1, x2)
    return typed(found, None if dtype is None else mstype.as_dtype(dtype))


@kernel("multi_dot")
def _chained(arrays: Arrays) -> Array:
    return jnp.linalg.multi_dot(arrays)


def multi_dot(arrays: Any) -> Tensor:
    """Return the product of two or more matrices, in the cheapest order; vectors at the ends."""
    if len(arrays) < 2:
        raise ArgumentValueError("at least two matrices are needed.")
    found = tensors(*arrays)
    if len(found) > 2 and any(a.ndim != 2 for a in found[1:-1]):
        raise ArgumentValueError("the matrices must be 2-d.")
    return _chained(found)


@kernel("cross")
def cross(
    a: Like, b: Like, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Array:
    """Return the cross products of vectors of two or three elements."""
    a, b = alike(a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = jnp.moveaxis(a, axisa, -1), jnp.moveaxis(b, axisb, -1)
    # JAX 0.12 takes three elements only.
    flat = a.shape[-1] == b.shape[-1] == 2
    a, b = (jnp.pad(v, [(0, 0)] * (v.ndim - 1) + [(0, v.shape[-1] == 2)]) for v in (a, b))
    found = jnp.cross(a, b)
    return found[..., 2] if flat else jnp.moveaxis(found, -1, axisc)


def matrix_power(a: Like, n: int) -> Tensor:
    """Return a square matrix to the power ``n``, which is not below 0."""
    if n < 0 or a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ArgumentValueError("a must be square and n not below 0.")
    if n == 0:
        return ops.broadcast_to(ops.eye(a.shape[-1], dtype=a.dtype), a.shape)
    result = a
    for _ in range(n - 1):
        result = ops.matmul(result, a)
    return result


@kernel("norm")
def norm(x: Like, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the norm of vectors along one axis or of matrices along two.

    Args:
        x: Array-like; flattened where neither ``ord`` nor ``axis`` is given.
        ord: A number, ``inf``, ``'fro'`` of matrices, or None for the root of the sum of squares.
        axis: int, two ints or None.
        keepdims: Whether the axes stay with size 1.
    """
    if not isinstance(ord, (int, float)) and ord not in (None, "fro", "nuc"):
        raise ArgumentValueError(f"the ord must be a number, 'fro' or None, not {ord!r}.")
    x, ndim = as_inexact(x), x.ndim
    if axis is None:
        x = x.ravel() if ord is None else x
        if x.ndim not in (1, 2):
            raise ArgumentValueError(f"name the axes of a Tensor of {x.ndim} axes.")
    axes = axes_of(axis, x.ndim)
    need(len(axes) in (1, 2), "there must be one axis or two", axes)
    if len(axes) == 1 and ord in ("fro", "nuc"):
        raise ArgumentValueError(f"the norm ord={ord!r} is for matrices only.")
    if len(axes) == 2 and ord == 0:
        raise ArgumentValueError("the norm ord=0 is for vectors only.")
    if len(axes) == 2 and (ord == "nuc" or ord in (2, -2)):
        raise UnsupportedError(f"the norm ord={ord!r} is not there for matrices.")
    found = jnp.linalg.norm(x, ord, axes if len(axes) == 2 else axes[0], keepdims)
    return found.reshape((1,) * ndim) if keepdims and found.ndim < ndim else found


@kernel("convolve")
def convolve(a: Like, v: Like, mode: str = "full") -> Array:
    """Return the convolution of two vectors; ``mode`` is ``'full'``, ``'same'`` or ``'valid'``."""
    if a.ndim > 1 or v.ndim > 1 or mode not in ("full", "same", "valid"):
        raise ArgumentValueError("both inputs must be 1-d and the mode a known one.")
    wide = [jnp.atleast_1d(x).astype(jnp.float32) for x in (a, v)]
    found = jnp.convolve(*wide, mode=mode, precision="highest")
    return found.astype(promoted(a.dtype, v.dtype))


@kernel("correlate")
def _correlated(a: Array, v: Array, mode: str) -> Array:
    if a.ndim != 1 or v.ndim != 1 or mode not in ("full", "same", "valid"):
        raise ArgumentValueError("both inputs must be 1-d and the mode a known one.")
    dtype = jnp.promote_types(promoted(a.dtype, v.dtype), jnp.float32)
    return jnp.correlate(a.astype(dtype), v.astype(dtype), mode=mode, precision="highest")


def correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    """Return the cross-correlation of two vectors, at least float32."""
    return _correlated(*[tensor(x, narrow=False) for x in (a, v)], mode)


def _coefficients(p: Any) -> Any:
    if p.ndim > 1:
        raise ArgumentValueError("the coefficients of a polynomial must be a number or a vector.")
    return p if p.ndim else p.reshape(-1)


@kernel("polyadd", int_grad=True)
def polyadd(a1: Like, a2: Like) -> Array:
    """Return the sum of two polynomials, by their coefficients from the highest power on."""
    return jnp.polyadd(*alike(_coefficients(a1), _coefficients(a2)))


@kernel("polysub", int_grad=True)
def polysub(a1: Like, a2: Like) -> Array:
    """Return the difference of two polynomials."""
    return jnp.polysub(*alike(_coefficients(a1), _coefficients(a2)))


@kernel("polyval")
def polyval(p: Like, x: Like) -> Array:
    """Return the values of a polynomial at ``x``, float32."""
    p = _coefficients(p)
    powers = jnp.arange(p.size - 1, -1, -1, dtype=jnp.float32)
    x = as_inexact(x)
    return (p * x[..., None] ** powers.astype(promoted(x.dtype, powers.dtype))).sum(-1)


def _orders(m: int) -> None:
    need(m >= 0, "the order must not be below 0", m)


def polyder(p: Like, m: int = 1) -> Tensor:
    """Return the m-th derivative of a polynomial."""
    _orders(m)
    p = _coefficients(p)
    if m >= p.size:
        return Tensor(np.zeros(0, np.float32))
    for _ in range(m):
        p = ops.mul(p[:-1], arange(p.size - 1, 0, -1))
    return p


def polyint(p: Like, m: int = 1, k: Any = None) -> Tensor:
    """Return the m-th integral of a polynomial, with the constants ``k`` (0)."""
    _orders(m)
    p = _coefficients(p)
    if m == 0:
        return p
    constants = zeros(m, p.dtype) if k is None else atleast_1d(tensor(k))
    constants = ops.tile(constants, (m,)) if constants.size == 1 else constants
    for i in range(m):
        p = concatenate((true_divide(p, arange(p.size, 0, -1)), constants[i : i + 1]))
    return p


def polymul(a1: Like, a2: Like) -> Tensor:
    """Return the product of two polynomials."""
    return convolve(_coefficients(a1), _coefficients(a2))


__all__ = functions(globals())
