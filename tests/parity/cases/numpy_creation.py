"""Functions of ``mindspore.numpy`` that make arrays; each row is a name and calls of it."""

import mindspore as ms
import numpy as np

from tests.parity.case import case
from tests.parity.cases.numpy_elementwise import (
    CUBE,
    attempt,
    cube,
    function,
    ints,
    line,
    of,
    parameters,
    square,
)

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


@case.table(
    {name: (name,) for name in dict.fromkeys((*CREATED, *RANDOM)) if name not in ("mgrid", "ogrid")}
)
def signature(name):
    return parameters(name)


@case
def constants():
    import mindspore.numpy as mnp

    names = ("inf", "nan", "pi", "PINF", "NINF", "int_", "uint", "float_", "bool_", "float64")
    return {name: getattr(mnp, name) for name in names}, sorted(set(mnp.__all__)), mnp.numeric_types


@case
def copied_parameter():
    p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    copied = ms.numpy.copy(p)
    copied[0] = 9.0
    gradient = ms.grad(lambda: (ms.numpy.copy(p) ** 2).sum(), None, [p])()
    return type(copied).__name__, copied, copied.name, p, gradient
