"""What most rules need: other shapes, parts and dtypes of a value of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from msgrad.interop.mindir.graph import Graph, Value


def whole(g: Graph, value: Value) -> Value:
    """Return a value that is broadcast to its shape."""
    if value.thin is None:
        return value
    if value.constant is not None:
        return constant(np.broadcast_to(value.constant, value.shape))
    rows = zip(value.shape[::-1], value.thin[::-1], strict=False)
    kept = [g.flexible and size == own for size, own in rows]
    kept += [False] * (len(value.shape) - len(kept))
    shape = tuple(-1 if k else size for size, k in zip(value.shape, kept[::-1], strict=True))
    plain = replace(value, thin=None)
    return g.node("BroadcastTo", plain, shape, like=plain)


def elementwise(g: Graph, name: str, like: Any, *operands: Value) -> Value:
    """Add an element-wise call; one operand is broadcast, if the Primitive would not do it all."""
    shape = tuple(like.shape)
    if all((v.shape if v.thin is None else v.thin) != shape for v in operands):
        at = next((i for i, value in enumerate(operands) if value.shape == shape), 0)
        operands = (*operands[:at], whole(g, operands[at]), *operands[at + 1 :])
    return g.node(name, *operands, like=like)


def reshaped(g: Graph, value: Value, shape: Sequence[int]) -> Value:
    """Return a value in another shape."""
    shape = tuple(map(int, shape))
    value = whole(g, value)
    if value.shape == shape:
        return value
    if value.constant is not None:
        return constant(value.constant.reshape(shape))
    told = list(shape)
    if (place := g.following(shape)) is not None:
        told[place] = -1
    return g.node("Reshape", value, tuple(told), like=Value("", shape, value.dtype))


def transposed(g: Graph, value: Value, order: Sequence[int]) -> Value:
    """Return a value with its dimensions in another order."""
    value = whole(g, value)
    order = tuple(map(int, order))
    if order == tuple(range(len(order))):
        return value
    like = Value("", tuple(value.shape[i] for i in order), value.dtype)
    return g.node("Transpose", value, order, like=like)


def sliced(g: Graph, value: Value, begin: Any, end: Any, steps: Any = None) -> Value:
    """Return a part: where it begins, ends and in which steps, for every dimension."""
    steps = tuple(map(int, steps or (1,) * len(value.shape)))
    begin, end = tuple(map(int, begin)), tuple(map(int, end))
    shape = tuple(len(range(*row)) for row in zip(begin, end, steps, strict=True))
    if shape == value.shape and all(step == 1 for step in steps):
        return value
    if value.constant is not None:
        parts = tuple(map(slice, begin, end, steps))
        return constant(whole(g, value).constant[parts])  # pyright: ignore[reportOptionalSubscript]
    like = Value("", shape, value.dtype)
    # Which dimensions are whole, whatever their sizes.
    rows = zip(begin, end, value.shape, strict=True)
    are_whole = [first == 0 and last == size for first, last, size in rows]
    mask = sum(1 << i for i, is_whole in enumerate(are_whole) if is_whole and g.flexible)
    end = tuple(1 if g.flexible and w else last for last, w in zip(end, are_whole, strict=True))
    masks = mask, mask, 0, 0, 0
    return g.node("StridedSlice", whole(g, value), begin, end, steps, *masks, like=like)


def part(g: Graph, value: Value, dimension: int, begin: int, end: int) -> Value:
    """Return a part that is whole but for one dimension."""
    begins, ends = [0] * len(value.shape), list(value.shape)
    begins[dimension], ends[dimension] = begin, end
    return sliced(g, value, begins, ends)


def joined(g: Graph, values: Sequence[Value], dimension: int) -> Value:
    """Return values behind one another along a dimension."""
    # A part without elements need not be there, and MindSpore does not broadcast to it.
    values = [value for value in values if value.shape[dimension]] or values[:1]
    if len(values) == 1:
        return values[0]
    parts = [whole(g, value) for value in values]
    shape = list(parts[0].shape)
    shape[dimension] = sum(value.shape[dimension] for value in parts)
    like = Value("", tuple(shape), parts[0].dtype)
    return g.node("Concat", g.make_tuple(parts), dimension, like=like)


def cast(g: Graph, value: Value, dtype: Any) -> Value:
    """Return a value in another dtype."""
    dtype = np.dtype(dtype)
    if dtype == value.dtype:
        return value
    if value.constant is not None:
        return replace(value, dtype=dtype, constant=value.constant.astype(dtype))
    made = g.node("Cast", value, dtype, like=Value("", value.shape, dtype))
    return replace(made, thin=value.thin)


def constant(value: Any, dtype: Any = None) -> Value:
    """Return a value whose elements are known."""
    array = np.ascontiguousarray(value, dtype).reshape(np.shape(value))
    return Value(None, array.shape, array.dtype, array)
