"""Gradients of gradients, and grad inside construct or inside a differentiated function."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def weight():
    return Parameter(Tensor([2.0, 3.0], ms.float32), name="w")


def repeated(fn, times):
    for _ in range(times):
        fn = ms.grad(fn)
    return fn


FUNCTIONS = {
    "cube": (lambda x: x**3,),
    "product": (lambda x: x * x * x * x,),
    "sin": (lambda x: ops.sin(x),),
    "exp": (lambda x: ops.exp(2 * x),),
    "log": (lambda x: ops.log(x),),
    "sigmoid": (lambda x: ops.sigmoid(x),),
    "tanh": (lambda x: ops.tanh(x),),
    "sqrt": (lambda x: ops.sqrt(x),),
    "relu_squared": (lambda x: ops.relu(x) ** 2,),
    "division": (lambda x: 1 / x,),
    "matmul": (lambda x: ops.matmul(x.reshape(2, 1), x.reshape(1, 2)),),
    "softmax": (lambda x: ops.softmax(x, 0) ** 2,),
    "mean": (lambda x: (x * x).mean() * x,),
    "linear": (lambda x: x * 3,),
    "branch": (lambda x: x**3 if x.sum() > 1 else x**2,),
}


@case.table(FUNCTIONS, tol=1e-5)
def second(fn):
    return ms.grad(ms.grad(fn))(x())


# Of logarithms of gamma, each library's own.
@case(tol=1e-5)
def through_the_slope_of_the_incomplete_beta_function():
    def slope(a, b, x):
        return ms.grad(lambda a, b, x: ops.Betainc()(a, b, x), 2)(a, b, x)

    inputs = [Tensor(v, ms.float32) for v in ([0.5, 1.0, 2.5], [1.5, 2.0, 1.0], [0.25, 0.5, 0.75])]
    return ms.grad(slope, (0, 1, 2))(*inputs)


@case.table({"1": (1,), "2": (2,), "3": (3,), "4": (4,), "5": (5,)})
def any_depth(times):
    return repeated(lambda x: x**4, times)(x())


MIXED = {
    "0-0": (0, 0),
    "0-1": (0, 1),
    "1-0": (1, 0),
    "1-1": (1, 1),
    "both-0": ((0, 1), 0),
    "0-both": (0, (0, 1)),
    "both-both": ((0, 1), (0, 1)),
}


@case.table(MIXED)
def mixed(inner, outer):
    return ms.grad(ms.grad(lambda x, y: x * x * y * y * y, inner), outer)(x(), x() + 1)


@case
def of_a_weight_twice():
    w = weight()
    first = ms.grad(lambda x: x * w * w * w, None, w)
    return ms.grad(first, None, w)(x())


@case
def of_an_input_and_then_a_weight():
    w = weight()
    first = ms.grad(lambda x: x * x * w * w)
    return ms.grad(first, 0, [w])(x())


@case
def of_a_weight_and_then_an_input():
    w = weight()
    first = ms.grad(lambda x: x * x * w * w, None, [w])
    return ms.grad(first, 0, [w])(x())


@case
def of_a_cell():
    net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", bias_init="zeros"), nn.Tanh())
    first = ms.grad(net)
    return ms.grad(first, 0, net.trainable_params())(Tensor([[0.1, 0.2]], ms.float32))


@case
def of_value_and_grad():
    return ms.grad(ms.value_and_grad(lambda x: x**3))(x())


@case
def value_and_grad_of_grad():
    return ms.value_and_grad(ms.grad(lambda x: x**3))(x())


@case
def value_and_grad_twice():
    return ms.value_and_grad(ms.value_and_grad(lambda x: x**3))(x())


@case
def of_grad_with_aux():
    return ms.grad(ms.grad(lambda x: (x**3, x * 5), has_aux=True))(x())


@case
def aux_of_a_gradient():
    first = ms.grad(lambda x: (x**3, x * 5), has_aux=True)
    return ms.grad(lambda x: (first(x)[0], x * 7), has_aux=True)(x())


def penalised(net, x):
    return net(x).sum() + (ms.grad(net)(x) ** 2).sum()


@case
def gradient_penalty():
    w = weight()
    return ms.value_and_grad(lambda x: penalised(lambda z: z * z * w, x), 0, [w])(x())


@case
def of_an_inner_gradient_of_a_part():
    def fn(x, y):
        return x * ms.grad(lambda z: z * z * y)(x)

    return ms.grad(fn, (0, 1))(x(), x() + 1)


@case
def inner_gradient_of_a_closed_over_input():
    def fn(x):
        return ms.grad(lambda z: z * x)(x * 2)

    return ms.value_and_grad(fn)(x())


@case
def inner_gradient_not_used():
    def fn(x):
        ms.grad(lambda z: z * z)(x)
        return x * 3

    return ms.grad(fn)(x())


@case
def tensor_kept_by_the_inner_function():
    kept = []

    def inner(z):
        kept.append(z * z)
        return z * z * z

    def fn(x):
        return ms.grad(inner)(x) * kept[-1]

    return ms.value_and_grad(fn)(x()), kept


class Built(nn.Cell):
    """Differentiates another cell; grad is made at construction."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.after = ms.grad(net)

    def construct(self, x):
        return self.after(x)


class Inside(nn.Cell):
    """The same, made at each call, with weights."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.weights = ms.ParameterTuple(net.trainable_params())

    def construct(self, x):
        return ms.value_and_grad(self.net, 0, self.weights)(x)


class Cubic(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = weight()

    def construct(self, x):
        return x * x * x * self.w


@case
def grad_made_in_init():
    return Built(Cubic())(x())


@case
def grad_made_in_construct():
    return Inside(Cubic())(x())


@case
def gradient_of_a_cell_that_differentiates():
    net = Built(Cubic())
    return ms.grad(net, 0, net.trainable_params())(x())


@case
def gradient_of_a_cell_that_differentiates_twice():
    net = Built(Built(Cubic()))
    return ms.grad(net)(x())


@case
def stopped_inner_gradient():
    def fn(x):
        return ops.stop_gradient(ms.grad(lambda z: z**3)(x)) * x

    return ms.grad(fn)(x())


@case
def write_in_an_inner_gradient():
    w = weight()

    def inner(z):
        ops.assign_add(w, Tensor([1.0, 1.0], ms.float32))
        return z * z * w

    return ms.grad(ms.grad(inner))(x()), w


@case
def printed_in_an_inner_gradient():
    seen = []

    def inner(z):
        seen.append(float(z.sum()))
        return z * z * float(z[0])

    return ms.grad(ms.grad(inner))(x()), seen


@case
def hessian_by_columns():
    def fn(x):
        return x[0] * x[0] * x[1]

    first = ms.grad(fn)
    rows = [ms.grad(lambda x, i=i: first(x)[i])(x()) for i in range(2)]
    return ops.stack(rows)


@case
def grad_operation_of_grad_operation():
    first = ops.GradOperation()(lambda x: x**3)
    return ops.GradOperation()(first)(x())
