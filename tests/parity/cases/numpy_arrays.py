"""Functions of ``mindspore.numpy`` that move, join, select and compare elements: calls of each."""

import mindspore as ms

from tests.parity.case import case
from tests.parity.cases.numpy_elementwise import (
    NAN,
    SQUARE,
    attempt,
    cube,
    function,
    ints,
    line,
    of,
    parameters,
    square,
)

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


@case.table({name: (name,) for name in MOVED})
def signature(name):
    return parameters(name)
