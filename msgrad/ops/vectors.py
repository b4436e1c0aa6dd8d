"""Norms, distances and products of vectors, and what is built of blocks and combinations.

Products and norms under their older names are in ``linalg``.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Arrays, Indices, Operand, operator
from msgrad._core.promotion import HALF, as_inexact, is_inexact, promote, wide
from msgrad._core.registry import function, spelling
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import (
    axes,
    need,
    of_length,
    of_rank,
    one_axis,
    rank_at_least,
    refuse,
    same_type,
)
from msgrad.ops.linalg import distance, norm, power_norm


@operator("vector_norm", int_grad="float")
def vector_norm(
    x: Array,
    ord: Any = 2,
    axis: Any = None,
    keepdims: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Array:
    """Return the norm of the elements over ``axis``, all of them by default.

    Args:
        x: Tensor, floating or complex.
        ord: Number or infinity.
        axis: int or tuple.
        keepdims: Whether the dimensions stay, with size 1.
        dtype: Cast to it first.
    """
    if isinstance(ord, (str, bool)):
        raise ArgumentTypeError(f"'ord' must be a number, but got {ord!r}.")
    refuse(x, jnp.bool_)
    named = axes(axis, x.ndim)
    moved = jnp.moveaxis(x, named, range(len(named)))
    kind = x.dtype if dtype is None else dtype.np_dtype
    count = math.prod(moved.shape[: len(named)])
    flat = moved.reshape(count, *moved.shape[len(named) :]).astype(kind)
    result = norm.kernel(flat, ord, 0)
    if is_inexact(kind):
        result = result.astype(kind)
    elif ord in (0, math.inf, -math.inf):
        result = result.astype(kind if ord else jnp.int64)
    return jnp.expand_dims(result, named) if keepdims else result


@function
def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    axis: tuple[int, ...] = (-2, -1),
    keepdims: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm of matrices.

    Args:
        A: Tensor (..., M, N), floating or complex.
        ord: ``'fro'``, ``'nuc'``, 1, -1, 2, -2, infinity or minus infinity.
        axis: The two dimensions of the matrices.
        keepdims: Whether they stay, with size 1.
        dtype: Cast to it first.

    Raises:
        ValueError: For another ``ord``, or an ``axis`` that is not two dimensions.
    """
    need(isinstance(axis, tuple) and len(axis) == 2, "'axis' must name two dimensions", axis)
    if ord is None:
        raise ArgumentValueError("'ord' must be a number, 'fro' or 'nuc', but got None.")
    # To ``norm`` a float is another order.
    order = int(ord) if type(ord) is float and ord.is_integer() else ord
    return norm(A, order, axis, keepdims, dtype=dtype)


@operator("cond", product=True)
def cond(A: Array, p: Any = None) -> Array:
    """Return the condition numbers of matrices: the norm times that of the inverse.

    Args:
        A: Tensor (..., M, N), floating or complex; square except for 2 and -2.
        p: The norm, as in ``matrix_norm``; 2 by default.
    """
    refuse(A, jnp.bool_, jnp.integer, *HALF)
    if p in (None, 2, -2):
        values = jnp.linalg.svd(A, compute_uv=False)
        largest, smallest = values[..., 0], values[..., -1]
        return smallest / largest if p == -2 else largest / smallest
    of = lambda x: jnp.linalg.norm(x, p, (-2, -1))  # noqa: E731
    return of(A) * of(jnp.linalg.inv(A))


@operator("vecdot", int_grad=True)
def vecdot(x: Array, y: Array, *, axis: int = -1) -> Array:
    """Sum the products along ``axis``, of the complex conjugate of ``x``."""
    a, b = map(_int64_of, jnp.broadcast_arrays(*promote(x, y)))
    return jnp.sum(jnp.conj(a) * b, axis=one_axis(axis, a.ndim))


