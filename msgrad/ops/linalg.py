"""Products of matrices and vectors, einsum, norms, distances, inverses and decompositions."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, Arrays, Operand, operator
from msgrad._core.promotion import (
    HALF,
    as_inexact,
    is_complex,
    is_inexact,
    promote,
    promote_factors,
    require_inexact,
    wide,
)
from msgrad._core.registry import function, method, spelling
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import axes, need, one_axis, refuse, same_type
from msgrad.ops.arithmetic import _ONE, add, mul
from msgrad.ops.extremes import position_of
from msgrad.ops.reduction import total
from msgrad.ops.unary import size

# Orders of which norms of integers are integers.
_WHOLE = 0, math.inf, -math.inf


def _same_dtype(x: Array, y: Array) -> None:
    refuse(x, jnp.bool_)
    same_type(x, y)


@operator("MatMul", primitive="MatMulExt BatchMatMulExt", method=True, int_grad=True)
def matmul(input: Array, other: Array) -> Array:
    """Matrix product of the last two dimensions, the ones before broadcast.

    Args:
        input: Tensor (..., N, K) or (K,); not bool.
        other: Tensor (..., K, M) or (K,), of the same dtype.

    Returns:
        Tensor (..., N, M); a dimension that a vector lacks is left out.

    Raises:
        TypeError: For a number, a bool Tensor, or two dtypes.
        ValueError: For a 0-d Tensor.
        RuntimeError: If the shapes do not fit.
    """
    _same_dtype(input, other)
    need(
        input.ndim > 0 and other.ndim > 0, "the product of 0-d Tensors does not exist", input, other
    )
    try:
        return jnp.matmul(input, other)
    except (TypeError, ValueError):
        raise KernelError(
            f"the shapes {input.shape} and {other.shape} do not fit: the last dimension of the "
            "first must equal the last but one of the second."
        ) from None


@operator("MatMul", primitive="(transpose_a=False, transpose_b=False)", method=True, int_grad=True)
def mm(input: Array, mat2: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """Product of two matrices (N, K) and (K, M) of one dtype."""
    _same_dtype(input, mat2)
    need(input.ndim == mat2.ndim == 2, "both inputs must be matrices", input, mat2)
    x = input.T if transpose_a else input
    y = mat2.T if transpose_b else mat2
    need(x.shape[1] == y.shape[0], "the inner dimensions must be equal", x, y)
    return jnp.matmul(x, y)


@operator("BatchMatMul", primitive="(...)", method=True, int_grad=True)
def bmm(input_x: Array, mat2: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""
    _same_dtype(input_x, mat2)
    same = input_x.ndim == mat2.ndim >= 2 and input_x.shape[:-2] == mat2.shape[:-2]
    need(same, "the leading dimensions must be equal", input_x, mat2)
    x = jnp.swapaxes(input_x, -1, -2) if transpose_a else input_x
    y = jnp.swapaxes(mat2, -1, -2) if transpose_b else mat2
    need(x.shape[-1] == y.shape[-2], "the inner dimensions must be equal", x, y)
    return jnp.matmul(x, y)


@operator("MatrixVector", int_grad=True)
def mv(mat: Array, vec: Array) -> Array:
    """Product of a matrix (N, K) and a vector (K,)."""
    _same_dtype(mat, vec)
    fits = mat.ndim == 2 and vec.ndim == 1 and mat.shape[1] == vec.shape[0]
    need(fits, "the inputs must be a matrix (N, K) and a vector (K,)", mat, vec)
    return jnp.matmul(mat, vec)


@operator("Dot", method=True, int_grad=True)
def dot(input: Array, other: Array) -> Array:
    """Contract the last dimension of ``input`` with the last but one of ``other``.

    Raises:
        ValueError: If a Tensor has fewer than two dimensions, or the sizes differ.
    """
    _same_dtype(input, other)
    fits = input.ndim >= 2 and other.ndim >= 2 and input.shape[-1] == other.shape[-2]
    need(fits, "the inputs must be (..., K) and (..., K, M)", input, other)
    return jnp.tensordot(input, other, axes=((input.ndim - 1,), (other.ndim - 2,)))


@operator("Inner", method=True, int_grad=True)
def inner(input: Array, other: Array) -> Array:
    """Contract the last dimensions of both Tensors; a 0-d one multiplies, of any dtype."""
    if input.ndim == 0 or other.ndim == 0:
        return jnp.multiply(*promote_factors(input, other))
    _same_dtype(input, other)
    fits = input.shape[-1] == other.shape[-1]
    need(fits, "the last dimensions must be equal", input, other)
    return jnp.inner(input, other)


@operator("Outer", primitive="Ger Outer", method=True, int_grad=True, product=True)
def outer(input: Array, vec2: Array) -> Array:
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N, M)."""
    if is_complex(input.dtype) != is_complex(vec2.dtype):
        for x in (input, vec2):
            refuse(x, jnp.complexfloating)
    return jnp.multiply(*promote(input.reshape(-1, 1), vec2))


