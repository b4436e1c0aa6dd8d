"""Products of matrices and vectors, einsum, norms, distances, inverses and decompositions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, Arrays, Operand, operator
from msgrad._core.promotion import is_inexact, promote, require_inexact
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import axes, one_axis, refuse, require_tensor
from msgrad.ops.extremes import extreme
from msgrad.ops.primitive import primitive
from msgrad.ops.unary import size

# Default of a factor that is an operand, so that no program is compiled per value.
_ONE: Any = 1


def _same_dtype(name: str, x: Array, y: Array) -> None:
    require_tensor(name, x, y)
    refuse(name, x, jnp.bool_)
    if x.dtype != y.dtype:
        raise ArgumentTypeError(
            f"For '{name}', both inputs must have one dtype, but got {x.dtype} and {y.dtype}; "
            "cast one of them."
        )


def _need(condition: bool, name: str, wanted: str, *operands: Array) -> None:
    if not condition:
        shapes = " and ".join(str(x.shape) for x in operands)
        raise ArgumentValueError(f"For '{name}', {wanted}, but got the shapes {shapes}.")


@operator("MatMul", int_grad=True)
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
    _same_dtype("MatMul", input, other)
    _need(input.ndim > 0 and other.ndim > 0, "MatMul", "0-d Tensors have no product", input, other)
    try:
        return jnp.matmul(input, other)
    except (TypeError, ValueError):
        raise KernelError(
            f"For 'MatMul', the shapes {input.shape} and {other.shape} do not fit: the last "
            "dimension of the first must equal the last but one of the second."
        ) from None


@operator("MatMul", int_grad=True)
def mm(input: Array, mat2: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """Product of two matrices (N, K) and (K, M) of one dtype."""
    _same_dtype("MatMul", input, mat2)
    _need(input.ndim == mat2.ndim == 2, "MatMul", "both inputs must be matrices", input, mat2)
    x = input.T if transpose_a else input
    y = mat2.T if transpose_b else mat2
    _need(x.shape[1] == y.shape[0], "MatMul", "the inner dimensions must be equal", x, y)
    return jnp.matmul(x, y)


@operator("BatchMatMul", int_grad=True)
def bmm(input_x: Array, mat2: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """Products of matrices (..., N, K) and (..., K, M) with the same leading dimensions."""
    _same_dtype("BatchMatMul", input_x, mat2)
    same = input_x.ndim == mat2.ndim >= 2 and input_x.shape[:-2] == mat2.shape[:-2]
    _need(same, "BatchMatMul", "the leading dimensions must be equal", input_x, mat2)
    x = jnp.swapaxes(input_x, -1, -2) if transpose_a else input_x
    y = jnp.swapaxes(mat2, -1, -2) if transpose_b else mat2
    _need(x.shape[-1] == y.shape[-2], "BatchMatMul", "the inner dimensions must be equal", x, y)
    return jnp.matmul(x, y)


@operator("MatrixVector", int_grad=True)
def mv(mat: Array, vec: Array) -> Array:
    """Product of a matrix (N, K) and a vector (K,)."""
    _same_dtype("mv", mat, vec)
    fits = mat.ndim == 2 and vec.ndim == 1 and mat.shape[1] == vec.shape[0]
    _need(fits, "mv", "the inputs must be a matrix (N, K) and a vector (K,)", mat, vec)
    return jnp.matmul(mat, vec)


@operator("Dot", int_grad=True)
def dot(input: Array, other: Array) -> Array:
    """Contract the last dimension of ``input`` with the last but one of ``other``.

    Raises:
        ValueError: If a Tensor has fewer than two dimensions, or the sizes differ.
    """
    _same_dtype("dot", input, other)
    fits = input.ndim >= 2 and other.ndim >= 2 and input.shape[-1] == other.shape[-2]
    _need(fits, "dot", "Tensors (..., K) and (..., K, M) of 2 or more dimensions fit", input, other)
    return jnp.tensordot(input, other, axes=((input.ndim - 1,), (other.ndim - 2,)))


@operator("Inner", int_grad=True)
def inner(input: Array, other: Array) -> Array:
    """Contract the last dimensions of both Tensors; a 0-d one multiplies."""
    _same_dtype("inner", input, other)
    scalar = input.ndim == 0 or other.ndim == 0
    fits = scalar or input.shape[-1] == other.shape[-1]
    _need(fits, "inner", "the last dimensions must be equal", input, other)
    return jnp.multiply(input, other) if scalar else jnp.inner(input, other)


@operator("Outer", int_grad=True, product=True)
def outer(input: Array, vec2: Array) -> Array:
    """Product of every element of ``input`` with every element of ``vec2``: (N,), (M,): (N, M)."""
    refuse("outer", input, jnp.complexfloating)
    require_tensor("outer", input, vec2)
    x, y = input.reshape(-1), vec2.reshape(-1)
    return jnp.multiply(*promote("outer", x[:, None], y[None, :]))


def _combined(name: str, input: Array, product: Array, beta: Any, alpha: Any) -> Array:
    """Give ``beta * input + alpha * product``; the factors take the dtype of the product."""
    dtype = product.dtype
    scaled = jnp.asarray(alpha).astype(dtype) * product
    x, y = promote(name, jnp.asarray(beta).astype(input.dtype) * input, scaled)
    return x + y


@operator("Addmm", int_grad=True)
def addmm(
    input: Array, mat1: Array, mat2: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * (mat1 @ mat2)`` of matrices."""
    return _combined("addmm", input, mm.kernel(mat1, mat2), beta, alpha)


