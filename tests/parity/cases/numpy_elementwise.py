"""Element-wise functions of ``mindspore.numpy``: values, dtypes, lists, gradients, errors."""

import inspect

import mindspore as ms
import numpy as np
from mindspore import Tensor

from tests.parity.case import case

# What is no Tensor raises the one or the other; msgrad's error is both.
KINDS = {
    **{kind: kind.__name__ for kind in (NotImplementedError, TypeError, ValueError, IndexError)},
    AttributeError: "TypeError",
    RuntimeError: "RuntimeError",
}


def of(values, dtype="float32"):
    return Tensor(np.array(values), getattr(ms, dtype))


def ready(result):
    """Wait for the values of a result, whatever it is made of."""
    for part in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(part, (tuple, list)):
            ready(part)
        elif isinstance(part, Tensor):
            part.asnumpy()
    return result


def attempt(function, *arguments):
    """What the call gives, or the name of the exception's builtin type."""
    try:
        return ready(function(*arguments))
    except Exception as error:
        return next((name for kind, name in KINDS.items() if isinstance(error, kind)), "other")


def function(name):
    import mindspore.numpy as mnp

    return getattr(mnp, name)


CUBE = (np.arange(12).reshape(2, 3, 2) * 7 % 5 - 1.5).astype(np.float32)
SQUARE = [[1.0, 2.0, 0.5], [3.0, -1.0, 2.5], [0.0, 4.0, 1.5]]
LINE = [0.5, -1.0, 3.0, 2.0]
NAN = float("nan")


def cube(dtype="float32"):
    return of(CUBE, dtype)


def square(dtype="float32"):
    return of(SQUARE, dtype)


def line(dtype="float32"):
    return of(LINE, dtype)


def ints(*values):
    return of(values, "int32")


def parameters(name):
    found = inspect.signature(function(name)).parameters.values()
    return [(p.name, str(p.kind), repr(p.default)) for p in found]