def _combined(input: Array, product: Array, beta: Any, alpha: Any) -> Array:
    """Compute ``beta * input + alpha * product``; the factors take the dtype of the product."""
    dtype = product.dtype
    scaled = jnp.asarray(alpha).astype(dtype) * product
    x, y = promote(jnp.asarray(beta).astype(input.dtype) * input, scaled)
    return x + y


@operator("Addmm", method=True, int_grad=True)
def addmm(
    input: Operand, mat1: Array, mat2: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * (mat1 @ mat2)`` of matrices; ``input`` may be a number."""
    return add.kernel(mul.kernel(input, beta), mul.kernel(mm.kernel(mat1, mat2), alpha))


@operator("Addmv", method=True, int_grad=True)
def addmv(
    input: Array, mat: Array, vec: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * (mat @ vec)`` of a matrix and a vector."""
    return _combined(input, mv.kernel(mat, vec), beta, alpha)


@operator("Addbmm", method=True, int_grad=True)
def addbmm(
    input: Operand, batch1: Array, batch2: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * sum(batch1 @ batch2)`` over the batch; ``input`` may be a number."""
    product = bmm.kernel(batch1, batch2)
    wide = product.dtype if is_inexact(product.dtype) else jnp.int64
    product = jnp.sum(product.astype(wide), axis=0)
    return add.kernel(mul.kernel(input, beta), mul.kernel(product, alpha))


@operator("Baddbmm", method=True, int_grad=True)
def baddbmm(
    input: Array, batch1: Array, batch2: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""
    return _combined(input, bmm.kernel(batch1, batch2), beta, alpha)


baddbmm_ext = spelling("baddbmm_ext(input, batch1, batch2, *, beta=1, alpha=1)", baddbmm)


@operator("TensorDot", int_grad=True)
def tensor_dot(x1: Array, x2: Array, axes: Any) -> Array:
    """Contract dimensions of two Tensors.

    Args:
        x1: Tensor.
        x2: Tensor of the same dtype.
        axes: An int: so many last dimensions of ``x1`` with the first of ``x2``. A pair: the
            dimension, or the tuple of dimensions, of each.

    Raises:
        TypeError: For ``axes`` of another type.
        ValueError: If the dimensions do not fit.
    """
    _same_dtype(x1, x2)
    if type(axes) is not int and not isinstance(axes, tuple):
        raise ArgumentTypeError(f"axes must be an int or a pair of tuples, but got {axes!r}.")
    try:
        return jnp.tensordot(x1, x2, axes=axes)
    except (TypeError, IndexError, ValueError) as error:
        raise ArgumentValueError(
            f"axes {axes} do not fit the shapes {x1.shape} and {x2.shape}: {error}"
        ) from None


@operator("Einsum", primitive="(x: operands, /, equation)")
def _einsum(operands: Arrays, equation: str) -> Array:
    """Return sums of products over the indices of an equation; see ``ops.einsum``.

    Args:
        x: A tuple of Tensors.
        equation: ``'ij,jk->ik'``, for example.
    """
    try:
        return jnp.einsum(equation, *operands)
    except (TypeError, ValueError) as error:
        raise ArgumentValueError(f"For 'einsum', {equation!r}: {error}") from None


@function
def einsum(equation: str, *operands: Any) -> Tensor:
    """Sum products over the indices an equation such as ``'ij,jk->ik'`` names.

    Args:
        equation: Einstein's notation; ``...`` stands for broadcast dimensions.
        operands: One Tensor for each term, or one tuple or list of them.

    Raises:
        TypeError: If ``equation`` is not a string.

    Differs from MindSpore: it works on the CPU too.
    """
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        return _einsum(operands[0], equation)
    return _einsum(operands, equation)


einsum_ext = spelling("einsum_ext(equation, *operands)", einsum)


@operator("L2Loss", primitive=True)
def _l2_loss(input_x: Array) -> Array:
    """Return half the sum of the squares of all elements."""
    refuse(input_x, jnp.bool_, jnp.integer, jnp.complexfloating)
    return jnp.sum(jnp.square(input_x)) / 2


def power_norm(x: Array, order: float, named: tuple[int, ...], keep: bool) -> Array:
    """Return the ``order``-norm of vectors; its gradient at 0 is 0, unlike that of order 2.0."""
    total = jnp.sum(size(x) ** order, axis=named, keepdims=keep)
    safe = jnp.where(total == 0, 1, total)
    return jnp.where(total == 0, total, safe ** (1 / order)).astype(x.dtype)


def _first_extreme(x: Array, named: tuple[int, ...], keep: bool, largest: bool) -> Array:
    """Return the extremes over axes, each of whose gradients goes to the first of equal ones."""
    refuse(x, jnp.complexfloating)
    kept = [axis for axis in range(x.ndim) if axis not in named]
    sizes = [x.shape[axis] for axis in kept]
    need(x.size, "the dimensions must not be empty", x)
    rows = x.transpose(*kept, *named).reshape(*sizes, -1)
    place = position_of(rows, len(kept), largest)
    found = jnp.squeeze(jnp.take_along_axis(rows, place, len(kept)), len(kept))
    return jnp.expand_dims(found, named) if keep else found


@operator("Norm", method=True, lists=False, int_grad="float")
def norm(
    A: Array, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Array:
    """Norm of vectors or matrices.

    Args:
        A: Tensor; integers are taken as float32, but stay so for infinity, and for 0 and for 1
            and -1 of matrices give int64.
        ord: None for the square root of the sum of squares; a number or infinity; for matrices
            also ``'fro'`` and ``'nuc'``. There 2 is the largest singular value and 2.0 the same
            as ``'fro'``, as in MindSpore.
        dim: One axis for vectors, two for matrices; None for the whole Tensor.
        keepdim: Whether reduced dimensions stay, with size 1.
        dtype: Cast to it first.

    Raises:
        TypeError: For a bool Tensor, a text as ``ord`` of vectors, or a list as ``dim``.
        ValueError: For an ``ord`` that matrices have not.
    """
    if isinstance(ord, bool):
        raise ArgumentTypeError(f"'ord' must be a number or a text, but got {ord}.")
    x = A if dtype is None else A.astype(dtype.np_dtype)
    refuse(x, jnp.bool_)
    named = axes(dim, x.ndim)
    # Where nothing is rounded, integers have a norm that is one.
    if is_inexact(x.dtype) or not (ord in _WHOLE or (len(named) == 2 and ord in (1, -1))):
        x = as_inexact(x)
    if ord is None or (type(ord) is float and ord == 2 and len(named) == 1):
        squares = jnp.sum(jnp.square(jnp.abs(x)), axis=named, keepdims=keepdim)
        return jnp.sqrt(squares).astype(x.dtype)
    of_elements = len(named) == 2 and type(ord) is float and (ord == 2 or dim is not None)
    if of_elements and abs(ord) in (1, 2):
        # To 2.10 a float is no order of matrices.
        ord = "fro"
    if len(named) != 1:
        return _matrix_norm(x, ord, named, keepdim)
    if isinstance(ord, str):
        raise ArgumentTypeError(f"ord of vectors must be a number, but got {ord!r}.")
    if ord == 0:
        counts = jnp.sum(x != 0, axis=named, keepdims=keepdim)
        return counts.astype(x.dtype if is_inexact(x.dtype) else jnp.int64)
    if ord in _WHOLE:
        return _first_extreme(size(x), named, keepdim, ord > 0)
    return power_norm(x, ord, named, keepdim)


def _matrix_norm(x: Array, order: Any, named: tuple[int, ...], keep: bool) -> Array:
    if len(named) != 2:
        raise ArgumentValueError(
            f"'ord' {order!r} needs a Tensor of 1 or 2 dimensions or a 'dim' that names one or "
            f"two, but got shape {x.shape} and {len(named)} dimensions."
        )
    one_of("", "ord", order, "fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf"))
    if order not in ("fro", "nuc", 2, -2):
        # Not jnp.linalg.norm, whose sizes have the derivative 1 at 0.
        along, over = named if abs(order) == 1 else named[::-1]
        dtype = x.dtype if is_inexact(x.dtype) or abs(order) != 1 else jnp.int64
        sums = jnp.sum(size(x), axis=along, keepdims=True, dtype=dtype)
        found = _first_extreme(sums, (over,), True, order > 0)
        return found if keep else jnp.squeeze(found, named)
    if order != "fro" and x.dtype.itemsize == 2:
        x = x.astype(jnp.float32)
    found = jnp.linalg.norm(x, ord=order, axis=named, keepdims=keep)
    # Singular values are summed in float32 by 2.10, those of float64 too.
    return found.astype(x.dtype if order == "fro" else jnp.float32)


@operator("LpNorm", primitive="(axis, p=2, keep_dims=False, epsilon=1e-12)")
def _lp_norm(
    x: Array, axis: Any, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Array:
    """Return the ``p``-norm over an axis.

    Args:
        x: Tensor, floating.
        axis: int, or a tuple or list of them.
        p: Order of the norm.
        keep_dims: Whether reduced dimensions stay, with size 1.
        epsilon: The least norm. Below it, MindSpore's gradient divides by it.
    """
    named = axes(axis, require_inexact(x).ndim)
    if p == 0:
        return jnp.sum(x != 0, axis=named, keepdims=keep_dims).astype(x.dtype)
    y = wide(x)
    found = power_norm(y, p, named, True)
    if epsilon:
        powers = (jnp.where(found > epsilon, 0, size(y)) / epsilon) ** p
        slope = jnp.sum(powers - jax.lax.stop_gradient(powers), axis=named, keepdims=True)
        found = jnp.where(found > epsilon, found, epsilon + slope * (epsilon / p))
    return (found if keep_dims else jnp.squeeze(found, named)).astype(x.dtype)


@operator("L2Normalize", primitive="(axis=0, epsilon=1e-4)", product=True)
def _l2_normalize(x: Array, axis: Any = 0, epsilon: float = 1e-4) -> Array:
    """Divide by the root of the sum of squares over an axis.

    Args:
        x: Tensor, floating.
        axis: int, or a tuple or list of them.
        epsilon: The least sum that is divided by.
    """
    named = axes(axis, x.ndim)
    total = jnp.sum(jnp.square(x), axis=named, keepdims=True)
    return x / jnp.sqrt(jnp.maximum(total, jnp.asarray(epsilon, x.dtype)))


@operator("Cross", primitive="(dim=-65530)", method=True, int_grad=True)
def cross(input: Array, other: Array, dim: int | None = None) -> Array:
    """Cross product of vectors of size 3 along ``dim`` (the first of that size by default)."""
    # Unlike elsewhere, two floating dtypes meet in the first.
    if input.dtype.kind == other.dtype.kind == "f":
        other = other.astype(input.dtype)
    x, y = promote(input, other)
    x, y = jnp.broadcast_arrays(x, y)
    if dim is None or dim == -65530:
        need(3 in x.shape, "one dimension must have size 3", x, y)
        place = x.shape.index(3)
    else:
        place = one_axis(dim, x.ndim)
        need(x.shape[place] == 3, f"dimension {dim} must have size 3", x, y)
    return jnp.cross(x, y, axis=place)


@operator("Trace", primitive=True, int_grad=True)
def trace(input: Array) -> Array:
    """Sum of the main diagonal of a matrix."""
    if input.ndim != 2:
        raise KernelError(f"the input must be a matrix, but its shape is {input.shape}.")
    return total(jnp.diagonal(input), (0,), False)


@operator("TraceV2", int_grad=True)
def _trace(input: Array, offset: int, axis1: int, axis2: int) -> Array:
    if input.ndim < 2 or axis1 == axis2:
        raise KernelError("there must be two dimensions, 'axis1' and 'axis2', that differ.")
    integers = jnp.issubdtype(input.dtype, jnp.integer) and input.dtype != jnp.uint64
    wide = jnp.int64 if integers else input.dtype
    return jnp.trace(input, offset, axis1, axis2).astype(wide)


@method("trace")
def _trace_method(
    self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None
) -> Tensor:
    """Sum of a diagonal of two dimensions: int64 of integers, unless ``dtype`` says another."""
    x = self if dtype is None else self.astype(dtype)
    found = _trace(x, offset, *(one_axis(axis, max(x.ndim, 2)) for axis in (axis1, axis2)))
    return found if dtype is None else found.astype(dtype)


@operator("Kron", int_grad=True, product=True)
def kron(input: Array, other: Array) -> Array:
    """Kronecker product of two Tensors."""
    if input.dtype == other.dtype == jnp.bool_:
        return jnp.kron(input.astype(jnp.int8), other.astype(jnp.int8)) != 0
    return jnp.kron(input, other)


@jax.custom_jvp
def _largest(x: Array) -> Array:
    """Return the largest of the last dimension, each of equal ones with the whole gradient."""
    return jax.lax.reduce_max(x, axes=(x.ndim - 1,))


@_largest.defjvp
def _largest_jvp(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    top = _largest(*primals)
    return top, jnp.sum(jnp.where(primals[0] == top[..., None], tangents[0], 0), -1)


def distance(difference: Array, p: float) -> Array:
    """Return the p-norm along the last dimension, with gradient 0 where all of it is 0."""
    if p == float("inf"):
        return _largest(size(difference))
    if p == 0:
        return jnp.sum(difference != 0, -1, difference.dtype)
    if p < 1:
        # The slope of |x| ** p is infinite at 0.
        difference = jnp.where(difference == 0, jax.lax.stop_gradient(difference), difference)
    return power_norm(difference, p, (difference.ndim - 1,), False)


@operator("Cdist", primitive="(p=2.0)")
def cdist(x1: Array, x2: Array, p: float = 2.0) -> Array:
    """Distances between the rows of (..., P, M) and (..., R, M), in the p-norm: (..., P, R)."""
    _same_dtype(x1, x2)
    refuse(x1, jnp.integer)
    fits = x1.ndim >= 2 and x2.ndim >= 2 and x1.shape[-1] == x2.shape[-1]
    need(fits, "the rows must have one size", x1, x2)
    return distance(x1[..., :, None, :] - x2[..., None, :, :], p).astype(x1.dtype)


@operator("Dist", int_grad=True)
def dist(input: Array, other: Array, p: float = 2) -> Array:
    """The p-norm of ``input - other``, over all elements."""
    x, y = promote(input, other)
    difference = x - y if is_inexact(x.dtype) else (x - y).astype(jnp.float32)
    return distance(difference.reshape(-1), p).astype(difference.dtype)


@operator("CosineSimilarity", product=True)
def cosine_similarity(x1: Array, x2: Array, dim: int = 1, eps: float = 1e-8) -> Array:
    """Cosine of the angle between vectors along ``dim``; norms count as at least ``eps``."""
    x, y = jnp.broadcast_arrays(*map(jnp.atleast_1d, promote(x1, x2)))
    place, dtype = one_axis(dim, x.ndim), x.dtype
    if dtype in HALF:
        # Products of squares go beyond float16.
        x, y = x.astype(jnp.float32), y.astype(jnp.float32)
    product = jnp.sum(x * y, axis=place)
    squares = jnp.sum(jnp.square(x), axis=place) * jnp.sum(jnp.square(y), axis=place)
    # Of float16 it is 0, as in MindSpore.
    least = jnp.asarray(eps * eps, dtype).astype(squares.dtype)
    found = product / jnp.sqrt(jnp.maximum(squares, least))
    return found.astype(dtype) if dtype in HALF else found


def need_square(x: Array) -> None:
    refuse(x, jnp.bool_, jnp.integer)
    need(x.ndim >= 2 and x.shape[-1] == x.shape[-2], "the input must be square", x)


@operator("MatrixInverse", method=True)
def inverse(input: Array) -> Array:
    """Inverse of square matrices (..., N, N)."""
    need_square(input)
    # LAPACK has no numbers of 16 bits.
    refuse(input, *HALF)
    return jnp.linalg.inv(input)


@operator("MatrixInverse", primitive="(adjoint=False)")
def _matrix_inverse(x: Array, adjoint: bool = False) -> Array:
    """Return the inverses of square matrices (..., N, N).

    Args:
        x: Tensor (..., N, N), floating or complex.
        adjoint: Whether the result is transposed and conjugated.
    """
    result = inverse.kernel(x)
    return jnp.conj(jnp.swapaxes(result, -1, -2)) if adjoint else result


@operator("MatrixDeterminant", primitive=True, method=True, product=True)
def det(input: Array) -> Array:
    """Determinant of square matrices (..., N, N)."""
    need_square(input)
    return jnp.linalg.det(wide(input)).astype(input.dtype)


@operator("Svd", method=True)
def svd(input: Array, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular value decomposition of matrices (..., M, N).

    Args:
        input: Tensor of a floating or complex dtype.
        full_matrices: Whether ``u`` and ``v`` are square.
        compute_uv: Whether to compute them at all.

    Returns:
        ``(s, u, v)`` with ``input = u @ diag(s) @ v^H``; ``s`` alone without ``compute_uv``.
    """
    refuse(input, jnp.bool_, jnp.integer, *HALF)
    if not compute_uv:
        values = jnp.linalg.svd(input, full_matrices=full_matrices, compute_uv=False)
        return values.astype(input.dtype)
    u, s, vh = jnp.linalg.svd(input, full_matrices=full_matrices)
    return s.astype(input.dtype), u, jnp.conj(jnp.swapaxes(vh, -1, -2))


ger = outer
matrix_determinant = det
