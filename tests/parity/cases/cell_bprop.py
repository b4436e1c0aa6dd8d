"""Cell.bprop: what it is given, what it may return, and what becomes of weights and shapes."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def y():
    return Tensor([3.0, 5.0], ms.float32)


class One(nn.Cell):
    """One input; the bprop's answer is given by a function of (x, out, dout)."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return self.answer(x, out, dout)


class Two(nn.Cell):
    """Two inputs; the bprop's answer is given by a function of (x, y, out, dout)."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return self.answer(x, y, out, dout)


def fail(*inputs):
    raise KeyError("in bprop")


ONE = {
    "tuple": (lambda x, out, dout: (dout * 7,),),
    "list": (lambda x, out, dout: [dout * 7],),
    "bare": (lambda x, out, dout: dout * 7,),
    "of_input": (lambda x, out, dout: (x * 10,),),
    "of_out": (lambda x, out, dout: (out + dout,),),
    "extra": (lambda x, out, dout: (dout, dout * 2, dout * 3),),
    "None": (lambda x, out, dout: None,),
    "None_in_tuple": (lambda x, out, dout: (None,),),
    "empty": (lambda x, out, dout: (),),
    "number": (lambda x, out, dout: 100.0,),
    "number_in_tuple": (lambda x, out, dout: (100.0,),),
    "int_in_tuple": (lambda x, out, dout: (100,),),
    "numpy": (lambda x, out, dout: np.ones(2, np.float32),),
    "half": (lambda x, out, dout: (dout.astype(ms.float16) * 3,),),
    "integer": (lambda x, out, dout: (Tensor([1, 2]),),),
    "scalar": (lambda x, out, dout: (Tensor(2.0, ms.float32),),),
    "larger": (lambda x, out, dout: (Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32),),),
    "wrong_shape": (lambda x, out, dout: (Tensor([1.0, 2.0, 3.0], ms.float32),),),
    "raises": (fail,),
    "branch": (lambda x, out, dout: (dout * 2,) if x.sum() > 1 else (dout,),),
    "asnumpy": (lambda x, out, dout: (Tensor(x.asnumpy() * 2),),),
    "operator": (lambda x, out, dout: (ops.clip_by_value(dout * x, 0.0, 1.5),),),
}


@case.table(ONE)
def one_input(answer):
    return ms.value_and_grad(One(answer))(x())


TWO = {
    "tuple": (lambda x, y, out, dout: (dout * 7, dout * 8),),
    "list": (lambda x, y, out, dout: [dout * 7, dout * 8],),
    "swapped": (lambda x, y, out, dout: (dout * x, dout * y),),
    "extra": (lambda x, y, out, dout: (dout, dout * 2, dout * 3),),
    "too_few": (lambda x, y, out, dout: (dout,),),
    "None": (lambda x, y, out, dout: None,),
    "second_None": (lambda x, y, out, dout: (dout * 7, None),),
    "both_None": (lambda x, y, out, dout: (None, None),),
    "with_weights": (lambda x, y, out, dout: ((dout, dout * 2), {}),),
}


@case.table(TWO)
def two_inputs(answer):
    return ms.grad(Two(answer), (0, 1))(x(), y())


@case.table(TWO)
def second_of_two_inputs(answer):
    return ms.grad(Two(answer), 1)(x(), y())


@case
def given_to_bprop():
    seen = []

    def look(x, y, out, dout):
        seen.append((x, y, out, dout))
        return dout, dout

    net = Two(look)
    ms.grad(lambda x, y: net(x, y) * 5)(x(), y())
    return seen


@case
def unused_second_gradient():
    return ms.grad(Two(lambda x, y, out, dout: (dout * 7, dout * 8)), 0)(x(), y())


@case
def in_the_middle():
    net = One(lambda x, out, dout: dout * x * 10)
    return ms.value_and_grad(lambda x: net(x * 2) * 3)(x())


@case
def applied_twice():
    net = One(lambda x, out, dout: dout * 10)
    return ms.grad(lambda x: net(net(x)) + net(x))(x())


@case
def forward_alone_does_not_call_it():
    return One(fail)(x())


@case
def nested_cells_keep_theirs():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = One(lambda x, out, dout: dout * 100)

        def construct(self, x):
            return self.inner(x) + x

    return ms.grad(Outer())(x())


@case
def outer_bprop_hides_the_inner():
    class Outer(One):
        def __init__(self):
            super().__init__(lambda x, out, dout: dout * 7)
            self.inner = One(fail)

        def construct(self, x):
            return self.inner(x)

    return ms.grad(Outer())(x())


class Weighted(nn.Cell):
    def __init__(self, second=False):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")
        self.second = second

    def construct(self, x):
        return x * self.w

    def bprop(self, x, out, dout):
        if self.second:
            return (dout * self.w,), {self.w: dout * x}
        return (dout * self.w,)


@case
def weights_of_such_a_cell():
    net = Weighted()
    return ms.grad(net, 0, [net.w])(x())


@case
def weights_given_beside():
    net = Weighted(second=True)
    return ms.grad(net, 0, [net.w])(x())


class Pair(nn.Cell):
    """Two outputs."""

    def __init__(self, seen):
        super().__init__()
        self.seen = seen

    def construct(self, x):
        return x * 2, x * x

    def bprop(self, x, out, dout):
        self.seen.append((out, dout))
        return (dout[0] * 10 + dout[1] * 100,)


@case
def several_outputs():
    seen = []
    return ms.value_and_grad(Pair(seen))(x()), seen


@case
def first_of_several_outputs_used():
    seen = []
    net = Pair(seen)
    return ms.grad(lambda x: net(x)[0] * 3)(x()), seen


@case
def several_outputs_with_aux():
    seen = []
    return ms.grad(Pair(seen), has_aux=True)(x()), seen


class Default(nn.Cell):
    def construct(self, x, k=3.0):
        return x * k

    def bprop(self, x, k, out, dout):
        return dout * k * 10, dout


@case
def default_of_construct():
    return ms.value_and_grad(Default())(x())


@case
def number_given_for_a_default():
    return ms.value_and_grad(Default())(x(), 5.0)


@case
def keyword_input():
    return ms.grad(Two(lambda x, y, out, dout: (dout * 7, dout * 8)), (0, 1))(x(), y=y())


class TooFewArguments(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, y, out, dout):
        return dout, dout


@case
def arity_does_not_match():
    return ms.grad(TooFewArguments())(x(), y())


class ReadsSelf(nn.Cell):
    """construct leaves a tensor on self that bprop reads."""

    def __init__(self):
        super().__init__()
        self.kept = None

    def construct(self, x):
        self.kept = ops.exp(x)
        return self.kept

    def bprop(self, x, out, dout):
        return (dout * self.kept * 10,)


@case
def reads_what_construct_left_on_self():
    net = ReadsSelf()
    return ms.value_and_grad(net)(x()), net.kept


@case
def leaves_something_on_self():
    class Leaves(One):
        def __init__(self):
            super().__init__(None)

        def bprop(self, x, out, dout):
            self.answer = dout * 2
            return (dout,)

    net = Leaves()
    return ms.grad(net)(x()), net.answer


@case
def closure_that_is_differentiated():
    def fn(x, z):
        net = One(lambda x, out, dout: dout * 10)
        return net(x * z)

    return ms.grad(fn, (0, 1))(x(), y())


@case
def second_order():
    return ms.grad(ms.grad(One(lambda x, out, dout: dout * x * x * x)))(x())


@case
def of_an_integer_input():
    return ms.grad(One(lambda x, out, dout: dout * 2))(Tensor([1, 2]))


@case
def number_input():
    net = Two(lambda x, y, out, dout: (dout * 7, dout * 8))
    return ms.grad(net, (0, 1))(x(), 3.0)


@case.table({"number": (3.0,), "text": ("three",), "None": (None,), "pair": ((x(), 2),)})
def an_input_between_that_has_no_gradient(between):
    class Sum(nn.Cell):
        def construct(self, x, between, y):
            return x + y

        def bprop(self, x, between, y, out, dout):
            return dout * 7, (dout, 0) if isinstance(between, tuple) else 0, dout * 8

    net = Sum()
    return ms.grad(lambda a, b: net(a * 2, between, b * 3), (0, 1))(x(), y())


@case
def tuple_input():
    class Sum(nn.Cell):
        def construct(self, pair):
            return pair[0] * pair[1]

        def bprop(self, pair, out, dout):
            return ((dout * 10, dout * 20),)

    net = Sum()
    return ms.grad(lambda a, b: net((a, b)), (0, 1))(x(), y())


@case
def broadcast_gradient_to_one_element():
    net = One(lambda x, out, dout: (Tensor([1.0, 2.0], ms.float32),))
    return ms.grad(net)(Tensor([1.0], ms.float32))


@case
def clipped_gradient_of_a_straight_through():
    class Round(nn.Cell):
        def construct(self, x):
            return ops.round(x)

        def bprop(self, x, out, dout):
            return (ops.where(ops.abs(x) <= 1, dout, ops.zeros_like(dout)),)

    return ms.value_and_grad(Round())(Tensor([-2.4, -0.4, 0.6, 3.0], ms.float32))


@case.table({"one": (1,), "of_two": (2,)})
def input_written_and_returned(inputs):
    """A quaternion network's: zeros among the norms become ones, and bprop passes by them."""

    class Filled(nn.Cell):
        def construct(self, x, *more):
            x[x == 0] = 1
            return (x, *more) if more else x

        def bprop(self, *given):
            dout = given[-1]
            return tuple(dout) if inputs == 2 else (dout,)

    def loss(x):
        filled = Filled()(*[x * 2, x * 3][:inputs])
        x, y = filled if inputs == 2 else (filled, 1)
        return (x * y).sum()

    return ms.value_and_grad(loss)(Tensor([0.5, -1.0, 2.0], ms.float32))


