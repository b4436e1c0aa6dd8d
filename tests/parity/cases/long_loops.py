"""Loops in GRAPH_MODE: ``while`` on Tensors, a ``for`` over many steps; forward and backward."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

STEPS = 20


class Loop(nn.Cell):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.weight = Parameter(Tensor(np.array([0.5, -0.25], np.float32)), name="weight")
        self.count = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)

    def construct(self, x):
        return self.body(self, x)


def until_large(cell, x):
    while x.sum() < 10:
        x = x + 1
    return x


def counted(cell, x):
    i = 0
    while i < x.sum():
        x = x - 0.25 * i
        i = i + 1
    return x, i


def counted_by_a_tensor(cell, x):
    i = Tensor(0, ms.int32)
    total = ops.zeros((2,), ms.float32)
    while i < 2:
        total = total + x[i]
        i = i + 1
    return total, i


def until_break(cell, x):
    n = x * 0
    while True:
        n = n + 1
        if n.sum() > x.sum():
            break
    return n


def until_continue(cell, x):
    while x.sum() < 12:
        x = x + 1
        if x[0] < 4:
            continue
        x = x * 2
    return x


def with_if(cell, x):
    while x.sum() < 12:
        if x[0] > 3:  # noqa: SIM108
            x = x + 3
        else:
            x = x + 1
    return x


def with_and(cell, x):
    while x.sum() < 10 and x[0] > 0:
        x = x + 1
    return x


def within_a_loop(cell, x):
    n = 0
    while x.sum() < 10:
        y = x
        while y.sum() < 4:
            y = y + 1
            n = n + 1
        x = x + y
    return x, n


def with_return(cell, x):
    while x.sum() < 10:
        if x[0] > 3:
            return x * 100
        x = x + 1
    return x


class WithState(Loop):
    def construct(self, x):
        while x.sum() < 10:
            self.count = self.count + 1
            x = x + 1
        return x, self.count + 0


def with_weights(cell, x):
    while x.sum() < 10:
        x = x * 2 + ops.abs(cell.weight)
    return x


WHILE = (
    until_large,
    counted,
    counted_by_a_tensor,
    until_break,
    until_continue,
    with_if,
    with_and,
    within_a_loop,
    with_return,
    with_weights,
)
STARTS = ([1.0, 2.0], [3.5, 0.5], [-1.0, 20.0])


@case.table({f.__name__: (f,) for f in WHILE})
def while_on_tensors(body):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Loop(body)
    return [cell(Tensor(np.array(start, np.float32))) for start in STARTS]


@case
def while_with_state():
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = WithState(None)
    return [cell(Tensor(np.array(start, np.float32))) for start in STARTS], cell.count


@case.table({f.__name__: (f,) for f in (until_large, with_if, with_weights)})
def gradient_through_while(body):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Loop(body)
    gradient = ms.grad(cell, 0, cell.weight)
    return [gradient(Tensor(np.array(start, np.float32))) for start in STARTS]


def recurrent(cell, x):
    h = ops.zeros((2,), ms.float32)
    for t in range(STEPS):
        h = ops.tanh(x[t] + h * cell.weight)
    return h


def collected(cell, x):
    h, found = ops.zeros((2,), ms.float32), []
    for t in range(STEPS):
        h = ops.tanh(x[t] + h * cell.weight)
        found.append(h * t * 0.1)
    return ops.stack(found)


def both_ways(cell, x):
    h, found, back = ops.zeros((2,), ms.float32), [], []
    for t in range(STEPS):
        h = ops.tanh(x[t] + h * cell.weight)
        found.append(h)
    for t in range(STEPS):
        h = ops.tanh(found[STEPS - 1 - t] - h * cell.weight)
        back.append(h)
    return ops.stack(back)


def of_every_other(cell, x):
    h = ops.zeros((2,), ms.float32)
    for t in range(STEPS):
        if t % 2 == 0:  # noqa: SIM108
            h = ops.tanh(x[t] + h * cell.weight)
        else:
            h = h * 0.5 - x[t]
    return h


def over_rows(cell, x):
    h = ops.zeros((2,), ms.float32)
    for row in x:
        h = ops.tanh(row + h * cell.weight)
    return h


def with_a_counter(cell, x):
    i, h = 0, ops.zeros((2,), ms.float32)
    while i < STEPS:
        h = ops.tanh(x[i] + h * cell.weight)
        i += 1
    return h, i


class Counting(Loop):
    def construct(self, x):
        total = 0.0
        for t in range(STEPS):
            self.count = self.count + 1
            total = total + (x[t] * self.weight).sum()
        return total * self.count


FOR = (recurrent, collected, both_ways, of_every_other, over_rows, with_a_counter)


def inputs():
    return Tensor(np.random.default_rng(0).normal(size=(STEPS, 2)).astype(np.float32))


@case.table({f.__name__: (f,) for f in FOR})
def over_steps(body):
    ms.set_context(mode=ms.GRAPH_MODE)
    return Loop(body)(inputs())


@case
def over_steps_with_state():
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Counting(None)
    return cell(inputs()), ms.grad(cell, 0, cell.weight)(inputs()), cell.count


@case.table({f.__name__: (f,) for f in FOR if f is not with_a_counter}, tol=1e-4)
def gradient_over_steps(body):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Loop(body)
    return ms.grad(cell, 0, cell.weight)(inputs())
