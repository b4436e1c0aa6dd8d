"""``index_add``: adding slices at positions of one dimension, as a function and as methods."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.op import Array, Indices, operator
from msgrad._core.registry import function, method
from msgrad.common.tensor import Tensor
from msgrad.ops._axis import normal_axis
from msgrad.ops.selecting import check_bounds


@operator("IndexAdd", int_grad=True)
def _add_slices(x: Array, y: Array, indices: Indices, axis: int) -> Array:
    if not jnp.issubdtype(indices.dtype, jnp.integer):
        raise ArgumentTypeError(
            f"the indices must be a Tensor of int32 or int64, but got {indices.dtype}."
        )
    wanted = (*x.shape[:axis], indices.size, *x.shape[axis + 1 :])
    if indices.ndim != 1 or y.shape != wanted:
        raise ArgumentValueError(
            "the indices must have one dimension, and what is added one slice for each of them: "
            f"{list(wanted)}, but got indices of shape {list(indices.shape)} and {list(y.shape)}."
        )
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
    if not is_tensor(source):
        raise ArgumentTypeError(f"Failed calling index_add: source must be a Tensor, not {source}.")
    return _added(self, index, source if alpha == 1 else source * alpha, dim)


@method("index_add_")
def _index_add_in_place(
    self: Tensor, dim: Any, index: Any, source: Any, *, alpha: Any = 1
) -> Tensor:
    """Add ``alpha * source`` at the positions along a dimension, in place."""
    self._write_elements(_newer(self, dim, index, source, alpha=alpha)._peek())
    return self
