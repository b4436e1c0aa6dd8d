"""Factors of matrices, what is solved with them, and functions of whole matrices.

Products and norms are in ``linalg``; so are inverses, determinants and ``svd``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl

from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import HALF
from msgrad._core.registry import function, method
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import rank_at_least, refuse, same_type
from msgrad.ops.linalg import need_square, svd


def _adjoint(x: Array) -> Array:
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def _widened(compute: Callable[[Array], Any], x: Array) -> Any:
    """Return what is computed of matrices, of float16 in float32: LAPACK has no less."""
    if x.dtype.itemsize > 2:
        return compute(x)
    return jax.tree.map(lambda y: y.astype(x.dtype), compute(x.astype(jnp.float32)))


def _upper_if(x: Array, upper: bool) -> Array:
    return _adjoint(x) if upper else x


@operator("Cholesky", primitive="(upper=False)")
def cholesky(input_x: Array, upper: bool = False) -> Array:
    """Factor positive definite matrices (..., N, N) into ``L @ L^H``; ``upper`` gives L^H."""
    need_square(input_x)
    factor = _widened(lambda x: jnp.linalg.cholesky(x, symmetrize_input=False), input_x)
    return _upper_if(factor, upper)


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def _solved(factor: Array, right: Array, upper: bool) -> Array:
    lower = jnp.tril(_upper_if(factor, upper))
    half = jax.lax.linalg.triangular_solve(lower, right, left_side=True, lower=True)
    return jax.lax.linalg.triangular_solve(
        lower, half, left_side=True, lower=True, transpose_a=True, conjugate_a=True
    )


@_solved.defjvp
def _solved_jvp(upper: bool, primals: Any, tangents: Any) -> tuple[Array, Array]:
    # As in MindSpore, the zeros of a factor have a gradient too.
    (factor, right), (change, turn) = primals, tangents
    found = _solved(factor, right, upper)
    lower, move = _upper_if(factor, upper), _upper_if(change, upper)
    product = move @ (_adjoint(lower) @ found) + lower @ (_adjoint(move) @ found)
    return found, _solved(factor, turn - product, upper)


@operator("CholeskyInverse", primitive="(upper=False)")
def cholesky_inverse(input_x: Array, upper: bool = False) -> Array:
    """Invert matrices whose Cholesky factor, the ``upper`` or the lower one, is given.

    What stands in the other triangle counts as well: the result is that of ``factor @ factor^H``.
    """
    need_square(input_x)
    factor = _upper_if(input_x, upper)
    return _widened(jnp.linalg.inv, factor @ _adjoint(factor))


@operator("CholeskySolve", primitive="(upper=False)")
def cholesky_solve(input: Array, input2: Array, upper: bool = False) -> Array:
    """Solve ``A @ x = input`` where ``input2`` is the Cholesky factor of A.

    Args:
        input: Tensor (..., N, M), float32 or float64.
        input2: Tensor (..., N, N) of the same dtype.
        upper: Whether it is the upper factor.
    """
    same_type(input, input2)
    need_square(input2)
    return _solved(input2, input, upper)


@operator("Eig")
def _eig(x: Array, vectors: bool) -> Any:
    need_square(x)
    refuse(x, *HALF)
    return tuple(jnp.linalg.eig(x)) if vectors else jnp.linalg.eigvals(x)


@function
def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    """Return the eigenvalues of matrices (..., N, N), and the vectors: both complex."""
    return _eig(A, True)


@function
def eigvals(A: Tensor) -> Tensor:
    """Return the eigenvalues, complex, of matrices (..., N, N)."""
    return _eig(A, False)


@function(primitive="Eig(compute_v=False)")
def _eig_primitive(x: Tensor, compute_v: bool = False) -> tuple[Tensor, Tensor]:
    """Return the eigenvalues of matrices and, with ``compute_v``, the vectors.

    Args:
        x: Tensor (..., N, N).
        compute_v: False for a 0-d 0 in the place of the vectors.
    """
    if compute_v:
        return _eig(x, True)
    values = _eig(x, False)
    return values, Tensor(0, values.dtype)


@operator("Qr", primitive="(full_matrices=False)")
def _qr(x: Array, full_matrices: bool = False) -> tuple[Array, Array]:
    """Return an orthogonal and an upper triangular factor.

    Args:
        x: Tensor (..., M, N), floating or complex.
        full_matrices: Whether the first is square.
    """
    refuse(x, jnp.bool_, jnp.integer)
    mode = "complete" if full_matrices else "reduced"
    q, r = _widened(lambda x: tuple(jnp.linalg.qr(x, mode=mode)), x)
    return q, r


@function
def qr(input: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Factor matrices (..., M, N) into an orthogonal and an upper triangular one.

    Args:
        input: Tensor, floating or complex.
        mode: ``'reduced'``, or ``'complete'`` for a square first factor.

    Raises:
        ValueError: For another mode.
    """
    one_of("", "mode", mode, "reduced", "complete")
    return _qr(input, mode == "complete")


