"""``mindspore.mint.linalg``: norms, the inverse and the QR decomposition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from msgrad import ops
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad._core.op import Array, operator
from msgrad._core.promotion import require_inexact
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.mint._rows import rows
from msgrad.ops._checks import axes
from msgrad.ops.unary import size


@operator("LinalgVectorNorm")
def vector_norm(
    x: Array, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Array:
    """Return the norm of vectors, over ``dim`` or all elements.

    Args:
        x: Tensor, floating.
        ord: A number or infinity.
        dim: int or tuple of ints; None for all.
        keepdim: Whether reduced dimensions stay, with size 1.
        dtype: Cast to it first.
    """
    x = size(require_inexact(x if dtype is None else x.astype(dtype.np_dtype)))
    over: dict[str, Any] = {"axis": axes(dim, x.ndim), "keepdims": keepdim}
    if ord == 0:
        return (x != 0).astype(x.dtype).sum(**over)
    if abs(ord) == float("inf"):
        return (jnp.max if ord > 0 else jnp.min)(x, **over)
    total = (x * x if ord == 2 else x**ord).sum(**over)
    # Its derivative at 0 is taken as 0.
    safe = jnp.where(total == 0, 1, total)
    return jnp.where(total == 0, total, jnp.sqrt(safe) if ord == 2 else safe ** (1 / ord))


@checked
def norm(
    A: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm of vectors or matrices: of all elements without ``ord`` and ``dim``."""
    dim = tuple(dim) if isinstance(dim, list) else dim
    matrices = isinstance(dim, tuple) and len(dim) == 2
    if ord is None or not (matrices or isinstance(ord, str) or (dim is None and A.ndim == 2)):
        return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)


@checked
def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm of matrices: ``'fro'``, ``'nuc'``, or 1, -1, 2, -2 and the infinities."""
    if A.ndim < 2 or not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise ArgumentValueError(
            f"matrix_norm needs two dimensions, but got {dim!r} of shape {A.shape}."
        )
    return ops.matrix_norm(A, ord, tuple(dim), keepdim, dtype=dtype)


globals().update(rows("inv = inverse(input)\nqr(A: input, mode='reduced')", __name__))
__all__ = public_names(globals(), "inv", "qr", "vector_norm")

if TYPE_CHECKING:
    # What is made from rows.
    def __getattr__(name: str) -> Any: ...
