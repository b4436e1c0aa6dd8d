"""Functions of ``mindspore.numpy`` that reduce, multiply and count: calls; gradients of all."""

import mindspore as ms

from tests.parity.case import case
from tests.parity.cases.numpy_elementwise import (
    CUBE,
    NAN,
    attempt,
    cube,
    function,
    ints,
    line,
    of,
    parameters,
    square,
)

AXES = (None, 0, -1, (0, 2), [0, 1], 3, (0, 0), 1.0, "a")
REDUCED = ("sum", "mean", "std", "var", "amax", "amin", "max", "min", "ptp", "nansum", "nanmean")
REDUCED += ("nanvar", "nanstd", "nanmax", "nanmin", "average", "count_nonzero", "cumsum", "cumprod")
REDUCED += ("nancumsum", "argmax", "argmin")
DTYPES = ("bool_", "int8", "int32", "int64", "uint8", "float16", "float32", "float64")


# Bools that MindSpore counts wrongly or not at all, and nan that its kernels pass over.
NO_BOOL = ("std", "var", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin", "count_nonzero")
NO_NAN = ("amax", "amin", "max", "min", "ptp", "argmax", "argmin")
# A list of axes is accepted here too.
NO_LIST = ("std", "var", "ptp", "average")


@case.table({name: (name,) for name in REDUCED}, tol=1e-5)
def reduced(name):
    call = function(name)
    axes = [axis for axis in AXES if not (isinstance(axis, list) and name in NO_LIST)]
    return {
        **{str(axis): attempt(call, cube(), axis) for axis in axes},
        "left out": attempt(call, cube()),
        "keepdims": attempt(lambda: call(cube(), axis=1, keepdims=True)),
        "dtype": attempt(lambda: call(cube(), axis=1, dtype=ms.float16)),
        "list": attempt(call, [[1, 2], [3, 5]]),
        "number": attempt(call, 3.0),
        "None": attempt(call, None),
        "text": attempt(call, "a"),
        "0-d": attempt(call, of(3.0)),
    }


@case.table({name: (name,) for name in REDUCED}, tol=4e-3)
def reduced_dtypes(name):
    call = function(name)
    dtypes = DTYPES[name in NO_BOOL :]
    return {d: attempt(call, of([[1, 0, 1], [2, 1, 0]], d)) for d in dtypes}


@case.table({name: (name,) for name in REDUCED if name not in NO_NAN}, tol=1e-5)
def reduced_nan(name):
    return attempt(function(name), of([1.0, NAN, 3.0]))


CALCULATED = {
    "sum": (lambda f: f(line(), initial=2), lambda f: f(line(), initial="a")),
    "amax": (
        lambda f: (f(line(), initial=9), f(square(), 0, where=square() > 1, initial=-5)),
        lambda f: f(square(), where=square() > 1),
        lambda f: f(line(), initial=[1, 2]),
    ),
    "amin": (lambda f: f(line(), initial=-9.5, keepdims=True),),
    "std": (lambda f: f(line(), ddof=1), lambda f: f(line(), ddof=1.5)),
    "var": (lambda f: f(square(), 1, 1, True),),
    "nanvar": (lambda f: f(of([1.0, NAN, 3.0, 4.0]), ddof=1),),
    "average": (
        lambda f: (f(square(), weights=square()), f(square(), 1, of([1.0, 2.0, 3.0]))),
        lambda f: (f(line(), returned=True), f(square(), 0, square(), returned=True)),
        lambda f: f(square(), weights=of([1.0, 2.0, 3.0])),
        lambda f: f(square(), weights=[1]),
    ),
    "diff": (
        lambda f: (f(line()), f(square(), 2), f(square(), axis=0), f(ints(1, 4, 9)), f(line(), 0)),
        lambda f: (f(line(), prepend=0), f(line(), append=of(1.0), prepend=of(2.0))),
        lambda f: f(line(), 4),
        lambda f: f(line(), -1),
        lambda f: f(line(), 1.5),
        lambda f: f([1, 2]),
        lambda f: f(line(), axis=1),
        lambda f: f(line(), prepend="a"),
    ),
    "ediff1d": (
        lambda f: (f(line()), f(square(), 1, [2, 3]), f(ints(1, 4), to_end=9)),
        lambda f: f([1, 2]),
    ),
    "trapz": (
        lambda f: (f(line()), f([1, 2, 3], dx=2), f(line(), of([0.0, 1.0, 3.0, 4.0])), f(square())),
        lambda f: (f(square(), axis=0), f(square(), [0, 1, 3]), f(square(), [0, 1, 3], axis=0)),
        lambda f: f(line(), axis=1),
        lambda f: f("a"),
    ),
    "gradient": (
        lambda f: (f(line()), f(square()), f(square(), axis=0), f(line(), 2), f(square(), 1, 2.0)),
        lambda f: f([1, 4, 9]),
        lambda f: f(line(), edge_order=2),
        lambda f: f(line(), 1, 2),
        lambda f: f(of([1.0])),
        lambda f: f(line(), axis=1),
    ),
    "unwrap": (
        lambda f: (f(of([0.0, 3.0, 7.0, 1.0])), f(of([[0.0, 7.0], [1.0, -6.0]]), axis=0)),
        lambda f: f([0.0, 4.0, 8.0], 4.5),
        lambda f: f(line(), "a"),
        lambda f: f(line(), axis=1),
    ),
    "inner": (
        lambda f: (
            f(line(), line()),
            f(square(), square()),
            f(square(), of(2.0)),
            f(cube(), of(CUBE[0])),
        ),
        lambda f: f(line(), of([1.0])),
        lambda f: f([1], [2]),
    ),
    "dot": (
        lambda f: (f(line(), line()), f(square(), square()), f(square(), of(2.0))),
        lambda f: (f(cube(), of([1.0, 2.0])), f(cube(), of(CUBE[0].T)).shape),
        lambda f: f(square(), line()),
        lambda f: f(ints(1, 2), ints(3, 4)),
    ),
    "outer": (
        lambda f: (f(line(), ints(1, 2).astype(ms.float32)), f(square(), line())),
        lambda f: f([1], [2]),
    ),
    "tensordot": (
        lambda f: (
            f(square(), square()),
            f(square(), square(), 1),
            f(cube(), cube(), ((0, 1), (0, 1))),
        ),
        lambda f: (f(line(), line(), 0), f(of(2.0), of(3.0), 0)),
        lambda f: f(square(), line(), 1),
    ),
    "matmul": (
        lambda f: (f(square(), square()), f(cube(), of([1.0, 2.0])), f(line(), line())),
        lambda f: f(square(), square(), ms.float16),
        lambda f: f(square(), line()),
        lambda f: f([1], [2]),
    ),
    "kron": (
        lambda f: (
            f(line(), ints(1, 2)),
            f(square(), of([[1.0, 2.0]])),
            f(2, 3),
            f([1, 2], square()),
        ),
        lambda f: f("a", 1),
    ),
    "cross": (
        lambda f: (f([1, 2, 3], [4, 5, 6]), f(square(), square()[::-1])),
        lambda f: (f(square(), of([1.0, 0.0, 2.0]), axis=0), f([1.0, 2.0], [3.0, 4.0, 5.0])),
        lambda f: f(square(), square(), 0, 1, 0),
        lambda f: f(line(), line()),
        lambda f: f(square(), square(), axis=2),
    ),
    "convolve": (
        lambda f: [f([1.0, 2.0, 3.0], [0.5, 1.0], mode) for mode in ("full", "same", "valid")],
        lambda f: (f([1, 2], [1, 2, 3]), f(line(), ints(1, 2))),
        lambda f: f(line(), line(), "a"),
        lambda f: f(square(), line()),
        lambda f: f([], [1]),
    ),
    "correlate": (
        lambda f: [f([1.0, 2.0, 3.0], [0.5, 1.0], mode) for mode in ("full", "same", "valid")],
        lambda f: (f(line(), of([1.0, 2.0])), f([1, 2, 3], [0, 1])),
        lambda f: f(line(), line(), "a"),
    ),
    "multi_dot": (
        lambda f: (f([square(), square()]), f((square(), square(), square()))),
        lambda f: f([of([1.0, 2.0, 3.0]), square(), of([1.0, 2.0, 3.0])]),
        lambda f: f([square()]),
        lambda f: f([square(), of(CUBE[0].T), square()]),
    ),
    "matrix_power": (
        lambda f: (f(square(), 0), f(square(), 1), f(square(), 3)),
        lambda f: f(square(), -1),
        lambda f: f(square(), 1.5),
        lambda f: f(line(), 2),
    ),
    "norm": (
        lambda f: (
            f(line()),
            f(square()),
            f(cube()),
            f(square(), axis=1),
            f(square(), keepdims=True),
        ),
        lambda f: [f(line(), order) for order in (0, 1, 2, 3, -1, float("inf"), -float("inf"))],
        lambda f: [f(square(), order) for order in (1, -1, "fro", float("inf"), -float("inf"))],
        lambda f: (
            f(cube(), 1, (0, 2)),
            f(cube(), "fro", (1, 2), True),
            f([3, 4]),
            f(cube(), 3, 1),
        ),
        lambda f: f(square(), 2),
        lambda f: f(square(), "nuc"),
        lambda f: f(line(), "fro"),
        lambda f: f(square(), 0),
        lambda f: f(cube(), 1),
        lambda f: f(line(), "a"),
        lambda f: f(line(), axis=1),
        lambda f: f("a"),
    ),
    "polyadd": (
        lambda f: (f([1, 2], [3, 4, 5]), f(line(), [1, 2]), f(2, [1, 1])),
        lambda f: f(square(), 1),
    ),
    "polysub": (lambda f: (f([1, 2], [3, 4, 5]), f(line(), [1, 2])), lambda f: f("a", 1)),
    "polymul": (lambda f: (f([1, 2], [3, 4, 5]), f(line(), 2)), lambda f: f(square(), 1)),
    "polyval": (
        lambda f: (f([3, 0, 1], 5), f(of([1.0, 2.0]), line()), f([1.5, 1], [[1, 2]])),
        lambda f: f(square(), 1),
    ),
    "polyder": (
        lambda f: (f([1, 1, 1, 1]), f([1.5, 2, 3], 2), f(line())),
        lambda f: f([1, 2], -1),
    ),
    "polyint": (
        lambda f: (
            f([1, 1, 1]),
            f(line(), 2),
            f([6, 2], 1, 3),
            f([1.0, 2.0], 2, [5, 6]),
            f([1], 0),
        ),
        lambda f: f([1, 2], -1),
    ),
    "searchsorted": (
        lambda f: (
            f([1, 2, 3, 5], [0, 2, 4, 9]),
            f([1, 2, 2, 5], 2, "right"),
            f(of([1.0, 3.0]), line()),
        ),
        lambda f: f([3, 1, 2], [1.5, 2.5], sorter=ints(1, 2, 0)),
        lambda f: f([1, 2], 1, "a"),
        lambda f: f(square(), 1),
        lambda f: f([1, 2], 1, sorter=ints(1)),
    ),
    "interp": (
        lambda f: (f(2.5, [1, 2, 3], [3, 2, 0]), f([0, 1.5, 9], [1, 2, 3], [3, 2, 0])),
        lambda f: f([0, 9], [1, 2, 3], [3, 2, 0], left=-1, right=7.5),
        lambda f: f(1, [1, 2], [1]),
        lambda f: f(1, square(), [1]),
    ),
    "digitize": (
        lambda f: (f([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0]), f([1, 3, 9], [1, 5, 8], right=True)),
        lambda f: f([0.2, 6.4, 3.0], [4.0, 2.5, 1.0]),
        lambda f: f([1], square()),
    ),
    "bincount": (
        lambda f: (f([0, 1, 1, 3]), f(ints(1, 2), minlength=5), f([0, 1], weights=[0.5, 2])),
        lambda f: (f([0, 1, 7], length=3), f([0, 1], minlength=1)),
        lambda f: f(square()),
        lambda f: f(line()),
        lambda f: f([0, 1], weights=[1]),
    ),
    "histogram_bin_edges": (
        lambda f: (f(line()), f(line(), 4), f([1, 2], 2, (0, 4)), f(line(), [1, 2]), f([3, 3], 2)),
        lambda f: f(line(), "auto"),
        lambda f: f(line(), 2, (3, 1)),
        lambda f: f(line(), square()),
        lambda f: f(line(), weights=[1]),
    ),
    "histogram": (
        lambda f: (f(line()), f([1, 2, 1], [0, 1, 2, 3]), f(line(), 2, (0.0, 2.0))),
        lambda f: (f(square(), 3, weights=square()), f([1, 2, 4, 4], 2, density=True)),
        lambda f: f(line(), weights=[1]),
    ),
    "histogram2d": (
        lambda f: (f([0.5, 1, 1.5], [2, 3, 2.5], 2), f(line(), line(), (2, 3))),
        lambda f: f(line(), line(), 2, density=True),
        lambda f: f(line(), line(), 2, ((0.0, 2.0), (-1.0, 3.0))),
        lambda f: f(line(), line(), "a"),
    ),
    "histogramdd": (
        lambda f: (
            f(square(), 2)[0],
            f((line(), line()), (2, 3)),
            f((line(), line()), 2, density=True),
        ),
        lambda f: f(line()),
        lambda f: f(square(), (1, 2)),
        lambda f: f(1),
    ),
    "cov": (
        lambda f: (
            f(square()),
            f(line()),
            f(square(), rowvar=False),
            f(line(), of([1.0, 2, 0, 5])),
        ),
        lambda f: (f(square(), bias=True), f(square(), ddof=0), f([[1, 2], [3, 5]])),
        lambda f: f(square(), fweights=[1, 2, 3], aweights=[2, 1, 1]),
        lambda f: f(cube()),
        lambda f: f(square(), rowvar=1),
        lambda f: f(square(), fweights=[0.5, 1, 2]),
        lambda f: f(square(), fweights=[1, 2]),
    ),
    "corrcoef": (
        lambda f: (
            f(square()),
            f(line(), of([1.0, 2, 0, 5])),
            f(line()),
            f(square(), dtype=ms.float16),
        ),
        lambda f: f(cube()),
    ),
    "promote_types": (
        lambda f: (
            f(ms.int32, ms.float16),
            f("int8", "uint8"),
            f(int, float),
            f(ms.uint32, ms.int32),
        ),
        lambda f: f(ms.bool_, ms.int8),
        lambda f: f("a", int),
    ),
    "result_type": (
        lambda f: (f("int32", ms.float16), f(line(), 1), f(1, 2.0), f(ints(1), True), f(ms.int8)),
        lambda f: f(None),
    ),
    "ravel_multi_index": (
        lambda f: (f(of([[3, 6], [4, 5]], "int32"), (7, 6)), f([[3], [9]], (4, 5), "wrap")),
        lambda f: (f([[3, 6], [4, 9]], (7, 6)), f([1, 2], (3, 4), order="F")),
        lambda f: f([1, 2], (3,)),
        lambda f: f([1.5], (3,)),
        lambda f: f([1], (3.0,)),
        lambda f: f([1], (3,), "raise"),
        lambda f: f([1], (3,), "a"),
    ),
}


@case.table({name: (name,) for name in CALCULATED}, tol=1e-5)
def calculated(name):
    return [attempt(call, function(name)) for call in CALCULATED[name]]


GRADIENTS = {
    "where": lambda f, x: f(x > 0, x * x, 2.0),
    "concatenate": lambda f, x: f((x, x * 2), 1) * 3,
    "stack": lambda f, x: f([x, x * x]),
    "hstack": lambda f, x: f((x, x * x)),
    "tile": lambda f, x: f(x, 2) * 2,
    "repeat": lambda f, x: f(x, 2) * 2,
    "broadcast_to": lambda f, x: f(x, (2, 3, 3)),
    "roll": lambda f, x: f(x, 1) * x,
    "split": lambda f, x: f(x, 3)[1] * 2,
    "transpose": lambda f, x: f(x) * x,
    "moveaxis": lambda f, x: f(x, 0, 1) * x,
    "squeeze": lambda f, x: f(x.reshape(1, 3, 3)) * 2,
    "expand_dims": lambda f, x: f(x, 0) * x,
    "reshape": lambda f, x: f(x, 9) ** 2,
    "take": lambda f, x: f(x, of([0, 0, 2], "int32"), 1),
    "take_along_axis": lambda f, x: f(x, of([[0, 0, 2]], "int32"), 0) * 2,
    "diag": lambda f, x: f(x) * 2,
    "diagonal": lambda f, x: f(x, 1) * 2,
    "trace": lambda f, x: f(x) * 2,
    "tril": lambda f, x: f(x) * x,
    "triu": lambda f, x: f(x, 1) * x,
    "pad": lambda f, x: f(x, 1, "edge") * 2,
    "full": lambda f, x: f((2, 2), x[0, 0]),
    "linspace": lambda f, x: f(x[0], x[1], 3) * 2,
    "meshgrid": lambda f, x: f(x[0], x[1])[0] * 2,
    "append": lambda f, x: f(x, x * x),
    "array_split": lambda f, x: f(x, 2)[0] * 2,
    "sum": lambda f, x: f(x, 1) ** 2,
    "mean": lambda f, x: f(x, 0) ** 2,
    "std": lambda f, x: f(x, 1),
    "var": lambda f, x: f(x, 1),
    "amax": lambda f, x: f(x, 1) * 2,
    "amin": lambda f, x: f(x) * 2,
    "ptp": lambda f, x: f(x, 0),
    "average": lambda f, x: f(x, 0, x),
    "nansum": lambda f, x: f(x, 0) ** 2,
    "nanmean": lambda f, x: f(x, 0) ** 2,
    "nanvar": lambda f, x: f(x, 0),
    "cumsum": lambda f, x: f(x, 1) ** 2,
    "cumprod": lambda f, x: f(x, 0),
    "diff": lambda f, x: f(x) ** 2,
    "trapz": lambda f, x: f(x) ** 2,
    "gradient": lambda f, x: f(x, axis=0) ** 2,
    "inner": lambda f, x: f(x, x),
    "dot": lambda f, x: f(x, x),
    "outer": lambda f, x: f(x, x),
    "tensordot": lambda f, x: f(x, x, 1),
    "matmul": lambda f, x: f(x, x),
    "kron": lambda f, x: f(x, x),
    "cross": lambda f, x: f(x, x * x),
    "multi_dot": lambda f, x: f((x, x, x)),
    "norm": lambda f, x: f(x),
    "convolve": lambda f, x: f(x[0], [0.5, 2.0]),
    "polyval": lambda f, x: f(x[0], x[1]),
    "cov": lambda f, x: f(x),
}


@case.table({name: (name,) for name in GRADIENTS}, tol=1e-5)
def gradient(name):
    function(name)
    x = of([[1.0, 2.0, 0.5], [3.0, -1.0, 2.5], [0.75, 4.0, 1.5]])
    return attempt(ms.grad(lambda x: GRADIENTS[name](function(name), x)), x)


@case.table({name: (name,) for name in dict.fromkeys((*REDUCED, *CALCULATED, "clip"))})
def signature(name):
    return parameters(name)
