"""What compiled functions make of containers and of Python's own values."""

import mindspore as ms
from mindspore import Tensor, ops

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