@method("qr")
def _qr_method(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    """Factor matrices into an orthogonal and an upper triangular one; square without ``some``."""
    return _qr(self, not some)


@operator("Geqrf", primitive=True)
def geqrf(input: Array) -> tuple[Array, Array]:
    """Factor matrices into R and Householder vectors below its diagonal, and their factors."""
    refuse(input, jnp.bool_, jnp.integer)
    h, tau = _widened(lambda x: tuple(jnp.linalg.qr(x, mode="raw")), input)
    return jnp.swapaxes(h, -1, -2), tau


@operator("Orgqr", primitive=True)
def orgqr(input: Array, input2: Array) -> Array:
    """Multiply the Householder reflections that ``geqrf`` returns: the first columns of Q.

    Args:
        input: Tensor (..., M, N), with the vectors below the diagonal.
        input2: Tensor (..., K), their factors.
    """
    same_type(input, input2)
    refuse(input, *HALF)
    return jax.lax.linalg.householder_product(input, input2)


@operator(
    "Ormqr",
    primitive="(left=True, transpose=False)",
    method="(input2: tau, input3: other, left=True, transpose=False)",
)
def ormqr(
    input: Array, tau: Array, other: Array, left: bool = True, transpose: bool = False
) -> Array:
    """Multiply ``other`` by the whole Q of ``geqrf``'s vectors, or by its transpose.

    Args:
        input: Tensor (..., M, K), with the vectors below the diagonal.
        tau: Tensor (..., K), their factors.
        other: Tensor, the other factor.
        left: Whether Q comes first.
        transpose: Whether it is transposed.
    """
    same_type(input, tau, other)
    size = input.shape[-2]
    wide = jnp.pad(input, [(0, 0)] * (input.ndim - 1) + [(0, size - input.shape[-1])])
    taus = jnp.pad(tau, [(0, 0)] * (tau.ndim - 1) + [(0, size - tau.shape[-1])])
    q = jax.lax.linalg.householder_product(wide, taus)
    q = _adjoint(q) if transpose else q
    return q @ other if left else other @ q


@operator("LuSolve", primitive=True)
def lu_solve(b: Array, LU_data: Array, LU_pivots: Indices) -> Array:
    """Solve ``A @ x = b`` from the LU factors of A.

    Args:
        b: Tensor (..., N, M), float32 or float64.
        LU_data: Tensor (..., N, N), both factors in one.
        LU_pivots: int32 Tensor (..., N), the rows that were exchanged, counted from 1.
    """
    same_type(b, LU_data)
    need_square(LU_data)
    order = jax.lax.linalg.lu_pivots_to_permutation(LU_pivots.astype(jnp.int32) - 1, b.shape[-2])
    right = jnp.take_along_axis(b, order[..., None], axis=-2)
    solve = jax.lax.linalg.triangular_solve
    half = solve(LU_data, right, left_side=True, lower=True, unit_diagonal=True)
    return solve(LU_data, half, left_side=True, lower=False)


@operator("LuUnpack")
def _lu_unpack(data: Array, pivots: Indices) -> tuple[Array, Array, Array]:
    m, n = data.shape[-2:]
    least = min(m, n)
    lower = jnp.tril(data[..., :least], -1) + jnp.eye(m, least, dtype=data.dtype)
    order = jax.lax.linalg.lu_pivots_to_permutation(pivots.astype(jnp.int32) - 1, m)
    turns = jnp.swapaxes(jax.nn.one_hot(order, m, dtype=data.dtype), -1, -2)
    return turns, lower, jnp.triu(data[..., :least, :])


@function(primitive="LuUnpack(unpack_data=True, unpack_pivots=True)")
def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, ...]:
    """Return the permutation and the two triangles that LU data and pivots stand for.

    Args:
        LU_data: Tensor (..., M, N).
        LU_pivots: int32 or int64 Tensor (..., min(M, N)), counted from 1.
        unpack_data: False leaves out the triangles.
        unpack_pivots: False leaves out the permutation.

    Returns:
        ``(P, L, U)``, with ``P @ L @ U`` the matrix that was factored.
    """
    turns, lower, upper = _lu_unpack(LU_data, LU_pivots)
    return (*((turns,) if unpack_pivots else ()), *((lower, upper) if unpack_data else ()))


