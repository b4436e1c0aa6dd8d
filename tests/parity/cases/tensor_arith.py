"""The symbols of Tensor: promotion, Python numbers, reflected and in-place forms, refusals."""

import operator

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor

from tests.parity.case import case
from tests.parity.cases.ops_math import DTYPES, attempt, of

SYMBOLS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
INPLACE = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "@=": operator.imatmul,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
}
ALL = (*DTYPES, "uint16", "uint32", "uint64", "complex128")


def either(function, *arguments):
    """As ``attempt``, for results that need not be Tensors."""
    try:
        result = function(*arguments)
    except Exception as error:
        kinds = (TypeError, ValueError, IndexError, AttributeError, RuntimeError)
        return next((kind.__name__ for kind in kinds if isinstance(error, kind)), "other")
    return attempt(lambda: result) if isinstance(result, Tensor) else result


def kind_of(result):
    return str(result.dtype) if isinstance(result, Tensor) else result


# Where MindSpore's CPU has a kernel for every pair.
PAIRED = {
    "+": ALL,
    "*": [dtype for dtype in DTYPES if dtype != "complex64"],
    "/": [dtype for dtype in DTYPES if dtype != "complex64"],
    "**": [dtype for dtype in DTYPES if dtype != "bfloat16"],
    "<": [dtype for dtype in DTYPES if dtype != "bfloat16"],
}


@case.table({f"{d} {symbol}": (symbol, d) for symbol, taken in PAIRED.items() for d in taken})
def promotion(symbol, dtype):
    left, taken = of([1, 1], dtype), PAIRED[symbol]
    return {other: kind_of(attempt(SYMBOLS[symbol], left, of([1, 1], other))) for other in taken}


@case.table({symbol: (symbol,) for symbol in SYMBOLS})
def same_dtype(symbol):
    left_out = {
        **dict.fromkeys(("**", "==", "!=", "<", "<=", ">", ">="), ("bfloat16",)),
        "//": ("complex64", "complex128"),
        "%": ("bfloat16", "uint16", "uint32", "uint64"),
    }.get(symbol, ())
    taken = [dtype for dtype in ALL if dtype not in left_out]
    return {d: attempt(SYMBOLS[symbol], of([3, 2], d), of([2, 1], d)) for d in taken}


NUMBERS = {"True": True, "2": 2, "-3": -3, "2.5": 2.5, "1j": 1j}
KINDS = ("bool_", "int8", "int32", "int64", "float16", "float32", "float64")


@case.table({symbol: (symbol,) for symbol in SYMBOLS}, tol=4e-3)
def with_a_number(symbol):
    function = SYMBOLS[symbol]
    return {
        d: {key: either(function, of([3, 1], d), n) for key, n in NUMBERS.items()} for d in KINDS
    }


# MindSpore has no ``2 & x`` and no ``True - x``; msgrad has.
@case.table({symbol: (symbol,) for symbol in SYMBOLS if symbol not in "&|^"}, tol=4e-3)
def after_a_number(symbol):
    function = SYMBOLS[symbol]
    kinds = KINDS[1:] if symbol == "-" else KINDS
    return {
        d: {key: either(function, n, of([3, 1], d)) for key, n in NUMBERS.items()} for d in kinds
    }


@case.table({symbol: (symbol,) for symbol in ("+", "-", "*", "/", "//", "<", "==")})
def with_a_wide_number(symbol):
    function = SYMBOLS[symbol]
    kinds = ("bool_", "int64", "float32", "float64")
    return {d: either(function, of([3, 1], d), 2**40) for d in kinds}


@case
def unsigned_with_negative():
    x = of([3, 1], "uint8")
    return x + -3, x - -3, x * -3, x / -3, x // 2, x % 2, x**2


OTHERS = {
    "None": lambda: None,
    "str": lambda: "a",
    "list": lambda: [1.0, 2.0],
    "tuple": lambda: (1, 2),
    "nested": lambda: [[1.0], [2.0]],
    "empty": list,
    "texts": lambda: ["a", "b"],
    "dict": dict,
    "set": lambda: {1},
    "array": lambda: np.array([1.0, 2.0], np.float32),
    "float32 scalar": lambda: np.float32(2.0),
    "int64 scalar": lambda: np.int64(2),
    "float64 scalar": lambda: np.float64(2.0),
    "bool scalar": lambda: np.bool_(True),
    "type": lambda: int,
    "dtype": lambda: ms.float32,
    "object": object,
    "parameter": lambda: Parameter(Tensor([1.0, 2.0]), name="w"),
    "tensors": lambda: [Tensor([1.0, 2.0]), Tensor([3.0, 4.0])],
}


