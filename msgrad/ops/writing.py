"""Replacing rows, slices and elements: ``inplace_*``, ``index_fill``, ``select_scatter``.

Writing at index Tensors is in ``scattering`` (in place) and ``selecting`` (in copies).
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor, static
from msgrad._core.op import Array, Indices, Operand, operator
from msgrad._core.registry import function, spelling
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import of_dtype, of_shape, one_axis, same_type
from msgrad.ops.selecting import tensor_scatter_add, tensor_scatter_update


@operator("Inplace", int_grad=True)
def _rows_changed(x: Array, v: Array, rows: Any, how: str) -> Array:
    same_type(x, v)
    places = (rows,) if isinstance(rows, int) else rows
    of_shape(v, "v", len(places), *x.shape[1:])
    ref = x.at[np.asarray(places, np.int32)]
    return {"add": ref.add, "sub": ref.subtract, "update": ref.set}[how](v)


def _in_rows(how: str, summary: str, more: str = "") -> Any:
    """Make ``inplace_add`` and its like, with the Primitive."""

    def changed(x: Tensor, v: Tensor, indices: Any) -> Tensor:
        return _rows_changed(x, v, static(indices), how)

    changed.__doc__ = f"""{summary} rows of a copy of ``x``, which stays as it is, as in 2.10.

    Args:
        x: Tensor.
        v: Tensor of the same dtype, one row for each index.
        indices: int or tuple of ints: which rows.
    """
    label = f"Inplace{how.title()}"
    return function(name=label, primitive=f"{label}(indices) {more}")(changed)


inplace_add = _in_rows("add", "Add to")
inplace_sub = _in_rows("sub", "Subtract from")
inplace_update = _in_rows("update", "Replace", "InplaceUpdateV2(x, indices, v, /)")


@operator("IndexFill", int_grad=True)
def _filled(x: Array, index: Indices, value: Operand, axis: int) -> Array:
    """Fill the slices of ``axis`` that ``index`` names with a number, in a copy.

    Args:
        x: Tensor.
        axis: int or int Tensor of one element.
        index: int32 Tensor (N,) or ().
        value: Number, or Tensor of one element.
    """
    at = (slice(None),) * one_axis(axis, x.ndim) + (index,)
    return x.at[at].set(jnp.asarray(value).astype(x.dtype))


index_fill = spelling("index_fill(x, axis, index, value)", _filled, primitive="IndexFill")


@function(primitive="IndexPut(accumulate=0)")
def _index_put(x1: Tensor, x2: Tensor, indices: Any, accumulate: int = 0) -> Tensor:
    """Write values at positions, in a copy.

    Args:
        x1: Tensor.
        x2: Tensor (N,) or (1,) of the same dtype: the values.
        indices: tuple or list of int Tensors, one for each of the first dimensions.
        accumulate: 1 to add instead.
    """
    places = [i.asnumpy() if is_tensor(i) else np.asarray(i) for i in indices]
    rows = Tensor(np.stack(np.broadcast_arrays(*places), -1))
    values = x2.broadcast_to((*rows.shape[:-1], *x1.shape[rows.shape[-1] :]))
    return (tensor_scatter_add if accumulate else tensor_scatter_update)(x1, rows, values)


@operator("select_scatter", int_grad=True)
def select_scatter(input: Array, src: Array, axis: int, index: int) -> Array:
    """Replace one slice of ``axis`` by ``src``, in a copy."""
    at = (slice(None),) * one_axis(axis, input.ndim) + (index,)
    return _replaced(input, src, at)


def _replaced(x: Array, src: Array, at: tuple[Any, ...]) -> Array:
    of_shape(src, "src", *x[at].shape)
    return x.at[at].set(src.astype(x.dtype))


@operator("slice_scatter", int_grad=True)
def slice_scatter(
    input: Array,
    src: Array,
    axis: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Array:
    """Replace a slice ``start:end:step`` of ``axis`` by ``src``, in a copy."""
    at = (slice(None),) * one_axis(axis, input.ndim) + (slice(start, end, step),)
    return _replaced(input, src, at)


@operator("MaskedScatter", primitive=True, method="masked_scatter", int_grad=True)
def _masked_scatter(input: Array, mask: Indices, source: Array) -> Array:
    """Replace the elements where a mask is True by those of ``source``, in order.

    Args:
        input: Tensor.
        mask: bool Tensor that broadcasts to ``input``.
        source: Tensor of at least as many elements as are replaced, of the kind of ``input``.
    """
    if input.dtype.kind != source.dtype.kind:
        same_type(input, source)
    of_dtype(mask, "mask", jnp.bool_)
    wide = jnp.broadcast_to(mask, input.shape)
    order = jnp.cumsum(wide.reshape(-1)) - 1
    taken = source.reshape(-1)[order].reshape(input.shape)
    return jnp.where(wide, taken.astype(input.dtype), input)


@operator("EmbeddingLookup", primitive=True, int_grad=True)
def _embedding_lookup(input_params: Array, input_indices: Indices, offset: int) -> Array:
    """Return the rows of a table that begins at ``offset``; zeros outside of it."""
    rows, table = input_indices - offset, input_params
    found = jnp.take(table, jnp.clip(rows, 0, table.shape[0] - 1), 0)
    inside = (rows >= 0) & (rows < table.shape[0])
    return jnp.where(inside.reshape(*inside.shape, *[1] * (table.ndim - 1)), found, 0)


@function(primitive="FillV2")
def _fill_v2(shape: Any, value: Tensor) -> Tensor:
    """Return a Tensor of a shape, a tuple of ints or int Tensor, filled with a value."""
    return value.broadcast_to(static(shape)).copy()


@operator("Fills", primitive=True)
def fills(x: Array, value: Operand) -> Array:
    """Return a Tensor like ``x`` filled with a number.

    Differs from MindSpore: it works on the CPU too.
    """
    return jnp.full_like(x, jnp.asarray(value).astype(x.dtype))


@function(primitive="CopyWithSlice InplaceCopy(input: x, src: y, /)")
def _copy_with_slice(x: Tensor, y: Tensor) -> Tensor:
    """Write ``y`` into ``x``, in place; returns ``x``."""
    x._write_elements(y.astype(x.dtype).broadcast_to(x.shape)._peek())
    return x
