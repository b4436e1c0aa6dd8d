"""What a differentiated function leaves behind: on self, in lists, in globals, in Parameters."""

import contextlib

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

KEPT = []


def x():
    return Tensor([1.0, 2.0], ms.float32)


def parameter(name="w", values=(2.0, 3.0), requires_grad=True):
    return Parameter(Tensor(list(values), ms.float32), name=name, requires_grad=requires_grad)


class Keeper(nn.Cell):
    """Runs a body given as a function of (self, x)."""

    def __init__(self, body):
        super().__init__()
        self.w = parameter()
        self.count = 0
        self.items = []
        self.last = None
        self.body = body

    def construct(self, x):
        return self.body(self, x)


def remember(net, x):
    net.last = x * net.w
    return net.last * net.last


def remember_before(net, x):
    y = x * net.w
    net.last = y
    return y * 3


def accumulate(net, x):
    net.last = x * net.w if net.last is None else net.last + x * net.w
    return net.last * x


def append(net, x):
    net.items.append(x * net.w)
    return net.items[-1] * x


def append_all(net, x):
    for i in range(3):
        net.items.append(x * i)
    return sum(net.items, x * 0)


def count(net, x):
    net.count += 1
    return x * net.count


def into_dict(net, x):
    net.items = {"y": x * net.w, "n": 1}
    return net.items["y"] * x


STORED = {
    "on_self": (remember,),
    "on_self_before": (remember_before,),
    "on_self_from_call_to_call": (accumulate,),
    "in_a_list": (append,),
    "several_in_a_list": (append_all,),
    "python_int": (count,),
    "in_a_dict": (into_dict,),
}


@case.table(STORED)
def left_on_self(body):
    net = Keeper(body)
    results = [ms.value_and_grad(net, 0, [net.w])(x()) for _ in range(2)]
    return results, net.last, net.items, net.count


@case.table(STORED)
def left_on_self_used_afterwards(body):
    net = Keeper(body)
    ms.grad(net)(x())
    kept = [net.last] if net.last is not None else list(net.items)
    kept = [entry for entry in kept if isinstance(entry, Tensor)]
    return [(entry + 1, entry.asnumpy(), entry.dtype, entry.shape) for entry in kept]


@case.table({"on_self": (remember,), "in_a_list": (append,)})
def left_in_one_gradient_used_in_the_next(body):
    net = Keeper(body)
    ms.grad(net)(x())
    kept = net.last if net.last is not None else net.items[0]
    return ms.grad(lambda y: y * kept)(x())


@case
def kept_in_a_global():
    KEPT.clear()

    def fn(x):
        KEPT.append(x * x)
        return x * 2

    ms.grad(fn)(x())
    return KEPT, KEPT[-1] * 2


@case
def kept_by_nonlocal():
    kept = None

    def fn(x):
        nonlocal kept
        kept = x * 5
        return kept * x

    gradient = ms.grad(fn)(x())
    return gradient, kept, ms.grad(lambda y: y * kept)(x())


@case
def input_itself_is_kept():
    seen = []

    def fn(x):
        seen.append(x)
        return x * x

    a = x()
    ms.grad(fn)(a)
    return seen[0] is a, seen


@case
def kept_although_the_function_raised():
    seen = []

    def fn(x):
        seen.append(x * 3)
        raise ValueError("stop")

    with contextlib.suppress(ValueError):
        ms.grad(fn)(x())
    return seen, seen[0] + 1


@case
def attribute_of_a_plain_object():
    class Box:
        pass

    box = Box()

    def fn(x):
        box.y = ops.exp(x)
        return box.y

    return ms.value_and_grad(fn)(x()), box.y


# Parameters written while the function runs


def assign(net, x):
    ops.assign(net.w, net.w * 2)
    return net.w * x


def assign_from_input(net, x):
    ops.assign(net.w, x * 10)
    return net.w * x


def assign_add(net, x):
    ops.assign_add(net.w, Tensor([1.0, 1.0], ms.float32))
    return net.w * x


def assign_sub(net, x):
    ops.assign_sub(net.w, x)
    return net.w * x * x


def assign_after_use(net, x):
    y = net.w * x
    ops.assign(net.w, Tensor([7.0, 7.0], ms.float32))
    return y * x


def set_data(net, x):
    net.w.set_data(Tensor([7.0, 8.0], ms.float32))
    return net.w * x


def attribute(net, x):
    net.w = net.w + 1
    return net.w * x


def augmented(net, x):
    net.w += 1
    return net.w * x


WRITTEN = {
    "assign": (assign,),
    "assign_from_input": (assign_from_input,),
    "assign_add": (assign_add,),
    "assign_sub": (assign_sub,),
    "assign_after_use": (assign_after_use,),
    "set_data": (set_data,),
    "attribute": (attribute,),
    "augmented": (augmented,),
}