DTYPES = (
    *("bool_", "int8", "int16", "int32", "int64", "uint8"),
    *("float16", "float32", "float64"),
)
# What a name is tried on: (values of floats, values of integers).
ANY, POSITIVE, SMALL = (
    ([-2.5, -1.0, -0.5, 0.0, 0.5, 1.5], [0, 1, 3]),
    ([0.25, 0.5, 1.0, 2.0, 9.0], [1, 2, 9]),
    ([-0.75, -0.25, 0.0, 0.5], [0, 1]),
)
UNARY = {
    **dict.fromkeys(
        (
            *("abs", "absolute", "fabs", "square", "exp", "expm1", "exp2", "floor", "ceil"),
            *("rint", "trunc", "sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "arcsinh"),
            *("sign", "isfinite", "isnan", "isinf", "deg2rad", "radians", "rad2deg", "negative"),
            *("positive", "logical_not", "fix", "isposinf", "isneginf", "signbit", "around"),
            *("round", "invert", "bitwise_not"),
        ),
        ANY,
    ),
    **dict.fromkeys(("sqrt", "log", "log1p", "log2", "log10", "reciprocal", "cbrt"), POSITIVE),
    **dict.fromkeys(("arcsin", "arccos", "arctanh"), SMALL),
    "arccosh": ([1.5, 2.0, 3.0], [2, 3]),
}
BINARY = {
    **dict.fromkeys(
        (
            *("add", "subtract", "multiply", "divide", "true_divide", "power", "float_power"),
            *("floor_divide", "remainder", "mod", "fmod", "minimum", "maximum", "hypot", "gcd"),
            *("lcm", "copysign", "heaviside", "logaddexp", "logaddexp2", "arctan2", "divmod"),
            *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
            *("logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or"),
            *("bitwise_xor", "isclose", "array_equal", "array_equiv", "in1d", "isin"),
        ),
        (([2.5, 1.0, 4.5], [0.5, 2.0, 1.5]), ([7, 6, 1], [3, 4, 1])),
    ),
}
INTEGERS = ("gcd", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "bitwise_not")


# MindSpore's CPU kernels lack these; the functions compute them here. Its sums subtract the
# negative, which is wrong for unsigned numbers beside wider ones and missing for bools.
MORE_HERE = {
    **dict.fromkeys(("around", "round"), ("bool_", "int8", "int16", "uint8")),
    **dict.fromkeys(("invert", "bitwise_not", "add", "subtract", "minimum", "hypot"), ("bool_",)),
}
NO_GRADIENT = ("rint", "gcd", "lcm", "isclose")


def values_of(name, pair, dtype):
    return pair[0 if dtype.startswith("float") and name not in INTEGERS else 1]


def dtypes_of(name):
    return [d for d in DTYPES if d not in MORE_HERE.get(name, ())]


@case.table({name: (name,) for name in UNARY}, tol=4e-3)
def one_array(name):
    call = function(name)
    return {d: attempt(call, of(values_of(name, UNARY[name], d), d)) for d in dtypes_of(name)}


@case.table({name: (name,) for name in UNARY}, tol=1e-5)
def one_array_exactly(name):
    # Not 0, where MindSpore's sign has the derivative nan.
    x = of([v for v in UNARY[name][0] if v])
    return attempt(function(name), x), name in NO_GRADIENT or attempt(ms.grad(function(name)), x)


@case.table({name: (name,) for name in UNARY}, tol=1e-5)
def one_array_like(name):
    call = function(name)
    return {
        "list": attempt(call, [0.5, 0.25]),
        "ints": attempt(call, (1, 2)),
        "float": attempt(call, 1.5),
        "int": attempt(call, 2),
        "None": attempt(call, None),
        "text": attempt(call, "a"),
        "ndarray": attempt(call, np.array([0.5])),
        "dtype": attempt(lambda: call(of(POSITIVE[0]), dtype=ms.float16)),
        "dtype by name": attempt(lambda: call(of(POSITIVE[0]), "float16")),
    }


@case.table({name: (name,) for name in BINARY}, tol=4e-3)
def two_arrays(name):
    call = function(name)
    return {
        d: attempt(call, *(of(v, d) for v in values_of(name, BINARY[name], d)))
        for d in dtypes_of(name)
    }


PAIRS = (
    *(("int32", "float32"), ("int64", "float16"), ("float16", "float32"), ("bool_", "int32")),
    *(("float32", "float64"), ("int8", "int32"), ("uint8", "int32"), ("int32", "int64")),
)


@case.table({name: (name,) for name in BINARY}, tol=4e-3)
def two_dtypes(name):
    call, answers = function(name), {}
    for one, other in PAIRS:
        x, y = BINARY[name][1]
        if name in ("add", "hypot") and ("bool_" in (one, other) or "uint8" in (one, other)):
            continue
        answers[f"{one} {other}"] = attempt(call, of(x, one), of(y, other))
        answers[f"{other} {one}"] = attempt(call, of(x, other), of(y, one))
    return answers


@case.table({name: (name,) for name in BINARY}, tol=1e-5)
def two_array_likes(name):
    call = function(name)
    x, y = (of(v) for v in BINARY[name][0])
    i, h = of([1, 2, 3], "int32"), of([1.0, 2.0, 3.0], "float16")
    return {
        "list": attempt(call, [7, 6], [3, 4]),
        "Tensor int": attempt(call, i, 2),
        "Tensor float": attempt(call, i, 1.5),
        "float Tensor": attempt(call, 1.5, x),
        "half float": name == "logaddexp" or attempt(call, h, 1.5),
        "numbers": attempt(call, 7, 2),
        "bool": name == "add" or attempt(call, x, True),
        "broadcast": attempt(call, x.reshape(3, 1), y),
        "shapes": name.startswith("bitwise") or attempt(call, x, of([1.0, 2.0])),
        "None": attempt(call, x, None),
        "text": attempt(call, x, "a"),
        "ndarray": attempt(call, x, np.array([0.5])),
        "dtype": attempt(lambda: call(x, y, dtype=ms.float64)),
    }


@case.table({name: (name,) for name in BINARY}, tol=1e-5)
def two_gradients(name):
    call = function(name)

    def first(x, y):
        made = call(x, y)
        return made[0] + made[1] if isinstance(made, tuple) else made * 1.0

    return name in NO_GRADIENT or attempt(ms.grad(first, (0, 1)), *(of(v) for v in BINARY[name][0]))


@case.table({name: (name,) for name in (*UNARY, *BINARY)})
def signature(name):
    return parameters(name)


@case
def a_dtype_beside_a_number():
    import mindspore.numpy as mnp

    x, truth = of([-2.0, 0.5, 3.0]), ms.Tensor([True, False, True])
    return {
        "number": attempt(mnp.maximum, x, 0, ms.int32),
        "number first": attempt(mnp.minimum, 0, x, ms.float64),
        "0-d": attempt(mnp.maximum, x, of(0.0), ms.int32),
        "one element": attempt(mnp.maximum, x, of([0.0]), ms.int32),
        "two numbers": attempt(mnp.maximum, 1, 2, ms.float32),
        "limits": attempt(mnp.clip, x, 0, 1, ms.int32),
        "limits of one shape": attempt(mnp.clip, x, x, x + 1, ms.int32),
        "own dtype": attempt(mnp.cumsum, truth, 0, ms.bool_),
        "own small dtype": attempt(mnp.nancumsum, of([1, 2], "int8"), 0, ms.int8),
        "other dtype": attempt(mnp.cumsum, truth, 0, ms.int8),
    }


@case
def clipping():
    import mindspore.numpy as mnp

    x = of([-2.0, 0.5, 3.0])
    return {
        "both": attempt(mnp.clip, x, -1, 1),
        "one": attempt(mnp.clip, x, None, 1),
        "other": attempt(mnp.clip, x, 0.0, None),
        "ints": attempt(mnp.clip, of([1, 5, 9], "int32"), 2, 7),
        "int float": attempt(mnp.clip, of([1, 5, 9], "int32"), 2.5, 7.5),
        "Tensors": attempt(mnp.clip, x, of([0.0, 0.0, 0.0]), of([1.0, 1.0, 1.0])),
        "none": attempt(mnp.clip, x, None, None),
        "list": attempt(mnp.clip, [1, 5], 2, 3),
        "text": attempt(mnp.clip, x, "a", 1),
        "gradient": attempt(ms.grad(lambda x: mnp.clip(x, -1, 1) * x), x),
        "around": attempt(mnp.around, of([1.234, -2.678]), 1),
        "around float": attempt(mnp.around, x, 1.0),
        "nan": attempt(mnp.maximum, of([float("nan"), 1.0]), of([1.0, float("nan")])),
        "0-d": attempt(mnp.maximum, of(1.0), of(2.0)),
        "zeros": [
            attempt(getattr(mnp, name), of([5, -5, 0], "int32"), of([0, 0, 0], "int32"))
            for name in ("remainder", "fmod", "floor_divide", "divide")
        ],
    }
