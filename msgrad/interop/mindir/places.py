"""Rules of what is read from, and written to, places that indices say; and of sorting."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from msgrad._core.errors import UnsupportedError
from msgrad.interop.mindir import products
from msgrad.interop.mindir.graph import Graph, Value
from msgrad.interop.mindir.shapes import (
    cast,
    constant,
    elementwise,
    joined,
    reshaped,
    sliced,
    transposed,
    whole,
)

_INDICES = np.dtype(np.int32)
WRITES = {
    "scatter": "TensorScatterUpdate",
    "scatter-add": "TensorScatterAdd",
    "scatter-max": "TensorScatterMax",
    "scatter-min": "TensorScatterMin",
}


def gathered(g: Graph, like: Any, p: Any, x: Value, at: Value) -> Value:
    """``gather`` of places that are known, or of single ones and whole dimensions by GatherNd."""
    n, shape = p["dimension_numbers"], at.shape[:-1]
    places = [*n.operand_batching_dims, *n.start_index_map]
    rest = [i for i in range(len(x.shape)) if i not in places]
    # The dimensions of the slices stand where the equation says, the others around them.
    others = [i for i in range(len(like.shape)) if i not in n.offset_dims]
    order = np.argsort([*others, *n.offset_dims])
    if at.constant is not None:
        if len(places) == 1 and _is_within(p, x, at):
            (place,) = places
            found_shape = (*x.shape[:place], *shape, *x.shape[place + 1 :])
            likes = Value("", found_shape, x.dtype)
            found = g.node("Gather", whole(g, x), _raw(at)[..., 0], place, 0, like=likes)
            own = range(place, place + len(shape))
            slices = [i for i in range(len(found_shape)) if i not in own]
            return transposed(g, found, np.array([*own, *slices])[order].tolist())
        read = functools.partial(jax.lax.gather_p.bind, **{**p, "fill_value": -1})
        return _moved(g, [x], lambda numbers: read(numbers, _raw(at)))
    _check_single(places, [*n.collapsed_slice_dims, *n.operand_batching_dims])
    if any(p["slice_sizes"][i] not in (1, x.shape[i]) for i in rest):
        raise UnsupportedError("A MindIR file has no gathering of slices that an input chooses.")
    if p["mode"] == jax.lax.GatherScatterMode.CLIP:
        most = constant([x.shape[i] - 1 for i in n.start_index_map], at.dtype)
        at = elementwise(g, "Minimum", at, at, most)
        at = elementwise(g, "Maximum", at, at, constant(0, at.dtype))
    at = _with_batches(g, at, n.start_indices_batching_dims)
    source = transposed(g, x, [*places, *rest])
    found_shape = (*shape, *(x.shape[i] for i in rest))
    found = g.node("GatherNd", source, at, like=Value("", found_shape, x.dtype))
    return transposed(g, found, order.tolist())


def _is_within(p: Any, x: Value, at: Value) -> bool:
    """Whether known places of one dimension are in it, and all of the others is read."""
    n, indices = p["dimension_numbers"], _raw(at)
    (place,) = n.start_index_map or (-1,)
    sizes = tuple(1 if i == place else size for i, size in enumerate(x.shape))
    is_single = tuple(n.collapsed_slice_dims) == (place,) and tuple(p["slice_sizes"]) == sizes
    return bool(is_single and ((indices >= 0) & (indices < x.shape[place])).all())


def scattered(g: Graph, like: Any, p: Any, x: Value, at: Value, new: Value, *, name: str) -> Value:
    """``scatter`` to places that are known, or to single ones and whole dimensions."""
    if at.constant is not None and name == "scatter":
        return _moved(g, [x, new], lambda x, new: jax.lax.scatter_p.bind(x, _raw(at), new, **p))
    n = p["dimension_numbers"]
    places = [*n.operand_batching_dims, *n.scatter_dims_to_operand_dims]
    rest = [i for i in range(len(x.shape)) if i not in places]
    _check_single(places, [*n.inserted_window_dims, *n.operand_batching_dims])
    at = _with_batches(g, at, n.scatter_indices_batching_dims)
    batch = [i for i in range(len(new.shape)) if i not in n.update_window_dims]
    source = transposed(g, x, [*places, *rest])
    values = transposed(g, new, [*batch, *n.update_window_dims])
    if values.shape[len(batch) :] != source.shape[len(places) :]:
        raise UnsupportedError("A MindIR file has no writing of slices that an input chooses.")
    made = g.node(WRITES[name], source, at, values, like=source)
    return transposed(g, made, np.argsort([*places, *rest]).tolist())


def read_slice(g: Graph, like: Any, p: Any, x: Value, *starts: Value) -> Value:
    """``dynamic_slice`` where it is known."""
    begin = _known(starts, p["slice_sizes"], x.shape)
    return sliced(g, x, begin, np.add(begin, p["slice_sizes"]))


def written_slice(g: Graph, like: Any, p: Any, x: Value, new: Value, *starts: Value) -> Value:
    """``dynamic_update_slice`` where it is known."""
    begin = _known(starts, new.shape, x.shape)
    if x.constant is not None and not x.constant.shape:
        rows = [*zip(begin, new.shape, x.shape, strict=True)]
        pairs = [(first, size - first - own, 0) for first, own, size in rows]
        return products.padded(g, like, {"padding_config": pairs}, new, constant(x.constant))
    return _moved(g, [x, new], lambda x, new: jax.lax.dynamic_update_slice(x, new, begin))


def largest(g: Graph, like: Any, p: Any, x: Value) -> list[Value]:
    """``top_k``, along any dimension."""
    rank, axis = len(x.shape), p["axis"]
    order = [*(i for i in range(rank) if i != axis), axis]
    turned = transposed(g, x, order)
    shape = (*turned.shape[:-1], p["k"])
    made = g.node(
        "TopK",
        turned,
        np.array(p["k"], np.int32),
        like=[Value("", shape, x.dtype), Value("", shape, _INDICES)],
        sorted=True,
        input_names=["input", "k"],
        output_names=["values", "indices"],
    )
    return [transposed(g, value, np.argsort(order).tolist()) for value in made]


def ordered(g: Graph, like: Any, p: Any, x: Value, *others: Value) -> list[Value]:
    """``sort`` of one value, with the places that its elements had."""
    axis = p["dimension"]
    counts = np.arange(x.shape[axis]).reshape([-1] + [1] * (len(x.shape) - axis - 1))
    for value in others:
        if p["num_keys"] != 1 or value.constant is None or (_raw(value) != counts).any():
            raise UnsupportedError("A MindIR file sorts one Tensor, not one by another.")
    made = sorted_along(g, whole(g, x), axis, False)
    return [made[0], *(cast(g, made[1], value.dtype) for value in others)]


def sorted_along(g: Graph, x: Value, axis: int, descending: bool) -> list[Value]:
    """Return the values in order, and where they were."""
    return g.node(
        "Sort",
        x,
        like=[x, Value("", x.shape, _INDICES)],
        axis=axis,
        descending=descending,
        input_names=["x"],
        output_names=["y1", "y2"],
    )


def _check_single(places: Sequence[int], leaving: Sequence[int]) -> None:
    if set(places) != set(leaving):
        raise UnsupportedError("A MindIR file has no reading or writing of slices by an index.")


def _known(starts: Sequence[Value], sizes: Sequence[int], shape: Sequence[int]) -> list[int]:
    if any(start.constant is None for start in starts):
        raise UnsupportedError("A MindIR file has no slice that begins where an input says.")
    rows = zip(starts, sizes, shape, strict=True)
    return [min(max(int(_raw(start)), 0), most - size) for start, size, most in rows]


def _raw(value: Value) -> Any:
    assert value.constant is not None
    return np.broadcast_to(value.constant, value.shape)


def _moved(g: Graph, values: Sequence[Value], move: Callable[..., Any]) -> Value:
    """Return elements that are put elsewhere: as ``move`` does with their numbers."""
    sizes = [int(np.prod(value.shape, dtype=np.int64)) for value in values]
    firsts = np.cumsum([0, *sizes])
    numbers = [
        np.arange(first, first + size, dtype=_INDICES).reshape(value.shape)
        for value, first, size in zip(values, firsts, sizes, strict=False)
    ]
    at = np.asarray(move(*numbers))
    if (at < 0).any():
        raise UnsupportedError("This network reads beyond the end of a Tensor.")
    flat = [reshaped(g, value, (size,)) for value, size in zip(values, sizes, strict=True)]
    dtype = values[0].dtype
    return g.node("Gather", joined(g, flat, 0), at, 0, 0, like=Value("", at.shape, dtype))


def _with_batches(g: Graph, at: Value, dimensions: Sequence[int]) -> Value:
    """Return indices that begin with those of the batches."""
    shape = at.shape[:-1]
    counts = [
        np.arange(shape[dim], dtype=at.dtype).reshape([-1] + [1] * (len(shape) - dim))
        for dim in dimensions
    ]
    grids = [constant(np.broadcast_to(count, (*shape, 1))) for count in counts]
    return joined(g, [*grids, whole(g, at)], len(shape))
