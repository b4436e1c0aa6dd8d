"""Cell: names, iteration, representation, registration and its errors, modes, state, hooks."""

import abc
import copy

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


class Leaf(nn.Cell):
    def __init__(self, value=2.0, name="w"):
        super().__init__()
        self.w = Parameter(Tensor([value], ms.float32), name=name)

    def construct(self, x):
        return x * self.w


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.own = Parameter(Tensor([1.0], ms.float32), name="named")
        self.a = Leaf(2.0)
        self.b = Leaf(3.0)
        self.inner = nn.SequentialCell(Leaf(5.0), nn.ReLU())
        self.last = Parameter(Tensor([4.0], ms.float32), requires_grad=False)

    def construct(self, x):
        return self.inner(self.b(self.a(x))) + self.own + self.last


def names(cell):
    return [(path, p.name) for path, p in cell.parameters_and_names()]


QUESTIONS = {
    "repr": (lambda n: repr(n),),
    "str": (lambda n: str(n),),
    "parameters_and_names": (names,),
    "parameters_of_its_own": (lambda n: [p for _, p in n.parameters_and_names(expand=False)],),
    "name_prefix": (lambda n: [path for path, _ in n.parameters_and_names("pre")],),
    "get_parameters": (lambda n: list(n.get_parameters()),),
    "get_own_parameters": (lambda n: list(n.get_parameters(expand=False)),),
    "trainable": (lambda n: n.trainable_params(),),
    "trainable_own": (lambda n: n.trainable_params(recurse=False),),
    "untrainable": (lambda n: n.untrainable_params(),),
    "parameters_dict": (lambda n: n.parameters_dict(),),
    "parameters_dict_own": (lambda n: n.parameters_dict(recurse=False),),
    "cells_and_names": (lambda n: [(path, repr(c)) for path, c in n.cells_and_names()],),
    "cells": (lambda n: [repr(c) for c in n.cells()],),
    "name_cells": (lambda n: [(k, repr(c)) for k, c in n.name_cells().items()],),
    "check_names": (lambda n: n.check_names(),),
    "cls_name": (lambda n: n.cls_name,),
    "param_prefix": (lambda n: n.param_prefix,),
    "call": (lambda n: n(x()),),
    "construct": (lambda n: n.construct(x()),),
    "training": (lambda n: (n.training, n.phase, n.requires_grad),),
    "kept_phase": (lambda n: (n._phase, n.set_train(False)._phase),),
    "state_dict": (lambda n: n.state_dict(),),
    "state_dict_prefix": (lambda n: list(n.state_dict(prefix="pre.")),),
    "truth": (lambda n: bool(n),),
    "get_flags": (lambda n: n.add_flags(a=1, b=True).get_flags()["a"],),
    "flag_is_an_attribute": (lambda n: n.add_flags(a=1).a,),
    "set_grad": (lambda n: (n.set_grad() is n, n.requires_grad, n.a.requires_grad),),
    "deepcopy": (lambda n: names(copy.deepcopy(n)),),
    "get_inputs": (lambda n: n.get_inputs(),),
}


@case.table(QUESTIONS)
def ask(question):
    return question(Net())


@case.table(
    {
        "True": (True,),
        "False": (False,),
        "1": (1,),
    }
)
def set_train(mode):
    net = Net()
    given = net.set_train(mode)
    modes = [(c.training, c.phase) for _, c in net.cells_and_names()]
    return given is net, [bool(training) for training, _ in modes], modes[0][1]


def attach(change):
    net = Net()
    change(net)
    return repr(net), names(net)


def put(name, value):
    return lambda net: setattr(net, name, value())


