"""Writing into a Parameter at index Tensors, ``index_add``, and reductions over segments.

Copies with elements written at indices are made in ``selecting``. Rows of one segment share a
number; they are added, multiplied or compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.basics import as_constant_of, stop_gradient
from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import at_least, of_type
from msgrad._core.context import context
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import limits
from msgrad._core.registry import function, method, spelling
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, normal_axis, of_ints
from msgrad.ops.selecting import check_bounds, scatter_product, scatter_rows


def _scatter_parameter(x: Tensor, indices: Tensor, updates: Tensor, how: str) -> Tensor:
    """Write into the first dimension of ``x``, in place, at ``indices``."""
    check_bounds(indices, x.shape[0], low=0)
    if how == "none":
        return _replaced(x, lambda held: scatter_rows(held, indices.expand_dims(-1), updates, how))
    result = scatter_rows(x, indices.expand_dims(-1), updates, how)
    x._assign(result._peek())
    return result


def _replaced(x: Tensor, replace: Callable[[Tensor], Tensor]) -> Tensor:
    """Write what ``replace`` makes of ``x`` into it; ``x`` stays a leaf, and the result is
    differentiated into all of it and into what was written.
    """
    result = replace(stop_gradient(x))
    if context.scope is not None:
        result = result + as_constant_of(wrap(jnp.zeros(x.shape, result._peek().dtype)), x)
    x._assign(result._peek())
    return result


# One program writes here, so the lock that MindSpore offers has nothing to guard.
@function(primitive="ScatterUpdate(use_locking: _ = True)")
def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace rows of ``input_x`` in place; returns the new values."""
    return _scatter_parameter(input_x, indices, updates, "none")