@operator("Lstsq", primitive="(fast: _ = True, l2_regularizer: _ = 0.0)")
def lstsq(input: Array, A: Array) -> Array:
    """Solve ``input @ x = A`` with the least squares of what is left, for full rank.

    Args:
        input: Tensor (M, N), float16, float32 or float64.
        A: Tensor (M,) or (M, K) of the same dtype.

    Of the Primitive's options ``fast`` and ``l2_regularizer`` change nothing, as on MindSpore's
    CPU.
    """
    same_type(input, A)
    right = A if A.ndim > 1 else A[:, None]
    return (_widened(jnp.linalg.pinv, input) @ right).astype(A.dtype)


@operator("MatrixSolve", primitive="(adjoint=False)")
def matrix_solve(matrix: Array, rhs: Array, adjoint: bool = False) -> Array:
    """Solve ``matrix @ x = rhs``, with ``adjoint`` of the adjoint of the matrices."""
    same_type(matrix, rhs)
    need_square(matrix)
    wide = rhs.astype(jnp.float32) if rhs.dtype in HALF else rhs
    return jnp.linalg.solve(_upper_if(matrix, adjoint).astype(wide.dtype), wide).astype(rhs.dtype)


@operator("MatrixSolveLs", primitive="(fast: _ = True)")
def _matrix_solve_ls(matrix: Array, rhs: Array, l2_regularizer: Array) -> Array:
    """Solve ``matrix @ x = rhs`` with least squares.

    Args:
        matrix: Tensor (..., M, N), floating or complex.
        rhs: Tensor (..., M, K) of the same dtype.
        l2_regularizer: 0-d float64 Tensor: what is added to the squares; ``fast`` changes nothing.
    """
    same_type(matrix, rhs)
    refuse(matrix, jnp.bool_, jnp.integer)
    more = l2_regularizer.astype(matrix.dtype) * jnp.eye(matrix.shape[-1], dtype=matrix.dtype)
    return jnp.linalg.solve(_adjoint(matrix) @ matrix + more, _adjoint(matrix) @ rhs)


@operator("MatrixTriangularSolve", primitive="(lower=True, adjoint=False)")
def _matrix_triangular_solve(
    matrix: Array, rhs: Array, lower: bool = True, adjoint: bool = False
) -> Array:
    """Solve ``matrix @ x = rhs`` with a triangle of matrices.

    Args:
        matrix: Tensor (..., N, N).
        rhs: Tensor (..., N, M) of the same dtype.
        lower: Which triangle.
        adjoint: Whether to take its adjoint.
    """
    same_type(matrix, rhs)
    need_square(matrix)
    return jsl.solve_triangular(matrix, rhs, trans="C" if adjoint else "N", lower=lower)


@operator("TridiagonalMatMul", primitive=True)
def _tridiagonal_matmul(superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array) -> Array:
    """Multiply matrices of three diagonals by ``rhs``.

    Args:
        superdiag: Tensor (..., 1, M), the last element of no effect.
        maindiag: Tensor (..., 1, M).
        subdiag: Tensor (..., 1, M), the first element of no effect.
        rhs: Tensor (..., M, N).
    """
    same_type(superdiag, maindiag, subdiag, rhs)
    up, main, down = (jnp.swapaxes(d, -1, -2) for d in (superdiag, maindiag, subdiag))
    above = up[..., :-1, :] * rhs[..., 1:, :]
    below = down[..., 1:, :] * rhs[..., :-1, :]
    room = [(0, 0)] * (rhs.ndim - 2)
    return (
        main * rhs
        + jnp.pad(above, [*room, (0, 1), (0, 0)])
        + jnp.pad(below, [*room, (1, 0), (0, 0)])
    )


@operator("MatrixExp", primitive=True)
def matrix_exp(input: Array) -> Array:
    """Return the exponential of matrices (..., N, N).

    Differs from MindSpore: it works on the CPU too.
    """
    need_square(input)
    return jsl.expm(input)


