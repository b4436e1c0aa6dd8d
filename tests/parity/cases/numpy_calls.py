"""Functions of ``mindspore.numpy`` that make, move, select and reduce: calls, gradients, errors.

Each row is a name and calls of it; element-wise functions are in ``numpy_elementwise``.
"""

import inspect

import mindspore as ms
import numpy as np

from tests.parity.case import case
from tests.parity.cases.numpy_elementwise import attempt, function, of

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


# Name -> calls; ``f`` is the function.
CREATED = {
    "array": (
        lambda f: (f(1), f(1.5), f(True), f([1, 2]), f([1.5, 2]), f([True, False]), f((1, 2.0))),
        lambda f: (f([1, 2], ms.float32), f([1, 2], "float16"), f([1, 2], float), f(line(), "int")),
        lambda f: (f(1.0, ndmin=2), f([[1], [2]], ndmin=3), f([line(), line()])),
        lambda f: f(np.array([1.0])),
        lambda f: f("a"),
        lambda f: f(None),
        lambda f: f([1], "complex64"),
    ),
    "asarray": (
        lambda f: (f([1, 2]), f(2), f(line(), ms.float16), f([1.5], ms.int32)),
        lambda f: f(np.array([1.0])),
        lambda f: f("a"),
    ),
    "asfarray": (
        lambda f: (f([1, 2]), f(2), f(ints(1, 2)), f([1], ms.int32), f([1], None)),
        lambda f: f([1], ms.float16),
        lambda f: f("a"),
    ),
    "ones": (
        lambda f: (f(2), f((2, 1)), f([1, 2]), f(3, ms.int32), f(2, "float16"), f(2, bool)),
        lambda f: f((2, 0)),
        lambda f: f(-1),
        lambda f: f(1.5),
        lambda f: f((1.5,)),
        lambda f: f("a"),
        lambda f: f(2, "a"),
        lambda f: f(None),
    ),
    "zeros": (
        lambda f: (f(2), f((2, 1)), f([1, 2]), f(3, ms.int32), f(2, "float16"), f(2, int)),
        lambda f: f((2, 0)),
        lambda f: f(-1),
        lambda f: f("a"),
        lambda f: f(2, "a"),
        lambda f: f(2, ms.bool_),
    ),
    "empty": (
        lambda f: (f(2).shape, f((2, 1)).dtype, f((2, 1), ms.int32).dtype),
        lambda f: f("a"),
    ),
    "full": (
        lambda f: (f(2, 1), f((2, 2), 1.5), f(2, True), f(2, 1, ms.float32), f((2, 2), [1, 2])),
        lambda f: (f((2, 2), ints(1, 2)), f(2, 1.5, "int32")),
        lambda f: f((2, 0), 1.5),
        lambda f: f(2, "a"),
        lambda f: f(2, None),
        lambda f: f(-2, 1),
        lambda f: f(2, [1, 2, 3]),
    ),
    "ones_like": (
        lambda f: (f(line()), f(ints(1)), f([1, 2]), f(1.5), f(line(), ms.int32)),
        lambda f: (f(line(), shape=(2, 2)), f(line(), None, 3), f(line(), shape=())),
        lambda f: f("a"),
    ),
    "zeros_like": (
        lambda f: (f(line()), f(ints(1)), f([1, 2]), f(1.5), f(line(), ms.int32)),
        lambda f: (f(line(), shape=(2, 2)), f([[1.5], [2]])),
        lambda f: f("a"),
        lambda f: f(None),
    ),
    "empty_like": (lambda f: (f(line()).shape, f([1, 2]).dtype), lambda f: f("a")),
    "full_like": (
        lambda f: (f(line(), 2), f(ints(1, 2), 2), f([1, 2], 7), f(line(), 2, ms.int32)),
        lambda f: (f(line(), 1.5, shape=2), f(ints(1, 2), 2.5)),
        lambda f: f("a", 1),
        lambda f: f(line(), "a"),
    ),
    "arange": (
        lambda f: (f(5), f(2, 5), f(2, 10, 3), f(5.0), f(0, 1, 0.25), f(1.5, 4), f(5, 0, -2)),
        lambda f: (f(3, dtype=ms.float32), f(3, dtype="float16"), f(0.5, 3.5, dtype=ms.int32)),
        lambda f: (f(start=1, stop=3), f(6, step=2)),
        lambda f: f(0),
        lambda f: f(5, 1),
        lambda f: f("a"),
        lambda f: f(None),
    ),
    "linspace": (
        lambda f: (f(0, 1, 5), f(0, 1, 4, endpoint=False), f(2.0, 3.0, 3, retstep=True)),
        lambda f: (f([0, 1], [2, 5], 3), f(line(), 1, 3, axis=1), f(0, 10, 5, dtype=ms.int32)),
        lambda f: (f(0, 1).shape, f(0, 5, 1)),
        lambda f: f(0, 1, 0),
        lambda f: f(0, 1, 2.0),
        lambda f: f("a", 1),
        lambda f: f(0, 1, 5, axis=2),
        lambda f: f(0, 1, 5, endpoint=1),
    ),
    "logspace": (
        lambda f: (f(0, 2, 3), f(0, 3, 4, base=2), f(0, 2, 4, False), f(0, 2, 3, dtype=ms.int32)),
        lambda f: f([0, 1], [1, 2], 2, axis=1),
        lambda f: f(0, 1, base="a"),
    ),
    "geomspace": (
        lambda f: (f(1, 16, 5), f(1, 8, 3, endpoint=False), f(2.0, 32.0, num=3)),
        lambda f: f([1.0, 2.0], [4.0, 32.0], 3),
        lambda f: f("a", 1),
    ),
    "eye": (
        lambda f: (f(2), f(2, 3), f(3, k=1), f(3, 4, -1), f(2, dtype=ms.int32), f(2, k=5)),
        lambda f: f(2.0),
        lambda f: f("a"),
        lambda f: f(2, dtype="a"),
    ),
    "identity": (lambda f: (f(2), f(3, ms.int32)), lambda f: f(2.5), lambda f: f("a")),
    "tri": (lambda f: (f(3), f(2, 3), f(3, k=1), f(3, k=-1, dtype=ms.int32)), lambda f: f("a")),
    "tril": (
        lambda f: (f(square()), f(square(), 1), f(square(), -1), f(cube()), f([[1, 2], [3, 4]])),
        lambda f: (f(line()), f(square("int32")), f(square("bool_"))),
        lambda f: f(of(1.0)),
        lambda f: f("a"),
    ),
    "triu": (
        lambda f: (f(square()), f(square(), 1), f(square(), -1), f(cube()), f([[1, 2], [3, 4]])),
        lambda f: (f(line()), f(square("int32")), f(square("bool_"))),
        lambda f: f(of(1.0)),
    ),
    "diagonal": (
        lambda f: (f(square()), f(square(), 1), f(cube()), f(cube(), 0, 1, 2), f(cube(), axis1=-1)),
        lambda f: f(line()),
        lambda f: f(square(), 0, 0, 0),
        lambda f: f("a"),
    ),
    "trace": (
        lambda f: (f(square()), f(square(), 1), f(cube()), f(square("int32"))),
        lambda f: f(square(), dtype=ms.float16),
        lambda f: f("a"),
    ),
    "meshgrid": (
        lambda f: f(line(), ints(1, 2)),
        lambda f: f(line(), ints(1, 2), indexing="ij"),
        lambda f: f(line(), ints(1, 2), sparse=True),
        lambda f: f(line(), ints(1, 2), ints(4), indexing="xy"),
        lambda f: f(line()),
        lambda f: f(line(), [1, 2]),
        lambda f: f(line(), line(), indexing="a"),
        lambda f: f(line(), line(), sparse="a"),
    ),
    "mgrid": (
        lambda f: (f[0:3], f[0:2, 1:4], f[0:4:2, 0:1], f[0:1:3j]),
        lambda f: f[0:"a"],
    ),
    "ogrid": (lambda f: (f[0:3], f[0:2, 1:4]), lambda f: f[0.5:2]),
    "diag": (
        lambda f: (f(line()), f(line(), 1), f(line(), -2), f(square()), f(square(), 1)),
        lambda f: (f(square("int32"), -1), f(of(CUBE[0]), 1), f(of(CUBE[0]), -1)),
        lambda f: f(cube()),
        lambda f: f(of(1.0)),
        lambda f: f("a"),
    ),
    "diagflat": (
        lambda f: (f(line()), f(square(), 1), f(ints(1, 2), -1), f(of(2.0))),
        lambda f: f([1, 2]),
    ),
    "diag_indices": (lambda f: (f(3), f(2, 3)), lambda f: f(2.0), lambda f: f(2, "a")),
    "ix_": (
        lambda f: (f(ints(1, 2), ints(3, 4, 5)), f(ints(1))),
        lambda f: f(square()),
        lambda f: f([1, 2]),
    ),
    "indices": (
        lambda f: (f((2, 3)), f([2], ms.float32), f((2, 3), sparse=True)),
        lambda f: f(2),
    ),
    "vander": (
        lambda f: (f([1, 2, 3]), f(of([1.0, 2.0]), 3), f([2, 3], increasing=True)),
        lambda f: f(square()),
        lambda f: f(2),
        lambda f: f([1, 2], 1.5),
        lambda f: f([1, 2], increasing=1),
    ),
    **dict.fromkeys(
        ("hamming", "hanning", "bartlett", "blackman"),
        (lambda f: (f(5), f(4), f(1)), lambda f: f(2.5), lambda f: f("a")),
    ),
    **dict.fromkeys(
        ("triu_indices", "tril_indices"),
        (lambda f: (f(3), f(3, 1), f(2, -1, 3)), lambda f: f("a"), lambda f: f(2, "a")),
    ),
    **dict.fromkeys(
        ("triu_indices_from", "tril_indices_from"),
        (lambda f: (f(square()), f([[1, 2], [3, 4]], 1)), lambda f: f(line())),
    ),
    "pad": (
        lambda f: (f(line(), 1), f(line(), (1, 2)), f(square(), ((1, 0), (0, 2)))),
        lambda f: (
            f(line(), 1, constant_values=5),
            f(square(), 1, constant_values=((1, 2), (3, 4))),
        ),
        lambda f: (f(line(), 2, "edge"), f(line(), 2, "wrap"), f(line(), (2, 1), "linear_ramp")),
        lambda f: (f(line(), 2, "maximum"), f(line(), 2, "minimum"), f(square(), 1, "mean")),
        lambda f: f(line(), 1, "mean", stat_length=2),
        lambda f: (f(line(), 2, "reflect"), f(line(), 2, "symmetric"), f(ints(1, 2, 3), 1)),
        lambda f: f(line(), 2, "reflect", reflect_type="odd"),
        lambda f: f(line(), 6, "symmetric"),
        lambda f: f([1, 2], 1),
        lambda f: f(line(), 1, "empty").shape,
        lambda f: f(line(), 1, "median"),
        lambda f: f(line(), 1, "a"),
        lambda f: f(line(), (1, 2, 3)),
        lambda f: f(line(), "a"),
        lambda f: f("a", 1),
    ),
}
RANDOM = {
    "rand": (
        lambda f: [(r.shape, r.dtype) for r in (f(), f(3), f(2, 3), f((2, 2)), f([2]))],
        lambda f: f(2, dtype=ms.float16).dtype,
        lambda f: f(1.5),
        lambda f: f("a"),
        lambda f: f(2, dtype=ms.int32),
        lambda f: f(2, dtype="a"),
    ),
    "randint": (
        lambda f: [(r.shape, r.dtype) for r in (f(3), f(1, 5), f(2, 5, (2, 3)), f(4, shape=2))],
        lambda f: (f(1).asnumpy().max(), f(4, 5).asnumpy().min()),
        lambda f: f(1.5),
        lambda f: f(0),
        lambda f: f(5, 2),
        lambda f: f(5, dtype=ms.float32),
        lambda f: f(5, shape="a"),
    ),
}
RANDOM["randn"] = RANDOM["rand"]


