"""Rules of products, convolutions and paddings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from msgrad._core.errors import UnsupportedError
from msgrad.interop.mindir.graph import Graph, Value
from msgrad.interop.mindir.shapes import cast, constant, reshaped, sliced, transposed, whole


def product(g: Graph, like: Any, p: Any, x: Value, y: Value) -> Value:
    """``dot_general``: batch dimensions, then one of each operand's own, then the one summed."""
    (x_sum, y_sum), (x_batch, y_batch) = p["dimension_numbers"]
    x, y = (cast(g, whole(g, value), like.dtype) for value in (x, y))
    x_own = [i for i in range(len(x.shape)) if i not in (*x_sum, *x_batch)]
    y_own = [i for i in range(len(y.shape)) if i not in (*y_sum, *y_batch)]
    # What is stored the other way round is multiplied so; there is no need to turn it.
    x_turned = len(x_sum) == len(x_own) == 1 and x_sum[0] < x_own[0]
    y_turned = not (len(y_sum) == len(y_own) == 1 and y_sum[0] < y_own[0])
    left = _matrices(g, x, x_batch, *((x_sum, x_own) if x_turned else (x_own, x_sum)))
    right = _matrices(g, y, y_batch, *((y_own, y_sum) if y_turned else (y_sum, y_own)))
    sizes = left.shape[-1 if x_turned else -2], right.shape[-2 if y_turned else -1]
    shape = (*left.shape[:-2], *sizes)
    name = "BatchMatMul" if x_batch else "MatMul"
    made = g.node(name, left, right, x_turned, y_turned, like=Value("", shape, x.dtype))
    return reshaped(g, made, like.shape)


def _matrices(
    g: Graph, value: Value, batch: Sequence[int], rows: Sequence[int], columns: Sequence[int]
) -> Value:
    ordered = transposed(g, value, [*batch, *rows, *columns])
    sizes = [math.prod(value.shape[i] for i in places) for places in (rows, columns)]
    return reshaped(g, ordered, [*(value.shape[i] for i in batch), *sizes])


def convolution(g: Graph, like: Any, p: Any, x: Value, w: Value) -> Value:
    """``conv_general_dilated``; a transposed one with the zeros between elements written out."""
    numbers, stride, dilation = p["dimension_numbers"], p["window_strides"], p["rhs_dilation"]
    if p["batch_group_count"] != 1 or len(stride) > 3:
        raise UnsupportedError("A MindIR file has no such convolution.")
    x, w = transposed(g, x, numbers.lhs_spec), transposed(g, w, numbers.rhs_spec)
    x = _cut(g, _spaced(g, x, (1, 1, *p["lhs_dilation"])), ((0, 0), (0, 0), *p["padding"]))
    pad = [max(int(size), 0) for pair in p["padding"] for size in pair]
    ordered = shape = [like.shape[i] for i in numbers.out_spec]
    if len(stride) == 1:
        x, w = (reshaped(g, v, (*v.shape[:2], 1, v.shape[2])) for v in (x, w))
        pad, stride, dilation = [0, 0, *pad], (1, *stride), (1, *dilation)
        shape = [*ordered[:2], 1, ordered[2]]
    whole_steps = {"stride": (1, 1, *stride), "dilation": (1, 1, *dilation)}
    rank = len(stride)
    attributes = (
        whole_steps
        if rank == 2
        else {
            "stride": tuple(stride),
            "dilation": tuple(dilation),
            "strides": whole_steps["stride"],
            "dilations": whole_steps["dilation"],
            "offset_x": 0,
        }
    )
    made = g.node(
        f"Conv{rank}D",
        x,
        w,
        like=Value("", tuple(shape), np.dtype(like.dtype)),
        kernel_size=w.shape[2:],
        mode=1,
        out_channel=w.shape[0],
        pad=tuple(pad),
        pad_mode="pad",
        pad_list=tuple(pad),
        format="NCHW" if rank == 2 else "NCDHW",
        groups=p["feature_group_count"],
        group=p["feature_group_count"],
        input_names=["x", "w"],
        output_names=["output"],
        **attributes,
    )
    return transposed(g, reshaped(g, made, ordered), np.argsort(numbers.out_spec).tolist())


