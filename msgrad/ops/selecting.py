"""Selecting and replacing elements by index Tensor or mask: gather, scatter, where, one_hot."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.basics import slices_at
from msgrad._core.bridge import is_tensor, static
from msgrad._core.checks import at_least, one_of
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.op import Array, Indices, Operand, operator
from msgrad._core.promotion import convert, promote, repeated
from msgrad._core.registry import function, method, spelling
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import (
    as_type_of,
    host_values,
    need,
    normal_axis,
    of_dtype,
    of_ints,
    of_rank,
    of_shape,
    refuse,
    same_type,
)


def _indices(indices: Array) -> Array:
    of_ints(indices, "indices")
    return indices


def check_bounds(indices: Any, sizes: Any, *, low: Any = None, wrong: type = KernelError) -> None:
    """Raise for indices out of bounds, where looking costs nothing: on the CPU.

    Args:
        indices: Tensor of ints; its last dimension goes over ``sizes`` where these are several.
        sizes: One size, or one per entry of the last dimension.
        low: The lowest index; minus the size by default.
        wrong: The exception to raise.
    """
    raw = indices._read() if is_tensor(indices) else indices
    values = host_values(raw) if isinstance(raw, jax.Array) else None
    limits = np.asarray(sizes)
    if values is None or not values.size or values.dtype.kind not in "iu":
        return
    bad = (values >= limits) | (values < (-limits if low is None else low))
    if bad.any():
        raise wrong(
            f"the value of 'index' must be in [{-limits if low is None else low}, {limits}), but "
            f"got: {values[bad][0]}"
        )


@operator("Gather", int_grad=True)
def _gather(input_params: Array, input_indices: Indices, axis: int, batch_dims: int) -> Array:
    indices = _indices(input_indices)
    if not batch_dims:
        return slices_at(input_params, indices, axis)
    step = lambda x, i: slices_at(x, i, axis - batch_dims)  # noqa: E731
    for _ in range(batch_dims):
        step = jax.vmap(step)
    return step(input_params, indices)


@function(primitive="Gather(batch_dims=0) GatherV2")
def gather(input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0) -> Tensor:
    """Return the slices of ``axis`` that the indices name.

    Args:
        input_params: Tensor of any dtype.
        input_indices: int Tensor of any shape, which takes the place of ``axis`` in the result.
        axis: int or 0-d Tensor.
        batch_dims: How many leading dimensions both Tensors share, ``axis`` at most; if negative,
            how many of the indices' dimensions are none of these.

    Raises:
        TypeError: If the indices are not an int Tensor.
        ValueError: If ``axis`` or ``batch_dims`` is out of range.
        RuntimeError: If the shared dimensions differ, or an index is out of bounds (checked on
            the CPU).
    """
    at = normal_axis(axis, input_params.ndim)
    if batch_dims:
        batch_dims = _shared_dims(input_params, input_indices, at, batch_dims)
    check_bounds(input_indices, input_params.shape[at])
    return _gather(input_params, input_indices, at, batch_dims)


def _shared_dims(params: Tensor, indices: Tensor, axis: int, given: int) -> int:
    normal_axis(given, params.ndim, "batch_dims")
    count = given if given > 0 else given + indices.ndim
    need(count <= axis, f"the axis must be greater than or equal to {count}", axis)
    if count < 0 or params.shape[:count] != indices.shape[:count]:
        raise KernelError(
            f"with batch_dims {given}, the leading dimensions of input_params and input_indices "
            f"must be equal, but got {params.shape} and {indices.shape}."
        )
    return count


@method("gather")
def _gather_method(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """Return the elements, or slices, at the positions that an index names."""
    # Two overloads: gather(input_indices, axis, batch_dims) and gather(dim, index).
    if named.keys() <= {"dim", "index"} and not (args and is_tensor(args[0]) and args[0].ndim):
        dim, index = [*args, *(named[k] for k in ("dim", "index") if k in named)]
        return gather_elements(self, dim, index)
    return gather(self, *args, **named)


@operator("GatherD", int_grad=True)
def _gather_elements(input: Array, index: Indices, dim: int) -> Array:
    indices = _indices(index)
    need(indices.ndim == input.ndim, "'index' must have the rank of the input", input, indices)
    return repeated(input, lambda x: x[_along(indices, dim)])


def _along(indices: Array, dim: int) -> tuple[Array, ...]:
    grid = list(jnp.meshgrid(*(jnp.arange(n) for n in indices.shape), indexing="ij", sparse=True))
    grid[dim] = indices
    return tuple(grid)


@function(method=True)
def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Return ``input[i][index[i][j]]...``: along ``dim`` the element that ``index`` names.

    Args:
        input: Tensor.
        dim: The dimension that ``index`` indexes.
        index: int Tensor of the rank of ``input``; the result has its shape.

    Raises:
        ValueError: If the ranks differ.
        RuntimeError: If an index is out of bounds (checked on the CPU).
    """
    if input.ndim * index.ndim == 0 and input.ndim + index.ndim < 2:
        # Without dimensions is as with one.
        return gather_elements(
            input.reshape(1) if not input.ndim else input, dim, index.reshape(-1)
        ).reshape(index.shape)
    at = normal_axis(dim, input.ndim, "dim")
    check_bounds(index, input.shape[at])
    return _gather_elements(input, index, at)


