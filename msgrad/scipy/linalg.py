"""``mindspore.scipy.linalg`` on ``jax.scipy.linalg``; ints are computed as float64.

Arguments that are accepted without effect: ``overwrite_*``, ``check_finite``, ``debug``, ``turbo``.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import jax.scipy.linalg as jsp
import numpy as np

from msgrad import ops
from msgrad._core.checks import one_of
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_inexact
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, rank_at_least

_TRANSPOSED = {"N": 0, "T": 1, "C": 2, 0: 0, 1: 1, 2: 2}


def _matrix(label: str, x: Array, square: bool = True, least: int = 2) -> Array:
    rank_at_least(x, least, label)
    fits = not square or x.shape[-1] == x.shape[-2]
    need(fits, f"the matrices of '{label}' should be square", x)
    return x if is_inexact(x.dtype) else x.astype(jnp.float64)


@operator("inv", public=False)
def inv(a: Array, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the inverse of square matrices (..., n, n)."""
    return jnp.linalg.inv(_matrix("a", a))


@operator("det", public=False)
def det(a: Array, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the determinant of square matrices (..., n, n)."""
    return jnp.linalg.det(_matrix("a", a))


@operator("cholesky", public=False)
def cholesky(
    a: Array, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Array:
    """Compute the Cholesky factor of a matrix (n, n): lower or, by default, upper."""
    return jsp.cholesky(_matrix("a", a), lower=lower)


def cho_factor(
    a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, bool]:
    """Return the Cholesky factor and ``lower``, for ``cho_solve``."""
    return cholesky(a, lower), lower


@operator("cho_solve", public=False)
def _cho_solve(c: Array, b: Array, lower: bool) -> Array:
    return jsp.cho_solve((_matrix("c", c), lower), _matrix("b", b, False, 1))


def cho_solve(
    c_and_lower: tuple[Tensor, bool],
    b: Tensor,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Tensor:
    """Solve ``a x = b``, given what ``cho_factor`` gave of ``a``."""
    factor, lower = c_and_lower
    return _cho_solve(factor, b, lower)


@operator("eigh", public=False)
def eigh(
    a: Array,
    b: Any = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: Any = None,
    type: int = 1,
    check_finite: bool = True,
) -> Any:
    """Compute the eigenvalues of a Hermitian matrix (n, n), and unless told, its eigenvectors.

    Raises:
        ValueError: For ``b``, ``eigvals`` or another ``type``, as in MindSpore.
    """
    if b is not None or eigvals is not None or type != 1:
        raise ArgumentValueError("'b', 'eigvals' and 'type' must be as by default.")
    x = _matrix("a", a)
    full = jnp.tril(x) if lower else jnp.triu(x)
    other = jnp.conj(jnp.swapaxes(full, -1, -2))
    whole = full + other - jnp.conj(full) * jnp.eye(x.shape[-1], dtype=x.dtype)
    values, vectors = jnp.linalg.eigh(whole, symmetrize_input=False)
    values = values.astype(whole.dtype)
    return values if eigvals_only else (values, vectors)


@operator("lu_factor", public=False)
def lu_factor(
    a: Array, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, Array]:
    """Compute the LU factors of a matrix in one, and which rows were exchanged."""
    factors, rows = jsp.lu_factor(_matrix("a", a))
    return factors, rows


@operator("lu", public=False)
def lu(
    a: Array, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """Compute permutation, lower and upper factor; with ``permute_l``, the first two multiplied."""
    permutation, lower, upper = jsp.lu(_matrix("a", a, False))
    if permute_l:
        return permutation @ lower, upper
    return permutation.astype(jnp.int32), lower, upper


@operator("lu_solve", public=False)
def _lu_solve(lu: Array, piv: Array, b: Array, trans: int) -> Array:
    one_of("", "trans", trans, 0, 1, 2)
    return jsp.lu_solve((_matrix("lu", lu), piv), _matrix("b", b, False, 1), trans)


def lu_solve(
    lu_and_piv: tuple[Tensor, Tensor],
    b: Tensor,
    trans: int = 0,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Tensor:
    """Solve ``a x = b``, given what ``lu_factor`` gave of ``a``.

    With ``trans`` 1 the matrix is the transpose of ``a``, with 2 its adjoint.

    Raises:
        ValueError: For another ``trans``.
    """
    return _lu_solve(*lu_and_piv, b, trans)


@operator("solve_triangular", public=False)
def solve_triangular(
    a: Array,
    b: Array,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Array:
    """Solve ``a x = b`` for a triangular matrix (n, n).

    Args:
        a: Tensor.
        b: Tensor (n,) or (n, m).
        trans: 0 or ``'N'`` for ``a``, 1 or ``'T'`` for its transpose, 2 or ``'C'`` for its adjoint.
        lower: Which half counts.
        unit_diagonal: Whether the diagonal counts as ones.
        overwrite_b: Accepted for compatibility.
        debug: Accepted for compatibility.
        check_finite: Accepted for compatibility.

    Raises:
        ValueError: For another ``trans``.
    """
    one_of("", "trans", trans, *_TRANSPOSED)
    # Unlike the others, it has integers of 32 bits as float32.
    a, b = (x.astype(jnp.float32) if x.dtype == jnp.int32 else x for x in (a, b))
    matrix, right = _matrix("a", a), _matrix("b", b, False, 1)
    return jsp.solve_triangular(matrix, right, _TRANSPOSED[trans], lower, unit_diagonal)


def block_diag(*arrs: Tensor) -> Tensor:
    """Return the matrices one after another along the diagonal."""
    return ops.block_diag(*arrs)


@operator("lstsq", public=False)
def _lstsq(A: Array, B: Array) -> Array:
    return jnp.linalg.lstsq(_matrix("A", A, False), _matrix("B", B, False, 1))[0]


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, driver: Any = None) -> tuple[Any, ...]:
    """Solve ``A x = B`` in the least squares sense.

    Returns:
        The solution, an empty Tensor for residuals, the rank, and an empty Tensor for singular
        values, as MindSpore has them without a ``driver`` that computes them.
    """
    found = _lstsq(A, B)
    rank = int(np.linalg.matrix_rank(A.asnumpy()))
    empty = Tensor(np.zeros(0, found.dtype.np_dtype))
    return found, empty, Tensor(rank), empty


__all__ = public_names(globals())
