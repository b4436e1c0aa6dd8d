"""The functions of ``mindspore.mint`` that ``ops`` has not, or that mean something else there.

Positions are int64 here, and ``dim`` beside a value asks for values with positions.
"""

from __future__ import annotations

import builtins
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad import ops
from msgrad._core.checks import within
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.op import Array, operator
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.mint.linalg import vector_norm
from msgrad.ops._checks import normal_axis, of_rank
from msgrad.ops.counting import _counted


@checked
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Return ``input`` where a condition holds and ``other`` elsewhere; alone, the places."""
    if input is None:
        return ops.nonzero(condition, as_tuple=True)
    return ops.where(condition, input, other)


@checked
def item(input: Tensor) -> float | int | bool:
    """Return the one number of a Tensor.

    Raises:
        TypeError: If it is no Tensor.
        RuntimeError: If it has more than one, or none.
    """
    if input.size != 1:
        raise EngineError(f"a Tensor with {input.size} elements cannot be converted to Scalar")
    return input.item()


def full(
    size: tuple | list, fill_value: Tensor | float | bool, *, dtype: mstype.DType | None = None
) -> Tensor:
    """Return a Tensor filled with one value, whose dtype is the default."""
    kind = (fill_value if isinstance(fill_value, Tensor) else Tensor(fill_value)).dtype
    return ops.full(size, fill_value, dtype=kind if dtype is None else dtype)


def _extreme(name: str, along: Any, whole: Any, elementwise: Any) -> Any:
    def call(
        input: Tensor | float, dim: Any = None, keepdim: bool = False, *, other: Any = None
    ) -> Any:
        # Beside a Tensor an int is a dimension, another number one to compare with.
        second = (Tensor, float, bool, np.floating) if isinstance(input, Tensor) else object
        other = dim if other is None and isinstance(dim, second) else other
        if other is not None:
            return elementwise(input, other)
        return whole(input, ()) if dim is None else _wide_places(along(input, dim, keepdim))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"""Return the {name}imum of all, along ``dim`` with the places, or of two.

    Args:
        input: Tensor of a real dtype; of two, also a number.
        dim: None, an int, or the second Tensor or float.
        keepdim: Whether ``dim`` stays, with size 1.
        other: The second Tensor or number, by keyword.
    """
    return checked(call)


def _wide_places(found: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    return found[0], ops.cast(found[1], mstype.int64)


max = _extreme("max", ops.max, ops.amax, ops.maximum)
min = _extreme("min", ops.min, ops.amin, ops.minimum)


@checked
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the position of the first smallest element, int64."""
    return ops.cast(ops.argmin(input, dim, keepdim), mstype.int64)


@checked
def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the running minimum along ``dim`` and its positions, int64."""
    return _wide_places(ops.cummin(input, dim))


@checked
def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest or smallest elements along ``dim``, and their places, int64."""
    return _wide_places(ops.topk(input, k, dim, largest))


