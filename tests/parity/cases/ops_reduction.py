"""Reductions and running sums: axes, dtypes, arguments of functions and methods, gradients.

Ties and kinks of gradients are in ``grad_edges``.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.cases.ops_math import attempt, of

DTYPES = (
    *("bool_", "int8", "int16", "int32", "int64", "uint8"),
    *("float16", "float32", "float64"),
)
CUBE = (np.arange(12).reshape(2, 3, 2) * 7 % 5 - 1.5).astype(np.float32)
AXES = {
    "none": None,
    "0": 0,
    "-1": -1,
    "tuple": (0, 2),
    "list": [0, 1],
    "empty": (),
    "negative": (-1, -3),
    "one": (1,),
    "outside": 3,
    "far": -4,
    "pair outside": (0, 3),
    "twice": (0, 0),
    "float": 1.0,
    "str": "a",
    "bool": True,
}


def tensor_axis():
    return Tensor(1)


NAMES = (
    *("sum", "mean", "prod", "max", "min", "amax", "amin", "argmax", "argmin", "all", "any"),
    *("var", "std", "norm", "logsumexp", "cumsum", "cumprod", "count_nonzero", "nansum"),
    *("median", "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "nanmean", "cummax"),
    *("cummin", "aminmax", "std_mean", "var_mean"),
)


# Where msgrad takes an axis in more forms than MindSpore, or MindSpore raises an unusual type.
OTHER_AXES = {
    **dict.fromkeys(("max", "min", "median", "nanmean"), ("Tensor",)),
    **dict.fromkeys(("var", "std", "std_mean", "var_mean"), ("list", "twice", "Tensor")),
    "norm": ("list", "twice", "Tensor", "empty"),
    "cummin": ("outside", "Tensor"),
}


def call(name, x, axis):
    function = getattr(ops, name)
    if name in ("norm", "aminmax"):
        return function(x, **({"dim": axis} if name == "norm" else {"axis": axis}))
    return function(x, axis)


@case.table({name: (name,) for name in NAMES}, tol=4e-6)
def axes(name):
    x = of(CUBE)
    if name in ("all", "any"):
        x = of(CUBE > 0, "bool_")
    answers = {key: attempt(call, name, x, axis) for key, axis in AXES.items()}
    answers["left out"] = attempt(getattr(ops, name), x)
    answers["Tensor"] = attempt(call, name, x, tensor_axis())
    for key in OTHER_AXES.get(name, ()):
        del answers[key]
    return answers


# Where msgrad takes more dtypes, or MindSpore's CPU kernel reads the bytes of another one.
OTHER_DTYPES = {
    **dict.fromkeys(("max", "min", "count_nonzero"), ("bool_",)),
    **dict.fromkeys(
        ("var", "std", "std_mean", "var_mean"), ("int8", "int16", "int32", "int64", "uint8")
    ),
    "any": ("int32", "int64", "uint8", "float64"),
}


@case.table({name: (name,) for name in NAMES if name not in ("prod", "median")}, tol=4e-3)
def dtypes(name):
    return {
        dtype: (
            attempt(call, name, of([[1, 0, 1], [1, 1, 0]], dtype), 1),
            attempt(getattr(ops, name), of([[1, 0, 1], [1, 1, 0]], dtype)),
        )
        for dtype in DTYPES
        if dtype not in OTHER_DTYPES.get(name, ())
    }


@case.table({name: (name,) for name in NAMES}, tol=4e-6)
def odd_shapes(name):
    function = getattr(ops, name)
    extreme = name.removeprefix("reduce_").removeprefix("a").removeprefix("rg") in ("max", "min")
    variance = name.endswith("_mean") or name in ("var", "std")
    answers = {"0-d": attempt(function, of(3.0))}
    if not variance:
        answers["0-d axis"] = attempt(call, name, of(3.0), 0)
    if name not in ("max", "min", "argmax", "argmin", "norm"):
        answers["number"] = attempt(function, 3.0)
        answers["None"] = attempt(function, None)
    if not extreme and name != "aminmax":
        answers["nan"] = attempt(call, name, of([1.0, float("nan"), 3.0]), 0)
    if name in ("sum", "all", "nansum", "logsumexp", "count_nonzero", "reduce_sum"):
        answers["empty axis"] = attempt(call, name, of(np.zeros((2, 0))), 1)
    return answers


KEPT = {
    "sum": lambda x: (ops.sum(x, 1, True), ops.sum(x, keepdim=True), x.sum(1, keepdims=True)),
    "mean": lambda x: (ops.mean(x, 1, True), ops.mean(x, keep_dims=True), x.mean(1, True)),
    "prod": lambda x: (ops.prod(x, 1, True), x.prod(1, True)),
    "max": lambda x: (*ops.max(x, 1, True), *ops.max(x, axis=0, keepdims=True)),
    "min": lambda x: (*ops.min(x, 1, True), *ops.min(x, axis=0, keepdims=True)),
    "amax": lambda x: (ops.amax(x, (0, 1), True), x.amax(keepdims=True)),
    "amin": lambda x: (ops.amin(x, (0, 1), True), x.amin(1)),
    "argmax": lambda x: (ops.argmax(x, 1, True), x.argmax(1, keepdims=True), x.argmax(axis=-1)),
    "argmin": lambda x: (ops.argmin(x, 1, True), x.argmin(1, keepdims=True), x.argmin(axis=-1)),
    "all": lambda x: (ops.all(x > 0, 1, True), (x > 0).all(1), (x > 0).all()),
    "any": lambda x: (ops.any(x > 0, 1, True), (x > 0).any(1), (x > 0).any()),
    "var": lambda x: (ops.var(x, 1, 1, True), x.var(1), x.var(1, 1), x.var(axis=0, keepdims=True)),
    "std": lambda x: (ops.std(x, 1, 1, True), x.std(1), x.std(1, 1), x.std(axis=0, keepdims=True)),
    "logsumexp": lambda x: (ops.logsumexp(x, 1, True), x.logsumexp(1)),
    "norm": lambda x: (ops.norm(x, dim=1, keepdim=True), x.norm(dim=1), x.norm()),
    "cumsum": lambda x: (x.cumsum(1), x.cumsum(axis=0), x.cumsum(0, ms.float64)),
    "count_nonzero": lambda x: (ops.count_nonzero(x, 1, True), x.count_nonzero(1)),
    "median": lambda x: (*ops.median(x, 1, True), *x.median(1)),
    "nansum": lambda x: (ops.nansum(x, 1, True), x.nansum(1)),
}


@case.table({name: (name,) for name in KEPT}, tol=4e-6)
def kept_dimensions(name):
    x = of(CUBE)
    return attempt(KEPT[name], x)


METHODS = {
    "sum()": lambda x: x.sum(),
    "sum(dim, keepdim)": lambda x: x.sum(dim=1, keepdim=True),
    "sum(axis, keepdims)": lambda x: x.sum(axis=1, keepdims=True),
    "sum(0, True)": lambda x: x.sum(0, True),
    "sum(0, dtype)": lambda x: x.sum(0, dtype=ms.float64),
    "sum(axis, dtype)": lambda x: x.sum(0, ms.float64),
    "sum(initial)": lambda x: x.sum(axis=0, initial=10),
    "sum((0, 1))": lambda x: x.sum((0, 1)),
    "sum(keep_dims)": lambda x: x.sum(0, keep_dims=True),
    "mean(dim)": lambda x: x.mean(dim=1, keepdim=True),
    "mean(axis)": lambda x: x.mean(axis=1, keep_dims=True),
    "mean(keepdims)": lambda x: x.mean(axis=1, keepdims=True),
    "mean(dtype)": lambda x: x.mean(0, dtype=ms.float64),
    "max()": lambda x: x.max(),
    "max(0)": lambda x: x.max(0),
    "max(0, True)": lambda x: x.max(0, True),
    "max(dim)": lambda x: x.max(dim=1),
    "max(dim, keepdim)": lambda x: x.max(dim=1, keepdim=True),
    "max(axis)": lambda x: x.max(axis=1),
    "max(axis=None)": lambda x: x.max(axis=None),
    "max(axis, keepdims)": lambda x: x.max(axis=1, keepdims=True),
    "max(axis tuple)": lambda x: x.max(axis=(0, 1)),
    "max((0, 1))": lambda x: x.max((0, 1)),
    "max(None)": lambda x: x.max(None),
    "max(return_indices)": lambda x: x.max(axis=1, return_indices=True),
    "max(initial)": lambda x: x.max(axis=1, initial=2.0, where=x > -1),
    "min()": lambda x: x.min(),
    "min(0)": lambda x: x.min(0),
    "min(axis)": lambda x: x.min(axis=1),
    "min(axis, keepdims)": lambda x: x.min(axis=1, keepdims=True),
    "min(return_indices)": lambda x: x.min(axis=1, return_indices=True),
    "argmax()": lambda x: x.argmax(),
    "argmax(1)": lambda x: x.argmax(1),
    "argmax(dim)": lambda x: x.argmax(dim=1, keepdim=True),
    "argmax(axis)": lambda x: x.argmax(axis=1),
    "argmin()": lambda x: x.argmin(),
    "argmin(1)": lambda x: x.argmin(1),
    "argmin(dim)": lambda x: x.argmin(dim=1),
    "argmin(axis)": lambda x: x.argmin(axis=1),
    "all(axis, keep_dims)": lambda x: x.all(axis=1, keep_dims=True),
    "all(dim, keepdim)": lambda x: x.all(dim=1, keepdim=True),
    "any(axis, keep_dims)": lambda x: (x > 0).any(axis=1, keep_dims=True),
    "any(dim, keepdim)": lambda x: (x > 0).any(dim=1, keepdim=True),
    "var()": lambda x: x.var(),
    "var(ddof)": lambda x: x.var(axis=1, ddof=1, keepdims=True),
    "std()": lambda x: x.std(),
    "std(correction)": lambda x: x.std(dim=1, correction=0, keepdim=True),
    "std(dim)": lambda x: x.std(dim=1),
    "std(ddof)": lambda x: x.std(axis=1, ddof=1, keepdims=True),
    "prod()": lambda x: x.prod(),
    "prod(dim)": lambda x: x.prod(dim=1, keepdim=True),
    "prod(dtype)": lambda x: x.prod(1, dtype=ms.float64),
    "logsumexp(dim)": lambda x: x.logsumexp(dim=1, keepdim=True),
    "cumsum(dim)": lambda x: x.cumsum(dim=1),
    "cumprod(dim)": lambda x: x.cumprod(1),
    "norm(keepdim)": lambda x: x.norm(dim=(0, 1), keepdim=True),
    "median()": lambda x: x.median(),
    "median(axis)": lambda x: x.median(axis=1),
    "count_nonzero()": lambda x: x.count_nonzero(),
    "amax(axis)": lambda x: x.amax(axis=1),
}


@case.table({name: (name,) for name in METHODS}, tol=4e-6)
def methods(name):
    return attempt(METHODS[name], of(CUBE))


@case.table({name: (name,) for name in METHODS if name.startswith(("sum", "mean", "var", "std"))})
def methods_of_integers(name):
    return attempt(METHODS[name], of(CUBE, "int32"))


@case
def integer_variance():
    x = Tensor([1, 2])
    return x.var(), x.std(), ops.mean(x), x.mean(), attempt(x.var, 0)


@case
def sum_options():
    x = of([[1.5, -2.0], [3.0, 4.0]])
    return (
        ops.sum(x, dtype=ms.int32),
        ops.sum(of([True, True], "bool_")),
        ops.sum(of([100, 100], "int8")),
        ops.mean(of([1, 2], "int32")),
        ops.mean(of([1, 2], "float16")),
        ops.prod(x, dtype=ms.float64),
        ops.prod(of([2, 3], "int32")),
        ops.prod(of([2, 3], "int8")),
        ops.cumsum(x, 0, ms.float64),
        ops.cumsum(of([1, 2], "int8"), 0),
        attempt(ops.cumsum, of([True, True], "bool_"), 0),
        ops.cumprod(x, 1),
        ops.amax(x, 1, initial=3.5, where=x > 0),
        attempt(lambda: ops.amax(x, 1, where=x > 0)),
        attempt(lambda: ops.max(x, 1, initial=0.0)),
    )


@case
def all_and_any_of_numbers():
    x = of([[0.0, 2.0], [1.0, 3.0]])
    return (
        attempt(ops.all, x),
        attempt(x.all, 1),
        attempt(of([1, 0], "int32").any),
    )


@case
def ties_of_arguments():
    x = of([[3.0, 1.0, 3.0], [1.0, 1.0, 2.0]])
    return (
        ops.argmax(x, 1),
        ops.argmin(x, 1),
        ops.argmax(x),
        ops.argmin(x),
        ops.max(x, 1),
        ops.min(x, 1),
        x.max(0),
        {d: attempt(ops.argmax, of([1, 3, 2], d)) for d in DTYPES},
        {d: attempt(ops.argmin, of([1, 3, 2], d)) for d in DTYPES},
    )


NORMS = {
    **{str(order): (order, None) for order in (None, 0, 1, 2, 3, 0.5, -1, "fro", "nuc")},
    **{f"{order} axis": (order, 1) for order in (None, 0, 1, 2, -2)},
    "inf": (float("inf"), None),
    "inf axis": (float("inf"), 1),
    "-inf axis": (float("-inf"), 1),
    "pair": (None, (0, 1)),
    "fro pair": ("fro", (0, 1)),
    "2.0": (2.0, None),
    **{f"{order} pair": (order, (0, 1)) for order in (2.0, 1.0, -2.0, 3.0, float("inf"))},
}


@case.table(NORMS, tol=4e-6)
def norms(order, dim):
    x, v = of([[3.0, -4.0], [0.0, 2.0]]), of([3.0, -4.0, 0.0, 2.0])
    return attempt(lambda: ops.norm(x, order, dim)), attempt(lambda: ops.norm(v, order))


REDUCERS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")


@case.table({name: (name,) for name in (*REDUCERS, "ReduceAll", "ReduceAny")}, tol=4e-6)
def reducers(name):
    make = getattr(ops, name)
    x = of(CUBE, "bool_") if name in ("ReduceAll", "ReduceAny") else of(CUBE)
    return (
        {key: attempt(make(), x, axis) for key, axis in AXES.items() if key != "none"},
        attempt(make(), x),
        attempt(make(True), x, 1),
        attempt(make(keep_dims=True), x),
        attempt(make(), x, tensor_axis()),
    )


@case.table({name: (name,) for name in REDUCERS})
def reducer_dtypes(name):
    made = getattr(ops, name)()
    return {d: attempt(made, of([[1, 0], [1, 1]], d), 1) for d in DTYPES}


@case
def reducers_with_positions():
    x = of(CUBE)
    return (
        attempt(ops.ArgMaxWithValue(), x),
        attempt(ops.ArgMaxWithValue(1, True), x),
        attempt(ops.ArgMaxWithValue(axis=-1, keep_dims=True), x),
        attempt(ops.ArgMinWithValue(1), x),
        attempt(ops.ArgMinWithValue(3), x),
        attempt(ops.Argmax(), x),
        attempt(ops.Argmax(0, ms.int64), x),
        attempt(ops.Argmax(axis=1, output_type=ms.int32), x),
        attempt(ops.Argmin(), x),
        attempt(ops.Argmin(axis=1), x),
        attempt(ops.Argmax(), of([1, 2], "int32")),
    )


@case
def running_sums():
    x = of(CUBE)
    return (
        attempt(ops.CumSum(), x, 1),
        attempt(ops.CumSum(True), x, 1),
        attempt(ops.CumSum(False, True), x, 1),
        attempt(ops.CumSum(exclusive=True, reverse=True), x, -1),
        attempt(ops.CumSum(), x, 3),
        attempt(ops.CumProd(), x, 1),
        attempt(ops.CumProd(True, True), x, 1),
        attempt(ops.cummax, x, 1),
        attempt(ops.cummin, x, 1),
        {d: attempt(ops.CumSum(), of([1, 1], d), 0) for d in DTYPES},
    )


SMOOTH = {
    "sum": lambda x: ops.sum(x, 1),
    "mean": lambda x: ops.mean(x, 1) ** 2,
    "prod": lambda x: ops.prod(x, 1),
    "prod of all": lambda x: ops.prod(x),
    "max": lambda x: ops.max(x, 1)[0],
    "max of all": lambda x: x.max(),
    "amin": lambda x: ops.amin(x, (0, 1)),
    "var": lambda x: ops.var(x, 1),
    "std": lambda x: ops.std(x, 1),
    "std ddof": lambda x: ops.std(x, 1, 1),
    "std method": lambda x: x.std(),
    "norm": lambda x: ops.norm(x, dim=1),
    "norm 3": lambda x: ops.norm(x, 3, dim=1),
    "norm of all": lambda x: ops.norm(x),
    "logsumexp": lambda x: ops.logsumexp(x, 1),
    "cumsum": lambda x: ops.cumsum(x, 1) ** 2,
    "cumprod": lambda x: ops.cumprod(x, 1),
    "ReduceSum": lambda x: ops.ReduceSum(True)(x, 1) ** 2,
    "ReduceProd": lambda x: ops.ReduceProd()(x, 1),
    "ReduceMax": lambda x: ops.ReduceMax()(x, 1),
    "ArgMaxWithValue": lambda x: ops.ArgMaxWithValue(1)(x)[1],
    "CumSum": lambda x: ops.CumSum(True, True)(x, 1) ** 2,
    "nansum": lambda x: ops.nansum(x, 1),
    "argmax": lambda x: ops.argmax(x, 1) * 1.0 + x.sum(),
}


@case.table({name: (name,) for name in SMOOTH}, tol=1e-5)
def gradients(name):
    return attempt(ms.grad(SMOOTH[name]), of([[0.5, -1.5, 2.0], [3.0, 1.0, 0.25]]))


@case.table({name: (name,) for name in ("sum", "mean", "amax", "max", "cumsum", "prod")})
def integer_gradients(name):
    x = of([1, 2, 3], "int64")
    calls = {"cumsum": lambda x: ops.cumsum(x, 0), "max": lambda x: x.max()}
    function = calls.get(name, getattr(ops, name))
    return attempt(ms.grad(lambda x: function(x * x)), x)