ATTACHED = {
    "shared": (lambda n: setattr(n, "again", n.a),),
    "replaced_cell": (put("a", lambda: Leaf(7.0)),),
    "cell_by_None": (put("a", lambda: None),),
    "cell_by_int": (put("a", lambda: 3),),
    "parameter_by_tensor": (put("own", lambda: Tensor([9.0], ms.float32)),),
    "parameter_by_parameter": (put("own", lambda: Parameter(Tensor([9.0]), name="p")),),
    "parameter_by_unnamed": (put("own", lambda: Parameter(Tensor([9.0]))),),
    "parameter_by_int": (put("own", lambda: 3),),
    "parameter_by_None": (put("own", lambda: None),),
    "list_of_cells": (put("cells_list", lambda: [Leaf(7.0)]),),
    "dict_of_cells": (put("cells_dict", lambda: {"a": Leaf(7.0)}),),
    "list_of_parameters": (put("many", lambda: [Parameter(Tensor([1.0]), name="p")]),),
    "parameter_tuple": (
        put("many", lambda: ParameterTuple([Parameter(Tensor([1.0]), name="p.q")])),
    ),
    "tensor": (put("plain", lambda: Tensor([1.0])),),
    "deleted_cell": (lambda n: delattr(n, "a"),),
    "deleted_parameter": (lambda n: delattr(n, "own"),),
    "deleted_nothing": (lambda n: delattr(n, "nothing"),),
    "insert_param": (lambda n: n.insert_param_to_cell("p", Parameter(Tensor([1.0]), name="q")),),
    "insert_unnamed": (lambda n: n.insert_param_to_cell("p", Parameter(Tensor([1.0]))),),
    "insert_None": (lambda n: n.insert_param_to_cell("p", None),),
    "insert_dot": (lambda n: n.insert_param_to_cell("a.p", Parameter(Tensor([1.0]), name="q")),),
    "insert_int": (lambda n: n.insert_param_to_cell("p", 3),),
    "insert_child": (lambda n: n.insert_child_to_cell("child", Leaf(7.0)),),
    "insert_child_int": (lambda n: n.insert_child_to_cell("child", 3),),
    "rename": (lambda n: n.update_parameters_name("pre."),),
    "rename_twice": (lambda n: (n.update_parameters_name("a."), n.update_parameters_name("b.")),),
    "missing": (lambda n: n.nothing,),
}


@case.table(ATTACHED, message=True)
def attached(change):
    return attach(change)


@case
def layer_replaced_by_an_operator():
    class Active(nn.Cell):
        def __init__(self):
            super().__init__()
            self.act = nn.Tanh()

        def construct(self, value):
            return self.act(value)

    net = Active()
    net.act = ops.ReLU()
    return net(Tensor([-1.0, 2.0])), type(net.act).__name__


@case
def without_prefix():
    class Plain(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.a = Leaf()

    inner = Plain()
    before = names(inner)
    return before, names(nn.SequentialCell(inner))


@case
def attached_without_init():
    class Broken(nn.Cell):
        def __init__(self):
            self.w = Parameter(Tensor([1.0]), name="w")

    return Broken()


@case
def cell_attached_without_init():
    class Broken(nn.Cell):
        def __init__(self):
            self.a = Leaf()

    return Broken()


@case.table(
    {
        "no_construct": (lambda: nn.Cell()(x()),),
        "no_input": (lambda: Leaf()(),),
        "too_many": (lambda: Leaf()(x(), x()),),
        "keyword": (lambda: Leaf()(x=x()),),
        "unknown_keyword": (lambda: Leaf()(y=x()),),
        "missing_attribute": (lambda: Leaf().nothing,),
    },
    message=True,
)
def call(action):
    return action()


@case.table({"int": (3,), "str": ("a",), "None": (None,), "list": ([1, 2],), "dict": ({"a": 1},)})
def passes_through(value):
    class Same(nn.Cell):
        def construct(self, value):
            return value

    return Same()(value)


@case
def assignment_in_construct():
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor([0.0], ms.float32), name="count")

        def construct(self, x):
            self.count += 1
            return x * self.count

    net = Counting()
    return net(x()), net(x()), net.count


@case.table(
    {
        "float16": (lambda: ms.float16,),
        "float32": (lambda: ms.float32,),
        "str": (lambda: "float16",),
        "int32": (lambda: ms.int32,),
        "float64": (lambda: ms.float64,),
    }
)
def to_float(dtype):
    net = Net()
    given = net.to_float(dtype())
    return given is net, net(x()), [p.dtype for p in net.get_parameters()]


@case
def load_state_dict():
    net, other = Net(), Net()
    for p in other.get_parameters():
        p.set_data(p + 10.0)
    report = net.load_state_dict(other.state_dict())
    return list(net.get_parameters()), [list(part) for part in report]