@operator("batch_dot")
def batch_dot(x1: Array, x2: Array, axes: Any = None) -> Array:
    """Contract one dimension of each of two batches.

    Args:
        x1: Tensor (N, ...), of two dimensions or more.
        x2: Tensor (N, ...) of the same dtype.
        axes: The dimension of both, or one for each; by default the last of ``x1`` and the last
            but one of ``x2``, or the last of a matrix.

    Raises:
        ValueError: If the Tensors or dimensions do not fit.
    """
    first, second = _contracted(x1, x2, axes)
    fits = x1.shape[first] == x2.shape[second] and x1.shape[0] == x2.shape[0]
    need(fits, f"the batches, and dimensions {first} and {second}, must have one size", x1, x2)
    letters = "abcdefghijklmnopqrstuvw"
    one = ["z", *letters[: x1.ndim - 1]]
    two = ["z", *letters[x1.ndim - 1 : x1.ndim + x2.ndim - 2]]
    one[first] = two[second] = "y"
    rest = "".join(c for c in one[1:] + two[1:] if c != "y")
    result = jnp.einsum(f"{''.join(one)},{''.join(two)}->z{rest}", x1, x2)
    return result if result.ndim > 1 else result[:, None]


def _contracted(x1: Array, x2: Array, named: Any) -> tuple[int, int]:
    rank_at_least(x1, 2, "x1")
    rank_at_least(x2, 2, "x2")
    if named is None:
        return x1.ndim - 1, x2.ndim - 1 if x2.ndim == 2 else x2.ndim - 2
    pair = (named, named) if isinstance(named, int) else tuple(named)
    of_length(pair, "axes", 2)
    found = one_axis(pair[0], x1.ndim), one_axis(pair[1], x2.ndim)
    need(0 not in found, "'axes' must not name the batch", named)
    return found


@operator("addr", int_grad=True)
def _addr(x: Array, vec1: Array, vec2: Array, beta: Operand, alpha: Operand) -> Array:
    """Compute ``beta * x + alpha * outer(vec1, vec2)``."""
    same_type(vec1, vec2)
    of_rank(vec1, 1, label="vec1")
    of_rank(vec2, 1, label="vec2")
    beta, alpha = (jnp.asarray(v).astype(x.dtype) for v in (beta, alpha))
    a, b = promote(beta * x, jnp.multiply(*promote(alpha, vec1[:, None] * vec2[None, :])))
    return a + b


addr = spelling(
    "addr(x, vec1, vec2, *, beta=1, alpha=1)", _addr, method="(vec1, vec2, beta=1, alpha=1)"
)


@operator("bidense")
def bidense(input1: Array, input2: Array, weight: Array, bias: Array | None = None) -> Array:
    """Compute ``input1 @ weight[k] @ input2`` for each k, plus ``bias``.

    Args:
        input1: Tensor (..., A).
        input2: Tensor (..., B).
        weight: Tensor (K, A, B).
        bias: Tensor (K,).
    """
    result = jnp.einsum("...a,kab,...b->...k", input1, weight, input2)
    return result if bias is None else result + bias


@operator("block_diag", int_grad=True)
def _block_diag(inputs: Arrays) -> Array:
    blocks = [jnp.atleast_2d(x) for x in inputs]
    if any(x.ndim > 2 for x in blocks):
        raise ArgumentValueError("the Tensors must have at most two dimensions.")
    dtype = jnp.result_type(*blocks)
    result = jnp.zeros((sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)), dtype)
    row = column = 0
    for block in blocks:
        result = result.at[row : row + block.shape[0], column : column + block.shape[1]].set(block)
        row, column = row + block.shape[0], column + block.shape[1]
    return result


@function
def block_diag(*inputs: Tensor) -> Tensor:
    """Return the matrix with the given ones (or rows) along its diagonal, and zeros elsewhere."""
    return _block_diag(inputs)


@operator("cartesian_prod", int_grad=True)
def _cartesian_prod(inputs: Arrays) -> Array:
    return jnp.stack([x.reshape(-1) for x in jnp.meshgrid(*inputs, indexing="ij")], 1)


@function
def cartesian_prod(*inputs: Tensor) -> Tensor:
    """Return every choice of one element of each 1-D Tensor, as rows."""
    return _cartesian_prod(inputs)


@operator("combinations", int_grad=True)
def _rows_of(input: Array, rows: Any) -> Array:
    return input[jnp.asarray(rows, jnp.int32).reshape(len(rows), -1)]


