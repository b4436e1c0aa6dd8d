"""Gradients through ``while`` on Tensors in GRAPH_MODE."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


class Loop(nn.Cell):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.weight = Parameter(Tensor(np.array([0.5, -0.25], np.float32)), name="weight")
        self.count = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False)

    def construct(self, x):
        return self.body(self, x)


def counted_by_a_tensor(cell, x):
    i = Tensor(0, ms.int32)
    while i < 3:
        x = x * x * cell.weight + x
        i = i + 1
    return x


def until_break(cell, x):
    n = x * 0
    while True:
        n = n * cell.weight + x
        x = x + 1
        if x.sum() > 12:
            break
    return n


def until_continue(cell, x):
    while x.sum() < 12:
        x = x * 1.5 + 1
        if x[0] < 4:
            continue
        x = x * 2 - cell.weight
    return x


def with_and(cell, x):
    while x.sum() < 10 and x[0] > 0:
        x = x * (cell.weight + 2)
    return x


def within_a_loop(cell, x):
    while x.sum() < 10:
        y = x
        while y.sum() < 4:
            y = y * 1.5 + ops.abs(cell.weight)
        x = x + y
    return x


def before_and_after(cell, x):
    y = ops.tanh(x * cell.weight)
    while y.sum() < 5:
        y = y + ops.exp(y * 0.1)
    return (y * x).sum()


def never(cell, x):
    while x.sum() > 100:
        x = x * cell.weight
    return x * cell.weight


BODIES = (
    counted_by_a_tensor,
    until_break,
    until_continue,
    with_and,
    within_a_loop,
    before_and_after,
    never,
)
STARTS = ([1.0, 2.0], [3.5, 0.5])


@case.table({f.__name__: (f,) for f in BODIES}, tol=1e-5)
def gradient(body):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Loop(body)
    run = ms.value_and_grad(cell, 0, cell.weight)
    return [run(Tensor(np.array(start, np.float32))) for start in STARTS]


class Counting(Loop):
    def construct(self, x):
        while x.sum() < 10:
            self.count = self.count + 1
            x = x * 2 + ops.abs(self.weight)
        return x * self.count


@case
def gradient_with_state():
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Counting(None)
    run = ms.grad(cell, 0, cell.weight)
    return [run(Tensor(np.array(start, np.float32))) for start in STARTS], cell.count


@case
def a_training():
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Loop(until_continue)
    step = nn.TrainOneStepCell(
        nn.WithLossCell(cell, nn.MSELoss()), nn.SGD(cell.trainable_params(), 1e-4)
    )
    x, y = (Tensor(np.array(v, np.float32)) for v in ([1.0, 2.0], [3.0, 1.0]))
    return [step(x, y) for _ in range(3)], cell.weight