@case.table({"strict": (True,), "loose": (False,)})
def load_part_of_a_state_dict(strict):
    net = Net()
    report = net.load_state_dict({"a.w": Tensor([9.0], ms.float32), "z": Tensor([1.0])}, strict)
    return net.a.w, [list(part) for part in report]


@case
def buffers():
    net = Leaf()
    net.register_buffer("running", Tensor([1.0, 2.0], ms.float32))
    net.register_buffer("hidden", Tensor([3.0]), persistent=False)
    found = [(name, b) for name, b in net.named_buffers()]
    return found, list(net.state_dict()), net.running, names(net)


@case.table(
    {
        "int_name": (lambda n: n.register_buffer(3, x()),),
        "dot": (lambda n: n.register_buffer("a.b", x()),),
        "empty": (lambda n: n.register_buffer("", x()),),
        "taken": (lambda n: n.register_buffer("w", x()),),
        "int": (lambda n: n.register_buffer("b", 3),),
    }
)
def buffer_errors(register):
    return register(Leaf())


@case
def apply_goes_bottom_up():
    seen = []
    Net().apply(lambda cell: seen.append(type(cell).__name__))
    return seen


@case
def forward_hooks():
    net, seen = Leaf(), []

    def before(cell, inputs):
        seen.append(("before", len(inputs)))
        return (inputs[0] + 1.0,)

    def after(cell, inputs, output):
        seen.append(("after", inputs[0], output))
        return output * 10.0

    handles = net.register_forward_pre_hook(before), net.register_forward_hook(after)
    hooked = net(x())
    for handle in handles:
        handle.remove()
    return hooked, net(x()), seen


@case.table({"int": (3,), "None": (None,)})
def hook_errors(hook):
    return Leaf().register_forward_hook(hook)


@case
def extended_repr():
    class Shown(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Leaf()

        def extend_repr(self):
            return "size=3"

    class Alone(nn.Cell):
        def extend_repr(self):
            return "size=3"

    return repr(Shown()), repr(Alone()), repr(nn.SequentialCell(Shown(), Alone()))


@case
def own_representations():
    class Represented(nn.Cell):
        def __repr__(self):
            return "mine"

    class Printed(nn.Cell):
        def __str__(self):
            return "mine"

    cells = [Represented(), Printed()]
    return [(repr(c), str(c), f"{c}") for c in cells], str(nn.SequentialCell(*cells))


@case
def gradients_of_a_net():
    net = Net()
    return ms.value_and_grad(net, 0, net.trainable_params())(x())


@case
def cell_with_a_length():
    class Empty(nn.Cell):
        def __len__(self):
            return 0

    return bool(Empty())


@case
def equal_and_hashable():
    net = Leaf()
    return net == net, net == Leaf(), len({net, net})


@case
def numpy_attribute_stays():
    net = Leaf()
    net.values = np.arange(3)
    net.number = 3
    return net.values, net.number


class NamedAsMethods(nn.Cell):
    """Children and a Parameter whose names methods of other libraries' modules have."""

    def __init__(self):
        super().__init__()
        self.train = nn.Dense(2, 2, weight_init="ones", bias_init="ones")
        self.eval = nn.ReLU()
        self.perturb = nn.CellList([nn.ReLU()])
        self.sow = Parameter(x(), name="sow")
        self.iter_modules = 2

    def construct(self, x):
        return self.perturb[0](self.eval(self.train(x))) * self.sow * self.iter_modules


@case
def children_named_as_methods():
    cell = NamedAsMethods()
    grads = ms.grad(cell, 0, cell.trainable_params())(x())
    return cell(x()), grads, [name for name, _ in cell.cells_and_names()]


@case
def no_methods_of_other_libraries():
    return [hasattr(nn.ReLU(), name) for name in ("train", "eval", "perturb", "sow")]


@case
def evaluation_by_another_name():
    return nn.ReLU().eval()


@case
def virtual_subclass():
    class Step(nn.Cell, metaclass=abc.ABCMeta):
        @abc.abstractmethod
        def forward(self): ...

    class Other:
        pass

    before = isinstance(Other(), Step), isinstance(Other(), nn.Cell)
    Step.register(Other)
    return before, isinstance(Other(), Step), issubclass(Other, Step), isinstance(Leaf(), Step)
