"""``mindspore.scipy.linalg`` on ``jax.scipy.linalg``; ints are computed as float64.

Arguments that are accepted without effect: ``overwrite_*``, ``check_finite``, ``debug``, ``turbo``.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import jax.scipy.linalg as jsp
import numpy as np

from msgrad._core.checks import of_type, one_of
from msgrad._core.errors import ArgumentValueError
from msgrad._core.op import Array, Arrays, operator
from msgrad._core.promotion import is_inexact
from msgrad.common.tensor import Tensor

__all__ = [
    "block_diag", "cho_factor", "cho_solve", "cholesky", "det", "eigh", "inv", "lstsq", "lu",
    "lu_factor", "lu_solve", "solve_triangular",
]  # fmt: skip

_TRANSPOSED = {"N": 0, "T": 1, "C": 2, 0: 0, 1: 1, 2: 2}


def _checked(name: str, label: str, value: Any, square: bool = True, least: int = 2) -> Tensor:
    of_type(name, label, value, Tensor)
    if value.ndim < least:
        raise ArgumentValueError(
            f"For '{name}', the dimension of '{label}' should be {least}, but got {value.ndim}."
        )
    if square and value.shape[-1] != value.shape[-2]:
        raise ArgumentValueError(
            f"For '{name}', the matrices of '{label}' should be square, but got {value.shape}."
        )
    return value


def _float(x: Array) -> Array:
    return x if is_inexact(x.dtype) else x.astype(jnp.float64)


@operator("scipy.inv", public=False)
def _inv(a: Array) -> Array:
    return jnp.linalg.inv(_float(a))


@operator("scipy.det", public=False)
def _det(a: Array) -> Array:
    return jnp.linalg.det(_float(a))


@operator("scipy.cholesky", public=False)
def _cholesky(a: Array, lower: bool) -> Array:
    return jsp.cholesky(_float(a), lower=lower)


@operator("scipy.cho_solve", public=False)
def _cho_solve(c: Array, b: Array, lower: bool) -> Array:
    return jsp.cho_solve((_float(c), lower), _float(b))


@operator("scipy.eigh", public=False)
def _eigh(a: Array, lower: bool, only: bool) -> Any:
    full = jnp.tril(a) if lower else jnp.triu(a)
    other = jnp.conj(jnp.swapaxes(full, -1, -2))
    whole = _float(full + other - jnp.conj(full) * jnp.eye(a.shape[-1], dtype=a.dtype))
    values, vectors = jnp.linalg.eigh(whole, symmetrize_input=False)
    values = values.astype(whole.dtype)
    return values if only else (values, vectors)


@operator("scipy.lu", public=False)
def _lu(a: Array) -> Any:
    permutation, lower, upper = jsp.lu(_float(a))
    return permutation.astype(jnp.int32), lower, upper


@operator("scipy.lu_factor", public=False)
def _lu_factor(a: Array) -> Any:
    return tuple(jsp.lu_factor(_float(a)))


@operator("scipy.lu_solve", public=False)
def _lu_solve(factors: Array, rows: Array, b: Array, trans: int) -> Array:
    return jsp.lu_solve((_float(factors), rows), _float(b), trans)


@operator("scipy.solve_triangular", public=False)
def _solve(a: Array, b: Array, trans: int, lower: bool, unit: bool) -> Array:
    # Unlike the others, it has integers of 32 bits as float32.
    a, b = (x.astype(jnp.float32) if x.dtype == jnp.int32 else _float(x) for x in (a, b))
    return jsp.solve_triangular(a, b, trans, lower, unit)


@operator("scipy.lstsq", public=False)
def _lstsq(a: Array, b: Array) -> Any:
    return jnp.linalg.lstsq(_float(a), _float(b))[0]


def inv(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """Compute the inverse of square matrices (..., n, n)."""
    return _inv(_checked("inv", "a", a))


def det(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """Compute the determinant of square matrices (..., n, n)."""
    return _det(_checked("det", "a", a))


def cholesky(
    a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Tensor:
    """Compute the Cholesky factor of a matrix (n, n): lower or, by default, upper."""
    return _cholesky(_checked("cholesky", "a", a), lower)


def cho_factor(
    a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, bool]:
    """Return the Cholesky factor and ``lower``, for ``cho_solve``."""
    return _cholesky(_checked("cho_factor", "a", a), lower), lower


def cho_solve(
    c_and_lower: tuple[Tensor, bool],
    b: Tensor,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Tensor:
    """Solve ``a x = b``, given what ``cho_factor`` gave of ``a``."""
    factor, lower = c_and_lower
    return _cho_solve(
        _checked("cho_solve", "c", factor), _checked("cho_solve", "b", b, False, 1), lower
    )


def eigh(
    a: Tensor,
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
        raise ArgumentValueError("For 'eigh', 'b', 'eigvals' and 'type' must be as by default.")
    return _eigh(_checked("eigh", "a", a), lower, eigvals_only)


def lu_factor(
    a: Tensor, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, Tensor]:
    """Compute the LU factors of a matrix in one, and which rows were exchanged."""
    return _lu_factor(_checked("lu_factor", "a", a))


def lu(
    a: Tensor, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """Compute permutation, lower and upper factor; with ``permute_l``, the first two multiplied."""
    permutation, lower, upper = _lu(_checked("lu", "a", a, False))
    if permute_l:
        return permutation.astype(lower.dtype) @ lower, upper
    return permutation, lower, upper


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
    one_of("lu_solve", "trans", trans, 0, 1, 2)
    factors, rows = lu_and_piv
    b = _checked("lu_solve", "b", b, False, 1)
    return _lu_solve(_checked("lu_solve", "lu", factors), rows, b, trans)


def solve_triangular(
    a: Tensor,
    b: Tensor,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Tensor:
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
    _checked("solve_triangular", "a", a)
    _checked("solve_triangular", "b", b, False, 1)
    one_of("solve_triangular", "trans", trans, *_TRANSPOSED)
    return _solve(a, b, _TRANSPOSED[trans], lower, unit_diagonal)


def block_diag(*arrs: Tensor) -> Tensor:
    """Return the matrices one after another along the diagonal."""
    return _blocks(*[_checked("block_diag", "arrs", item, False, 0) for item in arrs])


def _blocks(*items: Tensor) -> Tensor:
    return _of_blocks(tuple(items))


@operator("scipy.block_diag", public=False)
def _of_blocks(items: Arrays) -> Array:
    blocks, right = [jnp.atleast_2d(item) for item in items], 0
    width, lines = sum(block.shape[1] for block in blocks), []
    for block in blocks:  # JAX's own promotes integers, which it does not for 64 bits
        size = block.shape[1]
        lines.append(jnp.pad(block, ((0, 0), (right, width - right - size))))
        right += size
    return jnp.concatenate(lines)


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, driver: Any = None) -> tuple[Any, ...]:
    """Solve ``A x = B`` in the least squares sense.

    Returns:
        The solution, an empty Tensor for residuals, the rank, and an empty Tensor for singular
        values, as MindSpore has them without a ``driver`` that computes them.
    """
    matrix = _checked("lstsq", "A", A, False)
    found = _lstsq(matrix, _checked("lstsq", "B", B, False, 1))
    rank = int(np.linalg.matrix_rank(matrix.asnumpy()))
    empty = Tensor(np.zeros(0, found.dtype.np_dtype))
    return found, empty, Tensor(rank), empty
