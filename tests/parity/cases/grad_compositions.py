"""Gradient transforms of one another, frozen Parameters, weights in dicts, compiled and not."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, amp, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 3.0], ms.float32)


def parameter(name="w", requires_grad=True):
    return Parameter(Tensor([2.0, 5.0], ms.float32), name=name, requires_grad=requires_grad)


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = parameter()
        self.frozen = parameter("frozen", requires_grad=False)

    def construct(self, x):
        return (x * x * self.w * self.frozen).sum()


def cube(x):
    return x * x * x


def in_graph_mode(function, *args):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return function(*args)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def weights_of(net):
    return {"a": net.w, "b": [net.frozen]}


def along(function):
    return ms.jvp(function, x(), Tensor([1.0, 2.0]))


WITH_WEIGHTS = {
    "grad": (lambda net, weights: ms.grad(net, None, weights)(x()),),
    "with_input": (lambda net, weights: ms.grad(net, 0, weights)(x()),),
    "value": (lambda net, weights: ms.value_and_grad(net, None, weights)(x()),),
    "operation": (lambda net, weights: ops.GradOperation(get_by_list=True)(net, weights)(x()),),
    "vjp": (lambda net, weights: ms.vjp(net, x(), weights=weights)[1](Tensor(2.0)),),
}


@case.table(WITH_WEIGHTS)
def weights_in_a_dict(run):
    net = Weighted()
    return in_graph_mode(run, net, weights_of(net))


@case.table({"grad": WITH_WEIGHTS["grad"], "vjp": WITH_WEIGHTS["vjp"]})
def weights_in_a_dict_eagerly(run):
    net = Weighted()
    return run(net, weights_of(net))


@case.table(WITH_WEIGHTS)
def frozen_weights(run):
    net = Weighted()
    weights = (net.frozen, net.w)
    return run(net, weights), in_graph_mode(run, net, weights)


@case
def frozen_weights_of_a_jitted_function():
    net = Weighted()
    gradient = ms.grad(net, None, net.frozen)
    return ms.jit(gradient)(x()), gradient(x())


@case.table(
    {
        "grad": (lambda p: ms.grad(cube)(p),),
        "jacfwd": (lambda p: ms.jacfwd(cube)(p),),
        "jacrev": (lambda p: ms.jacrev(cube)(p),),
        "jvp": (lambda p: ms.jvp(cube, p, Tensor([1.0, 2.0])),),
    }
)
def frozen_parameter_as_input(run):
    frozen = parameter("frozen", requires_grad=False)
    return run(frozen), in_graph_mode(run, frozen)


def to_int(x):
    return (x.astype(ms.int32) * 2).sum()


def square(x):
    return x * x


def mapped_to_int(x):
    return ms.vmap(to_int)(x)


def mapped_square(x):
    return ms.vmap(square)(x)


def two_of_int(x):
    return x * x, x.sum(), x.astype(ms.float32) * 0.5


def mapped_two(x):
    return ms.vmap(two_of_int, 0, (1, 0, 0))(x)


@case.table({"int": (mapped_square,), "several": (mapped_two,), "to_int": (mapped_to_int,)})
def integers_through_vmap(function):
    given = np.array([[1.25, -2.5], [3.0, 0.5]], np.float32)
    values = Tensor(given if function is mapped_to_int else given.astype(np.int32))
    gradient = ms.grad(function)
    return gradient(values), in_graph_mode(gradient, values)


def doubled(g):
    return g * 2


class Ruled(nn.Cell):
    def construct(self, a, b):
        return a * b

    def bprop(self, a, b, out, dout):
        return dout * b * 3, dout * a


ruled = Ruled()
insert_doubled = ops.InsertGradientOf(doubled)


def through_bprop(x):
    return ruled(x, x) * x


def through_inserted(x):
    return insert_doubled(x * x) * x


RULED = {"bprop": (through_bprop,), "inserted": (through_inserted,)}


@case.table(RULED)
def along_a_direction_compiled(function):
    return in_graph_mode(along, function), along(function)


def pushed_bprop(x):
    return ms.jvp(through_bprop, x, Tensor([1.0, 1.0]))[1]


def pushed_inserted(x):
    return ms.jvp(through_inserted, x, Tensor([1.0, 1.0]))[1]


@case.table({"bprop": (pushed_bprop,), "inserted": (pushed_inserted,)})
def gradient_of_a_derivative_along_a_direction(function):
    return ms.grad(function)(x()), ms.jacfwd(function)(x()), along(function)


def scalar_times_row(a, b):
    return ruled(a, b)


@case
def bprop_that_returns_one_element_for_none():
    return ms.grad(scalar_times_row, (0, 1))(Tensor(2.0), Tensor([3.0]))


def with_aux(x):
    return x * x, x * x * x


def value_with_aux(x):
    return ms.value_and_grad(with_aux, has_aux=True)(x)


def gradient_with_aux(x):
    return ms.grad(with_aux, has_aux=True)(x)


AROUND_AUX = {
    "value": (value_with_aux,),
    "gradient": (gradient_with_aux,),
    "compiled_value": (ms.jit(value_with_aux),),
    "compiled_gradient": (ms.jit(gradient_with_aux),),
}


@case.table(AROUND_AUX)
def gradient_around_one_with_aux(function):
    gradient = ms.grad(function)
    return gradient(x()), in_graph_mode(gradient, x()), ms.jit(gradient)(x())


class Attending(nn.Cell):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        for number, param in enumerate(self.get_parameters()):
            values = np.random.RandomState(number).uniform(-0.6, 0.6, param.shape)
            param.set_data(Tensor(values.astype(np.float32)))

    def construct(self, x):
        return self.attention(x, x, x)[0]


@case.table({"O2": ("O2",), "O3": ("O3",)}, tol=2e-2)
def attention_in_half_precision(level):
    given = Tensor(np.random.RandomState(9).rand(2, 3, 4).astype(np.float32))
    return in_graph_mode(amp.auto_mixed_precision(Attending(), level), given)


STATEFUL = {
    "momentum": (lambda params: nn.Momentum(params, 0.1, 0.9),),
    "adam": (lambda params: nn.Adam(params),),
    "asgd": (lambda params: nn.ASGD(params),),
    "ada_factor": (lambda params: nn.AdaFactor(params, learning_rate=None),),
}


@case.table(STATEFUL)
def state_of_a_frozen_parameter(make):
    optimizer = make([parameter(), parameter("frozen", requires_grad=False)])
    return {p.name: p.requires_grad for p in optimizer.get_parameters()}


@case
def step_of_a_weight_that_was_frozen_later():
    def stepped(wrap):
        net = nn.Dense(2, 1, weight_init="ones", bias_init="ones")
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        net.bias.requires_grad = False
        step = nn.TrainOneStepCell(net, optimizer)
        return wrap(step)(Tensor([[1.0, 2.0]])), net.bias.asnumpy()

    return stepped(lambda step: step), stepped(ms.jit), in_graph_mode(stepped, lambda step: step)


@case.table({"alone": (False,), "beside": (True,)})
def direction_of_a_constant(beside):
    w = parameter()

    def constant(x):
        return w.sum() * 2

    def constant_beside(x):
        return x.sum(), w * 1

    fn = constant_beside if beside else constant
    return along(fn), in_graph_mode(along, fn)


SET = {
    "set_data": (lambda step, value: step.set_data(value),),
    "assign": (lambda step, value: ops.assign(step, value),),
}


@case.table(SET)
def step_counter_set_between_steps(put):
    weights = [parameter()]
    optimizer = nn.Momentum(weights, [0.1, 0.2, 0.3], 0.9)
    optimizer((x(),))
    put(optimizer.global_step, Tensor([0], ms.int32))
    optimizer((x(),))
    optimizer((x(),))
    return weights, optimizer.global_step


class Waved(nn.Cell):
    def construct(self, x):
        return ops.sin(x) * x


def through_recompute(x):
    return ms.recompute(Waved(), x * x).sum()


def gradient_through_recompute(x):
    return ms.grad(through_recompute)(x).sum()


@case
def second_derivative_through_recompute():
    return ms.grad(gradient_through_recompute)(x())


@ms.jit
def writes_into_a_copy(x):
    y = x.copy()
    y[0] = x[1]
    z = y * 2
    z[1:] = x[:-1] * y[:-1]
    return (z * z * y).sum()


@case
def gradient_for_each_row_of_a_compiled_function_that_writes():
    rows = Tensor([[0.5, -1.0, 2.0], [0.25, 1.5, -0.5]])
    by_row = ms.vmap(ms.grad(writes_into_a_copy))
    return ms.vmap(writes_into_a_copy)(rows), by_row(rows), ms.vmap(by_row)(rows[None])


def nothing(x):
    return ()


def nothing_beside(x):
    return x * x, ()


@case
def of_nothing_in_graph_mode():
    return in_graph_mode(_of_nothing)


def _of_nothing():
    weight = Parameter(Tensor([1.0]), name="weight")
    return (
        ms.value_and_grad(nothing)(x()),
        ms.grad(nothing, None, [weight])(x()),
        ms.grad(nothing_beside, has_aux=True)(x()),
        ops.GradOperation(get_all=True)(nothing)(x()),
    )


def product(x, y):
    return x * x * y


@ms.jit
def gradients_for_each_factor(x, y):
    def of_one(factor):
        all_of_them = ops.GradOperation(get_all=True)(product)
        return all_of_them(x * factor, y), ms.grad(product, (0, 1))(x, y)

    return ms.vmap(of_one)(x)


@case
def gradients_of_inputs_of_a_compiled_call_inside_vmap():
    return gradients_for_each_factor(x(), Tensor([0.5, -2.0], ms.float32))