@operator("Addmv", int_grad=True)
def addmv(
    input: Array, mat: Array, vec: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * (mat @ vec)`` of a matrix and a vector."""
    return _combined("addmv", input, mv.kernel(mat, vec), beta, alpha)


@operator("Addbmm", int_grad=True)
def addbmm(
    input: Array, batch1: Array, batch2: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * sum(batch1 @ batch2)``, the sum over the batch."""
    product = jnp.sum(bmm.kernel(batch1, batch2), axis=0)
    return _combined("addbmm", input, product, beta, alpha)


@operator("Baddbmm", int_grad=True)
def baddbmm(
    input: Array, batch1: Array, batch2: Array, beta: Operand = _ONE, alpha: Operand = _ONE
) -> Array:
    """``beta * input + alpha * (batch1 @ batch2)`` of batches of matrices."""
    return _combined("baddbmm", input, bmm.kernel(batch1, batch2), beta, alpha)


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
    _same_dtype("tensor_dot", x1, x2)
    if type(axes) is not int and not isinstance(axes, tuple):
        raise ArgumentTypeError(
            f"For 'tensor_dot', axes must be an int or a pair of tuples, but got {axes!r}."
        )
    try:
        return jnp.tensordot(x1, x2, axes=axes)
    except (TypeError, IndexError, ValueError) as error:
        raise ArgumentValueError(
            f"For 'tensor_dot', axes {axes} do not fit the shapes {x1.shape} and {x2.shape}: "
            f"{error}"
        ) from None


@operator("Einsum")
def _einsum(operands: Arrays, equation: str) -> Array:
    try:
        return jnp.einsum(equation, *operands)
    except (TypeError, ValueError) as error:
        raise ArgumentValueError(f"For 'einsum', {equation!r}: {error}") from None


@checked
def einsum(equation: str, *operands: Any) -> Tensor:
    """Sum products over the indices an equation such as ``'ij,jk->ik'`` names.

    Args:
        equation: Einstein's notation; ``...`` stands for broadcast dimensions.
        operands: One Tensor for each term, or one tuple or list of them.

    Raises:
        TypeError: If ``equation`` is not a string.

    Differs from MindSpore: it works on the CPU too.
    """
    if not isinstance(equation, str):
        raise ArgumentTypeError(f"For 'einsum', the equation must be a str, but got {equation!r}.")
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        return _einsum(operands[0], equation)
    return _einsum(operands, equation)


def _einsum_of_tuple(x: Any, equation: str) -> Tensor:
    """Return sums of products over the indices of an equation; see ``ops.einsum``.

    Args:
        x: A tuple of Tensors.
        equation: ``'ij,jk->ik'``, for example.
    """
    return einsum(equation, x)


@operator("L2Loss")
def _l2_loss(input_x: Array) -> Array:
    """Return half the sum of the squares of all elements."""
    require_tensor("L2Loss", input_x)
    refuse("L2Loss", input_x, jnp.bool_, jnp.integer, jnp.complexfloating)
    return jnp.sum(jnp.square(input_x)) / 2


def _power_norm(x: Array, order: float, named: tuple[int, ...], keep: bool) -> Array:
    """Give the ``order``-norm of vectors; its gradient at 0 is 0 but for order 2, as recorded."""
    total = jnp.sum(size(x) ** order, axis=named, keepdims=keep)
    safe = jnp.where(total == 0, 1, total)
    return jnp.where(total == 0, total, safe ** (1 / order)).astype(x.dtype)


@operator("Norm")
def norm(
    A: Array,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Array:
    """Norm of vectors or matrices.

    Args:
        A: Tensor; integers are taken as float32.
        ord: None for the square root of the sum of squares; a number or infinity; for matrices
            also ``'fro'`` and ``'nuc'``.
        dim: One axis for vectors, two for matrices; None for the whole Tensor.
        keepdim: Whether reduced dimensions stay, with size 1.
        dtype: Cast to it first.

    Raises:
        TypeError: For a bool Tensor, or a text as ``ord`` of vectors.
        ValueError: For an ``ord`` that matrices have not.
    """
    require_tensor("norm", A)
    if isinstance(ord, bool):
        raise ArgumentTypeError(f"For 'norm', 'ord' must be a number or a text, but got {ord}.")
    x = A if dtype is None else A.astype(dtype.np_dtype)
    refuse("norm", x, jnp.bool_)
    x = x if is_inexact(x.dtype) else x.astype(jnp.float32)
    named = axes("norm", dim, x.ndim)
    if ord is None or (ord == 2 and len(named) == 1):
        return jnp.sqrt(jnp.sum(jnp.square(jnp.abs(x)), axis=named, keepdims=keepdim))
    if len(named) != 1:
        return _matrix_norm(x, ord, named, keepdim)
    if isinstance(ord, str):
        raise ArgumentTypeError(f"For 'norm', ord of vectors must be a number, but got {ord!r}.")
    if ord == 0:
        return jnp.sum(x != 0, axis=named, keepdims=keepdim).astype(x.dtype)
    if ord in (float("inf"), float("-inf")):
        return extreme(size(x), named, keepdim, ord > 0)
    return _power_norm(x, ord, named, keepdim)


def _matrix_norm(x: Array, order: Any, named: tuple[int, ...], keep: bool) -> Array:
    if len(named) != 2:
        raise ArgumentValueError(
            f"For 'norm', 'ord' {order!r} needs a Tensor of 1 or 2 dimensions or a 'dim' that "
            f"names one or two, but got shape {x.shape} and {len(named)} dimensions."
        )
    if order not in ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf")):
        raise ArgumentValueError(
            "For 'norm', ord of matrices must be one of 'fro', 'nuc', inf, -inf, 1, -1, 2, -2, "
            f"but got {order!r}."
        )
    return jnp.linalg.norm(x, ord=order, axis=named, keepdims=keep)


@operator("LpNorm")
def _lp_norm(
    x: Array, axis: Any, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Array:
    """Return the ``p``-norm over an axis.

    Args:
        x: Tensor, floating.
        axis: int, or a tuple or list of them.
        p: Order of the norm.
        keep_dims: Whether reduced dimensions stay, with size 1.
        epsilon: The least sum of powers.
    """
    named = axes("LpNorm", axis, require_inexact("LpNorm", x).ndim)
    total = jnp.sum(size(x) ** p, axis=named, keepdims=keep_dims)
    return jnp.maximum(total, epsilon) ** (1 / p)


@operator("L2Normalize", product=True)
def _l2_normalize(x: Array, axis: Any = 0, epsilon: float = 1e-4) -> Array:
    """Divide by the root of the sum of squares over an axis.

    Args:
        x: Tensor, floating.
        axis: int, or a tuple or list of them.
        epsilon: The least sum that is divided by.
    """
    named = axes("L2Normalize", axis, x.ndim)
    total = jnp.sum(jnp.square(x), axis=named, keepdims=True)
    return x / jnp.sqrt(jnp.maximum(total, jnp.asarray(epsilon, x.dtype)))


@operator("Cross", int_grad=True)
def cross(input: Array, other: Array, dim: int | None = None) -> Array:
    """Cross product of vectors of size 3 along ``dim`` (the first of that size by default)."""
    x, y = promote("cross", input, other)
    x, y = jnp.broadcast_arrays(x, y)
    if dim is None or dim == -65530:
        _need(3 in x.shape, "cross", "one dimension must have size 3", x, y)
        place = x.shape.index(3)
    else:
        place = one_axis("cross", dim, x.ndim)
        _need(x.shape[place] == 3, "cross", f"dimension {dim} must have size 3", x, y)
    return jnp.cross(x, y, axis=place)


@operator("Trace", int_grad=True)
def trace(input: Array) -> Array:
    """Sum of the main diagonal of a matrix."""
    require_tensor("trace", input)
    _need(input.ndim == 2, "trace", "the input must be a matrix", input)
    return jnp.trace(input)


@operator("Kron", int_grad=True, product=True)
def kron(input: Array, other: Array) -> Array:
    """Kronecker product of two Tensors."""
    require_tensor("kron", input, other)
    return jnp.kron(input, other)


def _distance(difference: Array, p: float) -> Array:
    """Give the p-norm along the last dimension, with gradient 0 where all of it is 0."""
    if p == float("inf"):
        return jax.lax.reduce_max(size(difference), axes=(difference.ndim - 1,))
    total = jnp.sum(size(difference) ** p, axis=-1)
    return jnp.where(total == 0, total, jnp.where(total == 0, 1, total) ** (1 / p))


@operator("Cdist")
def cdist(x1: Array, x2: Array, p: float = 2.0) -> Array:
    """Distances between the rows of (..., P, M) and (..., R, M), in the p-norm: (..., P, R)."""
    _same_dtype("cdist", x1, x2)
    refuse("cdist", x1, jnp.integer)
    fits = x1.ndim >= 2 and x2.ndim >= 2 and x1.shape[-1] == x2.shape[-1]
    _need(fits, "cdist", "the rows must have one size", x1, x2)
    return _distance(x1[..., :, None, :] - x2[..., None, :, :], p).astype(x1.dtype)


@operator("Dist")
def dist(input: Array, other: Array, p: float = 2) -> Array:
    """The p-norm of ``input - other``, over all elements."""
    x, y = promote("dist", input, other)
    difference = x - y if is_inexact(x.dtype) else (x - y).astype(jnp.float32)
    return _distance(difference.reshape(-1), p).astype(difference.dtype)


@operator("CosineSimilarity", product=True)
def cosine_similarity(x1: Array, x2: Array, dim: int = 1, eps: float = 1e-8) -> Array:
    """Cosine of the angle between vectors along ``dim``; norms count as at least ``eps``."""
    x, y = promote("cosine_similarity", x1, x2)
    place = one_axis("cosine_similarity", dim, max(x.ndim, y.ndim))
    product = jnp.sum(x * y, axis=place)
    squares = jnp.sum(jnp.square(x), axis=place) * jnp.sum(jnp.square(y), axis=place)
    return product / jnp.sqrt(jnp.maximum(squares, jnp.asarray(eps * eps, squares.dtype)))


def _square(name: str, x: Array) -> None:
    require_tensor(name, x)
    refuse(name, x, jnp.bool_, jnp.integer)
    _need(x.ndim >= 2 and x.shape[-1] == x.shape[-2], name, "the input must be square", x)


@operator("MatrixInverse")
def inverse(input: Array) -> Array:
    """Inverse of square matrices (..., N, N)."""
    _square("inverse", input)
    return jnp.linalg.inv(input)


@operator("MatrixInverse")
def _matrix_inverse(x: Array, adjoint: bool = False) -> Array:
    """Return the inverses of square matrices (..., N, N).

    Args:
        x: Tensor (..., N, N), floating or complex.
        adjoint: Whether the result is transposed and conjugated.
    """
    result = inverse.kernel(x)
    return jnp.conj(jnp.swapaxes(result, -1, -2)) if adjoint else result


@operator("MatrixDeterminant")
def det(input: Array) -> Array:
    """Determinant of square matrices (..., N, N)."""
    _square("det", input)
    return jnp.linalg.det(input)


@operator("Svd")
def _svd(input: Array, full_matrices: bool, compute_uv: bool) -> Any:
    require_tensor("svd", input)
    refuse("svd", input, jnp.bool_, jnp.integer)
    if not compute_uv:
        return jnp.linalg.svd(input, full_matrices=full_matrices, compute_uv=False)
    u, s, vh = jnp.linalg.svd(input, full_matrices=full_matrices)
    return s, u, jnp.conj(jnp.swapaxes(vh, -1, -2))


@checked
def svd(input: Any, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular value decomposition of matrices (..., M, N).

    Args:
        input: Tensor of a floating or complex dtype.
        full_matrices: Whether ``u`` and ``v`` are square.
        compute_uv: Whether to compute them at all.

    Returns:
        ``(s, u, v)`` with ``input = u @ diag(s) @ v^H``; ``s`` alone without ``compute_uv``.
    """
    return _svd(input, full_matrices, compute_uv)


ger = outer

MatMul = primitive("MatMul", mm, {"transpose_a": False, "transpose_b": False})
BatchMatMul = primitive("BatchMatMul", bmm, {"transpose_a": False, "transpose_b": False})
Ger = primitive("Ger", outer)
LpNorm = primitive(
    "LpNorm",
    _lp_norm,
    {"axis": inspect.Parameter.empty, "p": 2, "keep_dims": False, "epsilon": 1e-12},
)
L2Normalize = primitive("L2Normalize", _l2_normalize, {"axis": 0, "epsilon": 1e-4})
L2Loss = primitive("L2Loss", _l2_loss)
Cross = primitive("Cross", cross, {"dim": -65530})
Trace = primitive("Trace", trace)
MatrixInverse = primitive("MatrixInverse", _matrix_inverse, {"adjoint": False})
MatrixDeterminant = primitive("MatrixDeterminant", det)
Einsum = primitive("Einsum", _einsum_of_tuple, {"equation": inspect.Parameter.empty})

METHODS: dict[str, Callable[..., Any]] = {
    "addbmm": addbmm,
    "addmm": addmm,
    "addmv": addmv,
    "baddbmm": baddbmm,
    "bmm": bmm,
    "cross": cross,
    "det": det,
    "dot": dot,
    "ger": outer,
    "inner": inner,
    "inverse": inverse,
    "matmul": matmul,
    "mm": mm,
    "norm": norm,
    "outer": outer,
    "svd": svd,
}

__all__ = [
    "BatchMatMul",
    "Cross",
    "Einsum",
    "Ger",
    "L2Loss",
    "L2Normalize",
    "LpNorm",
    "MatMul",
    "MatrixDeterminant",
    "MatrixInverse",
    "Trace",
    "addbmm",
    "addmm",
    "addmv",
    "baddbmm",
    "bmm",
    "cdist",
    "cosine_similarity",
    "cross",
    "det",
    "dist",
    "dot",
    "einsum",
    "ger",
    "inner",
    "inverse",
    "kron",
    "matmul",
    "mm",
    "mv",
    "norm",
    "outer",
    "svd",
    "tensor_dot",
    "trace",
]
