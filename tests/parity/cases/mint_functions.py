"""Functions of ``mindspore.mint``: calls of each, the gradient of the first, a wrong one last.

A call is a text, in which ``f`` is the function and the operands are those of ``operands``.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.cases.numpy_elementwise import attempt, of

NAN = float("nan")


def operands():
    """Floats of few shapes, positions, ints and bools, made anew for each case."""
    return {
        "x": of([[0.5, -0.25, 0.75], [-0.5, 0.125, 1.0]]),
        "y": of([[1.0, 2.0, -3.0], [0.5, -1.5, 2.5]]),
        "p": of([[0.5, 2.0, 1.5], [3.0, 0.25, 1.0]]),
        "v": of([0.5, -1.0, 2.0]),
        "w": of([[2.0, 0.5, 0.0], [0.5, 3.0, -1.0], [0.0, 1.0, 4.0]]),
        "t": of(np.arange(12).reshape(2, 2, 3) * 7 % 5 - 1.5),
        "u": of([[NAN, 1.0, -np.inf], [np.inf, -2.0, 0.0]]),
        "h": of([[0.5, -0.25, 0.75], [-0.5, 0.125, 1.0]], "float16"),
        "i": of([[0, 1, 1], [1, 0, 1]], "int64"),
        "j": of([1, 0], "int64"),
        "k": of([[1, -2, 3], [4, 5, -6]], "int32"),
        "b": of([[True, False, True], [False, False, True]], "bool_"),
    }


def say(call, function, **more):
    """Run the text of a call."""
    return eval(call, {"f": function, "ms": ms, "np": np, "of": of, **operands(), **more})


def named(name, module="mint"):
    """Look a function up, so that an absent one fails its own cases only."""
    from mindspore import mint

    found = mint
    for part in (*module.split(".")[1:], name):
        found = getattr(found, part)
    return found


def calls_of(rows, module="mint"):
    """Rows for ``gives``, ``gradient`` and ``wrong``."""
    gives = {name: (name, calls[:-1], module) for name, calls in rows.items()}
    wrong = {name: (name, calls[-1], module) for name, calls in rows.items()}
    return gives, wrong


def gives(name, calls, module):
    """Every call's result, or the kind of its error."""
    return [attempt(lambda call=call: say(call, named(name, module))) for call in calls]


def wrong(name, call, module):
    """The error of a call."""
    return attempt(lambda: say(call, named(name, module)))


def gradient(name, call, module):
    """The gradient of the sum of squares of a call's floats by each operand that is one."""
    function = named(name, module)
    floats = {k: v for k, v in operands().items() if v.dtype == ms.float32 and k in call.split("f(")[1]}

    def loss(*values):
        found = say(call, function, **dict(zip(floats, values, strict=True)))
        parts = found if isinstance(found, (tuple, list)) else (found,)
        squares = [ops.ReduceSum()(p * p, ()) for p in parts if p.dtype == ms.float32]
        return sum(squares[1:], squares[0])

    return attempt(ms.grad(loss, tuple(range(len(floats)))), *floats.values())


ONE = ("f(x)", "f(p)", "f(k)", "f(b)", "f(h)", "f(1.5)")
TWO = ("f(x, y)", "f(x, v)", "f(x, 2.0)", "f(k, 2)", "f(k, x)", "f(h, x)", "f(x, 'a')")
BITS = ("f(k, k)", "f(k, 3)", "f(b, b)", "f(k, 1.5)", "f(x, 'a')")
REDUCE = ("f(x, 1)", "f(x)", "f(x, 0, True)", "f(x, dim=(0, 1))", "f(k)", "f(b)", "f(x, 3)")