gather_d = spelling("gather_d(x: input, dim, index)", gather_elements, primitive="GatherD")


@operator("GatherNd", int_grad=True)
def _gather_nd(input_x: Array, indices: Indices) -> Array:
    return repeated(input_x, lambda x: x[tuple(jnp.moveaxis(_indices(indices), -1, 0))])


@function(primitive="GatherNd", method=True)
def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """Return the slices whose leading positions are the rows of ``indices``.

    Raises:
        RuntimeError: If a position is out of bounds (checked on the CPU).
    """
    check_bounds(indices, input_x.shape[: indices.shape[-1]], low=0)
    return _gather_nd(input_x, indices)


@function(primitive="IndexSelect", method="(dim: axis, index)", also={"axis": "axis"})
def index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """Return the slices of ``axis`` that the 1-D ``index`` names.

    Raises:
        ValueError: If ``index`` is not 1-D.
    """
    of_rank(index, 1, label="index")
    return gather(input, index, axis)


@function
def take(input: Tensor, index: Tensor) -> Tensor:
    """Return the elements of the flattened Tensor at ``index``."""
    return _take_method(input, index)


@method("take")
def _take_method(
    self: Tensor, index: Tensor, axis: int | None = None, mode: str = "clip"
) -> Tensor:
    """Return the elements, or slices along ``axis``, at the positions in ``index``."""
    # The mode 'clip' of MindSpore still counts negative indices from the end.
    one_of("", "mode", mode, "clip", "wrap", "raise")
    source = self.reshape(-1) if axis is None else self
    at = 0 if axis is None else normal_axis(axis, self.ndim)
    if mode == "raise":
        check_bounds(index, source.shape[at], wrong=ArgumentValueError)
    return _take(source, index, at, mode)


@operator("take", int_grad=True)
def _take(input: Array, index: Indices, axis: int, mode: str) -> Array:
    size = input.shape[axis]
    if mode == "wrap":
        index = index % size
    else:
        index = jnp.clip(jnp.where(index < 0, index + size, index), 0, size - 1)
    if not index.size and axis == 0:
        return jnp.zeros(index.shape + input.shape[1:], input.dtype)
    return slices_at(input, index, axis)


@operator("MaskedFill", primitive=True, int_grad=True)
def masked_fill(input_x: Array, mask: Indices, value: Operand) -> Array:
    """Replace the elements where a mask is True.

    Args:
        input_x: Tensor.
        mask: bool Tensor that broadcasts with ``input_x``.
        value: Number or 0-d Tensor, cast to the dtype of ``input_x``.

    Raises:
        TypeError: If the mask is not bool.
    """
    value = jnp.asarray(value)
    if not jnp.issubdtype(value.dtype, jnp.complexfloating):
        refuse(input_x, jnp.complexfloating)
    of_dtype(mask, "mask", jnp.bool_)
    return jnp.where(mask, convert(value, input_x.dtype), input_x)