@case.table({name: (name,) for name in (*CREATED, *RANDOM)}, tol=1e-5)
def created(name):
    return [attempt(call, function(name)) for call in {**CREATED, **RANDOM}[name]]


MOVED = {
    "expand_dims": (
        lambda f: (f(square(), 0).shape, f(square(), -1).shape, f(square(), (0, 2)).shape),
        lambda f: f(square(), 4),
        lambda f: f(square(), 1.0),
        lambda f: f([1], 0),
    ),
    "squeeze": (
        lambda f: (f(of([[[1.0], [2.0]]])), f(of([[1.0]]), 0), f(of([[1.0]]), (0, 1))),
        lambda f: f(square(), 0),
        lambda f: f([1]),
    ),
    "transpose": (
        lambda f: (f(square()), f(cube()).shape, f(cube(), (1, 0, 2)), f(cube(), [2, 1, 0]).shape),
        lambda f: f(square(), (0, 0)),
        lambda f: f(square(), (0,)),
        lambda f: f([1]),
    ),
    "rollaxis": (
        lambda f: (f(cube(), 2).shape, f(cube(), 0, 2).shape, f(cube(), 1, 3).shape),
        lambda f: (f(cube(), -1).shape, f(cube(), 0, -1).shape, f(cube(), 0, 1).shape),
        lambda f: f(cube(), 3),
        lambda f: f(cube(), 0, 4),
        lambda f: f(cube(), 1.0),
        lambda f: f([1], 0),
    ),
    "swapaxes": (
        lambda f: (f(square(), 0, 1), f(cube(), 0, -1).shape),
        lambda f: f(square(), 0, 2),
        lambda f: f(square(), 0.5, 1),
        lambda f: f([1], 0, 0),
    ),
    "moveaxis": (
        lambda f: (f(cube(), 0, 2).shape, f(cube(), (0, 1), (2, 0)).shape, f(cube(), -1, 0)),
        lambda f: f(cube(), 3, 0),
        lambda f: f(cube(), (0, 1), 0),
        lambda f: f(cube(), 0.5, 0),
    ),
    "reshape": (
        lambda f: (f(square(), 9), f(square(), (1, 9)), f(square(), [-1]), f(square(), (-1, 3))),
        lambda f: f(square(), 5),
        lambda f: f(square(), "a"),
        lambda f: f([1], 1),
    ),
    "ravel": (lambda f: (f(square()), f(of(1.0))), lambda f: f([1])),
    "concatenate": (
        lambda f: (
            f((square(), square())),
            f([square(), square()], 1),
            f((square(), line()), None),
        ),
        lambda f: f((ints(1, 2), line(), of([1, 2], "int8"))),
        lambda f: (f(cube()), f((line(),)), f(cube(), 1)),
        lambda f: f((square(), square()), 2),
        lambda f: f((square(), line())),
        lambda f: f(None),
        lambda f: f(([1], [2])),
    ),
    "append": (
        lambda f: (f(square(), line()), f(square(), square(), 0), f(line(), ints(1))),
        lambda f: f(square(), line(), 0),
        lambda f: f(square(), square(), 2),
        lambda f: f(square(), [1]),
    ),
    **dict.fromkeys(
        ("hstack", "vstack", "dstack", "column_stack"),
        (
            lambda f: (f((line(), line())), f([square(), square()]), f((of(1.0), of(2.0)))),
            lambda f: f(square()),
            lambda f: f(()),
            lambda f: f(1),
            lambda f: f((square(), of([[1.0, 2.0]]))),
        ),
    ),
    "stack": (
        lambda f: (f((line(), line())), f([line(), line()], 1), f((line(), ints(1, 2, 3, 4)), -1)),
        lambda f: (f(square()), f(square(), 1)),
        lambda f: f((line(), square())),
        lambda f: f(1),
    ),
    "where": (
        lambda f: (f(line() > 0, line(), 0), f(line() > 0, 1, 2), f([True, False], [1, 2], [3, 4])),
        lambda f: (f(line(), ints(1, 2, 3, 4), 0.5), f(line() > 0, True, False)),
        lambda f: (f(square() > 0, of([1.0, 2.0, 3.0]), 0.0), f(line() > 0, of(1, "float16"), 2)),
        lambda f: f(True, of([1, 2], "int8"), of([1, 2], "uint8")),
        lambda f: f(line() > 0),
        lambda f: f(line() > 0, "a", 1),
        lambda f: f(line() > 0, ints(1, 2), 0),
    ),
    **dict.fromkeys(
        ("atleast_1d", "atleast_2d", "atleast_3d"),
        (
            lambda f: (f(of(1.0)), f(line()), f(square()), f(cube()).shape),
            lambda f: f(line(), of(2.0)),
        ),
    ),
    "unique": (
        lambda f: (f(ints(3, 1, 1, 3, 2)), f(of([[1.5, 0.5], [0.5, 2.0]])), f(ints(2, 1, 2), True)),
        lambda f: f([1, 2]),
    ),
    "intersect1d": (
        lambda f: (f(ints(3, 1, 2, 1), ints(1, 3, 5)), f([1, 2, 3], [3, 2, 7], True)),
        lambda f: f(ints(3, 1, 2, 1), ints(1, 3, 5), return_indices=True),
        lambda f: f(ints(1), ints(1), "a"),
    ),
    "setdiff1d": (
        lambda f: (f(ints(3, 1, 2, 1), ints(1, 5)), f([3, 2, 1], [2], True)),
        lambda f: f(ints(1), ints(1), "a"),
    ),
    "roll": (
        lambda f: (f(line(), 1), f(square(), 1), f(square(), -1, 0), f(square(), (1, 2), (0, 1))),
        lambda f: (f(ints(1, 2, 3), 2), f(square(), 1, (0, 1)), f(line(), 7)),
        lambda f: f(square(), 1, 2),
        lambda f: f(square(), 0.5),
        lambda f: f([1], 1),
    ),
    "tile": (
        lambda f: (f(line(), 2), f(square(), (2, 1)), f(line(), (2, 1)), f(of(1.0), 3)),
        lambda f: f(ints(1, 2), 2),
        lambda f: f([1], 2),
        lambda f: f(line(), "a"),
        lambda f: f(line(), 1.5),
    ),
    "broadcast_to": (
        lambda f: (f(line(), (2, 4)), f(of([[1.0], [2.0]]), (2, 3)), f(of(1.0), (2,))),
        lambda f: f(line(), (2, 3)),
        lambda f: f(square(), (3,)),
    ),
    "broadcast_arrays": (
        lambda f: f(of([[1.0], [2.0]]), ints(1, 2, 3)),
        lambda f: f(line(), ints(1, 2)),
    ),
    **dict.fromkeys(
        ("split", "array_split"),
        (
            lambda f: (f(line(), 2), f(line(), (1, 3)), f(square(), 3, 1), f(line(), [-1])),
            lambda f: f(line(), 3),
            lambda f: f(line(), 9),
            lambda f: f(line(), (2, 2)),
            lambda f: f(line(), 1.5),
            lambda f: f(line(), 2, 1),
            lambda f: f([1, 2], 2),
        ),
    ),
    **dict.fromkeys(
        ("vsplit", "hsplit"),
        (
            lambda f: (f(square(), 3), f(square(), [1])),
            lambda f: f(square(), 2),
            lambda f: f([1], 1),
        ),
    ),
    "dsplit": (lambda f: f(cube(), 2), lambda f: f(square(), 1)),
    "flip": (
        lambda f: (f(square()), f(square(), 0), f(square(), (0, 1)), f(ints(1, 2)), f(cube(), -1)),
        lambda f: f(square(), 2),
        lambda f: f(square(), 0.5),
        lambda f: f([1]),
    ),
    **dict.fromkeys(("flipud", "fliplr"), (lambda f: (f(square()), f(cube())), lambda f: f([1]))),
    "rot90": (
        lambda f: [f(square(), k) for k in (-1, 0, 1, 2, 3, 5)],
        lambda f: f(cube(), 1, (1, 2)),
        lambda f: f(square(), 1.0),
        lambda f: f(square(), 1, (0,)),
        lambda f: f(square(), 1, (0, 0)),
        lambda f: f(square(), 1, 0),
        lambda f: f(line()),
    ),
    "take_along_axis": (
        lambda f: (f(square(), of([[0, 2, 1]], "int32"), 0), f(square(), ints(4, 0), None)),
        lambda f: f(square(), of([[0], [2], [1]], "int32"), 1),
        lambda f: f(square(), ints(0), 0),
        lambda f: f(square(), [[0]], 0),
        lambda f: f(square(), of([[0]], "int32"), 2),
    ),
    "take": (
        lambda f: (f(line(), ints(0, 2)), f(square(), ints(0, 2), 1), f(square(), ints(7), 0)),
        lambda f: (f(line(), ints(-1, 9)), f(line(), ints(-1, 9), mode="wrap")),
        lambda f: f(line(), [0]),
        lambda f: f(line(), ints(0), 2),
        lambda f: f(line(), ints(0), mode="a"),
    ),
    "repeat": (
        lambda f: (f(line(), 2), f(square(), 2, 0), f([1, 2], 3), f(square(), [1, 0, 2], 1)),
        lambda f: f(2, 3),
        lambda f: f(line(), 2, 1),
        lambda f: f(line(), "a"),
    ),
    "select": (
        lambda f: f([[True, False, False], [False, True, False]], [[1, 2, 3], [4, 5, 6]]),
        lambda f: f(of([[1, 0], [1, 1]], "bool_"), of([[1.5, 2.0], [3.0, 4.0]]), 9),
        lambda f: f([[True, False]], [[1, 2]], 0.5),
        lambda f: f([[True, False]], [[1, 2], [3, 4]]),
        lambda f: f(True, 1),
        lambda f: f("a", [1]),
    ),
    "choose": (
        lambda f: f([2, 0, 1], [[0, 1, 2], [10, 11, 12], [20, 21, 22]]),
        lambda f: (f(ints(5, -1), [[1, 2], [3, 4]]), f(ints(5, -1), [[1, 2], [3, 4]], "wrap")),
        lambda f: f(line(), [[1, 2]]),
        lambda f: f([0], [[1]], "a"),
        lambda f: f([0], [[1]], "raise"),
    ),
    "size": (
        lambda f: (f(square()), f(cube(), 1), f([1, 2]), f(3)),
        lambda f: f(square(), 2),
        lambda f: f(square(), 0.5),
        lambda f: f("a"),
    ),
    "array_str": (lambda f: f(ints(1, 2)), lambda f: f([1])),
    "apply_along_axis": (
        lambda f: (f(lambda v: v.sum(), 0, square()), f(lambda v: v * 2, 1, square())),
        lambda f: f(lambda v: v[:2], 1, cube()).shape,
        lambda f: f(lambda v, k: v * k, 0, square(), 3),
        lambda f: f(lambda v: v, 2, square()),
    ),
    "apply_over_axes": (
        lambda f: f(function("sum"), cube(), (0, 2)),
        lambda f: f(function("mean"), cube(), 1),
    ),
    "piecewise": (
        lambda f: f(line(), [line() < 0, line() >= 0], [-1, 1]),
        lambda f: f(line(), [line() < 0, line() >= 2], [lambda x: -x, lambda x: x * 2]),
        lambda f: f(line(), [line() < 0], [lambda x: -x, lambda x: x * 2]),
        lambda f: f(line(), [line() < 0], [1, 2, 3]),
    ),
    "unravel_index": (
        lambda f: (f(ints(1, 5, 7), (3, 4)), f(7, (3, 4)), f([9, 0], (2, 3), order="F"), f(3, 5)),
        lambda f: (f(ints(20, -1), (3, 4)), f([[1], [2]], [2, 2])),
        lambda f: f(1, (2, 2), order="a"),
    ),
    "argwhere": (lambda f: (f(ints(0, 3, 1)), f([[1, 0], [0, 2]])), lambda f: f("a")),
    "isscalar": (lambda f: (f(1), f(1.5), f(True), f("a"), f(line()), f([1]), f(None)),),
    "sometrue": (
        lambda f: (
            f(line()),
            f(of(SQUARE, "bool_"), 0),
            f(square(), (0, 1), True),
            f(square(), -1),
        ),
        lambda f: f(square(), 2),
        lambda f: f(square(), 0.5),
        lambda f: f(square(), 0, "a"),
    ),
    "isclose": (
        lambda f: (f(line(), line() + 1e-7), f([1.0, NAN], [1.0, NAN], equal_nan=True)),
        lambda f: (f([1.0, 2.0], [1.1, 2.0], rtol=0.2), f(1, 1)),
        lambda f: f(line(), "a"),
    ),
    "array_equal": (
        lambda f: (f([1, 2], [1, 2]), f(line(), square()), f([NAN], [NAN]), f([NAN], [NAN], True)),
        lambda f: f("a", 1),
        lambda f: f(1, 1, 2),
    ),
    "array_equiv": (
        lambda f: (f([1, 1], 1), f([[1, 2], [1, 2]], [1, 2]), f([1, 2], [1, 2, 3])),
        lambda f: f("a", 1),
    ),
    **dict.fromkeys(
        ("in1d", "isin"),
        (
            lambda f: (f(square(), [1, 2]), f(ints(1, 2), ints(2), invert=True), f(1, [1])),
            lambda f: f("a", 1),
        ),
    ),
    "signbit": (lambda f: f(line(), ms.bool_), lambda f: f(line(), ms.float32), lambda f: f("a")),
}


