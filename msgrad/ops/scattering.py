"""Writing into a Parameter at index Tensors: ``scatter_update`` and its like; copies are made in
``selecting``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._core.basics import as_constant_of, stop_gradient
from msgrad._core.bridge import wrap
from msgrad._core.context import context
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops.selecting import check_bounds, scatter_rows, tensor_scatter_update


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


@function(primitive="ScatterAdd(use_locking: _ = False)")
def scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Add to rows of ``input_x`` in place; returns the new values."""
    return _scatter_parameter(input_x, indices, updates, "add")


@function(primitive="ScatterNdUpdate(use_locking: _ = True)")
def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace, in place, the slices at the rows of ``indices``; returns the new values."""
    return _replaced(input_x, lambda held: tensor_scatter_update(held, indices, updates))


def _row_scatter(name: str, how: str, summary: str) -> Any:
    """Make ``scatter_*``, which changes rows of a Parameter."""

    def scattered(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        return _scatter_parameter(input_x, indices, *_as_update(updates, how))

    scattered.__doc__ = _doc(summary, "int Tensor, of rows")
    return function(name=name, primitive=f"{name}(use_locking: _ = False)")(scattered)


def _nd_scatter(name: str, how: str, summary: str) -> Any:
    """Make ``scatter_nd_*``, which changes slices of a Parameter."""

    def scattered(
        input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False
    ) -> Tensor:
        check_bounds(indices, input_x.shape[: indices.shape[-1]], low=0)
        result = scatter_rows(input_x, indices, *_as_update(updates, how))
        input_x._assign(result._peek())
        return result

    scattered.__doc__ = _doc(summary, "int Tensor, whose rows are positions of slices")
    return function(name=name, primitive=f"{name}(use_locking=False)")(scattered)


def _doc(summary: str, indices: str) -> str:
    return f"""{summary}, in place; returns the new values.

    Args:
        input_x: Parameter.
        indices: {indices}.
        updates: Tensor, one slice for each.

    Raises:
        RuntimeError: If a position is out of bounds (checked on the CPU).
    """


def _as_update(updates: Tensor, how: str) -> tuple[Tensor, str]:
    """Return updates and one of the ways of ``scatter_rows`` that does what ``how`` says."""
    return (-updates, "add") if how == "sub" else (updates, how)


_MAX, _MIN = "Keep the larger of slices and ``updates``", "Keep the smaller of both"
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