FLOATS = {
    **dict.fromkeys(
        (
            *("abs", "erf", "sin", "sinc", "sinh", "cosh", "log", "exp2", "reciprocal", "exp"),
            *("sqrt", "erfinv", "cos", "square", "rsqrt", "negative", "neg", "ceil", "tanh"),
            *("acos", "arccos", "acosh", "arccosh", "asin", "arcsin", "asinh", "arcsinh", "atan"),
            *("arctan", "atanh", "arctanh", "round", "expm1", "erfc", "floor", "log1p", "sign"),
            *("tan", "frac", "log10", "log2", "sigmoid", "clone", "real", "imag", "npu_gelu"),
        ),
        ONE,
    ),
    **dict.fromkeys(
        (
            *("fmod", "xlogy", "mul", "sub", "add", "div", "divide", "maximum", "minimum"),
            *("pow", "remainder", "atan2", "arctan2", "floor_divide", "float_power"),
            *("logaddexp", "logaddexp2"),
        ),
        TWO,
    ),
    "add_alpha": ("f(x, y, alpha=2)",),
}
del FLOATS["add_alpha"]
FLOATS |= {
    "clamp": ("f(x, -0.25, 0.5)", "f(x, min=0)", "f(x, max=v)", "f(k, 0, 2)", "f(x, p, 1.0)", "f(x, 'a')"),
    "lerp": ("f(x, y, 0.5)", "f(x, y, p)", "f(x, y, 'a')"),
    "addcdiv": ("f(x, y, p)", "f(x, y, p, value=2)", "f(x, y)"),
    "addcmul": ("f(x, y, p)", "f(x, y, p, value=0.5)", "f(x, y)"),
    "nan_to_num": ("f(x)", "f(u)", "f(u, 1.0, 2.0, 3.0)", "f(u, nan=5.0)", "f(1.5)"),
    "polar": ("f(p, x)", "f(p, 1.0)"),
    "trunc": ("f(x)", "f(k)", "f(1.5)"),
    "where": ("f(b, x, y)", "f(b, x, 0.0)", "f(b, 1.0, y)", "f(b)", "f(b, x)"),
}
NO_GRADIENT = {
    **dict.fromkeys(("isfinite", "isinf", "isneginf", "isnan", "logical_not"), ("f(x)", "f(u)", "f(k)", "f(b)", "f(1.5)")),
    **dict.fromkeys(
        (
            *("ne", "not_equal", "greater", "gt", "eq", "greater_equal", "ge", "less_equal", "le"),
            *("less", "lt"),
        ),
        ("f(x, y)", "f(x, 0.5)", "f(k, 1)", "f(k, x)", "f(x, v)", "f(x, 'a')"),
    ),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), ("f(b, b)", "f(x, b)", "f(b, True)", "f(k, 1)", "f(b, 'a')")),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), BITS),
    "bitwise_not": ("f(k)", "f(b)", "f(x)"),
    "isclose": ("f(x, y)", "f(x, x)", "f(u, u, equal_nan=True)", "f(x, y, 1.0, 0.5)", "f(x, 1)"),
    "allclose": ("f(x, y)", "f(x, x)", "f(u, u, equal_nan=True)", "f(x, y, 1.0, 9.5)", "f(x, 1)"),
    "equal": ("f(x, y)", "f(x, x)", "f(x, v)", "f(x, 1)"),
    "gcd": ("f(k, k)", "f(k, i)", "f(k, 2)"),
    "any": ("f(b)", "f(b, 1)", "f(b, 0, True)", "f(x, (0, 1))", "f(k, dim=1, keepdim=True)", "f(b, 3)"),
    "all": ("f(b)", "f(b, 1)", "f(b, 0, True)", "f(x, (0, 1))", "f(k, dim=1, keepdim=True)", "f(b, 3)"),
    "argmax": ("f(x)", "f(x, 1)", "f(x, 0, True)", "f(k, dim=-1)", "f(x, 3)"),
    "argmin": ("f(x)", "f(x, 1)", "f(x, 0, True)", "f(k, dim=-1)", "f(x, 3)"),
    "argsort": ("f(x)", "f(x, 0)", "f(x, descending=True)", "f(x, stable=True)", "f(x, 3)"),
    "bincount": ("f(j)", "f(j, minlength=4)", "f(j, weights=of([0.5, 2.0]))", "f(x)"),
    "histc": ("f(x, 4)", "f(x, 4, -1, 1)", "f(k, bins=3)", "f(x, 'a')"),
    "count_nonzero": ("f(x)", "f(k, 1)", "f(b, dim=(0, 1))", "f(x, 3)"),
    "nonzero": ("f(b)", "f(x)", "f(b, as_tuple=True)", "f(1)"),
    "searchsorted": ("f(v, x)", "f(of([0.0, 1.0, 2.0]), x)", "f(of([0.0, 1.0, 2.0]), x, right=True)", "f(of([0.0, 1.0, 2.0]), x, out_int32=True)", "f(of([0.0, 1.0, 2.0]), of([1.0]), side='right')", "f(v, 'a')"),
    "unique_consecutive": ("f(i)", "f(i, True, True)", "f(i, dim=0)", "f(j, return_counts=True)", "f(1)"),
    "masked_select": ("f(x, b)", "f(x, of([True, False, True], 'bool_'))", "f(x, 1)"),
}
FLOATS |= {
    **dict.fromkeys(("mean", "sum", "prod", "nansum"), (*REDUCE[:-1], "f(x, 1, dtype=ms.float64)", "f(x, 3)")),
    **dict.fromkeys(("amax", "amin"), REDUCE),
    **dict.fromkeys(("std", "var"), ("f(x, 1)", "f(x)", "f(x, 0, keepdim=True)", "f(x, (0, 1), correction=0)", "f(k, 1)", "f(x, 3)")),
    **dict.fromkeys(("std_mean", "var_mean"), ("f(x, 1)", "f(x)", "f(x, 0, correction=0, keepdim=True)", "f(x, 3)")),
    "logsumexp": ("f(x, 1)", "f(x, 0, True)", "f(x, (0, 1))", "f(k, 1)", "f(x, 3)"),
    **dict.fromkeys(("max", "min"), ("f(x, 1)", "f(x)", "f(x, 0, True)", "f(x, dim=1, keepdim=True)[0]", "f(x, y)", "f(k)", "f(x, dim=0).values", "f(x, 3)")),
    "median": ("f(x, 1)", "f(x)", "f(x, 0, True)", "f(k, 1)", "f(x, 3)"),
    "kthvalue": ("f(x, 2)", "f(x, 1, 0)", "f(x, 1, 0, True)", "f(x, 9)"),
    "norm": ("f(x)", "f(x, 2, 1)", "f(x, p=1, dim=0, keepdim=True)", "f(x, dim=1)", "f(x, dtype=ms.float64)", "f(x, 'a')"),
    "cumsum": ("f(x, 0)", "f(x, 1, dtype=ms.float64)", "f(k, 1)", "f(b, -1)", "f(x, dim=3)"),
    "cumprod": ("f(x, 0)", "f(x, 1)", "f(k, 1)", "f(x, dim=3)"),
    "cummax": ("f(x, 0)", "f(x, 1)", "f(k, 1)", "f(x, 3)"),
    "cummin": ("f(x, 0)", "f(x, 1)", "f(k, 1)", "f(x, 3)"),
    "topk": ("f(x, 2)", "f(x, 1, 0)", "f(x, 2, largest=False)", "f(x, 2, 1, True, True)", "f(k, 2)", "f(x, 9)"),
    "sort": ("f(x)", "f(x, dim=0)", "f(x, descending=True)", "f(k, stable=True)", "f(x, dim=3)"),
    "trace": ("f(w)", "f(x)", "f(v)"),
    "diff": ("f(x)", "f(x, 2)", "f(x, dim=0)", "f(x, prepend=y)", "f(x, 'a')"),
    "softmax": ("f(x, 1)", "f(x, dim=0)", "f(x, -1, dtype=ms.float64)", "f(x, 3)"),
    "cdist": ("f(x, w)", "f(x, w, 1.0)", "f(x, 1)"),
    "matmul": ("f(x, w)", "f(x, v)", "f(v, v)", "f(t, w)", "f(x, x)"),
    "mm": ("f(x, w)", "f(x, v)"),
    "bmm": ("f(t, t.swapaxes(1, 2))", "f(x, w)"),
    "mv": ("f(x, v)", "f(x, w)"),
    "dot": ("f(v, v)", "f(x, v)"),
    "vdot": ("f(v, v)", "f(x, v)"),
    "outer": ("f(v, v)", "f(v, of([1.0, 2.0]))", "f(x, v)"),
    "cross": ("f(x, y)", "f(x, y, 1)", "f(x, 1)"),
    "addmm": ("f(x, x, w)", "f(x, x, w, beta=2, alpha=0.5)", "f(x, x, x)"),
    "addmv": ("f(of([1.0, 2.0]), x, v)", "f(of([1.0, 2.0]), x, v, beta=2, alpha=3)", "f(v, x, v)"),
    "addbmm": ("f(x[:, :2], t, t.swapaxes(1, 2))", "f(x, t, t)"),
    "baddbmm": ("f(of(np.ones((2, 2, 2))), t, t.swapaxes(1, 2))", "f(of(np.ones((2, 2, 2))), t, t.swapaxes(1, 2), beta=2, alpha=3)", "f(x, t, t)"),
    "addr_": ("f(of(np.ones((3, 3))), v, v)", "f(x, v, v)"),
    "einsum": ("f('ij,jk->ik', x, w)", "f('ij->ji', x)", "f('ii', w)", "f('ij,jk', x, x)"),
    "inverse": ("f(w)", "f(x)"),
    "triangular_solve": ("f(w, w)", "f(w, w, False)", "f(x, w)"),
    "t": ("f(x)", "f(v)", "f(t)"),
    "tril": ("f(x)", "f(w, 1)", "f(w, diagonal=-1)", "f(k)", "f(x, 0.5)"),
    "triu": ("f(x)", "f(w, 1)", "f(w, diagonal=-1)", "f(k)", "f(x, 0.5)"),
    "diag": ("f(v)", "f(w)", "f(v, 1)", "f(w, -1)", "f(t)"),
    "cat": ("f((x, y))", "f([x, y], 1)", "f((x, k), dim=-1)", "f((x, v))"),
    "concat": ("f((x, y))", "f([x, y], 1)", "f((x, y), dim=-1)", "f((x, v))"),
    "stack": ("f((x, y))", "f([x, y], 1)", "f((x, y), dim=-1)", "f((x, v))"),
    "hstack": ("f((x, y))", "f([v, v])", "f(x)"),
    "dstack": ("f((x, y))", "f([v, v])", "f(x)"),
    "split": ("f(x, 2, 1)", "f(x, 1)", "f(x, [1, 2], dim=1)", "f(x, [1, 1], 1)"),
    "chunk": ("f(x, 2, 1)", "f(x, 2)", "f(x, 5, dim=1)", "f(x, 0)"),
    "unbind": ("f(x)", "f(x, 1)", "f(x, 3)"),
    "transpose": ("f(x, 0, 1)", "f(t, 0, -1)", "f(x, 0, 3)"),
    "swapaxes": ("f(x, 0, 1)", "f(t, 0, -1)", "f(x, axis0=0, axis1=1)", "f(x, 0, 3)"),
    "permute": ("f(x, (1, 0))", "f(t, (2, 0, 1))", "f(t, dims=[0, 2, 1])", "f(x, (0, 0))"),
    "squeeze": ("f(x[:1])", "f(x[:1], 0)", "f(x[:1], dim=(0, 1))", "f(x[:1], 1)", "f(x, 3)"),
    "unsqueeze": ("f(x, 0)", "f(x, -1)", "f(x, dim=1)", "f(x, 4)"),
    "flatten": ("f(x)", "f(t, 1)", "f(t, 0, 1)", "f(t, start_dim=1, end_dim=-1)", "f(x, 3)"),
    "reshape": ("f(x, (3, 2))", "f(x, [-1])", "f(x, shape=(6,))", "f(x, 3, 2)", "f(x, (5, 2))"),
    "ravel": ("f(x)", "f(1.5)"),
    "flip": ("f(x, (0,))", "f(x, [0, 1])", "f(x, dims=(1,))", "f(x, (3,))"),
    "roll": ("f(x, 1)", "f(x, 1, 1)", "f(x, (1, 2), (0, 1))", "f(x, shifts=-1, dims=0)", "f(x, 1.5)"),
    "tile": ("f(x, (2, 1))", "f(v, (2, 2))", "f(x, dims=(1, 2))", "f(x, 'a')"),
    "broadcast_to": ("f(v, (2, 3))", "f(x, (2, 2, 3))", "f(v, (-1, 3))", "f(x, (3,))"),
    "narrow": ("f(x, 1, 1, 2)", "f(x, dim=0, start=1, length=1)", "f(x, 1, 2, 2)"),
    "select": ("f(x, 1, 1)", "f(x, 0, -1)", "f(x, dim=1, index=2)", "f(x, 1, 5)"),
    "index_select": ("f(x, 1, j)", "f(x, 0, j)", "f(x, dim=1, index=j)", "f(x, 3, j)"),
    "index_add": ("f(x, 0, j, y)", "f(x, 0, j, y, alpha=2)", "f(x, 0, j, v)"),
    "gather": ("f(x, 1, i)", "f(x, dim=0, index=i)", "f(x, 3, i)"),
    "scatter": ("f(x, 1, i, y)", "f(x, 0, i, y)", "f(x, dim=1, index=i, src=y)", "f(x, 1, i, 2.0)", "f(x, 3, i, y)"),
    "scatter_add": ("f(x, 1, i, y)", "f(x, dim=0, index=i, src=y)", "f(x, 3, i, y)"),
    "take": ("f(x, i)", "f(x, j)", "f(x, 1.5)"),
    "repeat_interleave": ("f(x, 2, 1)", "f(x, 2)", "f(x, j + 1, dim=0)", "f(v, of([1, 0, 2], 'int64'))", "f(x, 1.5)"),
    "meshgrid": ("f(v, v, indexing='ij')", "f(v, v, indexing='xy')", "f(v, v)", "f((v, v))", "f(1)"),
    "conv_tbc": ("f(t, of(np.ones((1, 3, 2))), of([0.0, 1.0]))", "f(x, 1, 1)"),
}
CREATION = {
    "zeros": ("f((2, 3))", "f(2)", "f((2,), dtype=ms.int32)", "f(2, 3)", "f('a')"),
    "ones": ("f((2, 3))", "f(2)", "f((2,), dtype=ms.int32)", "f(2, 3)", "f('a')"),
    "full": ("f((2, 3), 1.5)", "f((2,), 3)", "f((2,), True)", "f((2,), 1, dtype=ms.float64)", "f('a', 1)"),
    "zeros_like": ("f(x)", "f(k)", "f(x, dtype=ms.int32)", "f(1)"),
    "ones_like": ("f(x)", "f(k)", "f(x, dtype=ms.int32)", "f(1)"),
    "full_like": ("f(x, 2)", "f(k, 1.5)", "f(x, 1, dtype=ms.int32)", "f(1, 1)"),
    "empty": ("f((2, 3)).shape", "f(2, 3).shape", "f((2,), dtype=ms.int32).dtype", "f('a')"),
    "empty_like": ("f(x).shape", "f(x, dtype=ms.int32).dtype", "f(1)"),
    "eye": ("f(2)", "f(2, 3)", "f(2, 3, ms.int32)", "f('a')"),
    "arange": ("f(3)", "f(1, 4)", "f(1, 4, 2)", "f(0.5, 2)", "f(3, dtype=ms.float32)", "f(start=0, end=2)", "f('a')"),
    "linspace": ("f(0, 1, 3)", "f(1.0, 2.0, 2, dtype=ms.float64)", "f(start=0, end=2, steps=3)", "f('a', 1, 2)"),
    "normal": ("f(0.0, 1.0, (2, 3)).shape", "f(x, p).shape", "f(size=(2,)).dtype", "f(x, 'a')"),
    "rand": ("f(2, 3).shape", "f((2, 3)).dtype", "f(2, dtype=ms.float64).dtype", "f('a')"),
    "randn": ("f(2, 3).shape", "f((2, 3)).dtype", "f(2, dtype=ms.float64).dtype", "f('a')"),
    "rand_like": ("f(x).shape", "f(x, dtype=ms.float64).dtype", "f(1)"),
    "randn_like": ("f(x).shape", "f(x, dtype=ms.float64).dtype", "f(1)"),
    "randint": ("f(5, (2, 3)).shape", "f(1, 2, (2,))", "f(5, (2,), dtype=ms.int32).dtype", "f('a', (2,))"),
    "randint_like": ("f(k, 5).dtype", "f(x, 1, 2)", "f(1, 2)"),
    "randperm": ("f(4).dtype", "f(1)", "f(4, dtype=ms.int32).dtype", "f('a')"),
    "bernoulli": ("f(x * 0)", "f(p * 0 + 1)", "f(1)"),
    "multinomial": ("f(p, 2).shape", "f(p, 2).dtype", "f(p, 5, True).shape", "f(p, 'a')"),
}
ALL = FLOATS | NO_GRADIENT | CREATION
GIVES, WRONG = calls_of(ALL)
GRADIENTS = {name: (name, calls[0], "mint") for name, calls in FLOATS.items()}
case.table(GIVES)(gives)
case.table(WRONG)(wrong)
case.table(GRADIENTS)(gradient)
