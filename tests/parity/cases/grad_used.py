"""GradOperation(get_by_list=True) without weights: the parameters it gives, and their order."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def of(*values):
    return Tensor(list(values), ms.float32)


def x():
    return of(2.0)


class Own:
    """Parameters of distinct values: a function's own, since it closes over them."""

    def __init__(self):
        self.a = Parameter(of(3.0), name="a")
        self.b = Parameter(of(5.0), name="b")
        self.c = Parameter(of(7.0), name="c")
        self.f = Parameter(of(11.0), name="f", requires_grad=False)


FUNCTIONS = {
    "first_used_first": lambda p, x: (p.b * x) + (p.a * x * x) + (p.c * x * x * x),
    "two_operands": lambda p, x: p.a * p.b * x,
    "two_operands_swapped": lambda p, x: p.b * p.a * x,
    "twice": lambda p, x: p.a * x * p.a * p.b,
    "sequence": lambda p, x: (ops.concat([p.c, p.a, p.b]) * of(1.0, 2.0, 3.0)).sum() * x,
    "three_operands": lambda p, x: ops.addcmul(p.b, p.a, p.c) * x,
    "nested_calls": lambda p, x: ops.mul(ops.mul(p.c, ops.mul(p.b, p.a)), x),
    "frozen": lambda p, x: p.f * x * p.a,
    "none": lambda p, x: x * x,
    "only_frozen": lambda p, x: p.f * x,
    "not_in_the_output": lambda p, x: (p.c * x, p.a * x)[1] * p.b,
    "stopped": lambda p, x: ops.stop_gradient(p.a * x) * p.b,
    "cast_to_integer": lambda p, x: (p.a * x).astype(ms.int32) * p.b,
    "only_its_shape": lambda p, x: x * p.a.shape[0],
    "looked_at": lambda p, x: x * float(p.a.asnumpy()[0]) * p.b,
    "value": lambda p, x: p.a.value() * x * p.b,
    "view": lambda p, x: p.a[0] * x * p.b.reshape(1, 1),
    "two_outputs": lambda p, x: ((x * p.b).sum(), x * p.a),
}


@case.table({name: (fn,) for name, fn in FUNCTIONS.items()}, tol=1e-5)
def of_a_function(fn):
    own = Own()
    one = ops.GradOperation(get_by_list=True)(lambda x: fn(own, x))
    both = ops.GradOperation(get_all=True, get_by_list=True)(lambda x: fn(own, x))
    return one(x()), both(x()), one(x())


@case
def with_a_cotangent():
    own = Own()
    after = ops.GradOperation(get_by_list=True, sens_param=True)
    return after(lambda x: own.b * x * own.a)(x(), of(10.0))


@case.table({"first": (True,), "all": (False,)})
def parameter_as_input(bare):
    own = Own()
    after = ops.GradOperation(get_by_list=True, get_all=not bare)
    return after(lambda x: x * own.b * x)(own.a)


@case
def written_before_use():
    own = Own()

    def fn(x):
        ops.assign(own.a, x)
        return own.a * own.b

    return ops.GradOperation(get_by_list=True)(fn)(x()), own.a


@case
def without_gradients_inside():
    own = Own()

    def fn(x):
        with ms._no_grad():
            y = own.a * x
        return y * own.b

    return ops.GradOperation(get_by_list=True)(fn)(x())


@case
def gradient_of_such_a_gradient():
    own = Own()
    by_list = ops.GradOperation(get_by_list=True)

    def fn(x):
        return by_list(lambda z: z * own.a * own.a * own.b)(x)[0]

    return by_list(fn)(x())


@case
def hook_on_the_parameter():
    own = Own()
    own.a.register_hook(lambda g: g * 100)
    return ops.GradOperation(get_by_list=True)(lambda x: own.b * (own.a * x))(x())


@case
def nothing_but_a_list():
    own = Own()
    by_list = ops.GradOperation(get_by_list=True)
    fn = FUNCTIONS["first_used_first"]
    return (
        by_list(lambda x: fn(own, x), [])(x()),
        by_list(lambda x: fn(own, x), [own.c, own.a])(x()),
        by_list(lambda x: fn(own, x), own.c)(x()),
    )


class Net(nn.Cell):
    """Declares in one order, uses in another; one parameter is not used, one frozen."""

    def __init__(self):
        super().__init__()
        self.a = Parameter(of(2.0, 3.0), name="a")
        self.unused = Parameter(of(4.0, 5.0), name="unused")
        self.c = Parameter(of(6.0, 7.0), name="c")
        self.f = Parameter(of(1.0, 1.0), name="f", requires_grad=False)

    def construct(self, x):
        return x * self.c * self.f + x * x * self.a


@case
def of_a_cell():
    net = Net()
    y = of(1.0, 2.0)
    by_list = ops.GradOperation(get_by_list=True)
    return by_list(net)(y), by_list(lambda x: net(x) * net.a)(y)


@case
def after_a_kept_forward_pass():
    net = nn.Dense(1, 1, weight_init="ones", bias_init="ones")
    net.set_grad()
    y = Tensor([[2.0]], ms.float32)
    net(y)
    return ops.GradOperation(get_by_list=True)(net)(y)


class Shared(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(of(2.0, 3.0), name="w")
        self.first = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
        self.second = self.first

    def construct(self, x):
        return self.second(self.first(x.reshape(1, 2))) * self.w


@case
def of_a_shared_cell():
    return ops.GradOperation(get_by_list=True)(Shared())(of(1.0, 2.0))


def data(*shape):
    return Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape) % 7 / 7)


def weighted(net):
    """Distinct weights, so that the gradients are."""
    for i, p in enumerate(net.get_parameters()):
        p.set_data(data(*p.shape) * (0.5 + i))
    return net.set_train()


LAYERS = {
    "Dense": (lambda: nn.Dense(3, 2), (4, 3)),
    "Conv2d": (lambda: nn.Conv2d(2, 3, 3, has_bias=True), (1, 2, 5, 5)),
    "Conv2dTranspose": (lambda: nn.Conv2dTranspose(2, 3, 3, has_bias=True), (1, 2, 5, 5)),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(3), (4, 3, 2, 2)),
    "LayerNorm": (lambda: nn.LayerNorm((3,)), (4, 3)),
    "GroupNorm": (lambda: nn.GroupNorm(1, 3), (4, 3, 2, 2)),
    "PReLU": (lambda: nn.PReLU(3), (4, 3)),
    "two": (lambda: nn.SequentialCell(nn.Dense(3, 2), nn.ReLU(), nn.Dense(2, 5)), (4, 3)),
}


@case.table(LAYERS, tol=1e-3)
def of_a_layer(make, shape):
    net = weighted(make())
    fn = lambda x: (net(x) ** 2).sum()
    return ops.GradOperation(get_by_list=True)(fn)(data(*shape))
