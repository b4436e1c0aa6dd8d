"""return_ids, get_grad and sens_param of grad and value_and_grad; every form of GradOperation."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

from tests.parity.case import case
from tests.parity.cases.grad_structure import Two, inputs


def square(x):
    return x * x


FORMS = {
    "0": (0, lambda net: None),
    "1": (1, lambda net: None),
    "(0,)": ((0,), lambda net: None),
    "(0,1)": ((0, 1), lambda net: None),
    "(1,0)": ((1, 0), lambda net: None),
    "weights": (None, lambda net: [net.w, net.b]),
    "weights_reversed": (None, lambda net: (net.b, net.w)),
    "one_weight": (None, lambda net: [net.b]),
    "bare": (None, lambda net: net.w),
    "empty": (None, lambda net: []),
    "both": ((0, 1), lambda net: ParameterTuple([net.w, net.b])),
    "0_and_weights": (0, lambda net: [net.w, net.b]),
    "0_and_one": (0, lambda net: [net.w]),
    "0_and_bare": (0, lambda net: net.w),
    "(0,1)_and_bare": ((0, 1), lambda net: net.w),
    "0_and_empty": (0, lambda net: []),
}


@case.table(FORMS)
def ids(position, weights):
    net = Two()
    return ms.grad(net, position, weights(net), return_ids=True)(*inputs())


@case.table(FORMS)
def ids_beside_the_value(position, weights):
    net = Two()
    return ms.value_and_grad(net, position, weights(net), return_ids=True)(*inputs())


@case
def ids_with_aux():
    net = Two()
    fn = ms.grad(lambda x, y: (net(x, y), x), (0, 1), [net.w], has_aux=True, return_ids=True)
    return fn(*inputs())


@case
def ids_of_dropped_inputs():
    return ms.grad(square, return_ids=True)(3.0)


@case
def ids_of_an_unnamed_parameter_in_a_dense():
    net = nn.Dense(2, 1, weight_init="ones")
    return ms.grad(net, None, net.trainable_params(), return_ids=True)(Tensor([[1.0, 2.0]]))


GOT = {
    "position_0": (lambda net: 0,),
    "position_1": (lambda net: 1,),
    "parameter": (lambda net: net.b,),
    "missing_position": (lambda net: 5,),
    "foreign_parameter": (lambda net: Parameter(Tensor([1.0]), name="foreign"),),
    "name": (lambda net: "w",),
    "None": (lambda net: None,),
    "float": (lambda net: 0.0,),
}


@case.table(GOT)
def get_grad(identifier):
    net = Two()
    grads = ms.grad(net, (0, 1), [net.w, net.b], return_ids=True)(*inputs())
    return ms.get_grad(grads, identifier(net))


@case.table(
    {
        "0": (0, lambda net: None, lambda net: 0),
        "weight": (None, lambda net: [net.w, net.b], lambda net: net.b),
        "bare": (None, lambda net: net.w, lambda net: net.w),
        "both": (0, lambda net: [net.w], lambda net: net.w),
        "both_position": (0, lambda net: [net.w], lambda net: 0),
    }
)
def get_grad_of(position, weights, identifier):
    net = Two()
    grads = ms.grad(net, position, weights(net), return_ids=True)(*inputs())
    return ms.get_grad(grads, identifier(net))


@case
def get_grad_without_ids():
    net = Two()
    return ms.get_grad(ms.grad(net, (0, 1))(*inputs()), 0)


@case(message=True)
def get_grad_missing_text():
    grads = ms.grad(Two(), (0, 1), return_ids=True)(*inputs())
    return ms.get_grad(grads, 5)


@case
def get_grad_under_ops():
    grads = ops.grad(Two(), (0, 1), return_ids=True)(*inputs())
    return ops.get_grad(grads, 1)


# sens_param


def sens():
    return Tensor([10.0, 100.0], ms.float32)


@case.table(FORMS)
def weighted(position, weights):
    net = Two()
    return ms.grad(net, position, weights(net), sens_param=True)(*inputs(), sens())


@case
def weighted_value():
    return ms.value_and_grad(Two(), (0, 1), sens_param=True)(*inputs(), sens())


@case
def weighted_outputs():
    x, y = inputs()
    return ms.grad(lambda x, y: (x * y, x + y), (0, 1), sens_param=True)(x, y, (sens(), y))


@case
def weighted_with_aux():
    x, _ = inputs()
    return ms.grad(lambda x: (x * x, x * 3), has_aux=True, sens_param=True)(x, (sens(), sens()))


SENS = {
    "missing": (lambda: (),),
    "number": (lambda: (2.0,),),
    "shape": (lambda: (Tensor([1.0, 2.0, 3.0], ms.float32),),),
    "int": (lambda: (Tensor([1, 2]),),),
    "scalar": (lambda: (Tensor(2.0),),),
    "half": (lambda: (Tensor([1.0, 2.0], ms.float16),),),
    "tuple_of_one": (lambda: ((sens(),),),),
    "parameter": (lambda: (Parameter(sens(), name="s"),),),
}


@case.table(SENS)
def sens_given_as(make):
    return ms.grad(square, sens_param=True)(inputs()[0], *make())


@case
def sens_by_keyword():
    return ms.grad(square, sens_param=True)(inputs()[0], sens=sens())


# GradOperation

FLAGS = {
    f"{'all' if every else 'first'}-{'list' if by_list else 'inputs'}": (every, by_list)
    for every in (False, True)
    for by_list in (False, True)
}


@case.table(FLAGS)
def grad_operation(every, by_list):
    net = Two()
    operation = ops.GradOperation(get_all=every, get_by_list=by_list)
    return operation(net, ParameterTuple([net.w, net.b]))(*inputs())


@case.table(FLAGS)
def grad_operation_without_weights(every, by_list):
    return ops.GradOperation(get_all=every, get_by_list=by_list)(Two())(*inputs())


@case.table(FLAGS)
def grad_operation_bare_weight(every, by_list):
    net = Two()
    return ops.GradOperation(get_all=every, get_by_list=by_list)(net, net.b)(*inputs())


@case.table(FLAGS)
def grad_operation_no_weights(every, by_list):
    return ops.GradOperation(get_all=every, get_by_list=by_list)(Two(), [])(*inputs())


@case.table(FLAGS)
def grad_operation_weighted(every, by_list):
    net = Two()
    operation = ops.GradOperation(get_all=every, get_by_list=by_list, sens_param=True)
    return operation(net, net.trainable_params())(*inputs(), sens())


@case
def grad_operation_weighted_by_keyword():
    return ops.GradOperation(get_all=True, sens_param=True)(Two())(*inputs(), sens=sens())


@case.table({"True": (True,), "False": (False,)})
def grad_operation_one_input(every):
    return ops.GradOperation(get_all=every)(square)(inputs()[0])


@case.table({"number": (lambda a: (3.0,),), "mixed": (lambda a: (a, 3.0, a + 1),)})
def grad_operation_drops(make):
    def fn(*args):
        return sum(arg * arg for arg in args)

    return ops.GradOperation(get_all=True)(fn)(*make(inputs()[0]))


@case.table({"get_all": ("get_all",), "get_by_list": ("get_by_list",), "sens": ("sens_param",)})
def grad_operation_flag(name):
    return ops.GradOperation(**{name: 1})


@case
def grad_operation_outputs_are_summed():
    x, y = inputs()
    return ops.GradOperation(get_all=True)(lambda x, y: (x * y, x))(x, y)


@case
def grad_operation_in_a_cell():
    class GradNet(nn.Cell):
        def __init__(self, net):
            super().__init__()
            self.net = net
            self.weights = ParameterTuple(net.trainable_params())
            self.operation = ops.GradOperation(get_by_list=True)

        def construct(self, x, y):
            return self.operation(self.net, self.weights)(x, y)

    return GradNet(Two())(*inputs())


@case
def grad_operation_subclassed():
    class Everything(ops.GradOperation):
        def __init__(self):
            super().__init__(get_all=True)

    return Everything()(Two())(*inputs())


SENS_OF_A_SCALAR = {
    "one": lambda: Tensor([2.0]),
    "two": lambda: Tensor([1.0, 2.0]),
    "matrix": lambda: ops.ones((2, 3), ms.float32),
    "float16": lambda: Tensor([1.0, 2.0], ms.float16),
    "float16_number": lambda: Tensor(2.0, ms.float16),
    "int64": lambda: Tensor([2]),
}


def _sum_of_squares(x):
    return (x * x).sum()


@case.table({name: (make,) for name, make in SENS_OF_A_SCALAR.items()})
def sens_of_an_output_without_dimensions(make):
    return (
        ms.grad(_sum_of_squares, sens_param=True)(inputs()[0], make()),
        ops.GradOperation(sens_param=True)(square)(Tensor(3.0), make()),
        ms.vjp(_sum_of_squares, inputs()[0])[1](make()),
    )


COMPILED_SENS = {
    "number_for_one": ((1,), lambda: Tensor(2.0)),
    "number_for_one_of_two_dimensions": ((1, 1), lambda: Tensor(2.0)),
    "number_for_several": ((2, 3), lambda: Tensor(2.0)),
    "one_for_several": ((2, 3), lambda: Tensor([2.0])),
    "one_for_one": ((1,), lambda: Tensor([[2.0]])),
    "its_own": ((2, 3), lambda: Tensor(np.arange(6.0).reshape(2, 3), ms.float32)),
    "too_many_for_one": ((1,), lambda: Tensor([1.0, 2.0])),
}


@case.table(COMPILED_SENS)
def sens_of_another_shape_compiled(shape, make):
    x = Tensor(np.linspace(0.5, 2, int(np.prod(shape))).reshape(shape), ms.float32)

    @ms.jit
    def gradient(x, sens):
        return ops.GradOperation(sens_param=True)(square)(x, sens)

    return gradient(x, make())
