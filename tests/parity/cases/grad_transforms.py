"""jvp, vjp, jacfwd, jacrev, vmap, derivative and jet: structure, values and refusals."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case
from tests.parity.cases.grad_structure import Two


def x():
    return Tensor([1.0, 2.0], ms.float32)


def y():
    return Tensor([3.0, 5.0], ms.float32)


def square(x):
    return x * x


def product(x, y):
    return x * x * y


def two_outputs(x, y):
    return x * y, x + y * y


def three_outputs(x, y):
    return x * y, x * 3, y * 4


def outer(x):
    return ops.matmul(x.reshape(2, 1), x.reshape(1, 2))


def total(x):
    return (x * x * x).sum()


def ones():
    return Tensor([1.0, 1.0], ms.float32)


JVP = {
    "one": (square, lambda: x(), lambda: ones()),
    "two_in_tuples": (product, lambda: (x(), y()), lambda: (ones(), x())),
    "two_in_lists": (product, lambda: [x(), y()], lambda: [ones(), x()]),
    "two_outputs": (two_outputs, lambda: (x(), y()), lambda: (ones(), x())),
    "scalar_output": (total, lambda: x(), lambda: ones()),
    "matrix_output": (outer, lambda: x(), lambda: ones()),
    "zero_tangent": (square, lambda: x(), lambda: Tensor([0.0, 0.0], ms.float32)),
    "too_few_tangents": (product, lambda: (x(), y()), lambda: (ones(),)),
}


@case.table(JVP)
def jvp(fn, inputs, tangents):
    return ms.jvp(fn, inputs(), tangents())


@case
def jvp_with_aux():
    return ms.jvp(two_outputs, (x(), y()), (ones(), x()), has_aux=True)


@case
def jvp_with_several_aux():
    return ms.jvp(three_outputs, (x(), y()), (ones(), x()), has_aux=True)


@case
def jvp_of_a_cell():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    return ms.jvp(net, Tensor([[1.0, 2.0]], ms.float32), Tensor([[10.0, 100.0]], ms.float32))


VJP = {
    "one": (square, lambda: (x(),), lambda: (ones(),)),
    "two": (product, lambda: (x(), y()), lambda: (x(),)),
    "two_outputs": (two_outputs, lambda: (x(), y()), lambda: (ones(), x())),
    "two_outputs_in_a_tuple": (two_outputs, lambda: (x(), y()), lambda: ((ones(), x()),)),
    "scalar_output": (total, lambda: (x(),), lambda: (Tensor(2.0, ms.float32),)),
    "matrix_output": (outer, lambda: (x(),), lambda: (Tensor(np.ones((2, 2), np.float32)),)),
}


@case.table(VJP)
def vjp(fn, inputs, cotangents):
    out, pull = ms.vjp(fn, *inputs())
    return out, pull(*cotangents())


WEIGHTS = {
    "list": (lambda net: [net.w, net.b],),
    "one": (lambda net: [net.b],),
    "bare": (lambda net: net.w,),
    "trainable_params": (lambda net: net.trainable_params(),),
}


@case.table(WEIGHTS)
def vjp_weights(weights):
    net = Two()
    out, pull = ms.vjp(net, x(), y(), weights=weights(net))
    return out, pull(ones() * 10)


@case
def vjp_with_aux():
    out, pull, aux = ms.vjp(two_outputs, x(), y(), has_aux=True)
    return out, pull(ones()), aux


@case
def vjp_with_several_aux():
    out, pull, aux = ms.vjp(three_outputs, x(), y(), has_aux=True)
    return out, pull(ones()), aux


@case
def vjp_called_twice():
    _, pull = ms.vjp(square, x())
    return pull(ones()), pull(ones() * 10)


REFUSED = {
    "vjp_number": (lambda: ms.vjp(square, 3.0),),
    "vjp_aux_not_bool": (lambda: ms.vjp(square, x(), has_aux=1),),
    "vjp_aux_of_one_output": (lambda: ms.vjp(square, x(), has_aux=True),),
    "jacfwd_None": (lambda: ms.jacfwd(square, None)(x()),),
    "jacfwd_list": (lambda: ms.jacfwd(square, [0])(x()),),
    "jacfwd_negative": (lambda: ms.jacfwd(square, -1)(x()),),
    "jacfwd_out_of_range": (lambda: ms.jacfwd(square, 3)(x()),),
    "jacrev_None": (lambda: ms.jacrev(square, None)(x()),),
    "jacrev_list": (lambda: ms.jacrev(square, [0])(x()),),
    "jacrev_negative": (lambda: ms.jacrev(square, -1)(x()),),
    "jacrev_out_of_range": (lambda: ms.jacrev(square, 3)(x()),),
    "vmap_sizes": (lambda: ms.vmap(product)(x(), Tensor([1.0, 2.0, 3.0], ms.float32)),),
    "vmap_None": (lambda: ms.vmap(square, None)(x()),),
    "vmap_all_None": (lambda: ms.vmap(product, (None, None))(x(), y()),),
    "vmap_axis": (lambda: ms.vmap(square, 5)(x()),),
    "vmap_length": (lambda: ms.vmap(product, (0,))(x(), y()),),
    "vmap_text": (lambda: ms.vmap(square, "a")(x()),),
}


@case.table(REFUSED)
def refused(call):
    return call()


JACOBIAN = {
    "square": (square, 0, 1),
    "square_tuple": (square, (0,), 1),
    "matrix": (outer, 0, 1),
    "scalar": (total, 0, 1),
    "first": (product, 0, 2),
    "second": (product, 1, 2),
    "both": (product, (0, 1), 2),
    "two_outputs": (two_outputs, 0, 2),
    "two_outputs_both": (two_outputs, (0, 1), 2),
}


@case.table(JACOBIAN)
def jacfwd(fn, position, count):
    return ms.jacfwd(fn, position)(*(x(), y())[:count])


@case.table(JACOBIAN)
def jacrev(fn, position, count):
    return ms.jacrev(fn, position)(*(x(), y())[:count])


def square_and_index(a):
    return a * a, a.argmax()


def square_and_bools(a):
    return a * a, a > 1


INTEGERS = {"index": (square_and_index,), "bools": (square_and_bools,)}


@case.table(INTEGERS)
def jacfwd_of_integers(fn):
    return ms.jacfwd(fn)(x())


AUX = {"one": (two_outputs, 0), "one_both": (two_outputs, (0, 1)), "several": (three_outputs, 0)}


@case.table(AUX)
def jacfwd_aux(fn, position):
    return ms.jacfwd(fn, position, has_aux=True)(x(), y())


@case.table(AUX)
def jacrev_aux(fn, position):
    return ms.jacrev(fn, position, has_aux=True)(x(), y())


HESSIANS = {
    "fwd_rev": (lambda: ms.jacfwd(ms.jacrev(total)),),
    "rev_rev": (lambda: ms.jacrev(ms.jacrev(total)),),
    "rev_grad": (lambda: ms.jacrev(ms.grad(total)),),
}


@case.table(HESSIANS)
def hessian(make):
    return make()(x())


def matrix():
    return Tensor(np.arange(6).reshape(3, 2), ms.float32)


def weighted_sum(a, b):
    return (a * b).sum()


def several(a):
    return a * 2, a.sum()


MAPPED = {
    "default": (lambda: ms.vmap(square)(matrix()),),
    "axis_1": (lambda: ms.vmap(total, 1)(matrix()),),
    "negative_axis": (lambda: ms.vmap(total, -1)(matrix()),),
    "out_axis": (lambda: ms.vmap(square, 0, 1)(matrix()),),
    "one_constant": (lambda: ms.vmap(weighted_sum, (0, None))(matrix(), x()),),
    "two_axes": (lambda: ms.vmap(weighted_sum, (0, 1))(matrix(), matrix().T),),
    "several_outputs": (lambda: ms.vmap(several)(matrix()),),
    "several_out_axes": (lambda: ms.vmap(several, 0, (1, 0))(matrix()),),
    "of_grad": (lambda: ms.vmap(ms.grad(total))(matrix()),),
    "nested": (lambda: ms.vmap(ms.vmap(square))(matrix()),),
    "matmul": (lambda: ms.vmap(ops.matmul, (0, None))(matrix(), matrix().T),),
}


@case.table(MAPPED)
def vmap(call):
    return call()


def exponential(x):
    return ops.exp(x)


@case.table({"1": (1,), "2": (2,), "3": (3,)}, tol=1e-5)
def derivative(order):
    return ops.derivative(exponential, x(), order)


@case(tol=1e-5)
def jet():
    series = Tensor([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]], ms.float32)
    return ops.jet(exponential, x(), series)


def halves(x):
    return x * 2.5


def to_ints(x):
    return x.astype(ms.int32)


INTEGERS = {
    "scaled": (halves, 0, ([1, 2],)),
    "beside_floats": (product, (0, 1), ([1, 2], [1.0, 2.0])),
    "not_differentiated": (product, 1, ([1, 2], [1.0, 2.0])),
    "integer_output": (square, 0, ([1, 2],)),
    "cast_output": (to_ints, 0, ([1.0, 2.0],)),
}


@case.table(INTEGERS)
def jacrev_of_integers(fn, position, values):
    return ms.jacrev(fn, position)(*map(Tensor, values))


TANGENTS = {"row": ((2,), (1, 2)), "of_a_scalar": ((), (2,)), "matrix": ((2,), (2, 2))}


@case.table(TANGENTS)
def jvp_along_another_shape(shape, tangent):
    return ms.jvp(square, ops.ones(shape, ms.float32), ops.ones(tangent, ms.float32))
