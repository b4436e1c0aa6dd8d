"""Gradient functions made anew, in GRAPH_MODE too, after something around them has changed."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

NUMBER, TENSOR, ARRAY, LIST, DICT = 2.0, Tensor(2.0), np.array(2.0, np.float32), [2.0], {"k": 2.0}


class Holder:
    k = 2.0


HOLDER = Holder()


def by_five(x):
    return x * 5


def by_seven(x):
    return x * 7


CALLED = by_five


class Net(nn.Cell):
    def construct(self, x):
        return x * NUMBER


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def construct(self, x):
        return self.net(x)


NET, INNER = Net(), Outer()
DENSE = nn.Dense(2, 1, weight_init="ones")


def of_number(x):
    return x * NUMBER


def through(x):
    return of_number(x) + 1


def of_tensor(x):
    return x * TENSOR


def of_array(x):
    return x * Tensor(ARRAY)


def of_list(x):
    return x * LIST[0]


def of_dict(x):
    return x * DICT["k"]


def of_object(x):
    return x * HOLDER.k


def of_function(x):
    return CALLED(x)


def of_net(x):
    return NET(x).sum()


def of_inner(x):
    return INNER(x).sum()


def of_dense(x):
    return DENSE(x).sum()


def set_number(value):
    global NUMBER
    NUMBER = value


def set_tensor(value):
    global TENSOR
    TENSOR = Tensor(value)


def set_array(value):
    global ARRAY
    ARRAY = np.array(value, np.float32)


def set_in_array(value):
    ARRAY[...] = value


def set_list(value):
    LIST[0] = value


def new_list(value):
    global LIST
    LIST = [value]


def set_dict(value):
    DICT["k"] = value


def set_object(value):
    HOLDER.k = value


def set_function(value):
    global CALLED
    CALLED = by_five if value == 2 else by_seven


def set_dense(value):
    global DENSE
    DENSE = nn.Dense(2, 1, weight_init=Tensor([[value, value]]))


def x():
    return Tensor([1.0, 2.0])


CHANGES = {
    "number": (of_number, set_number),
    "through": (through, set_number),
    "tensor": (of_tensor, set_tensor),
    "array": (of_array, set_array),
    "in_array": (of_array, set_in_array),
    "list": (of_list, set_list),
    "new_list": (of_list, new_list),
    "dict": (of_dict, set_dict),
    "object": (of_object, set_object),
    "function": (of_function, set_function),
    "in_a_cell": (of_net, set_number),
    "in_an_inner_cell": (of_inner, set_number),
    "network": (of_dense, set_dense),
}


@case.table(CHANGES)
def made_anew(function, change):
    found = []
    for value in (2.0, 3.0, 2.0):
        change(value)
        found.append(ms.grad(function)(x()))
    return found


@case
def of_a_variable_around():
    k = 2.0

    def function(x):
        return x * k

    found = [ms.grad(function)(x())]
    k = 3.0
    return found, ms.grad(function)(x())


@case.table(
    {
        "value_and_grad": (lambda: ms.value_and_grad(of_number)(x()),),
        "GradOperation": (lambda: ops.GradOperation(sens_param=True)(of_number)(x(), x()),),
        "jacfwd": (lambda: ms.jacfwd(of_number)(x()),),
        "jacrev": (lambda: ms.jacrev(of_number)(x()),),
        "vjp": (lambda: ms.vjp(of_number, x())[1](x()),),
        "cell": (lambda: ms.grad(NET)(x()),),
        "inner_cell": (lambda: ms.grad(INNER)(x()),),
    }
)
def other_transforms(call):
    found = []
    for value in (2.0, 3.0):
        set_number(value)
        found.append(call())
    return found


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(Tensor([2.0]), name="weight")

    def construct(self, x):
        return (self.weight * x * NUMBER).sum()


@case.table({"list": (list,), "tuple": (tuple,), "parameters": (ms.ParameterTuple,)})
def kept(kind):
    """What has changed around a function, a gradient function made before does not see."""
    set_number(2.0)
    net = Scaled()
    ms.set_context(mode=ms.GRAPH_MODE)
    gradient = ms.grad(net, None, kind([net.weight]))
    first = gradient(Tensor([3.0]))
    set_number(5.0)
    return first, gradient(Tensor([3.0])), ms.grad(net, None, kind([net.weight]))(Tensor([3.0]))