def window_sum(g: Graph, like: Any, p: Any, x: Value) -> Value:
    """``reduce_window_sum`` over two dimensions at most, as a convolution with ones."""
    sizes = p["window_dimensions"]
    at = [i for i, size in enumerate(sizes) if size != 1][-2:]
    # Two in any case: along others a window has one element.
    at = sorted([*at, *(i for i in reversed(range(len(sizes))) if i not in at)][:2])
    rest = [i for i in range(len(sizes)) if i not in at]
    if any(sizes[i] != 1 for i in rest) or any(size != 1 for size in p["base_dilation"]):
        raise UnsupportedError("A MindIR file has no sum over windows of more than two dimensions.")
    moved = transposed(g, x, [*rest, *at])
    plane = reshaped(g, moved, (math.prod(moved.shape[:-2]), 1, *moved.shape[-2:]))
    ones = constant(np.ones((1, 1, *(sizes[i] for i in at)), x.dtype))
    rows = {
        "window_strides": [p["window_strides"][i] for i in at],
        "rhs_dilation": [p["window_dilation"][i] for i in at],
        "padding": [p["padding"][i] for i in at],
        "lhs_dilation": (1, 1),
        "batch_group_count": 1,
        "feature_group_count": 1,
        "dimension_numbers": jax.lax.conv_dimension_numbers(plane.shape, ones.shape, None),
    }
    order = [*rest, *at]
    shape = [like.shape[i] for i in order]
    found = Value("", (plane.shape[0], 1, *shape[-2:]), x.dtype)
    made = reshaped(g, convolution(g, found, rows, plane, ones), shape)
    return transposed(g, made, np.argsort(order).tolist())


def padded(g: Graph, like: Any, p: Any, x: Value, filling: Value) -> Value:
    """``pad``: between elements, then at the edges, where a negative one leaves out."""
    rows = p["padding_config"]
    x = _cut(g, _spaced(g, x, [1 + inner for *_, inner in rows], filling), rows)
    sizes = [max(size, 0) for low, high, _ in reversed(rows) for size in (low, high)]
    return _pad(g, x, sizes, filling) if any(sizes) else x


def _pad(g: Graph, x: Value, sizes: Sequence[int], filling: Value) -> Value:
    """Add a padding: before and after each dimension, the last one first."""
    pairs = list(zip(sizes[::2], sizes[1::2], strict=True))[::-1]
    shape = tuple(size + sum(pair) for size, pair in zip(x.shape, pairs, strict=True))
    return g.node(
        "PadV3",
        whole(g, x),
        np.array(sizes, np.int64),
        filling,
        like=Value("", shape, x.dtype),
        mode="constant",
        paddings_contiguous=True,
        input_names=["x", "paddings", "constant_value"],
        output_names=["y"],
    )


def _spaced(g: Graph, x: Value, steps: Sequence[int], filling: Value | None = None) -> Value:
    """Return a value with others between its elements, zeros as a rule."""
    if all(step == 1 for step in steps):
        return x
    apart = reshaped(g, x, [size for length in x.shape for size in (length, 1)])
    sizes = [count for step in reversed(steps) for count in (0, step - 1, 0, 0)]
    wide = _pad(g, apart, sizes, filling or constant(0, x.dtype))
    long = reshaped(g, wide, [n * step for n, step in zip(x.shape, steps, strict=True)])
    ends = [(n - 1) * step + 1 for n, step in zip(x.shape, steps, strict=True)]
    return sliced(g, long, [0] * len(ends), ends)


def _cut(g: Graph, x: Value, rows: Any) -> Value:
    """Return a value without what negative paddings leave out."""
    begin = [max(-low, 0) for low, *_ in rows]
    end = [size - max(-row[1], 0) for size, row in zip(x.shape, rows, strict=True)]
    return sliced(g, x, begin, end)