# NumPy 2 decides what becomes of its own scalars on the left, and differs from NumPy 1.
NUMPY_SCALARS = ("int64 scalar", "float64 scalar")


BESIDE = {symbol: (symbol,) for symbol in (*"+-*/%@<&", "//", "**", "==", "!=", ">=")}


@case.table(BESIDE)
def with_another_kind(symbol):
    function = SYMBOLS[symbol]
    return {key: either(function, Tensor([3.0, 2.0]), make()) for key, make in OTHERS.items()}


@case.table(BESIDE)
def after_another_kind(symbol):
    function = SYMBOLS[symbol]
    return {
        key: either(function, make(), Tensor([3.0, 2.0]))
        for key, make in OTHERS.items()
        if key not in NUMPY_SCALARS
    }


# (2.10 eagerly takes all digits of 1.7 beside float64, compiled those of float32.)
@case.table({d: (d,) for d in ("int32", "uint8", "float16", "float64")})
def of_the_dtype_beside_a_list(dtype):
    x = of([3, 4], dtype)
    return [1.75, 2.5] + x, x - (1, 2.5), x // [True, 2], (1.5, 2) ** x


def stacked(v, x):
    return x * ((v, v * 2) + x) - [v[0], v[1] * v[0]]


def with_numbers(v, x):
    return (2, v[0]) + x, x - (v, [1, 2.5])


@case.table({"stacked": (stacked,), "with_numbers": (with_numbers,)})
def gradient_of_tensors_in_a_list(function):
    v, x = Tensor([1.0, 2.0], ms.float32), Tensor([[1.0, 5.0], [7.0, 3.0]], ms.float32)
    return function(v, x), ms.grad(function, (0, 1))(v, x)


MIXED = {
    "ints_and_floats": lambda x, i: (x[0], i) + x,
    "a_float_and_an_int": lambda x, i: x + (2.0, i[0]),
    "floats_and_a_list": lambda x, i: [i, [1.5, 2]] + x,
    "shapes": lambda x, i: x + (x[0], (x[0], x[0])),
    "ints": lambda x, i: x - (i, i),
}


@case.table({key: (call,) for key, call in MIXED.items()})
def tensors_in_a_list(call):
    return call(Tensor([[1.0, 5.0], [7.0, 3.0]], ms.float32), Tensor([1, 2], ms.int64))


@case.table({symbol: (symbol,) for symbol in INPLACE if symbol in "+= -= *= /= //= %= **="})
def in_place_of_a_list(symbol):
    return either(INPLACE[symbol], Tensor([3.0, 2.0]), [1.0, 2.0])


@ms.jit
def _compiled(x):
    return (
        x + [1, 2],
        [1.5, 2] - x,
        x * (1.5, 2),
        x / [3, 4],
        x // [1, 2],
        [3.0, 4] % x,
        [2, 3] ** x,
    )


@case.table({d: (d,) for d in ("int32", "float16", "float64")})
def beside_a_list_where_compiled(dtype):
    return _compiled(of([3, 4], dtype))


@case.table({symbol: (symbol,) for symbol in SYMBOLS if symbol not in ("<<", ">>")})
def of_a_parameter(symbol):
    function = SYMBOLS[symbol]
    w = Parameter(Tensor([True, False] if symbol in "&|^" else [3.0, 2.0]), name="w")
    t = Tensor([True, True] if symbol in "&|^" else [2.0, 2.0])
    return (
        either(function, w, t),
        either(function, t, w),
        either(function, w, 2),
        None if symbol in "&|^" else either(function, 2, w),
        either(function, w, w),
        either(function, w, None),
    )


@case.table({symbol: (symbol,) for symbol in INPLACE})
def in_place(symbol):
    values = [[True, False], [True, True]] if symbol in ("&=", "|=", "^=") else [[3, 2], [5, 7]]
    x = Tensor(values)
    kept = x
    y = Tensor(values)
    result = either(INPLACE[symbol], x, y)
    mixed = either(INPLACE[symbol], Tensor(values), 1.5)
    return result, mixed, kept, result is kept


@case
def in_place_of_a_parameter():
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    kept = w
    w += 1
    return w, kept, w is kept


