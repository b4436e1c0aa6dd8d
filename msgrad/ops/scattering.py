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
from msgrad._core.declared import checked
from msgrad.common.tensor import Tensor
from msgrad.ops.primitive import primitive
from msgrad.ops.selecting import check_bounds, scatter_rows, tensor_scatter_update

__all__ = [
    "ScatterAdd",
    "ScatterNdUpdate",
    "ScatterUpdate",
    "scatter_add",
    "scatter_nd_update",
    "scatter_update",
]


def _scatter_parameter(name: str, x: Tensor, indices: Tensor, updates: Tensor, how: str) -> Tensor:
    """Write into the first dimension of ``x``, in place, at ``indices``."""
    check_bounds(name, indices, x.shape[0], low=0)
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


@checked
def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace rows of ``input_x`` in place; returns the new values."""
    return _scatter_parameter("ScatterUpdate", input_x, indices, updates, "none")


@checked
def scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Add to rows of ``input_x`` in place; returns the new values."""
    return _scatter_parameter("ScatterAdd", input_x, indices, updates, "add")


@checked
def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace, in place, the slices at the rows of ``indices``; returns the new values."""
    return _replaced(input_x, lambda held: tensor_scatter_update(held, indices, updates))


_LOCKING = {"use_locking": True}


def _without_lock(function: Any) -> Any:
    # One program writes here, so the lock that MindSpore offers has nothing to guard.
    def locked(input_x: Any, indices: Any, updates: Any, use_locking: bool) -> Any:
        return function(input_x, indices, updates)

    locked.__doc__ = function.__doc__
    return locked


ScatterUpdate = primitive("ScatterUpdate", _without_lock(scatter_update), _LOCKING)
ScatterAdd = primitive("ScatterAdd", _without_lock(scatter_add), {"use_locking": False})
ScatterNdUpdate = primitive("ScatterNdUpdate", _without_lock(scatter_nd_update), _LOCKING)