@method("masked_fill")
def _masked_fill_method(self: Tensor, mask: Tensor, value: Tensor | float | bool) -> Tensor:
    """Replace the elements where a mask is True; ``value`` takes the dtype, complex too."""
    if isinstance(value, (int, float)) and self.is_complex():
        value = Tensor(value, self.dtype)
    return masked_fill(self, mask, value)


@function(primitive="MaskedSelect", method=True)
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where a mask is True, in one dimension.

    Args:
        input: Tensor.
        mask: bool Tensor that broadcasts with ``input``; its values must be known.

    Raises:
        RuntimeError: If the mask is not bool.
    """
    if mask.dtype is not mstype.bool_:
        raise KernelError(f"'mask' must be a bool Tensor, but got {mask.dtype}.")
    sizes = np.broadcast_shapes(input.shape, mask.shape) or (1,)
    return input.broadcast_to(sizes)[mask.broadcast_to(sizes)]


@operator("where", int_grad=True)
def where(condition: Indices, input: Operand, other: Operand) -> Array:
    """Return ``input`` where a condition holds and ``other`` elsewhere, with broadcasting.

    Args:
        condition: bool Tensor.
        input: Tensor or number.
        other: Tensor or number.

    Returns:
        Tensor of the dtype both meet in.

    Raises:
        TypeError: If the condition is not bool.
    """
    of_dtype(condition, "condition", jnp.bool_)
    return jnp.where(condition, *_met(input, other))


def _met(input: Any, other: Any) -> tuple[Array, Array]:
    x, y = jnp.asarray(input), jnp.asarray(other)
    if x.dtype == y.dtype and x.dtype == jnp.bool_:
        return x, y
    return promote(x, y)


@operator("Select", primitive=True, int_grad=True)
def select(condition: Indices, input: Operand, other: Operand) -> Array:
    """Return ``input`` where a condition holds and ``other`` elsewhere; as ``where``."""
    return where.kernel(condition, input, other)


@method("where")
def _where_method(self: Tensor, condition: Tensor, other: Any = None, *, y: Any = None) -> Tensor:
    """Return the elements where ``condition`` holds and those of ``other`` elsewhere."""
    return where(condition, self, y if other is None else other)


@method("select")
def _select_method(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """Return one slice of a dimension, or choose elements by a condition."""
    # Two overloads: select(dim, index) gives a view, select(condition, y) chooses elements.
    values = [*args, *named.values()]
    if is_tensor(values[0]) and not values[0].ndim and values[0].dtype != mstype.bool_:
        values[0] = int(values[0])
    if not is_tensor(values[0]):
        dim = normal_axis(values[0], self.ndim, "dim")
        return self[(slice(None),) * dim + (values[1],)]
    return select(values[0], self, values[1])


def _scattered(x: Array, at: Any, updates: Any, how: str) -> Array:
    if how == "mul":
        return scatter_product(x, updates, *at)
    if how == "div":
        # Integers stay what they are, divided towards 0.
        return jax.lax.div(x, scatter_product(jnp.ones_like(x), updates, *at))
    ref = x.at[at]
    return {"none": ref.set, "add": ref.add, "max": ref.max, "min": ref.min}[how](updates)


@jax.custom_jvp
def scatter_product(x: Array, updates: Array, *at: Array) -> Array:
    """Multiply elements of ``x`` by all of the updates at their positions."""
    return x.at[at].multiply(updates)


def _products_of_others(values: Array, places: tuple[Array, ...], sizes: tuple[int, ...]) -> Array:
    """Return for each row of ``values`` the product of the others at its place.

    As products of those before and after it, so that zeros need no rule and any order of
    derivatives is exact.
    """
    row: Any = 0
    for index, size in zip(jnp.broadcast_arrays(*places), sizes, strict=False):
        row = row * size + jnp.where(index < 0, index + size, index)
    rows = values.reshape(row.size, math.prod(values.shape[row.ndim :]))
    order = jnp.argsort(row.reshape(-1), stable=True)
    ranked, rows = row.reshape(-1)[order], rows[order]
    first = (jnp.arange(row.size) == 0) | (ranked != jnp.roll(ranked, 1))

    def before(first: Array, rows: Array) -> Array:
        def join(one: Any, other: Any) -> Any:
            return one[0] | other[0], jnp.where(other[0], other[1], one[1] * other[1])

        begins = first[:, None]
        shifted = jnp.where(begins, 1, jnp.roll(rows, 1, 0))
        return jax.lax.associative_scan(join, (begins, shifted))[1]

    after = before(jnp.roll(first, -1)[::-1], rows[::-1])[::-1]
    return (before(first, rows) * after)[jnp.argsort(order)].reshape(values.shape)


@scatter_product.defjvp
def _scatter_product_jvp(primals: Any, tangents: Any) -> tuple[Array, Array]:
    # JAX has no derivative of it: each update counts by the product of the others.
    (x, updates, *at), (dx, change) = primals, tangents[:2]
    places = tuple(at)
    values = jnp.broadcast_to(updates, x[places].shape)
    others = _products_of_others(values, places, x.shape)
    slope = jnp.zeros_like(x).at[places].add((change * others).astype(x.dtype))
    factor = scatter_product(jnp.ones_like(x), values, *places)
    return x * factor, dx * factor + x * slope


@operator("TensorScatterElements", int_grad=True)
def _scatter_elements(
    input_x: Array, indices: Indices, updates: Operand, axis: int, how: str
) -> Array:
    values = jnp.asarray(updates)
    same = not values.ndim or values.ndim == indices.ndim == input_x.ndim
    need(same, "input, indices and updates must have one rank", input_x, indices, values)
    if values.ndim:
        indices = indices[tuple(slice(n) for n in values.shape)]
    if input_x.dtype == jnp.bool_ and how == "add":
        how = "max"
    return _scattered(
        input_x,
        _along(_indices(indices), axis),
        values.astype(input_x.dtype),
        how,
    )


@function(
    primitive="TensorScatterElements(axis=0, reduction='none') "
    "ScatterAddWithAxis(input_x, indices, updates, /, axis=0, _: reduction = 'add')"
)
def tensor_scatter_elements(
    input_x: Tensor, indices: Tensor, updates: Any, axis: int = 0, reduction: str = "none"
) -> Tensor:
    """Write ``updates`` into a copy at the positions along ``axis`` that ``indices`` names.

    Args:
        input_x: Tensor.
        indices: int Tensor of the rank of ``input_x``.
        updates: Tensor of the shape of ``indices``.
        axis: The dimension.
        reduction: ``'none'`` replaces, ``'add'`` adds.

    Raises:
        TypeError: If ``updates`` are of another dtype.
        ValueError: For another reduction, or ranks that differ.
        RuntimeError: If an index is out of bounds (checked on the CPU).
    """
    one_of("", "reduction", reduction, "none", "add")
    if is_tensor(updates):
        same_type(input_x, updates)
    at = normal_axis(axis, input_x.ndim)
    check_bounds(indices, input_x.shape[at])
    return _scatter_elements(input_x, indices, updates, at, reduction)


scatter = spelling(
    "scatter(input: input_x, axis, index: indices, src: updates)",
    tensor_scatter_elements,
    "Write ``src`` into a copy at the positions along ``axis`` that ``index`` names.",
)


@method("scatter")
def _scatter_method(
    self: Tensor,
    dim: Any = None,
    index: Any = None,
    src: Any = None,
    *,
    axis: Any = None,
    reduce: str = "none",
) -> Tensor:
    """Write ``src`` into a copy at the positions along a dimension; see ``scatter``."""
    return tensor_scatter_elements(self, index, src, axis if dim is None else dim, reduce)


@method("scatter_add")
def _scatter_add_method(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """Add, in a copy, at the positions that an index names."""
    # Two overloads: scatter_add(dim, index, src) and scatter_add(indices, updates).
    values = [*args, *named.values()]
    if len(values) == 3:
        return tensor_scatter_elements(self, values[1], values[2], values[0], "add")
    return tensor_scatter_add(self, *values)


def _rows(indices: Array, updates: Array, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """Return the positions in ``shape`` at which there is a slice of ``updates`` for each."""
    wanted = (*indices.shape[:-1], *shape[indices.shape[-1] :])
    of_shape(updates, "updates", *wanted)
    return tuple(jnp.moveaxis(_indices(indices), -1, 0))


@operator("TensorScatter", public=False, int_grad=True)
def scatter_rows(input_x: Array, indices: Indices, updates: Operand, how: str) -> Array:
    values = as_type_of(input_x, jnp.asarray(updates))
    if how == "sub":
        values, how = -values, "add"
    return _scattered(input_x, _rows(indices, values, input_x.shape), values, how)


def _tensor_scatter(
    word: str, how: str, summary: str, method: bool = True
) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """Make a function that writes into a copy, at the rows of positions in ``indices``."""

    def scattered(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        same_type(input_x, updates)
        sizes = input_x.shape[: indices.shape[-1]]
        check_bounds(indices, sizes, low=0, wrong=ArgumentValueError)
        return scatter_rows(input_x, indices, updates, how)

    scattered.__doc__ = f"""{summary}, in a copy.

    Args:
        input_x: Tensor.
        indices: int Tensor, whose rows are the leading positions of slices of ``input_x``.
        updates: Tensor, one slice for each row.

    Raises:
        TypeError: If ``updates`` are of another dtype.
        ValueError: If a position is out of bounds (checked on the CPU).
    """
    called = f"scatter_{how}" if method else False
    return function(name=f"TensorScatter{word}", primitive=True, method=called)(scattered)


tensor_scatter_update = _tensor_scatter("Update", "none", "Replace slices", False)
tensor_scatter_add = _tensor_scatter("Add", "add", "Add to slices", False)
tensor_scatter_sub = _tensor_scatter("Sub", "sub", "Subtract from slices")
tensor_scatter_mul = _tensor_scatter("Mul", "mul", "Multiply slices")
tensor_scatter_div = _tensor_scatter("Div", "div", "Divide slices")
tensor_scatter_max = _tensor_scatter("Max", "max", "Take the larger of slices and ``updates``")
tensor_scatter_min = _tensor_scatter("Min", "min", "Take the smaller of slices and ``updates``")


@operator("ScatterNd", primitive=True, int_grad=True)
def scatter_nd(indices: Indices, updates: Array, shape: tuple[int, ...]) -> Array:
    """Add the slices of ``updates`` to zeros of ``shape``, at the rows of ``indices``.

    Of bools each is whether one of them is true.
    """
    rows = _rows(indices, updates, shape)
    ref = jnp.zeros(shape, updates.dtype).at[rows]
    return ref.max(updates) if updates.dtype == jnp.bool_ else ref.add(updates)


@operator("OneHot", int_grad=True)
def _one_hot(
    on_value: Operand, off_value: Operand, indices: Indices, depth: int, axis: int
) -> Array:
    of_dtype(indices, "indices", jnp.int32, jnp.int64)
    on, off = _met(on_value, off_value)
    at = normal_axis(axis, indices.ndim + 1)
    wide = jnp.expand_dims(indices, at)
    steps = jnp.arange(depth, dtype=indices.dtype).reshape(
        [-1 if d == at else 1 for d in range(wide.ndim)]
    )
    return jnp.where(wide == steps, on, off)


@function(primitive="OneHot(axis=-1) OneHotExt(axis=-1)")
def one_hot(
    indices: Tensor, depth: int, on_value: Any = 1, off_value: Any = 0, axis: int = -1
) -> Tensor:
    """Return rows that are ``on_value`` at the index and ``off_value`` elsewhere.

    Args:
        indices: int32 or int64 Tensor; an index out of range gives a row of ``off_value``.
        depth: The size of the new dimension, an int or 0-d Tensor.
        on_value: Number or 0-d Tensor.
        off_value: Number or 0-d Tensor.
        axis: Where the new dimension goes.

    Raises:
        TypeError: If the indices or the depth are not ints, or the two values of two types.
    """
    at_least("", "depth", depth, 0)
    kinds = {int: mstype.int64, float: mstype.float32}
    on, off = (
        v.dtype if is_tensor(v) else kinds.get(type(static(v)), type(v))
        for v in (on_value, off_value)
    )
    if on is not off:
        raise ArgumentTypeError(
            f"'on_value' and 'off_value' must be of one type, but got {on} and {off}."
        )
    return _one_hot(on_value, off_value, indices, depth, axis)
