"""What grad and value_and_grad return for every form of positions, weights, outputs and inputs."""

from collections import OrderedDict

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

from tests.parity.case import case


class Two(nn.Cell):
    """A cell of two inputs and two weights whose gradients all differ."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")
        self.b = Parameter(Tensor([0.5, -1.0], ms.float32), name="b")

    def construct(self, x, y):
        return x * x * self.w + y * self.b


class TwoWithAux(Two):
    """The same with two further outputs."""

    def construct(self, x, y):
        out = super().construct(x, y)
        return out.sum(), out * 10, y


def inputs():
    return Tensor([1.0, 2.0], ms.float32), Tensor([3.0, 5.0], ms.float32)


POSITIONS = {
    "None": None,
    "0": 0,
    "1": 1,
    "(0,)": (0,),
    "(1,)": (1,),
    "(0,1)": (0, 1),
    "(1,0)": (1, 0),
}
WEIGHTS = {
    "None": lambda net: None,
    "list": lambda net: [net.w, net.b],
    "tuple": lambda net: (net.w, net.b),
    "ParameterTuple": lambda net: ParameterTuple([net.w, net.b]),
    "reversed": lambda net: [net.b, net.w],
    "twice": lambda net: [net.w, net.b, net.w],
    "one": lambda net: [net.b],
    "bare": lambda net: net.w,
    "empty_list": lambda net: [],
    "empty_tuple": lambda net: (),
    "empty_ParameterTuple": lambda net: ParameterTuple([]),
    "trainable_params": lambda net: net.trainable_params(),
}
EVERY = {
    f"{position}-{weights}": (POSITIONS[position], WEIGHTS[weights])
    for position in POSITIONS
    for weights in WEIGHTS
    if (position, weights) != ("None", "None")
}
SOME = {
    key: row
    for key, row in EVERY.items()
    if key.split("-")[0] in ("None", "0", "(0,)", "(1,0)")
    and key.split("-")[1] in ("None", "list", "one", "bare", "empty_list")
}


@case.table(EVERY)
def grad(position, weights):
    net = Two()
    return ms.grad(net, position, weights(net))(*inputs())


@case.table(EVERY)
def value_and_grad(position, weights):
    net = Two()
    return ms.value_and_grad(net, position, weights(net))(*inputs())


@case.table(SOME)
def grad_aux(position, weights):
    net = TwoWithAux()
    return ms.grad(net, position, weights(net), has_aux=True)(*inputs())


@case.table(SOME)
def value_and_grad_aux(position, weights):
    net = TwoWithAux()
    return ms.value_and_grad(net, position, weights(net), has_aux=True)(*inputs())


@case.table(SOME)
def several_outputs_are_summed(position, weights):
    net = TwoWithAux()
    return ms.value_and_grad(net, position, weights(net))(*inputs())


@case
def same_names_under_ops():
    x, y = inputs()
    return ops.grad(Two())(x, y), ops.value_and_grad(Two(), (0, 1))(x, y)


@case
def name_of_the_returned_function():
    return ms.grad(Two()).__name__, ms.value_and_grad(Two()).__name__


OUTPUTS = {
    "tensor": (lambda a, b: a,),
    "tuple": (lambda a, b: (a, b),),
    "list": (lambda a, b: [a, b],),
    "dict": (lambda a, b: {"a": a, "b": b},),
    "one_tuple": (lambda a, b: (a,),),
    "one_list": (lambda a, b: [a],),
    "nested": (lambda a, b: (a, (b, [a, {"c": b}])),),
    "tuple_in_list": (lambda a, b: [(a,), b],),
    "with_float": (lambda a, b: (a, 2.5),),
    "with_int_none_text": (lambda a, b: (a, 3, None, "s", b),),
    "none": (lambda a, b: None,),
    "float": (lambda a, b: 2.5,),
    "int": (lambda a, b: 2,),
    "bool": (lambda a, b: True,),
    "text": (lambda a, b: "s",),
    "scalar": (lambda a, b: a.sum(),),
    "matrix": (lambda a, b: a.reshape(1, 2) * b.reshape(2, 1),),
    "same_twice": (lambda a, b: (a, a),),
    "input_itself": (lambda a, b: (a, Tensor([1.0, 1.0], ms.float32)),),
}


@case.table(OUTPUTS)
def output(form):
    x, y = inputs()
    return ms.value_and_grad(lambda x, y: form(x * x, x * y), (0, 1))(x, y)


AUX = {
    "one": (lambda a, b: (a, b),),
    "two": (lambda a, b: (a, b, a + b),),
    "nested": (lambda a, b: (a, (b, a)),),
    "nested_list": (lambda a, b: (a, [b, a]),),
    "dict": (lambda a, b: (a, {"b": b}),),
    "first_is_tuple": (lambda a, b: ((a, b), a),),
    "python_values": (lambda a, b: (a, b, 3, 2.5, None, "s", True),),
    "int_tensor": (lambda a, b: (a, Tensor([1, 2]), b > 1),),
    "same_object": (lambda a, b: (a, a),),
    "not_scalar": (lambda a, b: (a.reshape(2, 1), b.sum()),),
}


@case.table(AUX)
def aux(form):
    x, y = inputs()
    return ms.grad(lambda x, y: form(x * x, x * y), (0, 1), has_aux=True)(x, y)


@case.table(AUX)
def value_aux(form):
    x, y = inputs()
    return ms.value_and_grad(lambda x, y: form(x * x, x * y), 0, has_aux=True)(x, y)


ONE_INPUT = {
    "float": (lambda x: 3.0,),
    "int": (lambda x: 3,),
    "numpy": (lambda x: np.ones(2, np.float32),),
}


@case.table(ONE_INPUT)
def input_that_is_no_tensor(make):
    return ms.grad(lambda x: x * x)(make(Tensor([1.0])))


@case.table(ONE_INPUT)
def value_of_input_that_is_no_tensor(make):
    return ms.value_and_grad(lambda x: x * 3)(make(Tensor([1.0])))


@case.table({"tuple": (tuple,), "list": (list,)})
def input_in_a_sequence(kind):
    return ms.grad(lambda pair: pair[0] * pair[1])(kind(inputs()))


@case
def input_in_a_dict():
    return ms.grad(lambda d: d["a"] * d["a"])({"a": Tensor([1.0])})


SECOND = {
    "float": (3.0,),
    "int": (3,),
    "bool": (True,),
    "None": (None,),
    "text": ("s",),
    "tuple": ((1, 2),),
    "list": ([1, 2],),
    "dict": ({"a": 1},),
    "numpy": (np.ones(2, np.float32),),
}


@case.table(SECOND)
def second_position_dropped(value):
    return ms.grad(lambda x, y: x * x, 1)(Tensor([1.0]), value)


@case.table(SECOND)
def one_of_two_survives(value):
    return ms.grad(lambda x, y: x * x, (0, 1))(Tensor([1.0]), value)


@case.table(SECOND)
def first_of_two_survives_reversed(value):
    return ms.value_and_grad(lambda y, x: x * x, (1, 0))(value, Tensor([1.0]))


@case
def two_of_three_survive():
    return ms.grad(lambda x, k, y: x * y * k, (0, 1, 2))(Tensor([2.0]), 3.0, Tensor([5.0]))


@case
def all_of_two_dropped():
    return ms.grad(lambda x, y: Tensor([1.0]) * x, (0, 1))(3.0, 4)


@case
def dropped_beside_weights():
    net = Two()
    x, _ = inputs()
    return ms.grad(lambda x, y: x * net.w, 1, [net.w])(x, 3.0)


@case
def dropped_with_aux():
    x, _ = inputs()
    return ms.grad(lambda x, y: (x * x, x * y), 1, has_aux=True)(x, 3.0)


@case
def tensors_in_tuple_are_not_differentiated():
    x, y = inputs()
    return ms.grad(lambda p, y: p[0] * y, (0, 1))((x, x), y)


@case.table({"0": (0,), "1": (1,), "(0,1)": ((0, 1),), "(1,0)": ((1, 0),)})
def keyword_inputs(position):
    x, y = inputs()
    return ms.grad(lambda x, y: x * x * y, position)(x, y=y)


@case
def only_keyword_inputs():
    x, y = inputs()
    return ms.grad(lambda x, y: x * x * y, (0, 1))(x=x, y=y)


@case
def keyword_order_is_the_order_of_the_call():
    x, y = inputs()
    return ms.grad(lambda x, y: x * x * y, (0, 1))(y=y, x=x)


@case
def keyword_to_a_cell():
    x, y = inputs()
    return ms.value_and_grad(Two(), 0)(x, y=y)


@case
def default_of_the_function():
    return ms.value_and_grad(lambda x, k=3.0: x * k)(Tensor([2.0]))


@case
def variable_arguments():
    x, y = inputs()
    return ms.grad(lambda *args: args[0] * args[1], (0, 1))(x, y)


@case
def variable_keywords():
    x, y = inputs()
    return ms.grad(lambda x, **more: x * more["y"], (0, 1))(x, y=y)


@case
def no_input_only_weights():
    net = Two()
    return ms.value_and_grad(lambda: net.w * net.w * net.b, None, [net.w, net.b])()


@case
def weights_in_a_nested_cell():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    for i, p in enumerate(net.get_parameters()):
        p.set_data(Tensor(np.full(p.shape, i + 1.0, np.float32)))
    x = Tensor([[1.0, 2.0]], ms.float32)
    return ms.value_and_grad(net, None, net.trainable_params())(x)


@case
def gradients_are_no_parameters():
    net = Two()
    (gw,) = ms.grad(net, None, [net.w])(*inputs())
    return isinstance(gw, Parameter), isinstance(gw, Tensor), type(gw).__name__


@case
def ordered_dict_output():
    x, _ = inputs()
    return ms.value_and_grad(lambda x: OrderedDict(a=x * x))(x)


@case
def the_same_function_called_again():
    after = ms.grad(lambda x: x * x)
    return after(Tensor([1.0])), after(Tensor([2.0, 3.0])), after(Tensor(4))


@case
def as_method():
    net = Two()
    return ms.grad(net.construct, (0, 1), [net.w])(*inputs())


@case
def decorated():
    @ms.grad
    def derivative(x):
        return x**3

    return derivative(Tensor([2.0]))


class Alone(Two):
    """Without inputs."""

    def construct(self):
        return self.w * self.w


NO_INPUTS = {
    "position": lambda net: ms.grad(net, 0),
    "second_position": lambda net: ms.grad(net, 1),
    "positions": lambda net: ms.grad(net, (0, 1)),
    "no_positions": lambda net: ms.grad(net, ()),
    "weight": lambda net: ms.grad(net, 0, net.w),
    "weights": lambda net: ms.grad(net, 0, [net.w, net.b]),
    "value": lambda net: ms.value_and_grad(net, 0),
    "value_weights": lambda net: ms.value_and_grad(net, 0, [net.w]),
    "aux": lambda net: ms.grad(lambda: (net(), net.w + 1), 0, has_aux=True),
    "ids": lambda net: ms.grad(net, 0, return_ids=True),
    "left_to_its_default": lambda net: ms.grad(lambda x=None: net(), 0),
    "GradOperation": lambda net: ops.GradOperation()(net),
}


@case.table({name: (make,) for name, make in NO_INPUTS.items()})
def no_inputs(make):
    return make(Alone())()
