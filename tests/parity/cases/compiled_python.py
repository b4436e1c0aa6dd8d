"""What compiled functions make of containers and of Python's own values."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def in_sequence(d, b):
    return (d[0] * b * b).sum()


def in_dict(d, b):
    return (d["a"] * b * b).sum()


def with_rest(d, b, *rest):
    for item in rest:
        b = b * item
    return (d["a"] * b).sum()


# A function, the Tensor in its container, whose gradient is asked for.
SHARED = {
    "tuple": (in_sequence, lambda v: ((v,), v), 1),
    "list": (in_sequence, lambda v: ([v], v), 1),
    "dict": (in_dict, lambda v: ({"a": v}, v), 1),
    "both": (in_dict, lambda v: ({"a": v}, v), (0, 1)),
    "rest": (with_rest, lambda v: ({"a": v}, v * 2, v), (1, 2)),
    "twice": (with_rest, lambda v: ({"a": v}, v, v), (1, 2)),
}
WAYS = {
    "eager": lambda function, position: ms.grad(function, position),
    "jit": lambda function, position: ms.jit(ms.grad(function, position)),
    "graph": lambda function, position: ms.grad(function, position),
    "get_all": lambda function, position: ops.GradOperation(get_all=True)(function),
}


@case.table({f"{w}-{s}": (WAYS[w], *SHARED[s], w) for w in WAYS for s in SHARED})
def in_a_container_and_beside(way, function, arguments, position, name):
    ms.set_context(mode=ms.GRAPH_MODE if name in ("graph", "get_all") else ms.PYNATIVE_MODE)
    return way(function, position)(*arguments(x()))


twice = ops.MultitypeFuncGraph("twice")


@twice.register("Tensor")
def _twice_tensor(value):
    return value * 2


@twice.register("Number")
def _twice_number(value):
    return value * 2


def over_a_list(v):
    return ops.HyperMap()(twice, [v, v])


def over_nested_lists(v):
    return ops.HyperMap()(twice, [[v, 2], (v, v)])


def over_a_tuple_of_lists(v):
    return ops.HyperMap()(twice, ([v, 2], v))


def one_level(v):
    return ops.Map()(twice, [v, v])


def over_two_lists(v):
    return ops.HyperMap()(ops.add, [v, v], [v, 2])


def over_an_empty_list(v):
    return ops.HyperMap()(twice, [])


def over_a_dict(v):
    return ops.HyperMap()(twice, {"a": v, "b": [v]})


MAPS = (
    *(over_a_list, over_nested_lists, over_a_tuple_of_lists, one_level),
    *(over_two_lists, over_an_empty_list),
)


@case.table({f.__name__: (f,) for f in MAPS})
def mapped(function):
    return function(x()), ms.jit(function)(x())


@case
def mapped_compiled_over_a_dict():
    return ms.jit(over_a_dict)(x())


QUOTIENTS = {
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "remainder": ops.remainder,
    "floor_mod": ops.floor_mod,
    "floor_of_div": lambda a, b: ops.div(a, b, rounding_mode="floor"),
}


@case.table(
    {f"{name}-{dtype}": (f, dtype) for name, f in QUOTIENTS.items() for dtype in (16, 32, 64)}
)
def quotients_near_integers(function, bits):
    """The quotient is just below an integer, which a division in the dtype rounds it to."""
    dtype = {16: ms.float16, 32: ms.float32, 64: ms.float64}[bits]
    dividend = Tensor([3.0, 1.0, 6.0, -3.0, 0.9, 1e4, 2.0, -2.0, 1.0], ms.float64).astype(dtype)
    divisor = Tensor([0.6, 0.1, 0.1, -0.6, 0.3, 0.1, float("inf"), 0.25, 0.0], ms.float64)
    return function(dividend, divisor.astype(dtype))


LARGE = 2**40 + 7
OF_64_BITS = {
    "full": lambda: ops.full((2,), LARGE),
    "full_of_floats": lambda: ops.full((2,), LARGE, dtype=ms.float64),
    "full_like": lambda: ops.full_like(Tensor([1, 2], ms.int64), LARGE),
    "fill": lambda: ops.fill(ms.int64, (2,), LARGE),
    "arange": lambda: ops.arange(LARGE, LARGE + 6, 2),
    "linspace": lambda: ops.linspace(Tensor(0.1, ms.float64), Tensor(0.3, ms.float64), 3),
}


@case.table({name: (make,) for name, make in OF_64_BITS.items()})
def numbers_of_64_bits(make):
    return make()


BESIDE = {
    "add": lambda v: v + LARGE,
    "reflected": lambda v: LARGE - v,
    "multiply": lambda v: v * 2654435761,
    "modulo": lambda v: v % 2654435761,
    "greater": lambda v: v > LARGE,
    "maximum": lambda v: ops.maximum(v, LARGE),
    "where": lambda v: ops.where(v > 1, v, LARGE),
    "and": lambda v: v & 2654435761,
}


@case.table(
    {f"{name}-{d}": (f, d) for name, f in BESIDE.items() for d in ("uint8", "int32", "int64")}
)
def a_large_number_beside(function, dtype):
    return function(Tensor([0, 1, 2, 3], getattr(ms, dtype)))


MADE = {
    "number": lambda: Tensor(0.1, ms.float64),
    "list": lambda: Tensor([[0.1], [0.2]], ms.float64),
    "beside_an_int": lambda: ms.tensor((1, 0.1), ms.float64),
    "of_numpy": lambda: Tensor([np.float64(0.1), np.float64(2)], ms.float64),
    "large_float": lambda: Tensor([1e15 + 1, 16777217.0], ms.int64),
    "scalar_to_tensor": lambda: ops.scalar_to_tensor(0.1, ms.float64),
    "parameter": lambda: ms.Parameter(Tensor([0.1], ms.float64), name="p"),
    "without_a_dtype": lambda: Tensor([0.1, 1e300]),
}


@case.table({name: (make,) for name, make in MADE.items()})
def all_digits_of_floats(make):
    return make()


def zipped(v):
    return zip((1, 2), (v, v * 2))  # noqa: B905


def numbered(v):
    return enumerate((v, 3))


def doubled(v):
    return map(_twice_number, (1, 2))


def filtered(v):
    return filter(_is_large, (1, 2, 3)), v


def generated(v):
    return (v * i for i in range(2))


def keys_and_values(v):
    d = {"a": v, "b": 2}
    return d.keys(), d.values()


def items(v):
    d = {"a": v, "b": 2}
    return d.items()


def ranges(v):
    return range(3), (range(2), v)


def numbers_of_numpy(v):
    return np.float32(2.5), np.int64(3), np.bool_(True), np.sqrt(4.0), [np.prod((2, 3))]


def _is_large(value):
    return value > 1


@case.table(
    {
        f.__name__: (f,)
        for f in (
            *(zipped, numbered, doubled, filtered, generated, keys_and_values, items, ranges),
            numbers_of_numpy,
        )
    }
)
def returned(function):
    return ms.jit(function)(x())


def of_elements(v):
    return Tensor([v[0], v[1]]), Tensor((v[0], v[1]), ms.float16), ms.tensor([v, v])


def of_elements_and_numbers(v):
    return Tensor([v[0], 1]), Tensor([[v[0], 1.5], [2, v[1]]])


def of_integers_and_bools(v):
    return Tensor([v[0].astype(ms.int32), 2]), Tensor([v.sum() > 1, True])


def of_a_list_that_grew(v):
    found = []
    for i in range(2):
        found.append(v[i] * 2)
    return Tensor(found)


def ragged(v):
    return Tensor([v, v[0]])


@case.table(
    {
        f.__name__: (f,)
        for f in (
            *(of_elements, of_elements_and_numbers, of_integers_and_bools, of_a_list_that_grew),
            ragged,
        )
    }
)
def made_of_tensors(function):
    return function(x()), ms.jit(function)(x())


class InAForm(nn.Cell):
    def construct(self, v):
        return f"{v.sum():.2f} {v:>9} {v.shape[0]}"


@case.table({"plainly": (1, False), "jit": (1, True), "graph": (0, False)})
def text_of_a_form(mode, jit):
    ms.set_context(mode=mode)
    net = InAForm()
    return ms.jit(net)(x()) if jit else net(x())
