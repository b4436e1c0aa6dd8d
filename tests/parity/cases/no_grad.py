"""``_no_grad`` as a block and as a decorator; ``Tensor.hooks``."""

import contextlib

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def times_itself(a):
    with ms._no_grad():
        b = a * a
    return b * a


@ms._no_grad()
def square(a):
    """Squares."""
    return a * a


def of_decorated(a):
    return square(a) * a


class Square(nn.Cell):
    @ms._no_grad()
    def construct(self, a):
        return a * a


@case
def block():
    return ms.grad(times_itself)(x())


@case
def decorator():
    return ms.grad(of_decorated)(x()), square(x()), square.__name__, square.__doc__


@case
def decorated_construct():
    net = Square()
    return ms.grad(lambda a: net(a) * a)(x())


@case
def an_instance_for_several_functions():
    quiet = ms._no_grad()
    first, second = quiet(lambda a: a * a), quiet(lambda a: a * a * a)
    return ms.grad(lambda a: first(a) * a + second(a) * a)(x())


@case
def after_an_exception():
    @ms._no_grad()
    def fails(a):
        raise KeyError("x")

    with contextlib.suppress(KeyError):
        fails(x())
    return ms.grad(lambda a: a * a)(x())


@case
def nothing_is_entered_as():
    with ms._no_grad() as value:
        pass
    return value


@case
def takes_no_arguments():
    return ms._no_grad(lambda a: a)


@case.table(
    {
        "grad": (lambda: ms.grad(lambda a: a * a)(x()),),
        "value_and_grad": (lambda: ms.value_and_grad(lambda a: a * a)(x()),),
        "GradOperation": (lambda: ms.ops.GradOperation()(lambda a: a * a)(x()),),
        "made_before": (None,),
    }
)
def gradient_inside(run):
    made = ms.grad(lambda a: a * a)
    with ms._no_grad():
        return made(x()) if run is None else run()


def doubled(gradient):
    return gradient * 2


@case
def hooks():
    tensor = x()
    lengths = [len(tensor.hooks())]
    first = tensor.register_hook(doubled)
    lengths.append(len(tensor.hooks()))
    tensor.register_hook(len)
    lengths.append(len(tensor.hooks()))
    names = [hook.__name__ for hook in tensor.hooks()]
    first.remove()
    names += [hook.__name__ for hook in tensor.hooks()]
    tensor.hooks().clear()
    return lengths, names, len(tensor.hooks()), type(tensor.hooks()).__name__


@case
def hooks_of_a_parameter():
    weight = Parameter(x(), name="w")
    weight.register_hook(doubled)
    return [hook is doubled for hook in weight.hooks()]


@case
def hooks_of_a_result():
    found = []

    def fn(a):
        b = a * a
        b.register_hook(doubled)
        found.append(len(b.hooks()))
        return b * 3

    return ms.grad(fn)(x()), found


class Sevenfold(nn.Cell):
    def construct(self, a):
        return a * 2

    def bprop(self, a, out, dout):
        return (dout * 7,)


class SevenfoldFunction(ms._Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 7


def fivefold(grads):
    return (grads[0] * 5,)


def times_five(grad):
    return grad * 5


def hooked(a):
    net = nn.ReLU()
    net.register_backward_hook(lambda cell, grads, outs: (grads[0] * 9,))
    return net(a)


@case.table(
    {
        "bprop": (lambda a: Sevenfold()(a),),
        "function": (lambda a: SevenfoldFunction.apply(a),),
        "HookBackward": (lambda a: ops.HookBackward(fivefold)(a),),
        "InsertGradientOf": (lambda a: ops.InsertGradientOf(times_five)(a),),
        "cell_hook": (hooked,),
        "all_elements": (lambda a: a[0:2],),
        "element": (lambda a: a[0],),
        "picked": (lambda a: a[[1, 0]],),
        "one_chunk": (lambda a: a.chunk(1)[0],),
        "halves": (lambda a: a.split(1)[1],),
        "copy": (lambda a: a.copy(),),
        "through_integers": (lambda a: a.astype(ms.int32).astype(ms.float32),),
        "same_dtype": (lambda a: a.astype(ms.float32),),
        "view": (lambda a: a.view(1, 2),),
        "itself": (lambda a: a,),
        "data": (lambda a: a.data,),
        "recompute": (lambda a: ms.recompute(nn.ReLU(), a),),
    }
)
def what_carries_no_gradient(quiet):
    def fn(a):
        with ms._no_grad():
            b = quiet(a)
        return (b * 3).sum() + (a * a).sum()

    return ms.value_and_grad(fn)(x())


def _squares(x):
    return x * x


@case
def other_derivatives_in_the_block():
    weight = Tensor([0.5, -1.0, 2.0])

    def program(x):
        with ms._no_grad():
            found = ms.jvp(_squares, x, weight)[1], ms.jacfwd(_squares)(x), ms.jacrev(_squares)(x)
        return (found[0] * x).sum() + (found[1] @ x).sum() + (found[2] @ x).sum(), *found

    return ms.value_and_grad(program, has_aux=True)(Tensor([1.0, 2.0, 3.0]))


@case
def written_in_the_block():
    def program(x):
        y = x * 2
        with ms._no_grad():
            y[0] = 5.0
            y[1:][0] = x[2] * 3
        return (y * y).sum()

    return ms.value_and_grad(program)(Tensor([1.0, 2.0, 3.0]))


@case
def pullback_made_in_the_block():
    weight = Parameter(Tensor([0.5, -1.0, 2.0]), name="weight")

    def weighted(x):
        return x * x * weight

    def program(x):
        with ms._no_grad():
            y, pull = ms.vjp(weighted, x, weights=weight)
        (by_input, by_weight) = pull(x)
        return (by_input[0] + by_weight + y * x).sum()

    def used_in_the_block(x):
        y, pull = ms.vjp(weighted, x)
        with ms._no_grad():
            (by_input,) = pull(x)
        return (by_input * x + y).sum()

    x = Tensor([1.0, 2.0, 3.0])
    return ms.value_and_grad(program)(x), program(x), ms.value_and_grad(used_in_the_block)(x)
