"""Operators that a graph has as one Primitive; of the others it has what they are made of.

A rule takes the graph, what the result is like, the operator's static arguments by name, and its
operands as it takes them; it returns None where the Primitive cannot do it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad.interop.mindir import places
from msgrad.interop.mindir.graph import Graph, Value

Rule = Callable[..., Any]

_SAME_NAME = "Digamma ReLU ReLU6 Sigmoid Tanh SiLU HSwish HSigmoid"


def _axes(axis: Any, x: Value) -> tuple[int, ...]:
    rank = len(x.shape)
    given = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return tuple(place % rank for place in given)


def _plain(g: Graph, like: Any, p: Any, x: Value, *, name: str) -> Any:
    return g.node(name, x, like=like)


def _gelu(g: Graph, like: Any, p: Any, x: Value) -> Any:
    return g.node("GeLU", x, like=like) if p["approximate"] == "tanh" else None


def _softmax(g: Graph, like: Any, p: Any, x: Value) -> Any:
    axes = _axes(p["axis"], x)
    return g.node("Softmax", x, axes, like=like) if x.dtype == like.dtype and axes else None


def _log_softmax(g: Graph, like: Any, p: Any, x: Value) -> Any:
    return g.node("LogSoftmax", x, p["axis"], like=like) if x.dtype == like.dtype else None


def _mean(g: Graph, like: Any, p: Any, x: Value) -> Any:
    axes = _axes(p["axis"], x)
    same = x.dtype == like.dtype and axes
    return g.node("ReduceMean", x, axes, p["keep_dims"], like=like) if same else None


def _layer_norm(g: Graph, like: Any, p: Any, x: Value, *scales: Value) -> Any:
    if "begin_norm_axis" not in p:
        return None
    begins = p["begin_norm_axis"], p["begin_params_axis"]
    first = begins[0] % len(x.shape)
    mean = Value("", (*x.shape[:first], *[1] * (len(x.shape) - first)), np.dtype(np.float32))
    likes = [like, mean, mean]
    return g.node("LayerNorm", x, *scales, *begins, float(p["epsilon"]), like=likes)


def _batch_norm(g: Graph, like: Any, p: Any, x: Value, *statistics: Value) -> Any:
    if len(x.shape) != 4 or x.dtype != np.float32:
        return None
    likes = [like, *statistics]
    made = g.node("BatchNorm", x, *statistics, False, float(p["eps"]), 0.1, 0, like=likes)
    return made[0]


def _max_pool(g: Graph, like: Any, p: Any, x: Value) -> Any:
    plain = not p["ceil_mode"] and p["dilation"] in (1, (1, 1)) and p["indices"] is None
    if not plain or len(x.shape) != 4 or p["pad_mode"] not in ("valid", "same"):
        return None
    return g.node(
        "MaxPool",
        x,
        like=like,
        kernel_size=(1, 1, *p["kernel_size"]),
        strides=(1, 1, *p["stride"]),
        pad_mode=p["pad_mode"].upper(),
        format="NCHW",
        input_names=["x"],
        output_names=["output"],
    )


def _logarithms(g: Graph, like: Any, p: Any, x: Value) -> Any:
    axis = np.array(p["axis"], np.int64)
    options = {"exclusive": bool(p.get("exclusive")), "reverse": bool(p.get("reverse"))}
    return g.node("CumulativeLogsumexp", x, axis, like=like, **options)


def _inverse(g: Graph, like: Any, p: Any, x: Value) -> Any:
    return g.node("MatrixInverse", x, like=like, adjoint=bool(p.get("adjoint")))


def _gather(g: Graph, like: Any, p: Any, x: Value, at: Value) -> Any:
    return g.node("Gather", x, at, p["axis"], p["batch_dims"], like=like)


def _transposed_convolution(
    g: Graph, like: Any, p: Any, x: Value, w: Value, bias: Value | None = None
) -> Any:
    if len(x.shape) != 4 or any(p["output_padding"]):
        return None
    pad = p["padding"] if isinstance(p["padding"], tuple) else (p["padding"],) * 4
    if p["pad_mode"] == "same":
        rows = zip(w.shape[2:], p["stride"], p["dilation"], strict=True)
        pairs = [divmod(max(d * (k - 1) + 1 - s, 0), 2) for k, s, d in rows]
        pad = tuple(size for half, odd in pairs for size in (half, half + odd))
    made = g.node(
        "Conv2DTranspose",
        x,
        w,
        tuple(like.shape),
        like=like,
        out_channel=x.shape[1],
        kernel_size=w.shape[2:],
        mode=1,
        pad_mode=p["pad_mode"].upper(),
        stride=(1, 1, *p["stride"]),
        dilation=(1, 1, *p["dilation"]),
        group=p["groups"],
        groups=p["groups"],
        format="NCHW",
        input_names=["out_backprop", "filter", "input_sizes"],
        output_names=["output"],
        pad=pad if p["pad_mode"] == "pad" else (0,) * 4,
        pad_list=pad,
    )
    return made if bias is None else g.node("BiasAdd", made, bias, 0, like=like)


def _top(g: Graph, like: Any, p: Any, x: Value) -> Any:
    where = {"k": p["k"], "axis": p["axis"] % len(x.shape)} if x.shape else {}
    if not p["largest"] or not where:
        return None
    return places.largest(g, like, where, x)


def _sort(g: Graph, like: Any, p: Any, x: Value) -> Any:
    if not x.shape:
        return None
    return places.sorted_along(g, x, p["axis"] % len(x.shape), p["descending"])


OPERATORS: dict[str, Rule] = {
    **{name: functools.partial(_plain, name=name) for name in _SAME_NAME.split()},
    "BatchNorm": _batch_norm,
    "Conv2DTranspose": _transposed_convolution,
    "CumulativeLogsumexp": _logarithms,
    "GeLU": _gelu,
    "Gather": _gather,
    "LayerNorm": _layer_norm,
    "LogSoftmax": _log_softmax,
    "MatrixInverse": _inverse,
    "MaxPool": _max_pool,
    "ReduceMean": _mean,
    "Softmax": _softmax,
    "Sort": _sort,
    "TopK": _top,
}
