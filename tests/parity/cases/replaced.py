"""What is replaced in a Cell between two calls, in PYNATIVE and in GRAPH_MODE."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.parity.case import case


def dense(value):
    return nn.Dense(2, 2, weight_init=Tensor(np.full((2, 2), value, np.float32)), has_bias=False)


def vector(value):
    return Tensor(np.full(2, value, np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.parts = nn.CellList([dense(1.0), dense(2.0)])
        self.named = nn.CellDict({"a": dense(1.0)})
        self.chain = nn.SequentialCell(dense(1.0), dense(2.0))
        self.head = dense(1.0)
        self.w = Parameter(vector(1.0), name="w")
        self.t = vector(1.0)
        self.k = 2
        self.pair = (1, 2)
        self.some = [1, 2]

    def construct(self, x):
        for part in self.parts:
            x = part(x)
        for part in self.named.values():
            x = part(x)
        return self.head(self.chain(x)) * self.w * self.t * self.k * self.pair[0] * self.some[0]


class Outer(nn.Cell):
    """Reaches into a Cell that it does not call."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x):
        for part in self.net.parts:
            x = part(x)
        return self.net.head(x) * self.net.w * self.net.k


CHANGES = {
    "append": (lambda n: n.parts.append(dense(3.0)),),
    "set": (lambda n: n.parts.__setitem__(0, dense(5.0)),),
    "del": (lambda n: n.parts.__delitem__(0),),
    "insert": (lambda n: n.parts.insert(0, dense(3.0)),),
    "extend": (lambda n: n.parts.extend([dense(3.0)]),),
    "dict_set": (lambda n: n.named.__setitem__("a", dense(3.0)),),
    "dict_new": (lambda n: n.named.__setitem__("b", dense(3.0)),),
    "dict_del": (lambda n: n.named.__delitem__("a"),),
    "chain_append": (lambda n: n.chain.append(dense(3.0)),),
    "chain_set": (lambda n: n.chain.__setitem__(0, dense(3.0)),),
    "cell": (lambda n: setattr(n, "head", dense(7.0)),),
    "insert_child_to_cell": (lambda n: n.insert_child_to_cell("head", dense(7.0)),),
    "parameter": (lambda n: setattr(n, "w", Parameter(vector(9.0), name="w")),),
    "set_data": (lambda n: n.w.set_data(vector(9.0)),),
    "tensor": (lambda n: setattr(n, "t", vector(4.0)),),
    "number": (lambda n: setattr(n, "k", 5),),
    "tuple": (lambda n: setattr(n, "pair", (5, 2)),),
    "list": (lambda n: setattr(n, "some", [5, 2]),),
    "list_in_place": (lambda n: n.some.__setitem__(0, 5),),
}


def around(net, call, change):
    x = Tensor(np.ones((1, 2), np.float32))
    before = call(x)
    change(net)
    return before, call(x), call(x)


@case.table(CHANGES)
def seen_when_run_operator_by_operator(change):
    net = Net()
    return around(net, net, change)


@case.table(CHANGES)
def seen_in_graph_mode(change):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    return around(net, net, change)


@case.table({key: CHANGES[key] for key in ("append", "set", "del", "cell", "parameter", "number")})
def seen_where_the_owner_is_not_called(change):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    return around(net, Outer(net), change)
