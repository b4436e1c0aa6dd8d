"""Numbers that Python gets of Tensors in compiled calls: item(), int(), range() and their like."""

import math

import mindspore as ms
from mindspore import Parameter, Tensor, mutable, nn, ops

from tests.parity.case import case


def vector():
    return Tensor([1.0, 2.0, 3.5], ms.float32)


def place():
    return Tensor(2, ms.int32)


def arithmetic(x, n):
    a, b, c = x.sum().item(), int(n), float(x[1])
    return a * 2, a > 3, b // 2, b % 3, b / 4, c - a, -b, b == 2, bool(a), int(a) + 1


def beside_tensors(x, n):
    a, b = x.max().item(), int(n)
    return x * a, x - b, x**b, b / x, x > a, ops.clamp(x, 1.5, a), ops.full((2,), a)


def decides(x, n):
    out = x
    if x.sum().item() > 5:
        out = out * 2
    if bool((x < 0).any()):
        out = out * 0
    return out if int(n) > 3 else out - 1


def in_a_loop(x, n):
    best, where = -1.0, -1
    for i in range(3):
        v = float(x[i])
        if v > best:
            best, where = v, i
    return best, where


def places(x, n):
    y = x * 1
    y[int(n)] = 7
    return x[int(n) - 1], y, [x, x * 2, x * 3][int(n)]


def schedule(x, n):
    return 0.5 * (1 + math.cos(math.pi * int(n) / 10)), 0.9 ** int(n)


def extremes(x, n):
    best = x[0]
    for v in x:
        best = max(best, v)
    return best, min(x), max(x[0], x[2])


def counts(x, n):
    for i in range(n):
        x = x * 2 + i
    return x


def counts_down(x, n):
    for i in range(int(n) + 3, 0, -2):
        if i == 3:
            continue
        x = x + i
    return x


def counts_until(x, n):
    for i in range(int(n) * 4):
        if x.sum() > 30:
            return x * i
        x = x * 2
    return x


def counts_places(x, n):
    total = x[0] * 0
    for i in range(int(n)):
        for j in range(i, int(n)):
            total = total + x[j] * i
    return total


FUNCTIONS = (
    *(arithmetic, beside_tensors, decides, in_a_loop, places, schedule, extremes),
    *(counts_down, counts_until, counts_places),
)


@case.table({each.__name__: (each,) for each in FUNCTIONS})
def compiled(function):
    step = ms.jit(function)
    return step(vector(), place()), step(-vector(), Tensor(1, ms.int32))


@case
def counted_by_a_mutable():
    step = ms.jit(counts)
    return [step(vector(), mutable(n)) for n in (3, 0, 5)]


def of_numbers(x):
    return (x * x.sum().item() + float(x[0])).sum()


@case
def gradients():
    ms.set_context(mode=ms.GRAPH_MODE)
    counted = ms.value_and_grad(counts)(vector(), mutable(3))
    return ms.value_and_grad(of_numbers)(vector()), counted


class Steps(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = Parameter(Tensor(2, ms.int32), name="n", requires_grad=False)
        self.layers = nn.CellList([nn.Dense(1, 1, w, "ones") for w in ("ones", "zeros")])

    def construct(self, x, place):
        for i in range(int(self.n)):
            x = self.layers[place](x) * (i + 1)
        self.n += 1
        return x * self.n.item()


@case
def of_parameters():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Steps()
    return [net(Tensor([[0.5]], ms.float32), Tensor(i, ms.int32)) for i in (0, 1, 0)], net.n.value()


class Derived(Steps):
    def construct(self, x, place):
        for _ in range(9):
            if x.sum() > 20:
                x = x - 3
                continue
            x = super().construct(x, place)
        return x


@case
def super_in_a_loop():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Derived()
    return net(Tensor([[0.5]], ms.float32), Tensor(0, ms.int32)), net.n.value()
