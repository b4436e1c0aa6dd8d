"""What JAX's primitives compute, said in NumPy: a row each, of its parameters and its operands.

``EXACT`` gives XLA's bits where a number is rounded at most once; ``CLOSE`` gives its values, with
sums in an order of their own and functions of another library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any

import numpy as np

Row = Callable[..., Any]
_Parameters = dict[str, Any]
# Beyond so many, float32 added up one after the other loses what can be seen.
_MANY = 256


def _of_elements(function: Any) -> Row:
    return lambda _, *given: function(*given)


def _spread(p: _Parameters, x: Any, *_: Any) -> Any:
    shape = [1] * len(p["shape"])
    for at, size in zip(p["broadcast_dimensions"], x.shape, strict=True):
        shape[at] = size
    return np.broadcast_to(x.reshape(shape), p["shape"])


def _reread(p: _Parameters, x: Any) -> Any:
    found = np.ascontiguousarray(x).reshape(-1).view(p["new_dtype"])
    size, new = x.itemsize, found.itemsize
    if new > size:
        return found.reshape(x.shape[:-1])
    return found.reshape(x.shape if new == size else (*x.shape, size // new))


def _cut(p: _Parameters, x: Any) -> Any:
    steps = p["strides"] or (1,) * x.ndim
    return x[tuple(map(slice, p["start_indices"], p["limit_indices"], steps))]


def _window(shape: Sequence[int], sizes: Sequence[int], starts: Sequence[Any]) -> tuple[slice, ...]:
    limits = [most - size for most, size in zip(shape, sizes, strict=True)]
    begins = [min(max(int(s), 0), most) for s, most in zip(starts, limits, strict=True)]
    return tuple([slice(b, b + size) for b, size in zip(begins, sizes, strict=True)])


def _overwritten(_: _Parameters, x: Any, update: Any, *starts: Any) -> Any:
    whole = x.copy()
    whole[_window(x.shape, update.shape, starts)] = update
    return whole


def _counted(p: _Parameters) -> Any:
    shape, at = p["shape"], p["dimension"]
    counts = np.arange(shape[at]).astype(p["dtype"])
    return np.broadcast_to(counts.reshape([-1] + [1] * (len(shape) - at - 1)), shape)


def _along(function: Any) -> Row:
    def run(p: _Parameters, x: Any) -> Any:
        axis = p["axis"]
        dtype = _adding(x.dtype, x.shape[axis])
        if not p["reverse"]:
            return function(x, axis=axis, dtype=dtype)
        return np.flip(function(np.flip(x, axis), axis=axis, dtype=dtype), axis)

    return run


def _adding(dtype: np.dtype, count: int) -> Any:
    return np.float64 if dtype == np.float32 and count > _MANY else dtype


def _reduced(function: Any) -> Row:
    return lambda p, x: function.reduce(x, axis=p["axes"], dtype=x.dtype)


def _summed(p: _Parameters, x: Any) -> Any:
    dtype = _adding(x.dtype, prod(x.shape[axis] for axis in p["axes"]))
    return np.add.reduce(x, axis=p["axes"], dtype=dtype)


def _first(function: Any) -> Row:
    return lambda p, x: function(x, axis=p["axes"][0]).astype(p["index_dtype"])


def _preferred(p: _Parameters, *given: Any) -> list[Any]:
    """Return operands of a product in the dtype that it is added up in."""
    dtype = p["preferred_element_type"]
    integers = dtype is not None and np.dtype(dtype).kind in "iu"
    return [x.astype(dtype, copy=False) for x in given] if integers else [*given]


def _by_blas(*given: Any) -> Any:
    return np.matmul(*[x if _lies_in_rows(x) else np.ascontiguousarray(x) for x in given])


def _lies_in_rows(x: Any) -> bool:
    """Whether NumPy multiplies matrices by BLAS as they lie; what is broadcast it does not."""
    size, (one, other), (rows, columns) = x.itemsize, x.strides[-2:], x.shape[-2:]
    return (other == size and one >= columns * size) or (one == size and other >= rows * size)


def _product(p: _Parameters, x: Any, y: Any) -> Any:
    (summed_x, summed_y), (each_x, each_y) = p["dimension_numbers"]
    x, y = _preferred(p, x, y)
    free_x = [i for i in range(x.ndim) if i not in summed_x and i not in each_x]
    free_y = [i for i in range(y.ndim) if i not in summed_y and i not in each_y]
    each, count = [x.shape[i] for i in each_x], prod(x.shape[i] for i in summed_x)
    rows, columns = [x.shape[i] for i in free_x], [y.shape[i] for i in free_y]
    left = x.transpose([*each_x, *free_x, *summed_x]).reshape([*each, prod(rows), count])
    right = y.transpose([*each_y, *summed_y, *free_y]).reshape([*each, count, prod(columns)])
    return _by_blas(left, right).reshape([*each, *rows, *columns])


def _padded(p: _Parameters, x: Any, value: Any) -> Any:
    shape, inner, cut = [], [], []
    for size, (low, high, between) in zip(x.shape, p["padding_config"], strict=True):
        spread, before, after = size + max(size - 1, 0) * between, max(low, 0), max(high, 0)
        shape.append(before + spread + after)
        inner.append(slice(before, before + spread, between + 1))
        cut.append(slice(before - low, before + spread + high))
    whole = np.full(shape, value, x.dtype)
    whole[tuple(inner)] = x
    return whole[tuple(cut)]


def _around(x: Any, padding: Sequence[Any], steps: Sequence[int], value: Any) -> Any:
    """Pad the last axes, and between their elements."""
    config = [(low, high, step - 1) for (low, high), step in zip(padding, steps, strict=True)]
    return _padded({"padding_config": [(0, 0, 0)] * (x.ndim - len(config)) + config}, x, value)


def _windows(x: Any, sizes: Sequence[int], strides: Sequence[int], steps: Sequence[int]) -> Any:
    """Return views of the last axes' windows, as axes behind them."""
    axes = range(x.ndim - len(sizes), x.ndim)
    spans = [(size - 1) * step + 1 for size, step in zip(sizes, steps, strict=True)]
    windows = np.lib.stride_tricks.sliding_window_view(x, spans, tuple(axes))
    every = [slice(None, None, step) for step in (*strides, *steps)]
    return windows[(..., *every)]


