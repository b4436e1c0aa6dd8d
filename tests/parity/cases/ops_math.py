"""Element-wise functions and matrix products: values, dtypes, errors, gradients.

Reductions are in ``ops_reduction``, symbols and promotion in ``tensor_arith``, ties and kinks of
gradients in ``grad_edges``.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from tests.parity.case import case

DTYPES = (
    *("bool_", "int8", "int16", "int32", "int64", "uint8"),
    *("float16", "bfloat16", "float32", "float64", "complex64"),
)
INF, NAN = float("inf"), float("nan")


def of(values, dtype="float32"):
    return Tensor(np.array(values), getattr(ms, dtype))


def attempt(function, *arguments):
    """What the call gives, or the name of the exception's builtin type."""
    try:
        result = function(*arguments)
        [part.asnumpy() for part in (result if isinstance(result, tuple) else (result,))]
    except Exception as error:
        kinds = (TypeError, ValueError, IndexError, AttributeError, RuntimeError)
        return next((kind.__name__ for kind in kinds if isinstance(error, kind)), "other")
    return result


VALUES = {
    "abs absolute neg negative square floor ceil round trunc": (
        [-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.0, INF, NAN]
    ),
    "sign": [-2.5, 0.0, 0.5, INF],
    "exp expm1 exp2 tensor_exp": [-3.0, -1e-4, 0.0, 0.5, 4.0, -INF],
    "log log1p log2 log10 sqrt": [-2.0, 0.0, 1e-4, 1.0, 7.0, INF],
    "rsqrt reciprocal inv": [-2.0, 0.0, 0.25, 4.0, INF],
    "sin cos tan sinh cosh tanh": [-2.0, -0.1, 0.0, 0.7, 3.0],
    "asin acos atanh arcsin arccos arctanh": [-0.9, 0.0, 0.3, 2.0],
    "atan arctan asinh arcsinh": [-4.0, 0.0, 0.3, 2.0, INF],
    "acosh arccosh": [0.5, 1.0, 1.5, 20.0],
    "sigmoid erf erfc": [-90.0, -2.0, 0.0, 0.5, 3.0, NAN],
    "erfinv": [-1.0, -0.5, 0.0, 0.9],
    "isnan isinf isfinite": [-INF, NAN, 0.0, 1.0],
    "logical_not deg2rad rad2deg positive": [-90.0, 0.0, 45.0],
    "frac": [-2.5, 0.25, 3.0],
}
UNARY = {name: values for names, values in VALUES.items() for name in names.split()}
# Differentiable with a gradient that is not zero everywhere, away from the kinks.
SMOOTH = {
    name: [0.3, 0.6]
    for name in (
        *("abs", "neg", "square", "exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "sqrt"),
        *("rsqrt", "reciprocal", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos"),
        *("atanh", "atan", "asinh", "sigmoid", "erf", "erfc", "erfinv", "deg2rad", "frac"),
    )
} | {"acosh": [1.3, 2.6]}


@case.table({name: (name, values) for name, values in UNARY.items()}, tol=4e-6)
def unary(name, values):
    return getattr(ops, name)(of(values))


@case.table({name: (name,) for name in UNARY}, tol=4e-3)
def unary_dtypes(name):
    function = getattr(ops, name)
    return {dtype: attempt(function, of([1, 1, 0], dtype)) for dtype in DTYPES}


@case.table({name: (name, values) for name, values in SMOOTH.items()}, tol=4e-6)
def unary_gradients(name, values):
    function = getattr(ops, name)
    return ms.grad(lambda x: function(x))(of(values))


@case.table({name: (name, values) for name, values in SMOOTH.items()}, tol=1e-5)
def unary_second_gradients(name, values):
    function = getattr(ops, name)
    return attempt(ms.grad(ms.grad(lambda x: function(x))), of(values))


@case.table({name: (name,) for name in ("floor", "sign", "ceil", "round", "trunc", "isnan")})
def unary_gradients_that_are_zero(name):
    function = getattr(ops, name)
    return ms.grad(lambda x: x * 2 + function(x))(of([0.3, -1.6]))


ODD = {
    "number": 2.0,
    "int": 2,
    "None": None,
    "str": "a",
    "list": [1.0, 2.0],
    "array": np.ones(2, np.float32),
}


@case.table({name: (name,) for name in ("abs", "exp", "sqrt", "square", "tanh", "isnan", "floor")})
def unary_of_another_kind(name):
    function = getattr(ops, name)
    return {key: attempt(function, value) for key, value in ODD.items()}


@case.table({str(d): (d,) for d in (-2, -1, 0, 1, 2, 3)})
def round_decimals(decimals):
    return ops.round(of([12.345, -0.5, 0.15, 1234.5678]), decimals=decimals)


BINARY = (
    *("add", "sub", "mul", "div", "true_divide", "divide", "floor_div", "floor_divide"),
    *("floor_mod", "remainder", "fmod", "pow", "maximum", "minimum", "atan2", "hypot", "xlogy"),
    *("equal", "eq", "ne", "not_equal", "greater", "gt", "ge", "greater_equal", "less", "lt"),
    *("le", "less_equal", "logical_and", "logical_or", "logical_xor", "multiply", "subtract"),
    *("tensor_add", "tensor_sub", "tensor_mul", "tensor_div", "tensor_pow", "tensor_mod"),
    *("tensor_floordiv", "tensor_gt", "tensor_lt", "tensor_le", "tensor_ge", "pows", "arctan2"),
    *("logaddexp", "logaddexp2", "isclose", "float_power", "copysign"),
)
LEFT = [[-7.5, 0.0, 3.0, INF], [2.0, -0.0, NAN, 1.0]]
RIGHT = [2.0, 3.0, -2.0, 1.0]


@case.table({name: (name,) for name in BINARY}, tol=4e-6)
def binary(name):
    return getattr(ops, name)(of(LEFT), of(RIGHT))


@case.table({name: (name,) for name in BINARY}, tol=4e-6)
def binary_with_numbers(name):
    function = getattr(ops, name)
    x, i = of([-2.0, 0.0, 3.0]), of([-7, 2, 5], "int32")
    calls = {
        "float,2": (x, 2),
        "float,2.5": (x, 2.5),
        "float,True": (x, True),
        "int,2": (i, 2),
        "int,2.5": (i, 2.5),
        "int,True": (i, True),
        "2,float": (2, x),
        "2.5,int": (2.5, i),
        "bool,2": (of([True, False], "bool_"), 2),
        "2,3": (2, 3),
        "2.0,3": (2.0, 3),
        "None": (x, None),
        "str": (x, "a"),
        "list": (x, [1.0, 2.0, 4.0]),
        "array": (x, np.ones(3, np.float32)),
        "shapes": (x, of([1.0, 2.0])),
        "empty": (of(np.zeros((0, 3))), x),
    }
    return {key: attempt(function, *pair) for key, pair in calls.items()}


@case.table({name: (name,) for name in BINARY}, tol=4e-3)
def binary_dtypes(name):
    function = getattr(ops, name)
    return {dtype: attempt(function, of([1, 0], dtype), of([1, 1], dtype)) for dtype in DTYPES}


PAIRS = (
    *("add", "sub", "mul", "div", "pow", "maximum", "minimum", "atan2", "hypot", "xlogy"),
    *("floor_mod", "fmod", "remainder", "logaddexp", "floor_divide"),
)


@case.table({name: (name,) for name in PAIRS}, tol=4e-6)
def binary_gradients(name):
    function = getattr(ops, name)
    x, y = of([[1.5, 2.5], [3.5, 0.5]]), of([2.0, 1.25])
    both = ms.grad(lambda a, b: a * 0 + function(a, b), (0, 1))
    return attempt(both, x, y)


@case.table({name: (name,) for name in ("add", "sub", "mul", "div", "pow")}, tol=4e-6)
def binary_second_gradients(name):
    function = getattr(ops, name)
    x, y = of([1.5, 2.5]), of([2.0, 1.25])
    inner = ms.grad(lambda a, b: function(a, b), (0, 1))
    return attempt(ms.grad(lambda a, b: inner(a, b)[0] + inner(a, b)[1], (0, 1)), x, y)


@case.table({name: (name,) for name in ("add", "sub", "mul", "maximum", "div", "pow")})
def integer_gradients(name):
    function = getattr(ops, name)
    return ms.grad(lambda a, b: function(a, b), (0, 1))(of([1, 2], "int64"), of([3, 2], "int64"))


@case.table({"trunc": ("trunc",), "floor": ("floor",), "none": (None,), "wrong": ("up",)})
def div_rounding(mode):
    x, y = of([-7.0, 7.0, 5.5]), of([2.0, -2.0, 2.0])
    i, j = of([-7, 7, 5], "int32"), of([2, -2, 3], "int32")
    return tuple(
        attempt(lambda a, b: ops.div(a, b, rounding_mode=mode), *p) for p in ((x, y), (i, j))
    )


@case
def isclose_options():
    x, y = of([1.0, 1.1, NAN, INF]), of([1.05, 1.1, NAN, INF])
    return (
        ops.isclose(x, y),
        ops.isclose(x, y, 0.1, 0.0),
        ops.isclose(x, y, equal_nan=True),
        x.isclose(y, atol=0.1),
        attempt(lambda: x.allclose(y)),
    )


@case
def bitwise():
    a, b = of([5, -3, 0], "int32"), of([3, 6, 1], "int32")
    calls = ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift")
    t = of([True, False], "bool_")
    return (
        {name: attempt(getattr(ops, name), a, b) for name in calls},
        {name: attempt(getattr(ops, name), a, 3) for name in calls},
        {name: attempt(getattr(ops, name), t, t) for name in calls},
        attempt(lambda: ops.bitwise_and(of([1.0]), of([1.0]))),
        attempt(lambda: a.bitwise_not()),
        attempt(lambda: ops.bitwise_right_shift(a, b)),
    )


PRIMITIVES = {
    **dict.fromkeys(
        (
            *("Abs", "Exp", "Expm1", "Log", "Log1p", "Sqrt", "Rsqrt", "Square", "Reciprocal"),
            *("Inv", "Sin", "Cos", "Tan", "Asin", "ACos", "Atan", "Asinh", "Atanh", "Sinh", "Cosh"),
            *("Tanh", "Sigmoid", "Erf", "Erfc", "Floor", "Ceil", "Round", "Rint", "Trunc", "Sign"),
            *("IsNan", "IsInf", "IsFinite", "LogicalNot", "Neg"),
        ),
        ([0.25, 0.5],),
    ),
    **dict.fromkeys(
        (
            *("Add", "TensorAdd", "Sub", "Mul", "Div", "RealDiv", "DivNoNan", "FloorDiv"),
            *("FloorMod", "Mod", "TruncateDiv", "TruncateMod", "Pow", "Maximum", "Minimum"),
            *("Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual", "Atan2"),
            *("LogicalAnd", "LogicalOr", "LogicalXor", "SquaredDifference", "Hypot", "Xlogy"),
            *("BitwiseAnd", "BitwiseOr", "BitwiseXor", "ApproximateEqual"),
        ),
        ([-7.5, 3.0], [2.0, 0.0]),
    ),
}


@case.table({name: (name, *values) for name, values in PRIMITIVES.items()}, tol=4e-6)
def primitives(name, *values):
    made = getattr(ops, name)()
    return (
        attempt(made, *(of(v) for v in values)),
        attempt(made, *(of(v, "int32") for v in values)),
        attempt(made, *(of(v, "bool_") for v in values)),
    )


SHAPES = {
    "2,2": ((2, 3), (3, 4)),
    "1,1": ((3,), (3,)),
    "2,1": ((2, 3), (3,)),
    "1,2": ((3,), (3, 2)),
    "3,3": ((2, 2, 3), (2, 3, 1)),
    "3,2": ((2, 2, 3), (3, 2)),
    "4,3": ((2, 1, 2, 3), (2, 3, 2)),
    "wrong": ((2, 3), (2, 3)),
    "wrong batch": ((2, 2, 3), (3, 3, 2)),
    "0-d": ((), (3,)),
    "empty": ((0, 3), (3, 2)),
}


def ramp(shape, dtype="float32"):
    return of(np.arange(int(np.prod(shape))).reshape(shape) * 0.5 + 1, dtype)


@case.table(SHAPES)
def matmul_shapes(left, right):
    x, y = ramp(left), ramp(right)
    return {
        "matmul": attempt(ops.matmul, x, y),
        "@": attempt(lambda: x @ y),
        "method": attempt(lambda: x.matmul(y)),
        "MatMul": attempt(ops.MatMul(), x, y),
        "BatchMatMul": attempt(ops.BatchMatMul(), x, y),
        "bmm": attempt(ops.bmm, x, y),
        "mm": attempt(ops.mm, x, y),
        "dot": attempt(ops.dot, x, y),
        "inner": attempt(ops.inner, x, y),
        "mv": attempt(ops.mv, x, y),
    }


@case.table({name: (name,) for name in ("matmul", "mm", "bmm", "dot", "MatMul", "BatchMatMul")})
def product_dtypes(name):
    function = getattr(ops, name)() if name[0].isupper() else getattr(ops, name)
    shape = (1, 2, 2) if "b" in name.lower()[:1] else (2, 2)
    return {dtype: attempt(function, ramp(shape, dtype), ramp(shape, dtype)) for dtype in DTYPES}


@case.table({"ff": (False, False), "tf": (True, False), "ft": (False, True), "tt": (True, True)})
def transposed_products(a, b):
    x = ramp((3, 2) if a else (2, 3))
    y = ramp((4, 3) if b else (3, 4))
    bx, by = x.reshape((1, *x.shape)), y.reshape((1, *y.shape))
    return (
        ops.MatMul(a, b)(x, y),
        ops.MatMul(transpose_a=a, transpose_b=b)(x, y),
        ops.BatchMatMul(a, b)(bx, by),
        ms.grad(lambda p, q: ops.MatMul(a, b)(p, q), (0, 1))(x, y),
    )


@case
def products_of_other_kinds():
    x = ramp((2, 2))
    return (
        attempt(ops.matmul, x, 2),
        attempt(ops.matmul, 2, x),
        attempt(ops.matmul, x, [[1.0, 2.0], [3.0, 4.0]]),
        attempt(ops.matmul, x, np.ones((2, 2), np.float32)),
        attempt(ops.matmul, x, ramp((2, 2), "int32")),
        attempt(ops.matmul, x, ramp((2, 2), "float16")),
        attempt(ops.MatMul(), x, ramp((2, 2), "float16")),
        attempt(lambda: x @ 2),
        attempt(lambda: [[1.0, 2.0]] @ x),
        attempt(lambda: np.ones((2, 2), np.float32) @ x),
    )


@case(tol=4e-6)
def outer_products():
    v, w = of([1.0, 2.0]), of([3.0, 4.0, 5.0])
    return (
        ops.outer(v, w),
        ops.ger(v, w),
        v.outer(w),
        attempt(ops.outer, ramp((2, 2)), w),
        attempt(ops.outer, of([1, 2], "int32"), of([3, 4], "int32")),
        ms.grad(lambda a, b: ops.outer(a, b), (0, 1))(v, w),
    )


@case(tol=4e-6)
def added_products():
    m, a, b = ramp((2, 2)), ramp((2, 3)), ramp((3, 2))
    ba, bb = ramp((2, 2, 3)), ramp((2, 3, 2))
    return (
        ops.addmm(m, a, b),
        ops.addmm(m, a, b, beta=0.5, alpha=2.0),
        m.addmm(a, b),
        ops.baddbmm(m, ba, bb),
        ops.baddbmm(ramp((2, 2, 2)), ba, bb, 0.5, 2.0),
        attempt(lambda: ops.addbmm(m, ba, bb, beta=0.5)),
        attempt(lambda: ops.addmv(of([1.0, 2.0]), a, of([1.0, 2.0, 3.0]), beta=2.0)),
        attempt(lambda: ops.addcmul(m, m, m, 0.5)),
        attempt(lambda: ops.addcdiv(m, m, m + 1, 0.5)),
        attempt(lambda: ops.lerp(m, m + 1, 0.25)),
        ms.grad(lambda p, q, r: ops.addmm(p, q, r, beta=0.5), (0, 1, 2))(m, a, b),
        attempt(ops.addmm, m, a, a),
    )


@case.table(
    {
        "1": (1,),
        "2": (2,),
        "0": (0,),
        "pair": ((1, 0),),
        "lists": (((0, 1), (1, 0)),),
        "wrong": ((0, 1),),
        "str": ("a",),
    }
)
def tensor_dot(axes):
    return attempt(lambda: ops.tensor_dot(ramp((3, 3)), ramp((3, 3)), axes)), attempt(
        lambda: ops.tensor_dot(ramp((2, 3)), ramp((3, 2)), axes)
    )


@case.table(
    {
        equation: (equation, *shapes)
        for equation, *shapes in (
            ("ij,jk->ik", (2, 3), (3, 2)),
            ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
            ("ii->i", (2, 2)),
            ("ij->ji", (2, 3)),
            ("ij->", (2, 3)),
            ("i,j->ij", (2,), (3,)),
            ("...ij,...jk->...ik", (2, 2, 3), (2, 3, 2)),
            ("ij,jk", (2, 3), (3, 2)),
            ("ij,jk->ik", (2, 3), (2, 3)),
        )
    }
    | {"none": ("ij->ji",)},
    tol=4e-6,
)
def einsum(equation, *shapes):
    arrays = [ramp(shape) for shape in shapes]
    return attempt(lambda: ops.einsum(equation, *arrays)), attempt(
        lambda: ops.Einsum(equation)(tuple(arrays))
    )


@case
def sums_of_many():
    x, y = of([1.0, 2.0]), of([3.0, 4.0])
    return (
        ops.AddN()((x, y, x)),
        ops.AddN()([x, y]),
        ops.addn([x, y]),
        ops.addn(x),
        attempt(ops.AddN(), (x, of([1], "int32"))),
        attempt(ops.AddN(), (x, of([1, 2], "int32"))),
        attempt(ops.AddN(), ()),
        attempt(ops.accumulate_n, [x, y]),
        ms.grad(lambda a, b: ops.addn([a, b, a]), (0, 1))(x, y),
    )


@case
def l2_loss():
    made = ops.L2Loss()
    return (
        made(ramp((2, 2))),
        {dtype: attempt(made, of([1, 2], dtype)) for dtype in DTYPES},
        ms.grad(lambda x: made(x))(ramp((2, 2))),
    )


@case
def constructors_refuse():
    return {
        name: attempt(getattr(ops, name), *arguments)
        for name, arguments in {
            "Add": (1,),
            "Mul": (1,),
            "ReduceSum": ("a",),
            "MatMul": (1, 2),
            "BatchMatMul": ("a",),
            "Argmax": ("a",),
            "CumSum": (1,),
            "Sqrt": (1,),
        }.items()
    }
