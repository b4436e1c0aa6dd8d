"""Order and search: sort, topk, unique, nonzero.

Where the shape of a result depends on values, these must be known: no ``jit``, no ``vmap``.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from msgrad._core.checks import within
from msgrad._core.context import platform
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentValueError, KernelError
from msgrad._core.op import Array, operator
from msgrad._core.promotion import is_float
from msgrad._core.registry import function, method
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import normal_axis, refuse


def _canonical(x: Array) -> Array:
    """Return floats as float32 whose bits are in their order: one zero, and one nan, the last."""
    x = x.astype(jnp.float32)
    return jnp.where(jnp.isnan(x), jnp.nan, jnp.where(x == 0, 0, x))


def _order(x: Array, axis: int, descending: bool) -> Array:
    narrow = x.dtype.itemsize <= 4 and x.dtype != jnp.uint32
    if not narrow or platform() != "cpu":
        # A stable descending order needs a stable sort of the negated ranks, not a reversed one.
        order = jnp.argsort(x, axis=axis, stable=True, descending=descending)
        return order.astype(jnp.int32)
    # Ranks and places as one integer: XLA compares these by one instruction, all else by a call,
    # which takes five times as long.
    if is_float(x.dtype):
        bits = lax.bitcast_convert_type(_canonical(x), jnp.int32)
        ranks = jnp.where(bits < 0, bits ^ jnp.int32(2**31 - 1), bits)
    else:
        ranks = x.astype(jnp.int32)
    places = lax.broadcasted_iota(jnp.int64, x.shape, axis)
    packed = (~ranks if descending else ranks).astype(jnp.int64) << 32 | places
    order = lax.sort(packed, axis, is_stable=False)
    return (order & jnp.int64(2**32 - 1)).astype(jnp.int32)


@operator(
    "Sort",
    method="(axis=-1, descending=False, *, stable: _ = False)",
    also={"dim": "axis"},
    primitive="Sort(axis=-1, descending=False) "
    "SortExt(input: input_x, dim: axis = -1, descending=False, stable: _ = False, /)",
    int_grad=True,
)
def sort(input_x: Array, axis: int = -1, descending: bool = False) -> tuple[Array, Array]:
    """Sort along ``axis``, equal elements in their order.

    Returns:
        The values, and the positions they had as an int32 Tensor.

    Raises:
        TypeError: If ``descending`` is not a bool.
        ValueError: If ``axis`` is out of range.
    """
    place = normal_axis(axis, input_x.ndim)
    order = _order(lax.stop_gradient(input_x), place, descending)
    return jnp.take_along_axis(input_x, order, place), order


@function(method="(axis=-1, descending=False, *, stable: _ = False)", also={"dim": "axis"})
def argsort(input: Tensor, axis: int = -1, descending: bool = False) -> Tensor:
    """Return the positions, int32, of the elements in sorted order along ``axis``."""
    return sort(input, axis, descending)[1]


@operator("TopK", int_grad=True)
def _topk(input: Array, k: int, axis: int, largest: bool) -> tuple[Array, Array]:
    refuse(input, jnp.bool_)
    given = lax.stop_gradient(input)
    if is_float(input.dtype) and input.dtype.itemsize <= 4:
        ranked = jnp.moveaxis(_canonical(given), axis, -1)
        first = jnp.moveaxis(lax.top_k(ranked if largest else -ranked, k)[1], -1, axis)
    else:
        first = lax.slice_in_dim(_order(given, axis, largest), 0, k, axis=axis)
    return jnp.take_along_axis(input, first, axis), first


@function(primitive="TopkExt", method=True)
def topk(
    input: Tensor, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest (or smallest) elements along ``dim``, in order.

    Differs from MindSpore: of equal elements the first ones are taken; in 2.10 on CPU any of them,
    unless ``k`` is all of them.

    Args:
        input: Tensor.
        k: How many.
        dim: The dimension; the last by default.
        largest: False for the smallest.
        sorted: Accepted; the result is always in order.

    Returns:
        The values, and their positions as an int32 Tensor.

    Raises:
        ValueError: If there are fewer than ``k`` elements.
    """
    axis = normal_axis(-1 if dim is None else dim, input.ndim, "dim")
    within("", "k", k, f"(0, {input.shape[axis]}]")
    return _topk(input, int(k), axis, largest)