def _convolution(p: _Parameters, x: Any, kernel: Any) -> Any:
    form, groups, batches = p["dimension_numbers"], p["feature_group_count"], p["batch_group_count"]
    x, kernel = _preferred(p, x, kernel)
    x = _around(x.transpose(form.lhs_spec), p["padding"], p["lhs_dilation"], 0)
    kernel = kernel.transpose(form.rhs_spec)
    count = groups * batches
    features, channels, *sizes = kernel.shape
    x = x.reshape(batches, x.shape[0] // batches, groups, channels, *x.shape[2:])
    x = x.transpose(0, 2, 1, *range(3, x.ndim)).reshape(count, x.shape[1], channels, *x.shape[4:])
    windows = _windows(x, sizes, p["window_strides"], p["rhs_dilation"])
    places = windows.shape[3 : 3 + len(sizes)]
    space, behind = [range(at, at + len(sizes)) for at in (3, 3 + len(sizes))]
    # Copied in the order that leaves the longer runs together.
    if prod(places) > prod(sizes):
        columns = windows.transpose(0, 2, *behind, 1, *space)
        columns = columns.reshape(count, channels * prod(sizes), x.shape[1] * prod(places))
    else:
        columns = windows.transpose(0, 1, *space, 2, *behind)
        columns = columns.reshape(count, x.shape[1] * prod(places), channels * prod(sizes))
        columns = columns.swapaxes(1, 2)
    result = _by_blas(kernel.reshape(count, features // count, -1), columns)
    result = result.reshape(features, x.shape[1], *places).swapaxes(0, 1)
    return result.transpose(np.argsort(form.out_spec))


def _of_windows(function: Any, start: Callable[[np.dtype], Any]) -> Row:
    def run(p: _Parameters, x: Any) -> Any:
        x = _around(x, p["padding"], p["base_dilation"], start(x.dtype))
        windows = _windows(x, p["window_dimensions"], p["window_strides"], p["window_dilation"])
        count = prod(p["window_dimensions"])
        if count > _MANY:
            dtype = _adding(x.dtype, count) if function is np.add else x.dtype
            return function.reduce(windows, axis=tuple(range(x.ndim, 2 * x.ndim)), dtype=dtype)
        # One place of all windows after the other: NumPy is slow along short axes.
        places = np.ndindex(*windows.shape[x.ndim :])
        return reduce(function, [windows[(..., *place)] for place in places])

    return run


def _sorted(p: _Parameters, *given: Any) -> Any:
    order = np.argsort(given[0], axis=p["dimension"], kind="stable")
    return [np.take_along_axis(x, order, p["dimension"]) for x in given]


def _largest(p: _Parameters, x: Any) -> Any:
    """Return what is largest as IEEE 754 orders numbers: -0 is below 0, nan beyond infinity."""
    axis, ranks = p.get("axis", -1), x
    if x.dtype.kind == "f":
        ranks = np.ascontiguousarray(x).view(f"i{x.itemsize}")
        ranks = np.where(ranks < 0, ranks ^ np.iinfo(ranks.dtype).max, ranks)
    order = np.argsort(~ranks, axis=axis, kind="stable").take(range(p["k"]), axis)
    return [np.take_along_axis(x, order, axis), order]


def _bits(p: _Parameters, key: Any) -> Any:
    """Return what JAX's threefry draws (Salmon et al., 2011), a count for each element."""
    counts = np.arange(prod(p["shape"]), dtype=np.uint64)
    x = [(counts >> np.uint64(32)).astype(np.uint32), counts.astype(np.uint32)]
    keys = [key[0], key[1], key[0] ^ key[1] ^ np.uint32(0x1BD11BDA)]
    x = [x[0] + keys[0], x[1] + keys[1]]
    for turn in range(5):
        for by in ((13, 15, 26, 6), (17, 29, 16, 24))[turn % 2]:
            x[0] = x[0] + x[1]
            x[1] = x[0] ^ ((x[1] << np.uint32(by)) | (x[1] >> np.uint32(32 - by)))
        added = keys[(turn + 1) % 3], keys[(turn + 2) % 3] + np.uint32(turn + 1)
        x = [x[0] + added[0], x[1] + added[1]]
    return (x[0] ^ x[1]).reshape(p["shape"])


def _converted(p: _Parameters, x: Any) -> Any:
    new = p["new_dtype"]
    found = x.astype(new)
    if x.dtype.kind == "f" and np.dtype(new).kind in "iu":
        limits = np.iinfo(new)
        found = np.where(x >= limits.max + 1.0, limits.max, np.where(np.isnan(x), 0, found))
        found = np.where(x < limits.min, limits.min, found)
    return found


def _quotient(_: _Parameters, x: Any, y: Any) -> Any:
    if x.dtype.kind == "f":
        return x / y
    return np.where(y == 0, np.asarray(-1).astype(x.dtype), (x - np.fmod(x, y)) // y)


def _rounded(p: _Parameters, x: Any) -> Any:
    if p["rounding_method"].name == "TO_NEAREST_EVEN":
        return np.rint(x)
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _power(p: _Parameters, x: Any) -> Any:
    left, square, result = abs(p["y"]), x, None
    while left:
        if left % 2:
            result = square if result is None else result * square
        left //= 2
        square = square * square if left else square
    one = np.ones_like(x) if result is None else result
    return one if p["y"] >= 0 else np.reciprocal(one)


def _error_function(complement: bool) -> Row:
    def run(_: _Parameters, x: Any) -> Any:
        from scipy import special

        return special.erfc(x) if complement else special.erf(x)

    return run


def _places(
    shape: Sequence[int],
    sizes: Sequence[int],
    offsets: Sequence[int],
    without_offset: Sequence[int],
    mapped: Sequence[int],
    batching: tuple[Sequence[int], Sequence[int]],
    indices: Any,
) -> tuple[Any, Any]:
    """Return where the elements of a gather's windows lie, and which windows lie inside.

    Args:
        shape, sizes: Of the operand, and of a window of it.
        offsets: Which axes of the result are those of a window.
        without_offset: Which axes of the operand are none of them.
        mapped: Which axis of the operand each index moves along.
        batching: Axes of the operand, and of the indices, that go together.
        indices: The last axis holds one for each of ``mapped``.
    """
    rank = indices.ndim - 1 + len(offsets)
    places, inside = np.zeros([1] * rank, np.int64), np.ones([1] * rank, bool)
    left = iter(offsets)
    for axis, (most, size) in enumerate(zip(shape, sizes, strict=True)):
        if axis in mapped:
            start = np.expand_dims(indices[..., mapped.index(axis)].astype(np.int64), offsets)
            inside = inside & (start >= 0) & (start <= most - size)
            start = np.clip(start, 0, most - size)
        elif axis in batching[0]:
            at = batching[1][batching[0].index(axis)]
            counts = np.arange(most).reshape([-1] + [1] * (indices.ndim - 2 - at))
            start = np.expand_dims(np.broadcast_to(counts, indices.shape[:-1]), offsets)
        else:
            start = 0
        if axis not in without_offset:
            start = start + np.arange(size).reshape([-1] + [1] * (rank - 1 - next(left)))
        places = places + start * prod(shape[axis + 1 :])
    return places, inside


def _gathered(p: _Parameters, x: Any, indices: Any) -> Any:
    d, sizes = p["dimension_numbers"], p["slice_sizes"]
    whole = *d.collapsed_slice_dims, *d.operand_batching_dims
    batching = d.operand_batching_dims, d.start_indices_batching_dims
    places, inside = _places(
        x.shape, sizes, d.offset_dims, whole, d.start_index_map, batching, indices
    )
    found = x.reshape(-1)[places]
    if "FILL" in str(p["mode"]) and not inside.all():
        other = p["fill_value"]
        other = np.asarray(_missing(x.dtype) if other is None else other).astype(x.dtype)
        found = np.where(inside, found, other)
    return found


def _least(dtype: np.dtype) -> Any:
    return -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min


def _missing(dtype: np.dtype) -> Any:
    # "V" is bfloat16.
    return np.nan if dtype.kind in "fV" else True if dtype.kind == "b" else _least(dtype) or -1


def _scattered(add: bool) -> Row:
    def run(p: _Parameters, x: Any, indices: Any, updates: Any) -> Any:
        d = p["dimension_numbers"]
        whole = *d.inserted_window_dims, *d.operand_batching_dims
        sizes = [1] * x.ndim
        windows = [axis for axis in range(x.ndim) if axis not in whole]
        for axis, at in zip(windows, d.update_window_dims, strict=True):
            sizes[axis] = updates.shape[at]
        batching = d.operand_batching_dims, d.scatter_indices_batching_dims
        mapped = d.scatter_dims_to_operand_dims
        places, inside = _places(
            x.shape, sizes, d.update_window_dims, whole, mapped, batching, indices
        )
        places = np.broadcast_to(places, updates.shape)
        if "CLIP" not in str(p["mode"]) and not inside.all():
            inside = np.broadcast_to(inside, updates.shape)
            places, updates = places[inside], updates[inside]
        result = x.reshape(-1).copy()
        if add:
            np.add.at(result, places.reshape(-1), updates.reshape(-1))
        else:
            result[places] = updates
        return result.reshape(x.shape)

    return run


MOVE: dict[str, Row] = {
    "bitcast_convert_type": _reread,
    "broadcast_in_dim": _spread,
    "concatenate": lambda p, *xs: np.concatenate(xs, p["dimension"]),
    "copy": lambda _, x: x,
    "dynamic_slice": lambda p, x, *starts: x[_window(x.shape, p["slice_sizes"], starts)],
    "iota": _counted,
    "reshape": lambda p, x: x.transpose(p["dimensions"] or range(x.ndim)).reshape(p["new_sizes"]),
    "rounded": lambda _, x: x,
    "rev": lambda p, x: np.flip(x, p["dimensions"]),
    "select_n": lambda _, which, *xs: np.where(which, xs[1], xs[0]),
    "slice": _cut,
    "split": lambda p, x: np.split(x, np.cumsum(p["sizes"])[:-1], p["axis"]),
    "squeeze": lambda p, x: np.squeeze(x, p["dimensions"]),
    "stack": lambda p, *xs: np.stack(xs, p["axis"]),
    "tile": lambda p, x: np.tile(x, p["reps"]),
    "transpose": lambda p, x: np.transpose(x, p["permutation"]),
}
COMPARE = {
    name: _of_elements(getattr(np, function))
    for name, function in {
        "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
        "ge": "greater_equal", "neg": "negative", "abs": "absolute", "is_finite": "isfinite",
    }.items()
} | {"argmax": _first(np.argmax), "argmin": _first(np.argmin)}  # fmt: skip
# Rounded once, to the nearest number, as IEEE 754 says; of two XLA may make one step. So is a
# quotient, but XLA multiplies by the reciprocal of a single number.
ROUND = {
    name: _of_elements(getattr(np, function))
    for name, function in {
        "add": "add", "sub": "subtract", "mul": "multiply", "sqrt": "sqrt",
    }.items()
}  # fmt: skip
OF_INTEGERS: dict[str, Row] = {
    **{name: ROUND[name] for name in ("add", "sub", "mul")},
    **{name: _of_elements(getattr(np, f"bitwise_{name}")) for name in ("and", "or", "xor", "not")},
    **{name: _of_elements(getattr(np, f"{name}imum")) for name in ("min", "max")},
    "sign": _of_elements(np.sign),
    "reduce_sum": _reduced(np.add),
    "reduce_max": _reduced(np.maximum),
    "reduce_min": _reduced(np.minimum),
    "reduce_and": _reduced(np.bitwise_and),
    "reduce_or": _reduced(np.bitwise_or),
    "cumsum": _along(np.cumsum),
    "cumprod": _along(np.cumprod),
}
CONVERT = {"convert_element_type": lambda p, x: x.astype(p["new_dtype"])}
EXACT = {**OF_INTEGERS, **ROUND, **COMPARE, **MOVE, **CONVERT}
CLOSE: dict[str, Row] = {
    **EXACT,
    **{
        name: _of_elements(getattr(np, function))
        for name, function in {
            "acos": "arccos", "acosh": "arccosh", "add_any": "add", "asin": "arcsin",
            "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh",
            "cbrt": "cbrt", "ceil": "ceil", "cos": "cos", "cosh": "cosh", "exp": "exp",
            "exp2": "exp2", "expm1": "expm1", "floor": "floor", "log": "log", "log1p": "log1p",
            "pow": "power", "quotient": "divide", "shift_left": "left_shift",
            "shift_right_logical": "right_shift", "sin": "sin", "sinh": "sinh", "square": "square",
            "tan": "tan", "tanh": "tanh",
        }.items()
    },
    "clamp": lambda _, low, x, high: np.minimum(np.maximum(x, low), high),
    "conv_general_dilated": _convolution,
    "convert_element_type": _converted,
    "div": _quotient,
    "cummax": _along(np.maximum.accumulate),
    "cummin": _along(np.minimum.accumulate),
    "dot_general": _product,
    "dynamic_update_slice": _overwritten,
    "erf": _error_function(complement=False),
    "erfc": _error_function(complement=True),
    "gather": _gathered,
    "integer_pow": _power,
    "logistic": lambda _, x: np.reciprocal(1 + np.exp(-x)),
    "optimization_barrier": lambda _, *xs: xs,
    "pad": _padded,
    "random_bits": _bits,
    "random_wrap": lambda _, key: key,
    "reduce_prod": _reduced(np.multiply),
    "reduce_sum": _summed,
    "reduce_window_max": _of_windows(np.maximum, _least),
    "reduce_window_sum": _of_windows(np.add, lambda _: 0),
    "rem": lambda _, x, y: np.where((y == 0) & (x.dtype.kind != "f"), x, np.fmod(x, y)),
    "round": _rounded,
    "rsqrt": lambda _, x: np.reciprocal(np.sqrt(x)),
    "scatter": _scattered(add=False),
    "scatter-add": _scattered(add=True),
    "sort": _sorted,
    "top_k": _largest,
    "stop_gradient": lambda _, x: x,
}  # fmt: skip
