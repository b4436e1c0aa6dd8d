"""``copy``, ``deepcopy`` and ``pickle`` of what holds operators."""

import copy
import functools
import pickle

import mindspore as ms
from mindspore import Tensor, nn, ops

from tests.parity.case import case


def pickled(value):
    return pickle.loads(pickle.dumps(value))


def x():
    return Tensor([1.0, -2.0], ms.float32)


WAYS = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": pickled}

FUNCTIONS = {
    "relu": lambda: ops.relu,
    "add": lambda: ops.add,
    "concat": lambda: ops.concat,
    "matmul": lambda: ops.matmul,
    "cast": lambda: ops.cast,
    "reduce": lambda: ops.sum,
    "function": lambda: ops.interpolate,
    "method": lambda: Tensor.abs,
    "other_method": lambda: Tensor.sum,
    "class": lambda: ops.ReLU,
}


@case.table({f"{w}-{n}": (way, make) for w, way in WAYS.items() for n, make in FUNCTIONS.items()})
def functions(way, make):
    return way(make()) is make()


@case.table({name: (way,) for name, way in WAYS.items()})
def containers(way):
    listed = way([ops.relu, {"a": ops.tanh}])
    partial = way(ops.partial(ops.add, x()))
    keywords = way(functools.partial(ops.concat, axis=0))
    return (
        listed[0] is ops.relu,
        listed[1]["a"] is ops.tanh,
        partial(x()),
        keywords([x(), x()]),
        way(x().abs)(),
    )


PRIMITIVES = {
    "ReLU": (lambda: ops.ReLU(), 1),
    "ReduceSum": (lambda: ops.ReduceSum(keep_dims=True), 1),
    "Add": (lambda: ops.Add(), 2),
    "Softmax": (lambda: ops.Softmax(0), 1),
    "Cast": (lambda: ops.Cast(), 0),
}


@case.table(PRIMITIVES)
def deepcopied_primitives(make, count):
    one = make()
    other = copy.deepcopy(one)
    args = [x()] * count if count else [x(), ms.float16]
    return other is one, type(other) is type(one), other.name, other(*args)


class Holder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.primitive = ops.ReLU()
        self.act = ops.relu
        self.functions = [ops.tanh, ops.sigmoid]
        self.table = {"sum": ops.ReduceSum()}
        self.kind = ms.float16
        self.dense = nn.ReLU()

    def construct(self, a):
        return self.table["sum"](self.act(self.primitive(a)) + self.dense(a))


@case
def deepcopied_cell():
    net = Holder()
    other = copy.deepcopy(net)
    return (
        other.act is net.act,
        other.functions[0] is net.functions[0],
        other.primitive is net.primitive,
        other.table["sum"] is net.table["sum"],
        other.dense is net.dense,
        str(other.kind) == str(net.kind),
        other(x()),
        ms.grad(other)(x()),
    )


@case
def copied_cell():
    net = Holder()
    other = copy.copy(net)
    return other.act is net.act, other.primitive is net.primitive, other(x())