# The article's cell, f(x, y) = x * y**2; a bare gradient from a cell of two inputs is no longer
# accepted by MindSpore 2.10.


@case.table({"clip": (False,), "constant": (True,)})
def article_bare_return(constant):
    class Article(nn.Cell):
        def construct(self, x, y):
            return x * y**2

        def bprop(self, x, y, out, dout):
            return 100.0 if constant else ops.clip_by_value(y**2, 0.1, 1.1)

    a, b = Tensor([-2.0], ms.float32), Tensor([2.0], ms.float32)
    return ms.grad(Article())(a, b)


class _Written(nn.Cell):
    def construct(self, x):
        y = x * 1
        y[0] = 2.0
        z = y * 2
        z[1:] = y[:-1]
        return y, z

    def bprop(self, x, out, dout):
        return (dout[0] * 2 * out[1] + dout[1],)


@case
def an_output_that_was_written_to():
    layer = _Written()

    def program(x):
        y, z = layer(x * 1.0)
        return (y * z).sum() * x.sum()

    x = Tensor([0.25, -0.5, 1.0])
    return ms.value_and_grad(program)(x), ms.jit(ms.grad(program))(x)


def _cubes(x):
    return (x * x * x).sum()


class _Differentiating(nn.Cell):
    def construct(self, x):
        return ms.grad(_cubes)(x) * x

    def bprop(self, x, out, dout):
        return (dout * 3 * x * out,)


@case
def a_compiled_construct_that_differentiates():
    layer = _Differentiating()

    def program(x):
        return (layer(x) * x).sum()

    x = Tensor([0.25, -0.5, 1.0])
    return ms.jit(layer)(x), ms.jit(ms.value_and_grad(program))(x)


class _WritesInput(nn.Cell):
    def construct(self, x):
        x[0] = x[1] * 2
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 7,)


@case
def an_input_that_was_written_to():
    def program(x):
        y = x * 1.0
        return (_WritesInput()(y) + y * 3).sum()

    return ms.value_and_grad(program)(Tensor([0.25, -0.5, 1.0]))
