"""Which Tensors share elements, what a copy of a Parameter is, what writing operators return."""

import copy

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def of(*values):
    return Tensor(list(values), ms.float32)


def weight(*values):
    return Parameter(of(*(values or (1.0, 2.0))), name="w")


def x():
    return of(1.0, 2.0)


ALIASES = {
    "data": lambda p: p.data,
    "Tensor": lambda p: Tensor(p),
    "tensor": lambda p: ms.tensor(p),
    "Tensor_of_its_dtype": lambda p: Tensor(p, ms.float32),
    "Tensor_of_data": lambda p: Tensor(p.data),
    "value": lambda p: p.value(),
    "copy": lambda p: p.copy(),
    "copy_copy": lambda p: copy.copy(p),
    "deepcopy": lambda p: copy.deepcopy(p),
    "Tensor_of_another_dtype": lambda p: Tensor(p, ms.float16),
}


def set_element(p):
    p[0] = 5.0


def optimize(p):
    nn.SGD([p], 0.5)((of(1.0, 1.0),))


WRITES = {
    "element": set_element,
    "assign": lambda p: ops.assign(p, of(7.0, 8.0)),
    "assign_add": lambda p: ops.assign_add(p, of(7.0, 8.0)),
    "set_data": lambda p: p.set_data(of(7.0, 8.0)),
    "optimizer": optimize,
}
VIEWS = ["data", "Tensor", "tensor", "Tensor_of_its_dtype", "Tensor_of_data"]
COPIES = ["copy", "copy_copy", "deepcopy", "value"]


@case.table(
    {
        f"{alias}-{write}": (alias, write)
        for alias in [*VIEWS, *COPIES]
        for write in WRITES
        # The value is neither a copy nor a view: it lets go of some writes and not of others.
        if alias != "value" or write == "optimizer"
    }
)
def written_to_the_parameter(alias, write):
    p = weight()
    other = ALIASES[alias](p)
    WRITES[write](p)
    return p.asnumpy().copy(), other.asnumpy().copy()


@case.table({alias: (alias,) for alias in [*VIEWS, "copy", "copy_copy", "deepcopy"]})
def written_to_the_other(alias):
    p = weight()
    other = ALIASES[alias](p)
    set_element(other)
    return p.asnumpy().copy(), other.asnumpy().copy(), type(other).__name__


@case.table({alias: (alias,) for alias in ALIASES if alias != "deepcopy"})
def gradient_through(alias):
    p = weight()
    return ms.value_and_grad(lambda x: ALIASES[alias](p) * x, 0, [p])(x())


@case.table({"data": ("data",), "Tensor": ("Tensor",), "tensor": ("tensor",)})
def of_a_tensor(alias):
    t = x()
    other = ALIASES[alias](t)
    set_element(t)
    other[1] = 9.0
    return t, other, ms.value_and_grad(lambda z: ALIASES[alias](z * 2) * z)(x())


@case
def views_of_a_view():
    p = weight()
    row = p.data.reshape(1, 2)
    ops.assign(p, of(3.0, 4.0))
    row[0, 0] = 9.0
    return p.asnumpy().copy(), row


@case
def data_replaced():
    p = weight()
    p.data = of(4.0, 5.0)
    p.data[0] = 8.0
    return p.asnumpy().copy()


@case.table({"copy": (lambda p: p.copy(),), "clone": (lambda p: p.clone(),)})
def attributes_of_a_copy(how):
    p = weight()
    p.requires_grad = False
    p.comm_fusion = 3
    q = how(p)
    return q.name, q.requires_grad, q.comm_fusion, isinstance(q, Parameter)


def indices():
    return Tensor([0, 2], ms.int32)


def rows():
    return Tensor([[0], [2]], ms.int32)


WRITERS = {
    "assign": lambda w, v: ops.assign(w, v),
    "Assign": lambda w, v: ops.Assign()(w, v),
    "assign_add": lambda w, v: ops.assign_add(w, v),
    "assign_sub": lambda w, v: ops.assign_sub(w, v),
    "AssignAdd": lambda w, v: ops.AssignAdd()(w, v),
    "AssignSub": lambda w, v: ops.AssignSub()(w, v),
    "scatter_update": lambda w, v: ops.scatter_update(w, indices(), v),
    "ScatterUpdate": lambda w, v: ops.ScatterUpdate()(w, indices(), v),
    "scatter_nd_update": lambda w, v: ops.scatter_nd_update(w, rows(), v),
    "ScatterNdUpdate": lambda w, v: ops.ScatterNdUpdate()(w, rows(), v),
}


def the_result(write, w, v):
    q = write(w, v * 3)
    return q * q