@function
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Return every choice of ``r`` elements of a 1-D Tensor, as rows.

    Args:
        input: Tensor (N,).
        r: How many.
        with_replacement: Whether an element may be chosen again.

    Raises:
        ValueError: If ``input`` has not one dimension.
    """
    of_rank(input, 1)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = tuple(choose(range(input.size), r))
    return _rows_of(input, rows) if rows else input[:0]


@operator("cov", product=True, int_grad=True)
def _cov(input: Array, fweights: Indices | None, aweights: Array | None, correction: int) -> Array:
    """Return the covariance of variables, each a row of observations.

    Args:
        input: Tensor (variables, observations), or one row.
        correction: What is taken from the number of observations.
        fweights: int Tensor: how often each observation counts.
        aweights: Tensor: how much it weighs.
    """
    need(input.ndim <= 2, "the input must have at most two dimensions", input)
    rows = jnp.atleast_2d(wide(as_inexact(input)))
    weights = jnp.ones(rows.shape[1], rows.dtype)
    for given in (fweights, aweights):
        weights = weights if given is None else weights * given.astype(rows.dtype)
    total = weights.sum()
    centred = rows - (rows * weights).sum(1, keepdims=True) / total
    if aweights is None or correction == 0:
        free = total - correction
    else:
        free = total - correction * (weights * aweights.astype(rows.dtype)).sum() / total
    result = (centred * weights) @ jnp.conj(centred.T) / jnp.maximum(free, 0)
    return result if input.ndim == 2 else result[0, 0]


cov = spelling("cov(input, *, correction=1, fweights=None, aweights=None)", _cov)


@operator("Pdist", primitive="(p=2.0)")
def pdist(input: Array, p: float = 2.0) -> Array:
    """Return the distances between every two rows of (..., N, M), in the p-norm.

    Raises:
        ValueError: If ``p`` is negative, or ``input`` has fewer than two dimensions.
    """
    refuse(input, jnp.bool_, jnp.integer)
    need(p >= 0 and input.ndim >= 2, "'p' must not be negative and 'input' a matrix", p)
    first, second = np.triu_indices(input.shape[-2], 1)
    return distance(input[..., first, :] - input[..., second, :], p).astype(input.dtype)


def _int64_of(x: Array) -> Array:
    return x if is_inexact(x.dtype) else x.astype(jnp.int64)


@operator("vander", int_grad=True, product=True)
def vander(x: Array, N: int | None = None) -> Array:
    """Return the rows of powers of each element, the highest, ``N - 1``, first."""
    of_rank(x, 1)
    x = _int64_of(x)
    powers = range((x.size if N is None else N) - 1, -1, -1)
    return jnp.stack([x**power for power in powers], 1).astype(x.dtype)


@operator("Renorm", primitive="(p, dim: axis, maxnorm)", product=True)
def renorm(input: Array, p: int | float, axis: int, maxnorm: float) -> Array:
    """Scale down the slices along ``axis`` (``dim`` of the Primitive) of a norm above ``maxnorm``.

    Args:
        input: Tensor, floating or complex.
        p: Order of the norm.
        axis: The dimension.
        maxnorm: The largest norm that a slice keeps.
    """
    refuse(input, jnp.bool_, jnp.integer)
    at = one_axis(axis, input.ndim)
    others = tuple(a for a in range(input.ndim) if a != at)
    length = power_norm(input, p, others, True)
    scale = jnp.where(length > maxnorm, maxnorm / (length + 1e-7), 1)
    return (input * scale).astype(input.dtype)


@operator("trapz", product=True, int_grad=True)
def trapz(y: Array, x: Array | None = None, *, dx: float = 1.0, dim: int = -1) -> Array:
    """Integrate ``y`` along ``dim`` by the trapezoidal rule.

    Args:
        y: Tensor; the result is float32, but of float16 without ``x``.
        x: Tensor of the places, evenly spaced by ``dx`` if not given.
        dx: The distance between places.
        dim: The dimension.
    """
    place = one_axis(dim, y.ndim)
    values = y if x is None and y.dtype == jnp.float16 else y.astype(jnp.float32)
    if x is not None and x.ndim < y.ndim and x.ndim > 1:
        x = jnp.broadcast_to(x, y.shape)
    return jnp.trapezoid(values, x, dx, axis=place).astype(values.dtype)
