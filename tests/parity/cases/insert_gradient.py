"""ops.InsertGradientOf: forward identity, what its function sees, what it may return, nesting."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def x():
    return Tensor([1.0, 2.0], ms.float32)


def triple(dout):
    return dout * 3


def clip(dout):
    return ops.clip_by_value(dout, 0.0, 1.5)


def add_ten(dout):
    return dout + 10


def nothing(dout):
    return None


def hundred_float(dout):
    return 100.0


def hundred_int(dout):
    return 100


def true(dout):
    return True


def one_tuple(dout):
    return (dout * 2,)


def other_shape(dout):
    return Tensor([1.0, 2.0, 3.0], ms.float32)


def scalar(dout):
    return Tensor(5.0, ms.float32)


def integer(dout):
    return Tensor([1, 2], ms.int64)


def half(dout):
    return dout.astype(ms.float16)


def array(dout):
    return np.ones(2, np.float32)


def text(dout):
    return "s"


def fails(dout):
    raise ValueError("in the backward pass")


def branch(dout):
    if dout.sum() > 1:
        return dout * 2
    return dout


def no_argument():
    return 1.0


def two_arguments(dout, more):
    return dout


RETURNED = {
    "multiple": (triple,),
    "clipped": (clip,),
    "None": (nothing,),
    "float": (hundred_float,),
    "int": (hundred_int,),
    "bool": (true,),
    "one_tuple": (one_tuple,),
    "other_shape": (other_shape,),
    "scalar": (scalar,),
    "integer": (integer,),
    "half": (half,),
    "array": (array,),
    "text": (text,),
    "raises": (fails,),
    "branch": (branch,),
    "no_argument": (no_argument,),
    "two_arguments": (two_arguments,),
}


@case.table(RETURNED)
def straight_to_the_input(function):
    insert = ops.InsertGradientOf(function)
    return ms.value_and_grad(lambda x: insert(x))(x())


@case.table(RETURNED)
def behind_an_operator(function):
    insert = ops.InsertGradientOf(function)
    return ms.grad(lambda x: insert(x * x) * 5)(x())


@case
def forward_is_the_identity():
    insert = ops.InsertGradientOf(triple)
    a = x()
    return insert(a), insert(a) is a


@case.table({"float": (2.5,), "int": (3,), "text": ("s",), "None": (None,)})
def forward_of(value):
    return ops.InsertGradientOf(triple)(value)


@case.table({"none": (), "two": (0, 0)})
def number_of_inputs(*extra):
    return ops.InsertGradientOf(triple)(*(x() for _ in extra))


@case.table({"int": (3,), "text": ("f",)})
def created_with(value):
    ops.InsertGradientOf(value)
    return "no error at creation"


@case
def as_a_lambda():
    insert = ops.InsertGradientOf(
        lambda dout: dout * 4
    )  # fmt: skip
    return ms.grad(lambda x: insert(x) * 2)(x())


@case
def order_of_two():
    outer, inner = ops.InsertGradientOf(triple), ops.InsertGradientOf(add_ten)
    one = ms.grad(lambda x: outer(inner(x)))(x())
    other = ms.grad(lambda x: inner(outer(x)))(x())
    return one, other


@case
def uses_are_summed_first():
    insert = ops.InsertGradientOf(clip)

    def fn(x):
        y = insert(x)
        return y + y + y

    return ms.grad(fn)(x())


@case
def applied_twice_to_one_input():
    insert = ops.InsertGradientOf(clip)
    return ms.grad(lambda x: insert(x) * 3 + insert(x) * 4)(x())


@case
def result_not_used():
    insert = ops.InsertGradientOf(fails)

    def fn(x):
        insert(x)
        return x * 2

    return ms.grad(fn)(x())


@case
def on_the_loss():
    insert = ops.InsertGradientOf(triple)
    return ms.value_and_grad(lambda x: insert((x * x).sum()))(x())


@case
def on_a_weight():
    w = Parameter(Tensor([2.0, 3.0], ms.float32), name="w")
    insert = ops.InsertGradientOf(triple)
    return ms.grad(lambda x: x * insert(w), 0, [w])(x())


@case
def on_an_integer_tensor():
    insert = ops.InsertGradientOf(triple)
    return ms.grad(lambda i, x: insert(i) * x, (0, 1))(Tensor([1, 2]), x())


@case
def second_order():
    insert = ops.InsertGradientOf(triple)
    return ms.grad(ms.grad(lambda x: insert(x) ** 3))(x())


@case
def second_order_of_a_nonlinear_function():
    def squared(dout):
        return dout * dout

    insert = ops.InsertGradientOf(squared)
    return ms.grad(lambda x: insert(x) ** 3)(x())


@case
def seen_by_the_function():
    seen = []

    def look(dout):
        seen.append(dout)
        return dout

    insert = ops.InsertGradientOf(look)
    gradient = ms.grad(lambda x: insert(x * 2) * 5)(x())
    return gradient, seen


@case
def with_a_scaled_cotangent():
    insert = ops.InsertGradientOf(add_ten)
    return ms.grad(lambda x: insert(x) * 2, sens_param=True)(x(), x())


@case
def two_weights_through_one():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    insert = ops.InsertGradientOf(triple)
    after = ms.grad(lambda x: insert(net(x)) * 2, 0, net.trainable_params())
    return after(Tensor([[1.0, 2.0]], ms.float32))


# The programs of MindSpore's article on custom gradients: f(x, y) = x * y**2 at x = -2, y = 2.


def article_inputs():
    return Tensor(np.array([-2.0]).astype(np.float32)), Tensor(np.array([2.0]).astype(np.float32))


class Plain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.pow = ops.Pow()

    def construct(self, x, y):
        return x * self.pow(y, 2)


def clip_gradient(dx):
    ret = dx
    if ret > 1.0:
        ret = 1.0
    if ret < 0.2:
        ret = 0.2
    return ret


clip_above = Tensor(np.array([1.1]).astype(np.float32))
clip_below = Tensor(np.array([0.1]).astype(np.float32))


def clip_between(dx):
    ret = dx
    if ret > clip_above:
        ret = clip_above
    if ret < clip_below:
        ret = clip_below
    return ret


def constant(dx):
    return 100.0


class WithFunction(nn.Cell):
    """The function stands outside of the cell."""

    def __init__(self, function):
        super().__init__()
        self.insert = ops.InsertGradientOf(function)

    def construct(self, x, y):
        return self.insert(x) * ops.pow(y, 2)


class WithInner(WithFunction):
    """The gradient is inserted at y squared."""

    def construct(self, x, y):
        return x * self.insert(ops.pow(y, 2))


class WithMember(nn.Cell):
    """The function is a method that reads what construct left on self."""

    def __init__(self):
        super().__init__()
        self.insert = ops.InsertGradientOf(self.back)
        self.z = 0.0

    def back(self, dx):
        return clip_between(dx) + self.z

    def construct(self, x, y, z=0.0):
        self.z = z
        return self.insert(x) * ops.pow(y, 2)


class WithBprop(WithFunction):
    """A bprop takes precedence over what construct inserts."""

    def construct(self, x, y):
        return self.insert(x) * ops.pow(y, 2)

    def bprop(self, x, y, out, dout):
        return Tensor([100.0], ms.float32), Tensor([100.0], ms.float32)


ARTICLE = {
    "plain": (Plain,),
    "clipped": (lambda: WithFunction(clip_between),),
    "clipped_to_numbers": (lambda: WithFunction(clip_gradient),),
    "clipped_inside": (lambda: WithInner(clip_between),),
    "constant": (lambda: WithFunction(constant),),
    "constant_inside": (lambda: WithInner(constant),),
    "member": (WithMember,),
    "bprop_wins": (lambda: WithBprop(clip_between),),
}


@case.table(ARTICLE, prints=True)
def article(make):
    a, b = article_inputs()
    net = make()
    print(net(a, b))
    print(ms.grad(net)(a, b))
    print(ms.grad(net, (0, 1))(a, b))
    print(ops.GradOperation(get_all=True)(net)(a, b))
    return ms.value_and_grad(net, (0, 1))(a, b)


@case.table({"-1": (-1,), "-10": (-10,), "0": (0,), "tensor": ((-3.0,),)}, prints=True)
def article_member_adds_a_keyword(z):
    a, b = article_inputs()
    z = Tensor(z[0], ms.float32) if isinstance(z, tuple) else z
    gradient = ms.grad(WithMember(), 0)(a, b, z=z)
    print(gradient)
    return gradient


@case(prints=True)
def article_within_the_limits():
    net = WithFunction(clip_between)
    print(ms.grad(net)(Tensor([-2.0], ms.float32), Tensor([0.8], ms.float32)))


@case
def article_free_functions():
    a, b = article_inputs()
    insert = ops.InsertGradientOf(clip_between)

    def fn(x, y):
        return insert(x) * y**2

    return fn(a, b), ms.grad(fn, (0, 1))(a, b), ms.grad(lambda x, y: x * y**2, (0, 1))(a, b)