@function(primitive="TopK(sorted=True)", method=True, checks=True)
def top_k(input_x: Tensor, k: int, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest elements of the last dimension and their positions; as ``topk``."""
    return topk(input_x, k)


@function
def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """Return the distinct elements in the order of their first occurrence; each nan is one.

    Args:
        input: Tensor whose values are known (not under ``jit`` or ``vmap``).

    Returns:
        The elements in one dimension, and for each element of ``input`` its position in them.
    """
    values = np.asarray(input._concrete("unique"))
    _, first, inverse = np.unique(
        values.reshape(-1), return_index=True, return_inverse=True, equal_nan=False
    )
    order = np.argsort(first)
    position = np.empty_like(order)
    position[order] = np.arange(order.size)
    index = np.int64 if values.dtype == np.int64 else np.int32
    places = Tensor(position[inverse.reshape(values.shape)].astype(index))
    return Tensor(values.reshape(-1)[first[order]]), places


@function(primitive="Unique")
def _unique_of_one_dimension(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the distinct elements of a 1-D Tensor, and where each stands; as ``unique``."""
    if x.ndim != 1:
        raise KernelError(f"the rank of the input must be 1, but got {x.ndim}; ops.unique has any.")
    return unique(x)


@method("unique")
@checked
def _unique_method(
    self: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the distinct elements, sorted.

    Args:
        self: Tensor whose values are known.
        sorted: Accepted; the elements are sorted.
        return_inverse: Whether to return where each element went, int64.
        return_counts: Whether to return how often each is there, int64.
        dim: Compare slices of this dimension; by default all elements, flattened.

    Returns:
        A Tensor; with one of the options, a tuple of it and what was asked for.
    """
    values = np.asarray(self._concrete("unique"))
    found, inverse, counts = np.unique(
        values, return_inverse=True, return_counts=True, axis=dim, equal_nan=False
    )
    rest = [inverse.reshape(values.shape if dim is None else -1)] if return_inverse else []
    rest += [counts] if return_counts else []
    made = [Tensor(found), *(Tensor(part, mstype.int64) for part in rest)]
    return tuple(made) if rest else made[0]


@function(primitive="NonZero", method=True)
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the positions of the elements that are not zero.

    Args:
        input: Tensor of at least one dimension whose values are known.
        as_tuple: One 1-D Tensor for each dimension instead of one 2-D Tensor.

    Returns:
        int64 Tensor (n, ndim), or a tuple of Tensors (n,).

    Raises:
        RuntimeError: For a 0-d Tensor.
    """
    values = np.asarray(input._concrete("nonzero"))
    if not values.ndim:
        raise KernelError("the input must have at least one dimension.")
    places = [p.astype(np.int64) for p in np.nonzero(values)]
    return tuple(map(Tensor, places)) if as_tuple else Tensor(np.stack(places, 1))


@function(method=True)
def argwhere(input: Tensor) -> Tensor:
    """Return the positions of the elements that are not zero: int64 Tensor (n, ndim)."""
    return nonzero(input)


@operator("SearchSorted")
def _searchsorted(
    sorted_sequence: Array, values: Array, out_int32: bool = False, right: bool = False
) -> Array:
    side = "right" if right else "left"
    find = lambda rows, new: jnp.searchsorted(rows, new, side=side)  # noqa: E731
    for _ in range(sorted_sequence.ndim - 1):
        find = jax.vmap(find)
    return find(sorted_sequence, values).astype(jnp.int32 if out_int32 else jnp.int64)


@function
def searchsorted(
    sorted_sequence: Tensor,
    values: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Return the places where ``values`` would be inserted into sorted rows.

    Args:
        sorted_sequence: Tensor (..., n), sorted along the last dimension, or by ``sorter``.
        values: Tensor (..., m).
        out_int32: int32 instead of int64 places.
        right: After equal elements instead of before them.
        side: ``'left'`` or ``'right'``, which says the same.
        sorter: int Tensor of the places of the elements in sorted order.

    Raises:
        ValueError: If ``side`` is another, or ``'left'`` with ``right``.
    """
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ArgumentValueError(
            f"'side' must be 'left' or 'right', and go with right={right}, but got {side!r}."
        )
    if sorter is not None:
        sorted_sequence = sorted_sequence.gather_elements(-1, sorter)
    return _searchsorted(sorted_sequence, values, out_int32, right or side == "right")


@method("searchsorted")
def _searchsorted_method(
    self: Tensor, v: Any, side: str = "left", sorter: Tensor | None = None
) -> Tensor:
    """Return the places where ``v`` would be inserted into sorted rows, as int32."""
    values = v if isinstance(v, Tensor) else Tensor(v)
    return searchsorted(self, values, out_int32=True, side=side, sorter=sorter)