def the_variable(write, w, v):
    write(w, v * 3)
    return w * w


def both(write, w, v):
    return write(w, v * 3) * w


def used_before(write, w, v):
    before = w * 5
    return before + write(w, v * 3)


USES = {"result": the_result, "variable": the_variable, "both": both, "before": used_before}


@case.table({f"{name}-{use}": (name, use) for name in WRITERS for use in USES})
def gradient_after(name, use):
    w = weight(1.0, 2.0) if name.lower().startswith("assign") else weight(1.0, 2.0, 3.0)
    gradients = ms.grad(lambda v: USES[use](WRITERS[name], w, v), 0, [w])(x())
    return gradients, w.asnumpy().copy()


CASTS = {
    "bool": lambda x: x.astype(ms.bool_).astype(ms.float32) * x,
    "bool_of_a_product": lambda x: ops.cast(ops.cast(x * 3, ms.bool_), ms.float32) * x,
    "bool_method": lambda x: x.bool().astype(ms.float32) * x,
    "bool_times": lambda x: x.astype(ms.bool_) * x,
    "bool_small": lambda x: x.astype(ms.bool_) * (x * 0.25),
    "bool_negative": lambda x: x.astype(ms.bool_).astype(ms.float32) * -5.0,
    "bool_to_int": lambda x: x.astype(ms.bool_).astype(ms.int32).astype(ms.float32) * 3.5,
    "bool_output": lambda x: x.astype(ms.bool_),
    "int_half": lambda x: x.astype(ms.int32).astype(ms.float32) * 2.5,
    "int_times": lambda x: x.astype(ms.int32) * (x * 2.7),
    "int_twice": lambda x: x.astype(ms.int64) * 2.5 + x.astype(ms.int64) * 2.5,
    "int8_overflow": lambda x: x.astype(ms.int8).astype(ms.float32) * 300.7,
    "uint8_negative": lambda x: x.astype(ms.uint8).astype(ms.float32) * -2.5,
    "compared": lambda x: (x > 1).astype(ms.float32) * x,
}


@case.table({name: (fn,) for name, fn in CASTS.items()})
def gradient_through_a_cast(fn):
    return ms.value_and_grad(fn)(x())


def bools(*values):
    return Tensor(list(values))


def quotients(a, b):
    return a / b


def compared_quotients(a, b):
    return (a > 1) / (b > 1), True / (b > 1), (a > 1) / False, ops.div(True, b > 1)


@case.table({"eager": (lambda fn: fn,), "jit": (lambda fn: ms.jit(fn),)})
def bool_over_bool(compiled):
    divide, compare = compiled(quotients), compiled(compared_quotients)
    yes, no = Tensor(True), Tensor(False)
    both, none, some = bools(True, True), bools(False, False), bools(False, True)
    a, b = of(2.0, 0.0, 2.0, 0.0), of(2.0, 2.0, 0.0, 0.0)
    return [
        divide(yes, no),
        divide(no, no),
        divide(both, some),
        divide(some, none),
        divide(True, some),
        divide(some, False),
        divide(Tensor([1, 0, -1]), Tensor([0, 0, 0])),
        compare(a, b),
    ]


def dense():
    return nn.Dense(2, 2, weight_init="ones", bias_init="ones", activation="relu")


def conv(kind):
    return lambda: kind(1, 1, 1, has_bias=True, weight_init="ones", bias_init="ones")


LAYERS = {
    "Dense": (dense, (1, 2)),
    "Conv1d": (conv(nn.Conv1d), (1, 1, 2)),
    "Conv2d": (conv(nn.Conv2d), (1, 1, 1, 2)),
    "Conv2dTranspose": (conv(nn.Conv2dTranspose), (1, 1, 1, 2)),
}


@case.table(LAYERS)
def bias_turned_off(make, shape):
    net, y = make(), x().reshape(shape)
    before = net(y)
    net.has_bias = False
    return before, net(y)


@case
def activation_turned_off():
    net = dense()
    net.activation_flag = False
    return net(of(-1.0, -2.0).reshape(1, 2))


def total(x):
    return (x * x).sum()


def two_totals(x):
    return (x * x).sum(), (x * 3).sum()


SENS = {
    "float": (total, 2.0),
    "int": (total, 2),
    "numpy": (total, np.float32(2)),
    "of_a_vector": (lambda x: x * x, 2.0),
    "of_two_outputs": (two_totals, 2.0),
    "tuple_of_two": (two_totals, (2.0, 3.0)),
    "text": (total, "a"),
    "array": (lambda x: x * x, np.ones(2, np.float32)),
}