@case
def signs():
    x = Tensor([-1.5, 0.0, 2.5])
    i, b = Tensor([-1, 0, 2]), Tensor([True, False])
    return {
        "-": [either(operator.neg, v) for v in (x, i, b)],
        "+": [either(operator.pos, v) for v in (x, i, b)],
        "abs": [either(abs, v) for v in (x, i, b)],
        "~": [either(operator.invert, v) for v in (x, i, b)],
        "round": [either(round, v) for v in (x, i)],
        "round 1": either(round, x, 1),
        "pos is": +x is x,
        "divmod": either(divmod, x, 2),
    }


@case
def int_edges():
    i = Tensor([-7, 7, 0])
    return {
        "//2": i // 2,
        "%2": i % 2,
        "//-2": i // -2,
        "%-3": i % -3,
        "**-1": Tensor([-2, 1, 2]) ** -1,
        "2**i": 2 ** Tensor([0, 3, -1]),
        "/0": i / 0,
        "uint8 wraps": Tensor(np.array([250], np.uint8)) + 10,
        "uint8 -": Tensor(np.array([1], np.uint8)) - 2,
        "int8 wraps": Tensor(np.array([120], np.int8)) * 2,
    }


@case
def int_by_zero():
    return Tensor([-7, 7, 0]) // 0, Tensor(np.array([-7, 7, 0], np.int32)) // 0


@case
def float_edges():
    x = Tensor([-7.5, 7.5, 0.0])
    return x // 2, x % 2, x // -2, x % -2, x // 0, x / 0, x % 0, x**0.5, x**-1, 0**x, x**0


@case
def shapes_that_do_not_broadcast():
    return Tensor([1.0, 2.0]) + Tensor([1.0, 2.0, 3.0])


@case
def matrix_symbol():
    m, v = Tensor(np.eye(2, dtype=np.float32) * 2), Tensor([1.0, 2.0])
    return m @ v, v @ m, v @ v, either(operator.matmul, m, 2), either(operator.matmul, 2, m)


@case
def chains_and_membership():
    x = Tensor([1.0, 2.0])
    return (
        x in [x],
        None in [x],
        x == x,
        sum([x, x]),
        max(Tensor(1.0), Tensor(2.0)),
        bool((x == x).all()),
        x is not None,
    )


@case
def methods_with_options():
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 5.0])
    calls = {
        "add": lambda: x.add(y),
        "add alpha": lambda: x.add(y, alpha=2),
        "sub alpha": lambda: x.sub(y, alpha=2),
        "sub y=": lambda: x.sub(y=y),
        "subtract": lambda: x.subtract(y),
        "subtract alpha": lambda: x.subtract(y, alpha=2),
        "mul": lambda: x.mul(2),
        "mul other=": lambda: x.mul(other=y),
        "multiply": lambda: x.multiply(y),
        "div": lambda: y.div(x),
        "div floor": lambda: y.div(x, rounding_mode="floor"),
        "divide": lambda: y.divide(2),
        "true_divide": lambda: y.true_divide(2),
        "remainder": lambda: y.remainder(2),
        "remainder divisor=": lambda: y.remainder(divisor=x),
        "fmod": lambda: y.fmod(2),
        "pow": lambda: x.pow(2),
        "pow exponent=": lambda: x.pow(exponent=y),
        "atan2": lambda: x.atan2(y),
        "maximum": lambda: x.maximum(y),
        "minimum": lambda: x.minimum(y),
        "equal": lambda: x.equal(y),
        "eq": lambda: x.eq(1.0),
        "ne": lambda: x.ne(1.0),
        "gt": lambda: x.gt(1.0),
        "ge": lambda: x.ge(y),
        "lt": lambda: x.lt(y),
        "le": lambda: x.le(y),
        "greater": lambda: x.greater(y),
        "less": lambda: x.less(y),
        "less_equal": lambda: x.less_equal(y),
        "not_equal": lambda: x.not_equal(y),
        "logical_and": lambda: x.logical_and(y),
        "logical_or y=": lambda: x.logical_or(y=y),
        "logical_not": lambda: x.logical_not(),
        "logical_xor": lambda: x.logical_xor(y),
        "round": lambda: x.round(),
        "add_": lambda: x.add_(1),
        "sub_": lambda: x.sub_(1),
        "mul_": lambda: x.mul_(2),
        "div_": lambda: x.div_(2),
        "dot": lambda: x.dot(y),
        "inner": lambda: x.inner(y),
        "outer": lambda: x.outer(y),
        "after": lambda: x,
    }
    return {key: attempt(function) for key, function in calls.items()}
