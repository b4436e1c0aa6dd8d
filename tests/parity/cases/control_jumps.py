"""Jumps that Tensors decide, and ``if`` in ``for`` loops, in compiled functions and Cells."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

VALUES = (2.0, -3.0, 7.0, 30.0)


def given(value):
    return Tensor(np.array(value, np.float32))


def for_break(x):
    for _ in range(9):
        x = x * 2 + 1
        if x > 20:
            break
    return x


def for_continue(x):
    total = x * 0
    for i in range(9):
        if x < i:
            continue
        total = total + x * i
    return total


def for_last_item(x):
    i = 0
    for i in range(9):
        x = x + i
        if x > 12:
            break
    return x * i


def for_if(x):
    total = x * 0
    for i in range(9):
        if x > i:
            total = total + x
        elif x > 0:
            total = total - i
        else:
            total = total * 0.5 + 1
    return total


def nested_break(x):
    total = x * 0
    for i in range(3):
        for _ in range(3):
            total = total + x
            if total > i * 10:
                break
        total = total + 1
    return total


def break_in_while(x):
    total = x * 0
    while x < 50:
        for i in range(3):
            total = total + i
            if total > x:
                break
        x = x + 9
    return total, x


def return_in_for(x):
    for i in range(9):
        x = x + 2
        if x > 12:
            return x * i
    return -x


def return_in_nested(x):
    for _ in range(3):
        for j in range(3):
            x = x + j
            if x > 9:
                return x, x * 2
    return -x, x


def return_in_while(x):
    n = x * 0
    while n < 9:
        n = n + 1
        x = x * 1.5
        if x > 20:
            return x * 2
    return x - n


def return_in_while_true(x):
    while True:
        x = x + 3
        if x > 20:
            return x * 2


def returns_in_ifs(x):
    y = x
    if x > 20:
        y = y + 1
    if x > 5:
        return y * 2
    if x > 1:
        y = y + 10
    elif x > 0:
        return y - 4
    if y > 11:
        y = y * 3
    if y > 0:
        y = y - 1
    if y > 3:
        return y
    if y > 1:
        y = y * 7
    if y < 0:
        y = -y
    return y + 0.5


def limited(v):
    if v > 4:
        return v * 0 + 4
    if v < -4:
        return v * 0 - 4
    return v


def helper_in_for(x):
    total = x * 0
    for i in range(9):
        total = total + limited(x * i)
    return total


def lambda_in_for(x):
    grown = lambda v: v * 2 if 1 < v < 9 else v - 1
    for _ in range(9):
        x = grown(x)
    return x


def inner_while(x):
    def halved(v):
        while v > 1:
            v = v / 2
        return v

    return halved(x) + halved(x * 3)


def best_of(x):
    values = ops.stack((x, x * 2, x - 1, x * 3, x + 9, x, x - 5, x * 4, x + 1, x))
    best, where, wait = values[0], 0, 0
    for i in range(1, 10):
        if values[i] > best:
            best, where, wait = values[i], i, 0
        else:
            wait = wait + 1
        if wait > 3:
            break
    return best, where


def written_in_if(x):
    found = ops.zeros((9,), ms.float32)
    for i in range(9):
        if x > i:
            found[i] = x * 2
        else:
            found[i] = -1
    return found


def filled(x):
    found = ops.zeros((9,), ms.float32)
    n = 0
    while n < 9:
        x = x + 2
        found[n] = x
        if x > 12:
            break
        n += 1
    return found, n


def place_in_for(x):
    for i in range(5):
        for j in range(3):
            if x * j > i + 3:
                return x * i, (j, i)
    return -x, (-1, -1)


def return_in_inner_while(x):
    i = Tensor(0, ms.int32)
    while i < 4:
        j = Tensor(0, ms.int32)
        while j < 4:
            if x > 9:
                return x * 2
            j = j + 1
            x = x + 1
        i = i + 1
    return -x


def operator_of_loops(x):
    return ops.WhileLoop()(lambda v: v < 40, lambda v: v * v + 1, x)


PROGRAMS = (
    place_in_for,
    return_in_inner_while,
    operator_of_loops,
    for_break,
    for_continue,
    for_last_item,
    for_if,
    nested_break,
    break_in_while,
    return_in_for,
    return_in_nested,
    return_in_while,
    return_in_while_true,
    returns_in_ifs,
    helper_in_for,
    lambda_in_for,
    inner_while,
    best_of,
    written_in_if,
    filled,
)


@case.table({each.__name__: (each,) for each in PROGRAMS})
def compiled(program):
    function = ms.jit(program)
    return [function(given(value)) for value in VALUES]


GRADIENTS = (for_break, for_if, return_in_for, return_in_while, returns_in_ifs, helper_in_for)


@case.table({each.__name__: (each,) for each in GRADIENTS})
def gradient(program):
    function = ms.jit(ms.grad(program))
    return [function(given(value)) for value in VALUES]


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.sum = Parameter(Tensor(1.0, ms.float32), name="sum")

    def construct(self, x):
        for _ in range(9):
            self.sum = self.sum + x
            if self.sum > 20:
                break
        return self.sum * x


class Leaving(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList(
            [nn.Dense(1, 1, weight_init="ones", bias_init="ones") for _ in range(9)]
        )

    def construct(self, x):
        x = x.reshape(1, 1)
        for layer in self.layers:
            x = layer(x)
            if x.sum() > 9:
                return x * 2
        return x


@case.table({"counting": (Counting,), "leaving": (Leaving,)})
def cells(kind):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = kind()
    found = [net(given(value)) for value in VALUES]
    return found, [p.value() for p in net.trainable_params()]


class Switched(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = (nn.ReLU(), nn.Dense(1, 1, "ones", "ones"), nn.Sigmoid())

    def construct(self, place, x):
        return self.layers[place](x), (x, x * 2, -x)[place], [5, 7, 9][place]


PLACES = {
    "first": lambda: Tensor(0, ms.int32),
    "second": lambda: Tensor(1, ms.int32),
    "last": lambda: Tensor(-1, ms.int32),
}


@case.table({key: (place,) for key, place in PLACES.items()})
def at_a_place(place):
    ms.set_context(mode=ms.GRAPH_MODE)
    return Switched()(place(), Tensor([[0.5]], ms.float32))


class Experts(nn.Cell):
    def __init__(self):
        super().__init__()
        self.experts = nn.CellList([nn.Dense(1, 1, w, "ones") for w in ("ones", "zeros")])

    def construct(self, place, x):
        experts = (self.experts[0], self.experts[1])
        return experts[place](x).sum()


@case
def gradient_at_a_place():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Experts()
    found = ms.grad(net, None, net.trainable_params())
    return [found(Tensor(i, ms.int32), Tensor([[0.5]], ms.float32)) for i in (0, 1)]