@case.table(SENS)
def number_as_cotangent(fn, sens):
    return (
        ms.grad(fn, sens_param=True)(x(), sens),
        ops.GradOperation(sens_param=True)(fn)(x(), sens=sens),
        ops.GradOperation(get_all=True, sens_param=True)(fn)(x(), sens),
    )


def of_a_pair(pair):
    return pair[0] * pair[1], pair[0] + 1


@case.table({"list": (list,), "tuple": (tuple,)})
def vjp_of_a_container(kind):
    out, pull, aux = ms.vjp(of_a_pair, kind([x(), x() + 2]), has_aux=True)
    return out, pull(x()), aux


@case
def vjp_of_a_container_and_a_tensor():
    out, pull = ms.vjp(lambda pair, z: pair[0] * pair[1] * z, [x(), x() + 2], x())
    return out, pull(x())


def counted(*shape):
    return Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))


CONV1D = {
    "Conv1d-3": (nn.Conv1d, (3, 2, 4)),
    "Conv1d-4": (nn.Conv1d, (3, 2, 1, 4)),
    "Conv1d-wrong": (nn.Conv1d, (3, 2, 5)),
    "Conv1dTranspose-3": (nn.Conv1dTranspose, (2, 3, 4)),
    "Conv1dTranspose-4": (nn.Conv1dTranspose, (2, 3, 1, 4)),
}


@case.table(CONV1D)
def weights_of_a_sequence_layer(kind, shape):
    net = kind(2, 3, 4, weight_init=counted(*shape))
    return net.weight.shape, net(counted(1, 2, 6))


@case
def written_before_an_exception():
    w = weight()

    def fn(x):
        ops.assign(w, x * 5)
        raise KeyError("after the write")

    try:
        ms.grad(fn)(x())
    except KeyError:
        return w.asnumpy()


def pairs():
    return Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32)


ADDED = {
    "positional": lambda t: t.index_add(0, indices(), pairs()),
    "alpha": lambda t: t.index_add(0, indices(), pairs(), alpha=2),
    "keywords": lambda t: t.index_add(dim=0, index=indices(), source=pairs()),
    "older": lambda t: t.index_add(indices(), pairs(), 0),
    "older_keywords": lambda t: t.index_add(indices=indices(), y=pairs(), axis=0),
    "repeated": lambda t: t.index_add(0, Tensor([0, 0], ms.int32), pairs()),
    "last_dimension": lambda t: t.index_add(-1, Tensor([1, 0], ms.int32), counted(3, 2)),
    "half": lambda t: t.index_add(0, indices(), pairs().astype(ms.float16)),
    "out_of_bounds": lambda t: t.index_add(0, Tensor([0, 5], ms.int32), pairs()),
    "negative": lambda t: t.index_add(0, Tensor([0, -1], ms.int32), pairs()),
    "too_many": lambda t: t.index_add(0, Tensor([0, 1, 2], ms.int32), pairs()),
    "wrong_dimension": lambda t: t.index_add(5, indices(), pairs()),
    "float_indices": lambda t: t.index_add(0, of(0.0, 1.0), pairs()),
    "indices_2d": lambda t: t.index_add(0, rows(), pairs()),
    "list": lambda t: t.index_add(0, [0, 2], pairs()),
    "None": lambda t: t.index_add(0, None, pairs()),
}


@case.table({name: (fn,) for name, fn in ADDED.items()})
def index_add(fn):
    return fn(counted(3, 2))


@case
def index_add_leaves_the_tensor():
    t = counted(3, 2)
    t.index_add(0, indices(), pairs())
    return t


@case
def gradient_of_index_add():
    return ms.grad(lambda a, b: a.index_add(0, indices(), b) ** 2, (0, 1))(counted(3, 2), pairs())


@case
def index_add_into_a_parameter():
    w = Parameter(counted(3, 2), name="w")
    return ops.index_add(w, indices(), pairs(), 0), w.asnumpy().copy()


def _add(x):
    return x.add_(1)


def _add_twice(x):
    return x.add_(of(1, 2), alpha=2)


def _sub(x):
    return x.sub_(of(1, 2))


def _mul(x):
    return x.mul_(of(2, 3))


def _div(x):
    return x.div_(2)


def _floor_divide(x):
    return x.floor_divide_(of(2, 3))


def _remainder(x):
    return x.remainder_(2)


METHODS = (_add, _add_twice, _sub, _mul, _div, _floor_divide, _remainder)


@case.table({method.__name__: (method,) for method in METHODS})
def arithmetic_in_place(method):
    w, found = weight(), {}

    @ms.jit
    def compiled(x):
        y = x * 3
        method(y)
        method(w)
        return y, w * 1

    def squared(x):
        y = x * 3
        method(y)
        return (y * y).sum()

    given = x()
    found["eager"] = method(given), given
    found["compiled"] = compiled(x()), w
    ms.set_context(mode=ms.GRAPH_MODE)
    found["gradient"] = ms.value_and_grad(squared)(x())
    return found


