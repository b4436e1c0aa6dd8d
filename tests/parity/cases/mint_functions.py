"""Functions of ``mindspore.mint``: calls of each, the gradient of the first, a wrong one last.

A call is a text, in which ``f`` is the function and the operands are those of ``operands``.
"""

import mindspore as ms
import numpy as np
from mindspore import ops

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
        "q": of([[2, 0, 1], [0, 1, 2]], "int64"),
        "k": of([[1, -2, 3], [4, 5, -6]], "int32"),
        "b": of([[True, False, True], [False, False, True]], "bool_"),
    }


def say(call, function, **more):
    """Run the text of a call."""
    return eval(call, {"f": function, "ms": ms, "np": np, "of": of, **operands(), **more})


def named(name):
    """Look a function up, so that an absent one fails its own cases only."""
    from mindspore import mint

    found = mint
    for part in name.split("."):
        found = getattr(found, part)
    return found


def rows(gives, gradients, wrong):
    """Make the tables of the three kinds of case; several names stand in one text."""
    return (
        {name: (name, calls) for names, calls in gives.items() for name in names.split()},
        {n: (n, c[0]) for ns, c in gives.items() for n in ns.split() if n in gradients.split()},
        {name: (name, call) for call, names in wrong.items() for name in names.split()},
    )


def results(name, calls):
    """Every call's result, or the kind of its error."""
    return [attempt(lambda call=call: say(call, named(name))) for call in calls]


def derivatives(name, call):
    """The gradient of the sum of cubes of a call's floats by each operand that is one."""
    function = named(name)
    used = call.split("f(")[1]
    floats = {k: v for k, v in operands().items() if v.dtype == ms.float32 and k in used}

    def loss(*values):
        found = say(call, function, **dict(zip(floats, values, strict=True)))
        parts = found if isinstance(found, (tuple, list)) else (found,)
        cubes = [ops.ReduceSum()(p * p * p, ()) for p in parts if p.dtype == ms.float32]
        return sum(cubes[1:], cubes[0])

    return attempt(ms.grad(loss, tuple(range(len(floats)))), *floats.values())


def error(name, call):
    """The error of a call."""
    return attempt(lambda: say(call, named(name)))


ROUGH = ("tanh", "softmax", "exp", "sigmoid", "erf", "erfc")