@case.table({name: (name,) for name in MOVED}, tol=1e-5)
def moved(name):
    return [attempt(call, function(name)) for call in MOVED[name]]


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


# Whether what is written into the result reaches the input.
SHARED = {
    "full": lambda f, x: f((2, 2), x),
    "broadcast_to": lambda f, x: f(x, (2,)),
    "broadcast_arrays": lambda f, x: f(x, x)[0],
    "meshgrid": lambda f, x: f(x, x)[0],
    "array": lambda f, x: f(x),
    "asarray": lambda f, x: f(x),
    "copy": lambda f, x: f(x),
    "reshape": lambda f, x: f(x, (1, 2)),
    "ravel": lambda f, x: f(x),
    "squeeze": lambda f, x: f(x),
    "transpose": lambda f, x: f(x),
    "moveaxis": lambda f, x: f(x, 0, 0),
    "expand_dims": lambda f, x: f(x, 0),
    "atleast_1d": lambda f, x: f(x),
    "atleast_2d": lambda f, x: f(x),
    "split": lambda f, x: f(x, 2)[0],
    "array_split": lambda f, x: f(x, [1])[0],
    "where": lambda f, x: f(x > 0, x, x),
    "clip": lambda f, x: f(x, 0, 9),
    "flip": lambda f, x: f(x),
    "roll": lambda f, x: f(x, 0),
    "rot90": lambda f, x: f(x.reshape(1, 2), 0),
    "concatenate": lambda f, x: f((x,)),
    "vstack": lambda f, x: f(x),
    "tile": lambda f, x: f(x, 1),
    "diff": lambda f, x: f(x, 0),
    "positive": lambda f, x: f(x),
    "ix_": lambda f, x: f(x)[0],
}


@case.table({name: (name,) for name in SHARED})
def shared(name):
    x = of([1.0, 2.0])
    SHARED[name](function(name), x)[0] = 9.0
    return x


@case
def unsigned():
    import mindspore.numpy as mnp

    return [
        attempt(mnp.concatenate, (of([1, 2], name), of([3], other)))
        for name in ("uint16", "uint32", "uint64")
        for other in ("bool_", "uint8", "int8", "float32")
    ], [mnp.zeros(2, kind) for kind in (mnp.uint16, "uint32", mnp.uint64)]


NAMES = (*CREATED, *RANDOM, *MOVED, *REDUCED, *CALCULATED, "clip", "array_str")


@case.table({name: (name,) for name in dict.fromkeys(NAMES) if name not in ("mgrid", "ogrid")})
def signature(name):
    found = inspect.signature(function(name)).parameters.values()
    return [(p.name, str(p.kind), repr(p.default)) for p in found]


@case
def constants():
    import mindspore.numpy as mnp

    names = ("inf", "nan", "pi", "PINF", "NINF", "int_", "uint", "float_", "bool_", "float64")
    return {name: getattr(mnp, name) for name in names}, sorted(set(mnp.__all__)), mnp.numeric_types