@case
def a_view_that_was_assigned_to():
    x = Tensor([1.0, 2.0, 3.0], ms.float32)
    view = x[1:]
    view.assign_value(Tensor([9.0, 8.0], ms.float32))
    before = x.asnumpy().tolist()
    x[2] = 5.0
    return before, x, view


@case.table({"none": ({},), "one": ({"alpha": 1},), "two": ({"alpha": 2},)})
def compiled_sub_with_alpha(named):
    def run(x, y):
        return x.sub_(y, **named)

    x = Tensor([1.0, 2.0, 3.0], ms.float32)
    return ms.jit(run)(x, Tensor([5.0, 6.0, 7.0], ms.float32)), x


@case
def compiled_scatter():
    def run(x, y):
        return x.scatter_(0, Tensor([0, 1]), y)

    x = Tensor([1.0, 2.0, 3.0], ms.float32)
    return ms.jit(run)(x, Tensor([5.0, 6.0], ms.float32)), x


def train(w):
    nn.SGD([w], 0.5)((ops.ones_like(w),))


def dense(value):
    return nn.Dense(2, 1, weight_init=Tensor([[value, 2.0]], ms.float32), bias_init="zeros")


def follow(target, source):
    ms.load_param_into_net(target, source.parameters_dict())


def follow_twice(target, source):
    follow(target, source)
    train(source.weight)
    follow(target, source)


def follow_for_a_while(target, source):
    follow(target, source)
    target.weight.set_data(source.weight + 1)


def follow_each_parameter(target, source):
    for ours, theirs in zip(target.get_parameters(), source.get_parameters(), strict=True):
        ours.set_data(theirs)


def set_attribute(target, source):
    target.weight = source.weight.data


def of_one_dict(target, source):
    saved = {"weight": Parameter(Tensor([[4.0, 5.0]], ms.float32), name="weight")}
    for net in (target, source):
        ms.load_param_into_net(net, saved)


def state_dict(target, source):
    target.load_state_dict(source.state_dict())


FOLLOWING = (
    follow,
    follow_twice,
    follow_for_a_while,
    follow_each_parameter,
    set_attribute,
    of_one_dict,
    state_dict,
)


@ms.jit
def doubled(w):
    return ops.assign_add(w, w)


@case.table({fn.__name__: (fn,) for fn in FOLLOWING})
def a_network_given_the_weights_of_another(fn):
    target, source = dense(8.0), dense(1.0)
    fn(target, source)
    found = []
    for step in (train, doubled):
        step(source.weight)
        found.append((source.weight.asnumpy().copy(), target.weight.asnumpy().copy()))
        step(target.weight)
        found.append((source.weight.asnumpy().copy(), target.weight.asnumpy().copy()))
    loss = lambda x: (source(x) ** 2 + target(x)).sum()
    weights = [source.weight, target.weight]
    return found, ms.grad(loss, None, weights)(Tensor([[1.0, 2.0]], ms.float32))


@case.table({"tensor": (x,), "parameter": (weight,)})
def a_tensor_assigned_to_another(make):
    x, y = make(), of(3.0, 4.0)
    x.assign_value(y)
    y[0] = 9.0
    seen = x.asnumpy().copy()
    x[1] = 5.0
    return seen, x, y


@case
def a_network_follows_between_steps():
    net, target = dense(1.0), dense(5.0)
    for parameter in target.get_parameters():
        parameter.name = f"target.{parameter.name}"
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)

    def forward(x):
        return ((net(x) - target(x)) ** 2).sum() + net(x).sum()

    differentiate = ms.value_and_grad(forward, None, net.trainable_params())

    def step(x):
        loss, gradients = differentiate(x)
        return ops.depend(loss, optimizer(gradients))

    def approach(share):
        ops.assign(target.weight, target.weight * (1 - share) + net.weight * share)
        return share

    found = []

    def some_steps():
        found.append([step(Tensor([[1.0, 2.0], [3.0, 1.0]], ms.float32)) for _ in range(2)])
        found.append((net.weight.asnumpy().copy(), target.weight.asnumpy().copy()))

    some_steps()
    approach(Tensor(0.5, ms.float32))
    some_steps()
    follow_each_parameter(target, net)
    some_steps()
    target.weight.set_data(Tensor([[0.25, 0.5]], ms.float32))
    some_steps()
    approach(Tensor(0.5, ms.float32))
    follow_each_parameter(target, net)
    some_steps()
    return found