# Calls that the CPU of 2.10 runs.
GIVES = {
    (
        "abs erf sin sinh cosh log reciprocal exp sqrt erfinv cos square rsqrt negative neg "
        "ceil tanh atanh arctanh expm1 erfc floor log1p sign tan sigmoid real imag"
    ): ("f(x)", "f(p)", "f(k)", "f(b)", "f(h)"),
    "sinc round": ("f(x)", "f(p)", "f(k)", "f(h)"),
    "fmod xlogy mul sub add div divide maximum minimum pow remainder float_power": (
        "f(x, y)",
        "f(x, v)",
        "f(x, 2.0)",
        "f(k, 2)",
        "f(k, x)",
        "f(h, x)",
    ),
    "floor_divide": ("f(x, y)", "f(x, v)", "f(k, x)", "f(h, x)"),
    "logaddexp logaddexp2": ("f(k, 2)",),
    "clamp": ("f(x, -0.25, 0.5)", "f(x, min=0)", "f(x, max=v)", "f(k, 0, 2)"),
    "lerp": ("f(x, y, 0.5)", "f(x, y, p)"),
    "nan_to_num": ("f(x)", "f(u)", "f(u, 1.0, 2.0, 3.0)", "f(u, nan=5.0)"),
    "polar": ("f(p, x)",),
    "trunc fix": ("f(x)", "f(k)"),
    "item": ("f(x[0, 0])", "f(k[:1, :1])", "f(x)", "f(k[:0])"),
    "where": ("f(b, x, y)", "f(b, x, 0.0)", "f(b, 1.0, y)"),
    "mean": (
        "f(x, 1)",
        "f(x)",
        "f(x, 0, True)",
        "f(x, dim=(0, 1))",
        "f(k)",
        "f(x, 1, dtype=ms.float64)",
    ),
    "sum": (
        "f(x, 1)",
        "f(x)",
        "f(x, 0, True)",
        "f(x, dim=(0, 1))",
        "f(k)",
        "f(b)",
        "f(x, 1, dtype=ms.float64)",
    ),
    "prod nansum": (
        "f(x, 1)",
        "f(x)",
        "f(x, 0, True)",
        "f(k)",
        "f(b)",
        "f(x, 1, dtype=ms.float64)",
    ),
    "amax amin": ("f(x, 1)", "f(x)", "f(x, 0, True)", "f(x, dim=(0, 1))", "f(k)", "f(b)"),
    "max min": (
        "f(x, 1)",
        "f(x)",
        "f(x, 0, True)",
        "f(x, dim=1, keepdim=True)[0]",
        "f(x, y)",
        "f(k)",
        "f(x, dim=0).values",
    ),
    "cumprod cummax": ("f(x, 0)", "f(x, 1)", "f(k, 1)"),
    "diff": ("f(x)", "f(x, 2)", "f(x, dim=0)", "f(x, prepend=y)"),
    "softmax": ("f(x, 1)", "f(x, dim=0)", "f(x, -1, dtype=ms.float64)"),
    "cdist": ("f(x, w)", "f(x, w, 1.0)"),
    "matmul": ("f(x, w)", "f(x, v)", "f(v, v)", "f(t, w)"),
    "bmm": ("f(t, t.swapaxes(1, 2))",),
    "cross": ("f(x, y)", "f(x, y, 1)"),
    "t": ("f(x)", "f(v)"),
    "triu": ("f(x)", "f(w, 1)", "f(w, diagonal=-1)", "f(k)"),
    "cat": ("f((x, y))", "f([x, y], 1)"),
    "concat": ("f((x, y))", "f([x, y], 1)", "f((x, y), dim=-1)"),
    "hstack dstack": ("f((x, y))", "f([v, v])"),
    "split": ("f(x, 2, 1)", "f(x, 1)", "f(x, [1, 2], dim=1)"),
    "chunk": ("f(x, 2, 1)", "f(x, 2)", "f(x, 5, dim=1)"),
    "unbind": ("f(x)", "f(x, 1)"),
    "transpose": ("f(x, 0, 1)", "f(t, 0, -1)"),
    "swapaxes": ("f(x, 0, 1)", "f(t, 0, -1)", "f(x, axis0=0, axis1=1)"),
    "permute": ("f(x, (1, 0))", "f(t, (2, 0, 1))"),
    "squeeze": ("f(x[:1], 0)", "f(x[:1], dim=(0, 1))", "f(x[:1], 1)"),
    "unsqueeze": ("f(x, 0)", "f(x, -1)", "f(x, dim=1)"),
    "flatten": ("f(x)", "f(t, 1)", "f(t, 0, 1)", "f(t, start_dim=1, end_dim=-1)"),
    "reshape": ("f(x, (3, 2))", "f(x, [-1])", "f(x, shape=(6,))", "f(x, 3, 2)"),
    "ravel": ("f(x)",),
    "flip": ("f(x, (0,))", "f(x, [0, 1])", "f(x, dims=(1,))"),
    "tile": ("f(x, (2, 1))", "f(v, (2, 2))", "f(x, dims=(1, 2))"),
    "broadcast_to": ("f(v, (2, 3))", "f(x, (2, 2, 3))", "f(v, (-1, 3))"),
    "narrow": ("f(x, 1, 1, 2)", "f(x, dim=0, start=1, length=1)"),
    "select": ("f(x, 1, 1)", "f(x, 0, -1)", "f(x, dim=1, index=2)"),
    "gather": ("f(x, 1, i)", "f(x, dim=0, index=i)"),
    "scatter": ("f(x, 1, q, y)", "f(x, dim=1, index=q, src=y)", "f(x, 1, q, 2.0)"),
    "meshgrid": ("f(v, v, indexing='ij')", "f(v, v, indexing='xy')", "f(v, v)", "f((v, v))"),
    "isfinite isnan logical_not": ("f(x)", "f(u)", "f(k)", "f(b)"),
    "isinf": ("f(x)", "f(u)"),
    "ne not_equal greater gt eq greater_equal ge less_equal le less lt": (
        "f(x, y)",
        "f(x, 0.5)",
        "f(k, 1)",
        "f(k, x)",
        "f(x, v)",
    ),
    "logical_and logical_or logical_xor": ("f(b, b)", "f(x, b)", "f(b, True)", "f(k, 1)"),
    "bitwise_and": ("f(k, k)", "f(b, b)"),
    "isclose": ("f(x, y)", "f(x, x)", "f(u, u, equal_nan=True)", "f(x, y, 1.0, 0.5)"),
    "allclose": ("f(x, y)", "f(x, x)", "f(u, u, equal_nan=True)", "f(x, y, 1.0, 9.5)"),
    "gcd": ("f(k, k)", "f(k, i)", "f(k > 0, k)"),
    "any": ("f(b)", "f(b, 1)", "f(b, 0, True)", "f(k, dim=1, keepdim=True)"),
    "all": ("f(b)", "f(b, 1)", "f(b, 0, True)", "f(x, (0, 1))", "f(k, dim=1, keepdim=True)"),
    "nonzero": ("f(b)", "f(x)"),
    "searchsorted": (
        "f(v, x)",
        "f(of([0.0, 1.0, 2.0]), x)",
        "f(of([0.0, 1.0, 2.0]), x, right=True)",
        "f(of([0.0, 1.0, 2.0]), of([1.0]), side='right')",
    ),
    "unique_consecutive": ("f(i)", "f(i, True, True)", "f(i, dim=0)", "f(j, return_counts=True)"),
    "masked_select": ("f(x, b)", "f(x, of([True, False, True], 'bool_'))"),
    "zeros ones": ("f((2, 3))", "f(2)", "f((2,), dtype=ms.int32)", "f(2, 3)"),
    "empty": ("f((2, 3)).shape", "f(2, 3).shape", "f((2,), dtype=ms.int32).dtype"),
    "empty_like": ("f(x).shape", "f(x, dtype=ms.int32).dtype"),
    "eye": ("f(2)", "f(2, 3)", "f(2, 3, ms.int32)"),
}
# Those whose first call has a gradient.
GRADIENTS = (
    "abs erf sin sinc sinh cosh log reciprocal exp sqrt erfinv cos square rsqrt "
    "negative neg ceil tanh atanh arctanh round expm1 erfc floor log1p sign tan sigmoid "
    "imag fmod xlogy mul sub add div divide maximum minimum pow remainder floor_divide "
    "float_power clamp lerp nan_to_num polar trunc fix where mean sum prod nansum amax amin "
    "max min cumprod diff softmax cdist matmul bmm cross t triu cat concat hstack "
    "dstack split chunk transpose swapaxes permute unsqueeze flatten reshape ravel flip "
    "tile broadcast_to narrow gather scatter meshgrid"
)
# A wrong call, and whose it is.
WRONG = {
    "f(1.5)": (
        "abs erf sin sinc sinh cosh log exp2 reciprocal exp sqrt erfinv cos square rsqrt "
        "negative neg ceil tanh acos arccos acosh arccosh asin arcsin asinh arcsinh atan "
        "arctan atanh arctanh round expm1 erfc floor log1p sign tan frac log10 log2 sigmoid "
        "clone real imag npu_gelu nan_to_num trunc fix item ravel"
    ),
    "f(x, 'a')": (
        "fmod xlogy mul sub add div divide maximum minimum pow remainder atan2 arctan2 "
        "floor_divide float_power logaddexp logaddexp2 clamp norm diff tile ne not_equal "
        "greater gt eq greater_equal ge less_equal le less lt bitwise_and bitwise_or "
        "bitwise_xor histc normal"
    ),
    "f(x, y, 'a')": "lerp",
    "f(x, y)": "addcdiv addcmul",
    "f(p, 1.0)": "polar",
    "f(b, x)": "where",
    "f(x, 3)": (
        "mean sum prod nansum amax amin std var std_mean var_mean logsumexp max min median "
        "cummax cummin softmax unbind squeeze flatten argmax argmin count_nonzero"
    ),
    "f(x, 9)": "kthvalue topk",
    "f(x, dim=3)": "cumsum cumprod sort",
    "f('a')": (
        "trace mv dot vdot addbmm baddbmm addr_ einsum triangular_solve t diag index_add "
        "scatter isfinite isinf isneginf isnan logical_not bitwise_not argsort bincount "
        "zeros ones empty eye arange rand randn randperm"
    ),
    "f(x, 1)": "cdist outer cross isclose allclose equal masked_select",
    "f(x, x)": "matmul",
    "f(x, v)": "mm",
    "f(t, 1)": "bmm",
    "f(x, x, x)": "addmm",
    "f(v, x, v)": "addmv",
    "f(x)": "inverse hstack dstack",
    "f(x, 0.5)": "tril triu",
    "f((x, v))": "cat concat stack",
    "f(x, [1, 1], 1)": "split",
    "f(x, 0)": "chunk",
    "f(x, 0, 3)": "transpose swapaxes",
    "f(x, (0, 0))": "permute",
    "f(x, 4)": "unsqueeze",
    "f(x, (5, 2))": "reshape",
    "f(x, (3,))": "flip broadcast_to",
    "f(x, 1.5)": "roll take repeat_interleave",
    "f(x, 1, 2, 2)": "narrow",
    "f(x, 1, 5)": "select",
    "f(x, 3, j)": "index_select",
    "f(x, 3, i)": "gather",
    "f(x, 3, i, y)": "scatter_add",
    "f(1)": (
        "meshgrid nonzero unique_consecutive zeros_like ones_like empty_like rand_like "
        "randn_like bernoulli"
    ),
    "f(b, 'a')": "logical_and logical_or logical_xor",
    "f(k, 2)": "gcd",
    "f(b, 3)": "any all",
    "f(v, 'a')": "searchsorted",
    "f('a', 1)": "full",
    "f(1, 1)": "full_like",
    "f('a', 1, 2)": "linspace",
    "f('a', (2,))": "randint",
    "f(1, 2)": "randint_like",
    "f(p, 'a')": "multinomial",
}

_GIVES, _GRADIENTS, _WRONG = rows(GIVES, GRADIENTS, WRONG)


# MindSpore's exp, tanh and erf of float32 are polynomials, which err by up to 2e-6.
@case.table({name: row for name, row in _GIVES.items() if name.split(".")[-1] in ROUGH}, tol=5e-6)
def roughly(name, calls):
    return results(name, calls)


# MindSpore's expm1 is exp(x) - 1, which loses digits of float16 near 0.
@case.table({name: row for name, row in _GIVES.items() if name.split(".")[-1] == "expm1"}, tol=4e-3)
def cancels(name, calls):
    return results(name, calls)


@case.table(
    {name: row for name, row in _GIVES.items() if name.split(".")[-1] not in {*ROUGH, "expm1"}}
)
def gives(name, calls):
    return results(name, calls)


@case.table(_GRADIENTS, tol=5e-6)
def gradient(name, call):
    return derivatives(name, call)


@case.table(_WRONG)
def wrong(name, call):
    return error(name, call)