@case.table(WRITTEN)
def parameter_written(body):
    net = Keeper(body)
    before = net.w
    out = ms.value_and_grad(net)(x())
    return out, net.w, net.w is before


@case.table(WRITTEN)
def parameter_written_twice(body):
    net = Keeper(body)
    after = ms.grad(net)
    return [after(x()) for _ in range(2)], net.w


@case.table(WRITTEN)
def gradient_of_a_written_parameter(body):
    net = Keeper(body)
    return ms.grad(net, None, net.w)(x()), net.w


@case
def statistics_beside_a_trained_weight():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = parameter()
            self.mean = parameter("mean", (0.0, 0.0), requires_grad=False)

        def construct(self, x):
            y = x * self.w
            ops.assign(self.mean, self.mean * 0.5 + y * 0.5)
            return y * y

    net = Net()
    after = ms.value_and_grad(net, None, net.trainable_params())
    return [after(x()) for _ in range(3)], net.mean


@case
def batch_norm_statistics():
    net = nn.BatchNorm1d(2)
    net.set_train()
    a = Tensor([[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]], ms.float32)
    ms.grad(net, None, net.trainable_params())(a)
    return net.moving_mean, net.moving_variance


@case
def parameter_not_written_when_the_function_raises():
    w = parameter()

    def fn(x):
        raise ValueError("before the write")

    try:
        ms.grad(fn, 0, [w])(x())
    except ValueError:
        return w, ms.grad(lambda x: x * w, 0, [w])(x())


@case
def parameters_and_inputs_keep_their_identity():
    w, a = parameter(), x()
    seen = []

    def fn(x):
        seen.append((w, x))
        return x * w

    ms.grad(fn, 0, [w])(a)
    return seen[0][0] is w, seen[0][1] is a, w, a


@case
def rebinding_an_input():
    def fn(x):
        x += 1
        return x * x

    a = x()
    return ms.grad(fn)(a), a


@case
def writing_an_element_of_a_new_tensor():
    def fn(x):
        y = x * 1
        y[0] = 5.0
        return y * x

    return ms.value_and_grad(fn)(x())


@case
def writing_a_slice_of_a_new_tensor():
    def fn(x):
        y = ops.zeros((2, 2), ms.float32)
        y[0] = x
        y[1, :] = x * x
        return y * 2

    return ms.value_and_grad(fn)(x())


@case
def writing_an_element_of_the_input():
    def fn(x):
        x[0] = 5.0
        return x * x

    return ms.value_and_grad(fn)(x())


def forward_then_gradient(prepare):
    calls = []

    class Net(nn.Cell):
        def construct(self, x):
            calls.append(1)
            return x * x

    net, a = Net(), x()
    prepare(net)
    out = net(a)
    return out, ms.grad(net)(a), calls


@case
def forward_with_set_grad_is_reused():
    return forward_then_gradient(lambda net: net.set_grad())


@case
def forward_without_set_grad_runs_again():
    return forward_then_gradient(lambda net: None)


@case
def gradient_step_by_hand():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    a, target = Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), Tensor([[1.0], [2.0]], ms.float32)
    weights = net.trainable_params()
    after = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, weights)
    losses = []
    for _ in range(3):
        loss, grads = after(a, target)
        for weight, grad in zip(weights, grads, strict=True):
            ops.assign_sub(weight, grad * 0.01)
        losses.append(loss)
    return losses, net.weight.asnumpy(), net.bias.asnumpy()


@case
def a_step_of_an_optimizer_gives_constants():
    net = nn.Dense(2, 1, weight_init=Tensor([[0.3, 0.7]]), bias_init=Tensor([0.1]))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)

    def both(x):
        first = net(x).sum()
        optimizer((x[:1] * 2, Tensor([1.0]) * x[0, 0]))
        return first * 2 + net(x).sum()

    gradient = ms.jit(ms.grad(both, 0, net.trainable_params()))
    return gradient(Tensor([[1.0, 2.0]])), net.weight.asnumpy()


@case
def a_compiled_step_of_an_optimizer_gives_constants():
    weight = Parameter(Tensor([1.0, 2.0, 3.0]), name="weight")
    optimizer = nn.SGD([weight], 0.1)

    @ms.jit
    def both(x):
        first = (weight * weight * x).sum()
        optimizer((x * x,))
        optimizer((x * weight,))
        return first + (weight * x).sum()

    value, gradients = ms.value_and_grad(both, 0, [weight])(Tensor([0.5, -1.0, 2.0]))
    return value, gradients, weight.asnumpy()