@function(primitive="ScatterNdUpdate(use_locking: _ = True)")
def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace, in place, the slices at the rows of ``indices``; returns the new values."""
    check_bounds(indices, input_x.shape[: indices.shape[-1]], low=0, wrong=ArgumentValueError)
    return _replaced(input_x, lambda held: scatter_rows(held, indices, updates, "none"))


def _row_scatter(name: str, how: str, summary: str) -> Any:
    """Make ``scatter_*``, which changes rows of a Parameter."""

    def scattered(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        return _scatter_parameter(input_x, indices, updates, how)

    scattered.__doc__ = _doc(summary, "int Tensor, of rows")
    return function(name=name, primitive=f"{name}(use_locking: _ = False)")(scattered)


def _nd_scatter(name: str, how: str, summary: str) -> Any:
    """Make ``scatter_nd_*``, which changes slices of a Parameter."""

    def scattered(
        input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
    ) -> Tensor:
        check_bounds(indices, input_x.shape[: indices.shape[-1]], low=0)
        result = scatter_rows(input_x, indices, updates, how)
        input_x._assign(result._peek())
        return result

    scattered.__doc__ = _doc(summary, "int Tensor, whose rows are positions of slices")
    return function(name=name, primitive=f"{name}(use_locking=False)")(scattered)


def _doc(summary: str, indices: str) -> str:
    return f"""{summary}, in place; returns the new values.

    Args:
        input_x: Parameter.
        indices: {indices}.
        updates: Tensor, one slice for each, of a dtype that converts to that of ``input_x``.

    Raises:
        TypeError: If it is of another one.
        RuntimeError: If a position is out of bounds (checked on the CPU).
    """


_MAX, _MIN = "Keep the larger of slices and ``updates``", "Keep the smaller of both"
scatter_add = _row_scatter("ScatterAdd", "add", "Add to rows")
scatter_mul = _row_scatter("ScatterMul", "mul", "Multiply rows")
scatter_div = _row_scatter("ScatterDiv", "div", "Divide rows")
scatter_max = _row_scatter("ScatterMax", "max", _MAX)
scatter_min = _row_scatter("ScatterMin", "min", _MIN)
_scatter_sub = _row_scatter("ScatterSub", "sub", "Subtract from rows")
scatter_nd_add = _nd_scatter("ScatterNdAdd", "add", "Add to slices")
scatter_nd_sub = _nd_scatter("ScatterNdSub", "sub", "Subtract from slices")
scatter_nd_mul = _nd_scatter("ScatterNdMul", "mul", "Multiply slices")
scatter_nd_div = _nd_scatter("ScatterNdDiv", "div", "Divide slices")
scatter_nd_max = _nd_scatter("ScatterNdMax", "max", _MAX)
scatter_nd_min = _nd_scatter("ScatterNdMin", "min", _MIN)


@operator("IndexAdd", int_grad=True)
def _add_slices(x: Array, y: Array, indices: Indices, axis: int) -> Array:
    of_ints(indices, "indices")
    wanted = (*x.shape[:axis], indices.size, *x.shape[axis + 1 :])
    fits = indices.ndim == 1 and y.shape == wanted
    need(fits, f"one slice must be added at each of the indices, {wanted}", indices, y)
    places = (slice(None),) * axis + (indices,)
    return x.at[places].add(y.astype(x.dtype))


def _added(x: Any, indices: Any, y: Any, axis: Any) -> Tensor:
    for value in (x, indices, y):
        if not is_tensor(value):
            raise ArgumentTypeError(
                f"Failed calling index_add: a Tensor is wanted, but got {type(value)}."
            )
    axis = normal_axis(axis, x.ndim)
    check_bounds(indices, x.shape[axis], low=0)
    return _add_slices(x, y, indices, axis)


@function(primitive="IndexAdd(axis, use_lock=True, check_index_bound=True)")
def index_add(
    x: Tensor,
    indices: Tensor,
    y: Tensor,
    axis: int,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> Tensor:
    """Add slices to a Parameter, in place.

    Args:
        x: The Parameter.
        indices: 1-d Tensor of int32 or int64: where along ``axis``; repeated ones add up.
        y: Tensor of the shape of ``x``, with one slice for each index along ``axis``.
        axis: The dimension.
        use_lock: Accepted for compatibility.
        check_index_bound: Accepted for compatibility: indices are checked on the CPU.

    Returns:
        A Tensor of the new values.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If the shapes do not fit, or ``axis`` is out of range.
        RuntimeError: If an index is out of bounds, on the CPU.
    """
    result = _added(x, indices, y, axis)
    x._write_elements(result._peek())
    return result


inplace_index_add = spelling(
    "inplace_index_add(var: x, indices, updates: y, axis)",
    index_add,
    primitive="InplaceIndexAdd(axis)",
)


@method("index_add")
def _index_add_method(self: Tensor, *args: Any, alpha: Any = 1, **named: Any) -> Tensor:
    """Add slices, in a copy, at the positions along a dimension; see ``index_add``."""
    # Two overloads: index_add(dim, index, source, alpha=1) and index_add(indices, y, axis).
    if "axis" in named or (args and is_tensor(args[0])):
        return _older(self, *args, **named)
    return _newer(self, *args, **named, alpha=alpha)


def _older(
    self: Tensor,
    indices: Any,
    y: Any,
    axis: Any,
    use_lock: bool = True,
    check_index_bound: bool = True,
) -> Tensor:
    return _added(self, indices, y, axis)


def _newer(self: Tensor, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Tensor:
    of_type("index_add", "source", source, Tensor)
    return _added(self, index, source if alpha == 1 else source * alpha, dim)


@method("index_add_")
def _index_add_in_place(
    self: Tensor, dim: Any, index: Any, source: Any, *, alpha: Any = 1
) -> Tensor:
    """Add ``alpha * source`` at the positions along a dimension, in place."""
    self._write_elements(_newer(self, dim, index, source, alpha=alpha)._peek())
    return self


def _product(rows: Array, ids: Array, count: int) -> Array:
    return scatter_product(jnp.ones((count, *rows.shape[1:]), rows.dtype), rows, ids)


_REDUCE: dict[str, Callable[..., Array]] = {
    "Max": jax.ops.segment_max,
    "Min": jax.ops.segment_min,
    "Prod": _product,
    "Sum": jax.ops.segment_sum,
}


def _reduced(how: str, x: Array, ids: Array, count: int) -> Array:
    fits = ids.shape == x.shape[: ids.ndim]
    need(fits, "'segment_ids' must have the first dimensions of the input", x, ids)
    rows = x.reshape(-1, *x.shape[ids.ndim :])
    return _REDUCE[how](rows, ids.reshape(-1), count)


@operator("UnsortedSegment", int_grad=True)
def _unsorted(input: Array, segment_ids: Indices, num_segments: int, how: str) -> Array:
    of_ints(segment_ids, "segment_ids")
    at_least("", "num_segments", num_segments, 1)
    # A negative number belongs to no segment.
    ids = jnp.where(segment_ids < 0, num_segments, segment_ids)
    found = _reduced(how, input, ids, num_segments)
    # The limit of the dtype where JAX has infinity.
    return jnp.clip(found, *limits(input.dtype)) if how in ("Max", "Min") else found


def _of_unsorted(how: str, summary: str) -> Any:
    def unsorted(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
        return _unsorted(x, segment_ids, int(num_segments), how)

    unsorted.__doc__ = f"""{summary} of the rows that share a segment.

    Args:
        x: Tensor.
        segment_ids: int Tensor with the first dimensions of ``x``; negative for no segment.
        num_segments: int, or int Tensor of one element: how many segments.

    Returns:
        Tensor (num_segments, ...).
    """
    row = function(name=f"UnsortedSegment{how}", primitive=True, also={"input_x": "x"})
    return row(unsorted)


unsorted_segment_max = _of_unsorted("Max", "Return the largest")
unsorted_segment_min = _of_unsorted("Min", "Return the smallest")
unsorted_segment_prod = _of_unsorted("Prod", "Return the product")
unsorted_segment_sum = _of_unsorted("Sum", "Return the sum")


@operator("Segment", int_grad=True)
def _segments(x: Array, ids: Indices, how: str, count: int) -> Array:
    amount = _reduced("Sum", jnp.ones(ids.shape, x.dtype), ids, count)
    amount = amount.reshape(-1, *[1] * (x.ndim - 1))
    if how == "Mean":
        return _reduced("Sum", x, ids, count) / jnp.maximum(amount, 1)
    found = _reduced(how, x, ids, count)
    return found if how in ("Prod", "Sum") else jnp.where(amount > 0, found, 0).astype(x.dtype)


def _sorted(how: str) -> Any:
    def reduced(input_x: Tensor, segment_ids: Tensor) -> Tensor:
        ids = np.asarray(segment_ids._concrete(f"Segment{how}"))
        if (np.diff(ids) < 0).any() or (ids < 0).any():
            raise ArgumentValueError(f"'segment_ids' must be sorted, and not negative, not {ids}.")
        return _segments(input_x, segment_ids, how, int(ids[-1]) + 1)

    reduced.__doc__ = f"""Reduce ({how.lower()}) the rows of each segment; of none, to 0 or 1.

    Args:
        input_x: Tensor (N, ...).
        segment_ids: int32 or int64 Tensor (N,), sorted.
    """
    return function(name=f"Segment{how}", primitive=True, public=False)(reduced)


_segment_max, _segment_mean, _segment_min = _sorted("Max"), _sorted("Mean"), _sorted("Min")
_segment_prod, _segment_sum = _sorted("Prod"), _sorted("Sum")
