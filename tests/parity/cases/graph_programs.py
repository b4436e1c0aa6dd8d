"""Whole programs in GRAPH_MODE: what compiled calls return, write and keep."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

X = np.array([[-3.0, -2.0, -1.0], [0.0, 1.0, 2.0]], np.float32)


def x():
    return Tensor(X)


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones((2, 3), np.float32)), name="w")


class Alone(Weighted):
    def construct(self, x):
        return self.w


class InTuple(Weighted):
    def construct(self, x):
        return x * 2, self.w


class InDict(Weighted):
    def construct(self, x):
        return {"w": self.w, "more": (self.w, x * 2)}


class Written(Weighted):
    def construct(self, x):
        self.w = self.w + x
        return self.w


class Assigned(Weighted):
    def construct(self, x):
        ops.assign(self.w, x * 3)
        return x * 2, self.w


class InBranch(Weighted):
    def construct(self, x):
        if x.sum() > 0:
            return self.w
        return self.w


class WrittenInBranch(Weighted):
    def construct(self, x):
        if x.sum() < 0:
            self.w = self.w * 2
        return self.w


class ElementWritten(Weighted):
    def construct(self, x):
        self.w[0] = 5
        return self.w


RETURNS = (
    Alone,
    InTuple,
    InDict,
    Written,
    Assigned,
    InBranch,
    WrittenInBranch,
    ElementWritten,
)


@case.table({cell.__name__: (cell,) for cell in RETURNS})
def returned_parameter(cell):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = cell()
    net(x())
    found = net(x())
    return found, isinstance(found, Parameter), net.w.value()


@case
def returned_parameter_under_jit():
    net = Weighted()

    @ms.jit
    def itself(p):
        return p

    @ms.jit
    def assigned(p, x):
        ops.assign(p, x)
        return p

    @ms.jit
    def with_others(p, x):
        return p, x * 2

    found = itself(net.w), assigned(net.w, x()), with_others(net.w, x())[0]
    net.w.set_data(Tensor(X + 1))
    return [isinstance(f, Parameter) for f in found], found[1], found[2]


def set_number(x):
    y = x * 2
    y[x > 0] = -1
    return y


def set_integer(x):
    y = x.astype(ms.int32)
    y[x > 0] = 2.7
    y[x < -2] = True
    return y


def set_rows(x):
    y = x * 2
    y[x.sum(1) < 0] = 7
    return y


def set_tensor(x):
    y = x * 2
    y[x > 0] = x.sum()
    return y


def set_one_value(x):
    y = x * 2
    y[x > 0] = x.sum().reshape(1)
    return y


def set_in_loop(x):
    y = x * 2
    for i in range(3):
        y[x > i] = i
    return y


MASKS = (set_number, set_integer, set_rows, set_tensor, set_one_value, set_in_loop)


@case.table({f.__name__: (f,) for f in MASKS})
def mask(function):
    ms.set_context(mode=ms.GRAPH_MODE)
    compiled = ms.jit(function)
    return compiled(x()), compiled(Tensor(-X))


@case
def gradient_through_mask():
    ms.set_context(mode=ms.GRAPH_MODE)

    def loss(x, value):
        y = x * 2
        y[x > 0] = value
        return (y * y).sum()

    return ms.grad(loss, (0, 1))(x(), Tensor(3.0, ms.float32))


@case
def parameters_of_groups():
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Dense(2, 1))
    params = net.trainable_params()
    weights = [p for p in params if "weight" in p.name]
    biases = [p for p in params if "bias" in p.name]
    groups = [{"params": biases, "lr": 0.02}, {"params": weights}]
    plain = nn.SGD(params, 0.1)
    grouped = nn.SGD(groups, 0.1)
    ordered = nn.SGD([*groups, {"order_params": params}], 0.1)
    names = [[p.name for p in each.group_params] for each in (grouped, ordered)]
    return names, hasattr(plain, "group_params")


@case
def augmented_assignment():
    ms.set_context(mode=ms.GRAPH_MODE)

    @ms.jit
    def function(x):
        y = x * 1
        z = y
        y += 1
        return y, z

    return function(x())


@ops.constexpr
def zero():
    return Tensor(0.0, ms.float32)


@case
def augmented_assignment_of_a_constant():
    """A loss that begins with a constant and adds up, as object detectors do."""

    @ms.jit
    def function(x):
        total = zero()
        total += x.sum()
        return total

    return [function(x() + step) for step in range(3)]


@case
def argument_after_augmented_assignment():
    ms.set_context(mode=ms.GRAPH_MODE)

    @ms.jit
    def function(x):
        x *= 2
        return x

    given = x()
    return function(given), given


@case
def argument_after_setitem():
    ms.set_context(mode=ms.GRAPH_MODE)

    @ms.jit
    def function(x):
        x[0] = 7
        return x

    given = x()
    return function(given), given


@case.table({str(number): (number,) for number in (0, 2, -1, 3)})
def cell_of_a_tensor(number):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cells_of = nn.CellList([nn.ReLU(), nn.Sigmoid(), nn.LeakyReLU()])

        def construct(self, x, i):
            return self.cells_of[i](x)

    ms.set_context(mode=ms.GRAPH_MODE)
    return Net()(x(), Tensor(number, ms.int32))


class Numbers(nn.Cell):
    """Tensors of which compiled code needs the values: attributes, and what it makes itself."""

    def __init__(self):
        super().__init__()
        self.start, self.step = Tensor(0, ms.int32), Tensor(1, ms.int32)
        self.sizes = Tensor(np.array([3, 2]))
        self.w = Parameter(Tensor(np.ones(2, np.float32)), name="w")

    def construct(self, x):
        count = Tensor(x.shape[0], ms.int32)
        rows = ops.range(self.start, count, self.step).astype(ms.float32)
        return ops.reshape(x * rows[:, None] * self.w[0], self.sizes) * int(self.step)


@case
def values_of_tensors_needed():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Numbers()
    rule = ops.GradOperation(get_by_list=True)(net, [net.w])
    return net(x()), rule(x()), net(x())


class Counted(Weighted):
    def __init__(self):
        super().__init__()
        self.n = Parameter(Tensor(5, ms.int32), name="n")


class AddedTo(Counted):
    def construct(self, x):
        w, n = self.w, self.n
        w += x
        w -= 1
        n *= 2.5
        return w * 1, self.w * 1, n * 1


class Divided(Counted):
    def construct(self, x):
        w, n = self.w, self.n
        w /= 4
        n //= 2
        n %= 2
        return w * 1, self.w * 1, n * 1


class OfAnAttribute(Counted):
    def construct(self, x):
        w = self.w
        self.w *= x
        self.n += 1.5
        self.n /= 2
        return w * 1, self.n * 1


class RaisedToAPower(Counted):
    def construct(self, x):
        w, n = self.w, self.n
        w **= 2
        n &= 4
        return w * x, self.w * 1, n * 1


@case.table({c.__name__: (c,) for c in (AddedTo, Divided, OfAnAttribute, RaisedToAPower)})
def parameter_augmented(make):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = make()
    return cell(x()), cell(x()), cell.w, cell.n


@ms.jit_class
class Counter:
    def __init__(self):
        self.calls = Parameter(Tensor(0, ms.int32), name="calls")

    def __call__(self, x):
        self.calls += 1
        return x * self.calls


@case
def parameter_of_an_object_augmented():
    counter = Counter()

    @ms.jit
    def function(x):
        return counter(x)

    return function(x()), function(x()), counter.calls


def summed(w, x):
    w += x
    return (w * w * x).sum()


class Summed(Weighted):
    def construct(self, x):
        return summed(self.w, x)


class SummedOfAttribute(Weighted):
    def construct(self, x):
        self.w += x
        return (self.w * self.w * x).sum()


@case.table({c.__name__: (c,) for c in (Summed, SummedOfAttribute)})
def gradient_of_augmented_parameter(make):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = make()
    by_input = ms.grad(cell)(x())
    cell = make()
    return by_input, ms.grad(cell, None, [cell.w])(x()), cell.w


def lowered_exponential(x):
    y = ops.exp(x)
    y -= 1
    return y.sum()


@case
def gradient_beside_augmented_assignment():
    ms.set_context(mode=ms.GRAPH_MODE)
    return ms.grad(lowered_exponential)(x())


def by_another_name(y):
    z = y
    z[0] = 1
    return y


def by_a_part(y):
    z = y[0]
    z[1] = 1
    return y


def by_a_part_of_a_part(y):
    y[1:][0] = 1
    return y


def by_a_method_of_a_part(y):
    y[0].mul_(3)
    return y


@case.table(
    {
        f.__name__: (f,)
        for f in (by_another_name, by_a_part, by_a_part_of_a_part, by_a_method_of_a_part)
    }
)
def written_in_a_compiled_call(function):
    def whole(x):
        return function(x * 1)

    values = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    return whole(Tensor(values)), ms.jit(function)(Tensor(values))


class Scaled(Weighted):
    def __init__(self):
        super().__init__()
        self.scaler = ms.amp.DynamicLossScaler(16, 2, 2)

    def construct(self, x):
        finite = ops.ones((), ms.bool_)
        alone = ops.depend(finite, False)
        finite = ops.depend(finite, self.scaler.adjust(finite)).to(ms.bool_)
        if finite:
            x = x * self.w
        return x, not finite, not alone, finite and alone


@case
def condition_that_waits_for_what_is_written():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Scaled()
    return net(x()), net(x()), net.scaler.scale_value


@case
def custom_function_of_64_bits():
    """A function of NumPy in a compiled call sees all bits of integers, and gives them."""
    add = ops.Custom(lambda a: a + 1, lambda shape: shape, lambda dtype: dtype, func_type="pyfunc")

    @ms.jit
    def both(x, y):
        return add(x), add(y)

    return both(Tensor([2**40, 3]), Tensor([1.0 + 2.0**-40], ms.float64))


def unpacked(x):
    first, second = x, x + 1, x + 2
    return first + second


@case
def unpacked_to_fewer_names():
    return ms.jit(unpacked)(x())


class ListedInside(Weighted):
    def construct(self, x):
        return ms.grad(self.loss, None, [self.w])(x)

    def loss(self, x):
        return (self.w * x).sum()


@case.table({"pynative": (ms.PYNATIVE_MODE,), "graph": (ms.GRAPH_MODE,)})
def gradients_of_a_list_of_weights(mode):
    ms.set_context(mode=mode)
    return ListedInside()(x())


class Counting(Weighted):
    def __init__(self):
        super().__init__()
        self.passes = Parameter(Tensor(0.0, ms.float32), name="passes", requires_grad=False)

    def construct(self, x):
        self.passes += 1
        return (x * self.w * self.passes).sum()


class Trained(nn.Cell):
    """A step that asks for the loss, and then for the gradient, without ``set_grad``."""

    def __init__(self, net, calls):
        super().__init__(auto_prefix=False)
        self.net, self.calls = net, calls
        self.weights = ms.ParameterTuple(net.trainable_params())
        self.grad = ops.GradOperation(get_by_list=True)

    def construct(self, x):
        loss = self.net(x)
        for _ in range(self.calls - 1):
            loss = self.net(x)
        return loss, self.grad(self.net, self.weights)(x)


@case.table({"once": (1,), "twice": (2,)})
def network_called_before_its_gradient(calls):
    """Called once, it runs once for both: what it counts counts once."""
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Counting()
    step = Trained(net, calls)
    return step(x()), step(x()), net.passes
