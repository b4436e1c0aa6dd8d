"""Hooks on tensors and cells, HookBackward, recompute and custom functions."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def triple(grad):
    return grad * 3


def add_one(grad):
    return grad + 1


def nothing(grad):
    return None


def number(grad):
    return 3.0


def pair(grad):
    return grad, grad


HOOKS = {
    "triple": (triple,),
    "None": (nothing,),
    "number": (number,),
    "tuple": (pair,),
}


@case.table(HOOKS)
def tensor_hook(hook):
    def fn(x):
        y = x * x
        y.register_hook(hook)
        return y * 5

    return ms.value_and_grad(fn)(x())


@case.table(HOOKS)
def tensor_hook_on_an_input(hook):
    a = x()
    a.register_hook(hook)
    return ms.grad(lambda x: x * x)(a)


@case.table(HOOKS)
def tensor_hook_on_a_parameter(hook):
    w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")
    w.register_hook(hook)
    return ms.grad(lambda x: x * w, 0, [w])(x())


@case
def tensor_hooks_chain():
    def fn(x):
        y = x * 1
        y.register_hook(triple)
        y.register_hook(add_one)
        return y * 5

    return ms.grad(fn)(x())


@case
def tensor_hook_removed():
    a = x()
    handle = a.register_hook(triple)
    before = ms.grad(lambda x: x * x)(a)
    handle.remove()
    return before, ms.grad(lambda x: x * x)(a)


@case
def tensor_hook_sees_the_gradient():
    seen = []

    def fn(x):
        y = x * x
        y.register_hook(lambda grad: seen.append(grad))
        return y * 5

    return ms.grad(fn)(x()), seen


@case
def tensor_hook_not_callable():
    return x().register_hook(3)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")

    def construct(self, x):
        return self.relu(x * self.w) * 2


SEEN = []


def forward_pre(cell, inputs):
    SEEN.append(inputs)


def forward_pre_changes(cell, inputs):
    return (inputs[0] * 10,)


def forward_pre_bare(cell, inputs):
    return inputs[0] * 10


def forward(cell, inputs, output):
    SEEN.append((inputs, output))


def forward_changes(cell, inputs, output):
    return output + 1


def backward_pre(cell, grad_output):
    SEEN.append(grad_output)


def backward_pre_changes(cell, grad_output):
    return (grad_output[0] * 10,)


def backward(cell, grad_input, grad_output):
    SEEN.append((grad_input, grad_output))


def backward_changes(cell, grad_input, grad_output):
    return (grad_input[0] * 10,)


def backward_bare(cell, grad_input, grad_output):
    return grad_input[0] * 10


def backward_too_many(cell, grad_input, grad_output):
    return grad_input[0], grad_input[0]


CELL_HOOKS = {
    "forward_pre": ("register_forward_pre_hook", forward_pre),
    "forward_pre_changes": ("register_forward_pre_hook", forward_pre_changes),
    "forward_pre_bare": ("register_forward_pre_hook", forward_pre_bare),
    "forward": ("register_forward_hook", forward),
    "forward_changes": ("register_forward_hook", forward_changes),
    "backward_pre": ("register_backward_pre_hook", backward_pre),
    "backward_pre_changes": ("register_backward_pre_hook", backward_pre_changes),
    "backward": ("register_backward_hook", backward),
    "backward_changes": ("register_backward_hook", backward_changes),
    "backward_bare": ("register_backward_hook", backward_bare),
    "backward_too_many": ("register_backward_hook", backward_too_many),
}


@case.table(CELL_HOOKS)
def hook_of_an_inner_cell(register, hook):
    SEEN.clear()
    net = Net()
    getattr(net.relu, register)(hook)
    return ms.value_and_grad(net, 0, [net.w])(x()), SEEN


@case.table(CELL_HOOKS)
def hook_of_the_outer_cell(register, hook):
    SEEN.clear()
    net = Net()
    getattr(net, register)(hook)
    return ms.value_and_grad(net, 0, [net.w])(x()), SEEN


def forward_combines(cell, inputs, output):
    return output * 5 + inputs[0] * 3


@case.table({name: hooks for name, hooks in CELL_HOOKS.items() if name.startswith("backward")})
def hook_beside_forward_hooks(register, hook):
    """The output, for backward hooks, is what the forward hooks made of it."""
    SEEN.clear()
    net = Net()
    net.relu.register_forward_pre_hook(forward_pre_changes)
    net.relu.register_forward_hook(forward_combines)
    getattr(net.relu, register)(hook)
    return ms.value_and_grad(net, 0, [net.w])(x()), SEEN


@case.table(CELL_HOOKS)
def hook_removed(register, hook):
    SEEN.clear()
    net = Net()
    handle = getattr(net.relu, register)(hook)
    handle.remove()
    handle.remove()
    return ms.value_and_grad(net, 0, [net.w])(x()), SEEN


def double_each(grads):
    return tuple(grad * 2 for grad in grads)


def see(grads):
    SEEN.append(grads)


@case.table({"double": (double_each,), "None": (see,), "number": (number,)})
def hook_backward(hook):
    SEEN.clear()
    operator = ops.HookBackward(hook)
    return ms.value_and_grad(lambda x: operator(x * x) * 3)(x()), SEEN


@case
def hook_backward_of_two():
    operator = ops.HookBackward(double_each)

    def fn(x, y):
        a, b = operator(x, y)
        return a * b

    return ms.grad(fn, (0, 1))(x(), x() + 1)


@case.table({"int32": (ms.int32,), "bool": (ms.bool_,)})
def hook_backward_at_integers(dtype):
    SEEN.clear()
    operator = ops.HookBackward(see)

    def fn(x, y):
        a, b = operator(x, y)
        return (a * b).sum() if dtype == ms.int32 else b.sum()

    return ms.grad(fn, (0, 1))(Tensor([1, 2], dtype), x()), SEEN


class Looked(nn.Cell):
    def construct(self, table, indices):
        return ops.gather(table, indices, 0), indices


def see_inputs(cell, grad_input, grad_output):
    SEEN.append((grad_input, grad_output))


def return_inputs(cell, grad_input, grad_output):
    return grad_input


@case.table({"see": (see_inputs,), "return": (return_inputs,)})
def cell_hook_beside_indices(hook):
    SEEN.clear()
    net = Looked()
    net.register_backward_hook(hook)

    def fn(table, indices):
        return net(table, indices)[0].sum()

    return ms.grad(fn)(x(), Tensor([0, 1, 1], ms.int32)), SEEN


@case
def hook_backward_not_callable():
    return ops.HookBackward(3)


@case
def recomputed_cell():
    calls = []

    class Counted(nn.Cell):
        def construct(self, x):
            calls.append(1)
            return x * x * x

    net = Counted()
    result = net.recompute()
    return result, ms.value_and_grad(net)(x()), len(calls)


@case
def recomputed_batch_norm():
    """Its moving mean after a step."""
    net = nn.SequentialCell(nn.BatchNorm1d(3)).set_train()
    net.recompute()
    ms.value_and_grad(net, None, net.trainable_params())(Tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 8.0]]))
    return net[0].moving_mean


@case
def recompute_function():
    net = Net()
    return ms.value_and_grad(lambda x: ms.recompute(net, x), 0, [net.w])(x())


@case
def custom_function():
    class Cube(ms._Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * x * 100

    return ms.value_and_grad(lambda x: Cube.apply(x) * 2)(x())


@case.table(
    {
        "too_few": (lambda g: g,),
        "too_few_in_a_tuple": (lambda g: (g,),),
        "too_many": (lambda g: (g, g * 2, g * 3),),
        "none_too_many": (lambda g: (g, g * 2, None),),
        "None": (lambda g: (None, g),),
        "nothing": (lambda g: None,),
        "other_shape": (lambda g: (g.sum(), g),),
        "number": (lambda g: (2.0, g),),
        "other_dtype": (lambda g: (g.astype(ms.float16), g),),
    }
)
def custom_function_gives(gradients):
    class Product(ms._Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, grad):
            return gradients(grad)

    return ms.grad(lambda x, y: Product.apply(x, y).sum(), (0, 1))(x(), x() + 1)


@case
def custom_function_with_setup_context():
    class Scaled(ms._Function):
        @staticmethod
        def forward(x, factor):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0], output)
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, grad):
            x, out = ctx.saved_tensors
            return grad * ctx.factor + x + out, None

    return ms.value_and_grad(lambda x: Scaled.apply(x, 3.0) * 2)(x())


@case.table({"packed": (1,), "unpacked": (2,), "both": (3,)})
def printed_where_values_are_kept(which):
    def pack(value):
        if which & 1:
            print("packed", value.shape)
        return value + 1

    def unpack(value):
        if which & 2:
            print("unpacked", value)
        return value

    @ms.register_saved_tensors_hooks(pack, unpack)
    def product(x, y):
        return x * y

    x, y = Tensor([2.0, 3.0]), Tensor([4.0, 5.0])
    return ms.jit(ms.value_and_grad(product, (0, 1)))(x, y)


class _Contained(nn.Cell):
    def construct(self, x, given):
        first = given["a"] if isinstance(given, dict) else given[0]
        if isinstance(given, list):
            given.append(x * 2)
        return x * first, [first * 2]


CONTAINERS = {
    "list": lambda y: [y],
    "tuple": lambda y: (y,),
    "dict": lambda y: {"a": y},
    "two": lambda y: (y, y * 2),
    "nested": lambda y: (y, (y,)),
}


@case.table({name: (make,) for name, make in CONTAINERS.items()})
def cell_hooks_beside_containers(make):
    net, seen, lengths = _Contained(), [], []

    def around(cell, grad_input, grad_output):
        seen.append((grad_input, grad_output))
        return tuple(grad * 10 for grad in grad_input)

    net.register_backward_hook(around)
    net.register_backward_pre_hook(lambda cell, grad_output: seen.append(grad_output))

    def loss(x, y):
        given = make(y * 1)
        one, (other,) = net(x * 1, given)
        lengths.append(len(given))
        return (one * one).sum() + other.sum()

    return ms.grad(loss, (0, 1))(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])), seen, lengths


def custom(forward, backward):
    """Return a ``_Function`` of the two, and what its backward pass got."""
    seen = []

    class Custom(ms._Function):
        @staticmethod
        def forward(ctx, *inputs):
            seen.append(tuple(ctx.needs_input_grad))
            return forward(ctx, *inputs)

        @staticmethod
        def backward(ctx, *grads):
            seen.append(grads)
            return backward(*grads)

    return Custom.apply, seen


def marked_second(ctx, a):
    mask = (a > 1).astype(ms.float32)
    ctx.mark_non_differentiable(mask)
    return a * 2, mask


def marked_integers(ctx, a):
    rounded = (a * 2).astype(ms.int32)
    ctx.mark_non_differentiable(rounded)
    return a * 2, rounded


def marked_alone(ctx, a):
    out = a * 2
    ctx.mark_non_differentiable(out)
    return out


def marked_as_a_tuple(ctx, a):
    out = a * 2
    ctx.mark_non_differentiable((out,))
    return out


def not_materialized(ctx, a):
    ctx.set_materialize_grads(False)
    return a * 2, a * 3


def materialized_by_a_number(ctx, a):
    ctx.set_materialize_grads(1)
    return a * 2, a * 3


def with_numbers(ctx, a):
    return a * 2, 5, None


@case.table(
    {
        "both": (marked_second, lambda out: out[0] + out[1]),
        "the_other": (marked_second, lambda out: out[0]),
        "the_marked": (marked_second, lambda out: out[1]),
        "integers": (marked_integers, lambda out: out[0] * out[1]),
        "alone": (marked_alone, lambda out: out),
        "as_a_tuple": (marked_as_a_tuple, lambda out: out),
        "not_materialized": (not_materialized, lambda out: out[0]),
        "not_materialized_second": (not_materialized, lambda out: out[1]),
        "not_materialized_both": (not_materialized, lambda out: out[0] * out[1]),
        "materialized_by_a_number": (materialized_by_a_number, lambda out: out[0]),
        "with_numbers": (with_numbers, lambda out: out[0]),
    }
)
def custom_function_outputs(forward, use):
    apply, seen = custom(forward, lambda *grads: 13 * sum(g for g in grads if g is not None))
    return ms.value_and_grad(lambda a: use(apply(a)) * a)(x()), seen


def last(ctx, *inputs):
    return inputs[-1] * 2


@case.table(
    {
        "tuple": (lambda b: ((b, b), b), lambda g: (None, g * 13)),
        "tuple_given_one": (lambda b: ((b, b), b), lambda g: (g, g * 13)),
        "number": (lambda b: (3, b), lambda g: (None, g * 13)),
        "number_given_one": (lambda b: (3, b), lambda g: (g, g * 13)),
        "constant": (lambda b: (x(), b), lambda g: (g, g * 13)),
        "stopped": (lambda b: (ops.stop_gradient(b), b), lambda g: (g, g * 13)),
        "computed_constant": (lambda b: (x() * 2, b), lambda g: (g, g * 13)),
        "frozen": (
            lambda b: (Parameter(x(), name="w", requires_grad=False), b),
            lambda g: (g, g * 13),
        ),
        "parameter": (lambda b: (Parameter(x(), name="w"), b), lambda g: (g, g * 13)),
        "integers": (lambda b: (b.astype(ms.int32), b), lambda g: (g, g * 13)),
    }
)
def custom_function_inputs(make, backward):
    apply, seen = custom(last, backward)
    return ms.value_and_grad(lambda b: apply(*make(b)))(x()), seen


@case
def custom_function_without_a_gradient():
    apply, seen = custom(last, lambda g: (g, g))
    return apply(x(), x()), seen


@case.table({"second": (2,), "third": (3,)})
def custom_function_of_higher_order(order):
    class Kept(ms._Function):
        @staticmethod
        def forward(ctx, a, b):
            squared = a * a
            out = squared * b
            ctx.save_for_backward(a, squared, out)
            ctx.b = b
            return out

        @staticmethod
        def backward(ctx, grad):
            a, squared, out = ctx.saved_tensors
            return grad * a * squared * ctx.b, grad * squared + out

    fn = lambda a: Kept.apply(a, a) * a
    for _ in range(order):
        fn = ms.grad(fn)
    return fn(x())


class HookedLayer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
        self.layer.register_forward_hook(self.after)
        self.layer.register_backward_hook(self.backward)

    def after(self, cell, inputs, output):
        return output * 3

    def backward(self, cell, grad_input, grad_output):
        return (grad_input[0] * 5,)

    def construct(self, x):
        return self.layer(x).sum()


@case
def compiled_hooks_where_weights_alone_have_gradients():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = HookedLayer()
    x = Tensor([[1.0, 2.0, 3.0]])
    return ms.grad(net, None, net.trainable_params())(x), ms.grad(net)(x)
