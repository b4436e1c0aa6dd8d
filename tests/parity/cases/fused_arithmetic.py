"""Products of equal numbers that cancel exactly, in a gradient call: under a root, not below 0."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

VALUES = np.random.default_rng(0).uniform(0.1, 9, 12).astype(np.float32)


class Difference(nn.Cell):
    def construct(self, x, y):
        return ops.sqrt(ops.square(x) - ops.mul(y, y))


def squares(x, y):
    return ops.sqrt(x * x - y * y)


def powers(x, y):
    return ops.sqrt(x**2 - ops.pow(y, 2))


def cell(x, y):
    return Difference()(x, y)


def determinant(x, y):
    return x * (y + 1) - (x + 1) * y + (y - x) + x * y - y * x


def variance(x, y):
    rows = ops.stack([x, y], 1)
    return ops.sqrt((rows * rows).mean(-1) - rows.mean(-1) ** 2)


def quotient(x, y):
    return ops.sqrt(1 - x / y)


def distance(x, y):
    return ops.sqrt(x * x + y * y - 2 * (x * y))


def outer(x, y):
    return ops.outer(x, y) - ops.outer(y, x).T


def norm(x, y):
    return ops.sqrt(ops.square(x).sum() - (y * y).sum())


PROGRAMS = {
    fn.__name__: (fn,)
    for fn in (squares, powers, cell, determinant, variance, quotient, distance, outer, norm)
}


def _seen(fn, around):
    seen = []

    def forward(x, y):
        out = fn(x, y)
        seen.append(out)
        return (x * y).sum()

    around(forward)(Tensor(VALUES), Tensor(VALUES))
    return seen


@case.table(PROGRAMS)
def in_a_gradient_call(fn):
    return _seen(fn, ms.grad)


@case.table(PROGRAMS)
def value_and_gradient(fn):
    half = lambda x, y: (fn(x, y) + 1).sum()
    return ms.value_and_grad(half, 1)(Tensor(VALUES), Tensor(VALUES))[0]


@case.table(PROGRAMS)
def compiled(fn):
    return ms.jit(fn)(Tensor(VALUES), Tensor(VALUES))
