"""Tensors that compiled functions are given and also read elsewhere: closures, Cells, weights."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case


def two():
    return Tensor([1.0, 2.0], ms.float32), Tensor([5.0, 7.0], ms.float32)


def weights(*names):
    return [Parameter(one, name=name) for one, name in zip(two(), names, strict=True)]


def in_turn(function, one, other, form=lambda x: (x,)):
    """Call with the Tensor that is read elsewhere too, with another, and again."""
    return [function(*form(x)) for x in (one, other, one)]


FORMS = {
    "alone": (lambda x: (x,),),
    "tuple": (lambda x: ((x, 1),),),
    "list": (lambda x: ([x, 1],),),
    "dict": (lambda x: ({0: x},),),
    "mutable": (lambda x: (ms.mutable([x, x]),),),
}


@case.table(FORMS)
def closure(form):
    one, other = two()

    @ms.jit
    def product(given):
        x = given if isinstance(given, Tensor) else given[0]
        return x * one

    return in_turn(product, one, other, form)


@case
def other_first():
    one, other = two()

    @ms.jit
    def product(x):
        return x * one

    return in_turn(product, other, one)


@case
def keyword():
    one, other = two()

    @ms.jit
    def difference(x, start=None):
        return x - one if start is None else (x - start) * one

    return difference(one, start=one), difference(other, start=one), difference(one, start=other)


class Relative(nn.Cell):
    def __init__(self, start):
        super().__init__()
        self.start = start

    def construct(self, x):
        return x - self.start


@case
def attribute_of_a_cell():
    one, other = two()
    return in_turn(ms.jit(Relative(one).construct), one, other)


@case
def energy_of_a_path():
    start = Tensor([1.0, 1.0], ms.float32)

    @ms.jit
    def gained(y):
        return (y * y).sum() - (start * start).sum()

    y, gains = start, []
    for _ in range(3):
        gains.append(gained(y))
        y = y * 2
    return gains


@case
def gradient():
    one, other = two()

    def loss(x):
        return ((x - one) ** 2 * one).sum()

    return in_turn(ms.jit(ms.value_and_grad(loss)), one, other)


@case
def gradient_of_a_parameter_given():
    one, other = weights("one", "other")

    def loss(x):
        return (x * x * one).sum()

    def gradients(x):
        return ms.grad(loss)(x)

    return in_turn(ms.jit(gradients), one, other)


@case
def parameter_given():
    one, other = weights("one", "other")

    @ms.jit
    def product(x):
        return x * one

    return in_turn(product, one, other)


@case
def state_written():
    one, other = weights("one", "other")

    @ms.jit
    def advance(x):
        ops.assign_add(one, Tensor([1.0, 1.0], ms.float32))
        return x * 2

    return in_turn(advance, one, other), one, other


@case
def state_written_other_first():
    one, other = weights("one", "other")

    @ms.jit
    def advance(x):
        ops.assign_add(one, Tensor([1.0, 1.0], ms.float32))
        return x * 2

    return in_turn(advance, other, one), one, other


@case
def argument_written():
    one, other = weights("one", "other")

    @ms.jit
    def advance(x):
        ops.assign_add(x, Tensor([1.0, 1.0], ms.float32))
        return one * 2

    return in_turn(advance, one, other), in_turn(advance, other, one), one, other


@case
def direction():
    one, other = two()

    def product(x):
        return x * one

    return [ms.jvp(product, x, other) for x in (one, other, one)]


@case
def jacobians():
    one, other = two()

    def product(x):
        return x * one

    return [ms.jacfwd(product)(x) for x in (one, other, one)]
