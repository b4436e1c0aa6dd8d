"""JAX's primitives as calls of MindSpore's: a table, and functions where one is not enough.

A rule takes the graph, what the equation's results are like, its parameters and its operands, and
returns the result, or a list of the results.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.errors import UnsupportedError
from msgrad.interop.mindir import places, products
from msgrad.interop.mindir.graph import Graph, Value
from msgrad.interop.mindir.shapes import (
    cast,
    constant,
    elementwise,
    joined,
    part,
    reshaped,
    sliced,
    transposed,
    whole,
)

Rule = Callable[..., Any]

_SAME_NAME = (
    "Add Sub Mul Neg Sign Floor Ceil Exp Log Log1p Expm1 Tanh Sin Cos Tan Asin Atan Sinh Cosh "
    "Asinh Acosh Atanh Atan2 Sqrt Rsqrt Erf Erfc Lgamma Digamma Abs Square Pow "
    "Complex Real Imag Conj"
)
_ELEMENTWISE = {
    **{name.lower(): name for name in _SAME_NAME.split()},
    "acos": "ACos",
    "add_any": "Add",
    "bessel_i0e": "BesselI0e",
    "bessel_i1e": "BesselI1e",
    "max": "Maximum",
    "min": "Minimum",
    "logistic": "Sigmoid",
    "erf_inv": "Erfinv",
    "is_finite": "IsFinite",
    "rem": "TruncateMod",
    "eq": "Equal",
    "ne": "NotEqual",
    "lt": "Less",
    "le": "LessEqual",
    "gt": "Greater",
    "ge": "GreaterEqual",
    "eq_to": "Equal",
    "le_to": "LessEqual",
    "lt_to": "Less",
    "shift_left": "LeftShift",
    "shift_right_arithmetic": "RightShift",
}
_OF_BOOLS = {"and": "LogicalAnd", "or": "LogicalOr", "xor": "LogicalXor", "not": "LogicalNot"}
_OF_BITS = {"and": "BitwiseAnd", "or": "BitwiseOr", "xor": "BitwiseXor", "not": "Invert"}
_REDUCTIONS = {
    "reduce_max": "ReduceMax",
    "reduce_min": "ReduceMin",
    "reduce_prod": "ReduceProd",
    "reduce_and": "ReduceAll",
    "reduce_or": "ReduceAny",
    "reduce_sum": "ReduceSum",
}
_CUMULATIVE = {"cumsum": "CumSum", "cumprod": "CumProd"}
# dtypes by the bits of exponent and fraction.
_OF_PRECISION = {
    (bits.nexp, bits.nmant): bits.dtype
    for bits in map(jnp.finfo, (jnp.float64, jnp.float32, jnp.float16, jnp.bfloat16))
}
_SHAPES = "reshape squeeze expand_dims"
_NOTHING = "copy copy_p stop_gradient optimization_barrier rounded"


def _elementwise(g: Graph, like: Any, p: Any, *operands: Value, name: str) -> Value:
    return elementwise(g, name, like, *operands)


def _quotient(g: Graph, like: Any, p: Any, x: Value, y: Value) -> Value:
    return elementwise(g, "TruncateDiv" if x.dtype.kind in "iu" else "RealDiv", like, x, y)


def _logic(g: Graph, like: Any, p: Any, *operands: Value, name: str) -> Value:
    names = _OF_BOOLS if operands[0].dtype == np.bool_ else _OF_BITS
    return elementwise(g, names[name], like, *operands)


def _broadcast(g: Graph, like: Any, p: Any, x: Value) -> Value:
    sizes = [1] * len(like.shape)
    for size, at in zip(x.shape, p["broadcast_dimensions"], strict=True):
        sizes[at] = size
    # A scalar stays one: the other operand gives the result its dimensions.
    small = x if not x.shape else reshaped(g, x, sizes)
    shape = tuple(like.shape)
    return replace(small, shape=shape, thin=None if small.shape == shape else small.shape)


def _selection(g: Graph, like: Any, p: Any, which: Value, *cases: Value) -> Value:
    if len(cases) != 2 or which.dtype != np.bool_:
        raise UnsupportedError("A MindIR file has no selection among more than two values.")
    if which.shape != tuple(like.shape):
        which = replace(which, shape=tuple(like.shape), thin=which.shape)
    return elementwise(g, "Select", like, which, cases[1], cases[0])


def _reduction(g: Graph, like: Any, p: Any, x: Value, *, name: str) -> Value:
    if name in ("ReduceAll", "ReduceAny") and x.dtype != np.bool_:
        raise UnsupportedError("A MindIR file has no reduction of bits.")
    options = (False, False) if name == "ReduceSum" else (False,)
    return g.node(name, whole(g, x), tuple(p["axes"]), *options, like=like) if p["axes"] else x


def _extreme(g: Graph, like: Any, p: Any, x: Value, *, name: str) -> Value:
    found = Value("", tuple(like.shape), np.dtype(np.int32))
    x = cast(g, x, np.int8) if x.dtype == np.bool_ else x
    made = g.node(name, whole(g, x), p["axes"][0], found.dtype, like=found)
    return cast(g, made, like.dtype)


def _stack(g: Graph, like: Any, p: Any, *values: Value) -> Value:
    shape = list(like.shape)
    shape[p["axis"]] = 1
    return joined(g, [reshaped(g, value, shape) for value in values], p["axis"])


def _split(g: Graph, like: Any, p: Any, x: Value) -> list[Value]:
    ends = np.cumsum(p["sizes"])
    return [
        part(g, x, p["axis"], end - size, end) for size, end in zip(p["sizes"], ends, strict=True)
    ]


def _unstack(g: Graph, like: Any, p: Any, x: Value) -> list[Value]:
    shape = [size for i, size in enumerate(x.shape) if i != p["axis"]]
    rows = range(x.shape[p["axis"]])
    return [reshaped(g, part(g, x, p["axis"], row, row + 1), shape) for row in rows]


def _cumulative(g: Graph, like: Any, p: Any, x: Value, *, name: str) -> Value:
    return g.node(name, whole(g, x), p["axis"], False, bool(p["reverse"]), like=like)


def _power(g: Graph, like: Any, p: Any, x: Value) -> Value:
    if p["y"] == 2:
        return elementwise(g, "Square", like, x)
    return elementwise(g, "Pow", like, x, constant(p["y"], x.dtype))


def _cube_root(g: Graph, like: Any, p: Any, x: Value) -> Value:
    size = elementwise(g, "Pow", like, elementwise(g, "Abs", like, x), constant(1 / 3, x.dtype))
    return elementwise(g, "Mul", like, elementwise(g, "Sign", like, x), size)


def _round(g: Graph, like: Any, p: Any, x: Value) -> Value:
    if p["rounding_method"] == jax.lax.RoundingMethod.TO_NEAREST_EVEN:
        return elementwise(g, "Rint", like, x)
    # Halves away from zero.
    size = elementwise(g, "Abs", like, x)
    floor = elementwise(g, "Floor", like, size)
    rest = elementwise(g, "Sub", like, size, floor)
    truth = replace(rest, dtype=np.dtype(np.bool_))
    up = cast(g, elementwise(g, "GreaterEqual", truth, rest, constant(0.5, x.dtype)), x.dtype)
    size = elementwise(g, "Add", like, floor, up)
    return elementwise(g, "Mul", like, elementwise(g, "Sign", like, x), size)


def _precision(g: Graph, like: Any, p: Any, x: Value) -> Value:
    kind = _OF_PRECISION.get((p["exponent_bits"], p["mantissa_bits"]))
    if kind is None:
        raise UnsupportedError("A MindIR file rounds to numbers of a dtype only.")
    return cast(g, cast(g, x, kind), x.dtype)


def _running(g: Graph, like: Any, p: Any, x: Value, *, name: str) -> Value:
    if p["reverse"]:
        raise UnsupportedError("A MindIR file has no running extremes from the end.")
    return g.node(name, whole(g, x), p["axis"], like=[like, replace(x, dtype=np.dtype("i8"))])[0]


def _clamp(g: Graph, like: Any, p: Any, low: Value, x: Value, high: Value) -> Value:
    return elementwise(g, "Minimum", like, elementwise(g, "Maximum", like, x, low), high)


def _same(g: Graph, like: Any, p: Any, *values: Value) -> list[Value]:
    return list(values)


def _named(rule: Rule, names: Mapping[str, str]) -> dict[str, Rule]:
    return {ours: functools.partial(rule, name=name) for ours, name in names.items()}


RULES: dict[str, Rule] = {
    **_named(_elementwise, _ELEMENTWISE),
    **_named(_logic, {name: name for name in _OF_BOOLS}),
    **_named(_reduction, _REDUCTIONS),
    **_named(_extreme, {"argmax": "Argmax", "argmin": "Argmin"}),
    **_named(_cumulative, _CUMULATIVE),
    **_named(_running, {"cummax": "Cummax", "cummin": "Cummin"}),
    **_named(places.scattered, {name: name for name in places.WRITES}),
    **dict.fromkeys(_NOTHING.split(), _same),
    **dict.fromkeys(_SHAPES.split(), lambda g, like, p, x: reshaped(g, x, like.shape)),
    "broadcast_in_dim": _broadcast,
    "cbrt": _cube_root,
    "clamp": _clamp,
    "concatenate": lambda g, like, p, *values: joined(g, values, p["dimension"]),
    "conv_general_dilated": products.convolution,
    "convert_element_type": lambda g, like, p, x: cast(g, x, like.dtype),
    "div": _quotient,
    "dot_general": products.product,
    "dynamic_slice": places.read_slice,
    "dynamic_update_slice": places.written_slice,
    "exp2": lambda g, like, p, x: elementwise(g, "Pow", like, constant(2, x.dtype), x),
    "gather": places.gathered,
    "integer_pow": _power,
    "pad": products.padded,
    # Of ``_core/rounding.py``, which XLA must not see through; a graph has no need of that.
    "quotient": _quotient,
    "reduce_precision": _precision,
    "reduce_window_sum": products.window_sum,
    "rev": lambda g, like, p, x: g.node(
        "ReverseV2", whole(g, x), tuple(p["dimensions"]), like=like
    ),
    "round": _round,
    "select_n": _selection,
    "slice": lambda g, like, p, x: sliced(
        g, x, p["start_indices"], p["limit_indices"], p["strides"]
    ),
    "sort": places.ordered,
    "split": _split,
    "stack": _stack,
    "tile": lambda g, like, p, x: g.node("Tile", whole(g, x), tuple(p["reps"]), like=like),
    "top_k": places.largest,
    "unstack": _unstack,
    "transpose": lambda g, like, p, x: transposed(g, x, p["permutation"]),
}
