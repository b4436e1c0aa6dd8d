"""``vmap`` of functions of tuples whose members differ in dtype; gradients inside of it."""

import mindspore as ms
from mindspore import Tensor, mutable, ops

from tests.parity.case import case


def wide():
    return Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], ms.float32)


def half():
    return Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], ms.float16)


def whole():
    return Tensor([[1, 2], [3, 4], [5, 6]], ms.int32)


PAIRS = {
    "same": (wide, wide),
    "16-32": (half, wide),
    "32-16": (wide, half),
    "32-int": (wide, whole),
}


def added(t):
    return t[0] + t[1]


def multiplied(t):
    return t[0] * t[1]


def first(t):
    return t[0]


def both(t):
    return t[0], t[1]


def concatenated(t):
    return ops.concat((t[0], t[1]))


def side_by_side(t):
    return ops.hstack((t[0], t[1]))


def stacked(t):
    return ops.stack((t[0], t[1]))


def summed(t):
    return ops.addn((t[0], t[1]))


def grid(t):
    return ops.meshgrid(t[0], t[1])


FUNCTIONS = (added, multiplied, first, both, concatenated, side_by_side, stacked, summed, grid)


@case.table({f"{f.__name__}-{name}": (f, p) for f in FUNCTIONS for name, p in PAIRS.items()})
def tuples(fn, pair):
    left, right = pair
    return ms.vmap(fn)((left(), right()))


@case.table({f"{f.__name__}-{name}": (f, p) for f in FUNCTIONS for name, p in PAIRS.items()})
def compiled(fn, pair):
    left, right = pair
    return ms.jit(fn)((left(), right()))


def gradient_inside(a, b):
    return ms.grad(multiplied)((a, b))


def square(a):
    return a * a


def of_member(t):
    return ms.grad(square)(t[0])


def product(a, b):
    return a * b


def at_two_places(a):
    return ms.grad(product, (0, 1))(a, a)


def by_constness(a):
    return a * 2 if ops.isconstant(a) else a * 3


@case
def gradients():
    return (
        ms.vmap(ms.grad(multiplied))((wide(), half())),
        ms.vmap(ms.grad(multiplied))(mutable((wide(), half()))),
        ms.vmap(gradient_inside)(wide(), half()),
        ms.vmap(of_member)((wide(), half())),
        ms.vmap(at_two_places)(wide()),
        ms.vmap(by_constness)(wide()),
    )


def numbers(a):
    return [3, (a, 2.5), True, a.shape]


def a_number(a):
    return a.shape[0]


@case
def of_numbers():
    return ms.vmap(numbers)(wide()), ms.vmap(a_number, out_axes=-1)(wide())


@case
def at_no_dimension():
    return ms.vmap(a_number, out_axes=1)(wide())


@case
def sum_of_numbers():
    return ms.grad(total_of_numbers)(wide())


def total_of_numbers(a):
    return ms.vmap(a_number)(a).sum() * 2