@checked
def sort(
    input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the elements sorted along ``dim``, equal ones in their order, and their places."""
    return _wide_places(ops.sort(input, dim, descending))


@checked
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Return the places, int64, of the elements in sorted order along ``dim``."""
    return ops.cast(ops.argsort(input, dim, descending), mstype.int64)


@checked
def t(input: Tensor) -> Tensor:
    """Return the Tensor with its first two dimensions exchanged; of fewer, as it is."""
    return input if input.ndim < 2 else ops.swapaxes(input, 0, 1)


@checked
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median of all elements, or those along ``dim`` with their places, int64."""
    if dim is None:
        return ops.median(ops.reshape(input, (-1,)), 0)[0]
    return _wide_places(ops.median(input, dim, keepdim))


@checked
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the ``k``-th smallest elements along ``dim`` and their places, int64."""
    dim = normal_axis(dim, input.ndim, "dim")
    within("", "k", k, f"(0, {input.shape[dim]}]")
    values, places = (ops.narrow(x, dim, k - 1, 1) for x in sort(input, dim=dim))
    return (values, places) if keepdim else (ops.squeeze(values, dim), ops.squeeze(places, dim))


@checked
def cumsum(input: Tensor, dim: int, dtype: mstype.DType | None = None) -> Tensor:
    """Return the running sum along ``dim``; int64 of ints and bools unless ``dtype`` says."""
    whole = not input.is_floating_point() and not input.is_complex()
    return ops.cumsum(ops.cast(input, mstype.int64) if whole else input, dim, dtype)


@checked
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """Return how many elements over ``dim`` are not 0, int64."""
    return ops.count_nonzero(input, () if dim is None else dim, dtype=mstype.int64)


@operator("DiagExt", int_grad=True)
def diag(input: Array, diagonal: int = 0) -> Array:
    """Return a diagonal of a matrix, or the matrix with a vector as its diagonal."""
    of_rank(input, 1, 2)
    return jnp.diag(input, diagonal)


@checked
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two Tensors have the same shape and elements."""
    return input.shape == other.shape and bool(ops.all(ops.eq(input, other)))


@operator("Vdot")
def vdot(input: Array, other: Array) -> Array:
    """Compute the product of two vectors, the first one conjugated."""
    return jnp.vdot(input, other)


def legacy_dim(input: Tensor, dim: int | None) -> int:
    """Return the dimension that PyTorch takes where none is given."""
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim


@checked
def softmax(input: Tensor, dim: int | None, *, dtype: mstype.DType | None = None) -> Tensor:
    """Compute exponentials that sum to 1 along ``dim``: 0 or 1 by the rank, if None."""
    at = legacy_dim(input, dim)
    if not input.ndim:
        return ops.softmax(input.reshape(1), at, dtype=dtype).reshape(())
    return ops.softmax(input, at, dtype=dtype)


@checked
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut along ``dim`` into at most ``chunks`` equal pieces; what is empty, into so many."""
    if chunks > 0 and input.shape[normal_axis(dim, input.ndim, "dim")] == 0:
        return ops.split(input, (0,) * chunks, dim)
    return ops.chunk(input, chunks, dim)


@checked
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count each number from 0 on, or sum its weights; the values of ``input`` must be known."""
    values = np.asarray(input._concrete("bincount"))
    if values.ndim != 1 or values.dtype.kind not in "iu" or (values < 0).any():
        raise ArgumentTypeError(
            "bincount takes a 1-D Tensor of ints that are not negative, but got "
            f"{input.dtype}, shape {input.shape}."
        )
    each = ops.ones(input.shape, mstype.int64) if weights is None else weights
    return _counted(each, input, builtins.max(minlength, int(values.max(initial=-1)) + 1))


@operator("TriangularSolve")
def triangular_solve(
    b: Array, A: Array, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Array, Array]:
    """Solve ``A x = b`` for a triangular ``A``; returns ``x`` and a copy of ``A``."""
    options = {"lower": not upper, "transpose_a": transpose, "unit_diagonal": unitriangular}
    batch = jnp.broadcast_shapes(A.shape[:-2], b.shape[:-2])
    a, b = (jnp.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (A, b))
    return jax.lax.linalg.triangular_solve(a, b, left_side=True, **options), a


@checked
def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Compute ``beta * input + alpha * outer(vec1, vec2)``, in place."""
    found = ops.add(ops.mul(input, beta), ops.mul(ops.outer(vec1, vec2), alpha))
    input._write(found.astype(input.dtype)._peek())
    return input


@checked
def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Return one slice of a dimension, without it, as a view."""
    dim = normal_axis(dim, input.ndim, "dim")
    return input[(slice(None),) * dim + (normal_axis(index, input.shape[dim], "index"),)]


@checked
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Return the coordinates of a grid, ``'ij'`` (rows first) unless told."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    return ops.meshgrid(*given, indexing=indexing or "ij")


@checked
def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: mstype.DType | None = None,
) -> Tensor:
    """Return the norm over ``dim``, the root of the sum of squares unless ``p`` says."""
    if p == "nuc":
        return ops.norm(input, p, dim, keepdim, dtype=dtype)
    order = 2 if p == "fro" else p
    if not isinstance(order, (int, float)):
        raise ArgumentValueError(f"'p' must be a number, 'fro' or 'nuc', but got {p!r}.")
    return vector_norm(input, order, dim, keepdim, dtype=dtype)


@checked
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add ``src`` to a copy at the positions along ``dim`` that ``index`` names."""
    return ops.tensor_scatter_elements(input, index, src, dim, "add")


@checked
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """Add ``alpha * source`` to a copy, its slices along ``dim`` to those that ``index`` names."""
    return ops.index_add(input, index.astype(mstype.int32), ops.mul(source, alpha), dim)


@checked
def linspace(start: Any, end: Any, steps: int, *, dtype: mstype.DType | None = None) -> Tensor:
    """Return ``steps`` numbers from ``start`` to ``end``, both included; float32 by default."""
    return ops.cast(ops.linspace(start, end, steps), dtype or mstype.float32)


@checked
def empty(
    *size: Any, dtype: mstype.DType | None = None, device: Any = None, pin_memory: bool = False
) -> Tensor:
    """Return zeros, where MindSpore returns whatever the memory holds.

    Args:
        size: ints, or one tuple of ints.
        dtype: float32 by default.
        device: Accepted; arrays stand where JAX puts them.
        pin_memory: Accepted.
    """
    one_by_one = len(size) != 1 or isinstance(size[0], int)
    return ops.zeros(size if one_by_one else size[0], dtype)


@checked
def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Return normal numbers, float32, in the shape of ``mean`` and ``std``, or in ``size``."""
    return ops.normal(() if size is None else size, mean, std, generator)


@checked
def randint(
    *args: Any, generator: Any = None, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return integers uniform on [low, high), int64 by default: ``randint(low=0, high, size)``."""
    low, high, size = (0, *args) if len(args) == 2 else args
    return ops.randint(low, high, size, generator).astype(dtype or mstype.int64)


@checked
def randint_like(
    input: Tensor, *bounds: int, dtype: mstype.DType | None = None, device: Any = None
) -> Tensor:
    """Return integers uniform on [low, high) as many as ``input`` has: ``(input, low=0, high)``."""
    low, high = (0, *bounds) if len(bounds) == 1 else bounds
    return ops.randint(low, high, input.shape).astype(dtype or input.dtype)


@checked
def randn_like(input: Tensor, *, dtype: mstype.DType | None = None, device: Any = None) -> Tensor:
    """Return standard normal numbers of the shape and, unless told, the dtype of ``input``."""
    return ops.randn(input.shape, dtype=dtype or input.dtype)