@operator("MatrixLogarithm", primitive=True)
def _matrix_logarithm(x: Array) -> Array:
    """Return the logarithm of complex matrices (..., N, N), by their eigenvectors."""
    need_square(x)
    refuse(x, jnp.floating)
    values, vectors = jnp.linalg.eig(x)
    return (vectors * jnp.log(values)[..., None, :]) @ jnp.linalg.inv(vectors)


@operator("MatrixPower", primitive="(n)", int_grad=True)
def matrix_power(input: Array, n: int) -> Array:
    """Multiply square matrices with themselves; a negative power inverts them."""
    refuse(input, jnp.bool_)
    if jnp.issubdtype(input.dtype, jnp.integer):
        if n < 0:
            raise ArgumentValueError(f"integers have no power below 0, but got {n}; cast them.")
    else:
        need_square(input)
    return jnp.linalg.matrix_power(input, n)


@operator("LogMatrixDeterminant", primitive=True)
def log_matrix_determinant(input: Array) -> tuple[Array, Array]:
    """Return the sign, and the logarithm of the size, of determinants of (..., N, N)."""
    need_square(input)
    sign, size = _widened(lambda x: tuple(jnp.linalg.slogdet(x)), input)
    return sign, size.astype(sign.dtype)


slogdet = log_matrix_determinant


@operator("logdet")
def logdet(input: Array) -> Array:
    """Return the logarithm of the determinants of (..., N, N); of negative real ones it is nan."""
    need_square(input)
    sign, size = _widened(lambda x: tuple(jnp.linalg.slogdet(x)), input)
    if jnp.iscomplexobj(sign):
        return jnp.log(sign) + size
    return jnp.where(sign > 0, size, jnp.nan).astype(size.dtype)


@operator("pinv")
def pinv(
    x: Array, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Array:
    """Return the pseudoinverses of matrices (..., M, N).

    Args:
        x: Tensor, floating or complex.
        atol: Singular values up to here count as 0.
        rtol: The same, as a share of the largest; by default what rounding leaves.
        hermitian: Whether the matrices equal their adjoints.

    Raises:
        TypeError: If ``x`` is not a floating Tensor.
    """
    refuse(x, jnp.bool_, jnp.integer, *HALF)
    rtol = max(x.shape[-2:]) * float(jnp.finfo(x.dtype).eps) if rtol is None and not atol else rtol
    if not atol:
        return jnp.linalg.pinv(x, rtol=rtol, hermitian=hermitian)
    u, values, vh = jnp.linalg.svd(x, full_matrices=False)
    kept = values > jnp.maximum(atol, (rtol or 0.0) * values.max(-1, keepdims=True))
    inverse = jnp.where(kept, 1 / jnp.where(kept, values, 1), 0)
    return (_adjoint(vh) * inverse[..., None, :]) @ _adjoint(u)


@operator("NuclearNorm", primitive="(dim=None, keepdim=False)")
def _nuclear_norm(x: Array, dim: Any = None, keepdim: bool = False) -> Array:
    """Return the sum of the singular values.

    Args:
        x: Tensor, floating, of two dimensions or more.
        dim: The two dimensions of the matrices; of a matrix, None.
        keepdim: Whether they stay, with size 1.
    """
    rank_at_least(x, 2)
    return jnp.linalg.norm(x, "nuc", tuple(dim or (0, 1)), keepdim)


@function(primitive="Svd(full_matrices=False, compute_uv=True)")
def _svd_primitive(
    input: Tensor, full_matrices: bool = False, compute_uv: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """Return singular values and vectors; see ``ops.svd``.

    Args:
        input: Tensor (..., M, N).
        full_matrices: Whether ``u`` and ``v`` are square.
        compute_uv: False for a zero in the place of each.
    """
    if compute_uv:
        return svd(input, full_matrices, True)
    values = svd(input, full_matrices, False)
    return values, Tensor([0], values.dtype), Tensor([0], values.dtype)


@operator("ConjugateTranspose", primitive=True, int_grad=True)
def _conjugate_transpose(x: Array, perm: tuple[int, ...]) -> Array:
    """Permute the dimensions and take the complex conjugate."""
    return jnp.conj(jnp.transpose(x, perm))


@operator("adjoint", int_grad=True)
def adjoint(x: Array) -> Array:
    """Exchange the last two dimensions and take the complex conjugate.

    Raises:
        ValueError: If there are fewer than two.
    """
    rank_at_least(x, 2)
    return _adjoint(x)
