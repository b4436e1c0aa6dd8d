"""Gradients and directions through integers and 64 bits, compiled or along a direction."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, ops

from tests.parity.case import case


def line(dtype=ms.float32):
    return Tensor(np.array([3, 1, 2]), dtype)


def product(x, y):
    return x * y * x


def two(x, y):
    return x * 2.0, ops.log(y)


def rounded(x):
    return x * 1.0, x.astype(ms.int32)


@case
def of_a_compiled_function():
    return ms.value_and_grad(ms.jit(product), (0, 1))(Tensor(2), line())


@case
def along_a_direction():
    return ms.jvp(product, (Tensor(2), line()), (Tensor(2), line()))


@case
def along_a_direction_of_integers():
    return ms.jvp(two, (line(), line(ms.int32)), (line(), line(ms.int32)))


@case
def jacobian_of_integers():
    return ms.jacfwd(rounded)(line())


@case
def jacobian_of_a_constant():
    def fn(x, y):
        return ops.stop_gradient(x - x), ops.log(y)

    return ms.jacrev(fn, 1, has_aux=True)(line(), line())


OPERATORS = {
    "topk": (lambda x: ops.topk(x, 2)[0],),
    "sort": (lambda x: ops.sort(x)[0],),
    "mod": (lambda x: x % 2,),
    "mean": (lambda x: x.mean(),),
    "sqrt": (ops.sqrt,),
    "addn": (lambda x: ops.addn((x, x)),),
    "quotient": (lambda x: x / line(ms.int32),),
    "quotient_of_itself": (lambda x: x / x,),
    "by_a_number": (lambda x: x / 2,),
}


@case.table(OPERATORS)
def through(operator):
    return ms.value_and_grad(operator)(line(ms.int32))


@case.table({d: (d,) for d in ("float64", "float16", "int32")})
def through_a_transform(dtype):
    x = Tensor(np.arange(6).reshape(2, 3)).astype(getattr(ms, dtype))
    found = [ops.rfft(x), ops.ihfft(x), ops.ifftn(x)]
    return found if dtype == "float16" else (found, ms.grad(ops.ifftn)(x), ms.grad(ops.rfft2)(x))


@case
def through_a_transform_of_complex128():
    return ms.value_and_grad(ops.ifftn)(Tensor(np.arange(6).reshape(2, 3)).astype(ms.complex128))


def cubes(x, y):
    del y
    return (x * x * x).sum()


def mixed(x, y):
    return (x * y * y * x).sum()


def gradients_together(fn):
    def together(x, y):
        gradients = ms.grad(fn, (0, 1))(x, y)
        return (gradients[0] * x).sum() + gradients[1].sum()

    return together


def pulled_back(fn):
    def pulled(x, y):
        value, pull = ms.vjp(fn, x, y)
        return value + pull(ops.ones_like(value))[0].sum()

    return pulled


HIGHER = {
    "cubes": (gradients_together(cubes),),
    "mixed": (gradients_together(mixed),),
    "third": (gradients_together(gradients_together(mixed)),),
    "pullback": (pulled_back(mixed),),
}
SECOND_ARGUMENT = {"int32": ms.int32, "float32": ms.float32}


@case.table(
    {f"{n}-{d}": (fn, dtype) for n, (fn,) in HIGHER.items() for d, dtype in SECOND_ARGUMENT.items()}
)
def of_gradients(fn, dtype):
    return ms.grad(fn, (0, 1))(Tensor([1, 2, -4], ms.int32), Tensor([2, 1, -3], dtype))


def cast_and_times(x):
    return x.astype(ms.int32) * x


def cast_back(x):
    return x.astype(ms.int32).astype(ms.float32) * 3


@case.table({"times": (cast_and_times,), "back": (cast_back,)})
def along_a_direction_through_a_cast(fn):
    return ms.jvp(fn, Tensor([1.0, 2.5, -3.0]), Tensor([1.0, 2.5, -3.75]))


def to_ints(x):
    return x.astype(ms.int32)


def scaled_ints(x):
    return x.astype(ms.int32) * 2


@case.table({"times": (cast_and_times,), "ints": (to_ints,), "scaled": (scaled_ints,)})
def of_a_direction_through_a_cast(fn):
    def program(x):
        return ms.jvp(fn, x, x * 2)[1].sum()

    x = Tensor([0.5, -1.25, 2.0])
    return ms.grad(program)(x), ms.vmap(ms.grad(program))(x[None])


# Numbers that stand so far from integers that no last bit decides how they are cut to one.
THROUGH = (
    lambda x, y: ops.max(x, 1)[0],
    lambda x, y: ops.min(x)[0],
    lambda x, y: ops.aminmax(x)[1],
    lambda x, y: ops.median(x, 1)[0],
    lambda x, y: ops.nanmedian(x),
    lambda x, y: ops.cumprod(x, 1),
    lambda x, y: ops.nansum(x),
    lambda x, y: ops.diff(x),
    lambda x, y: ops.trapz(x * y) + ops.trapz(x) * 7.0,
    lambda x, y: ops.cov(x) * 7.0,
    lambda x, y: ops.exp2(x) * 7.0,
    lambda x, y: ops.reciprocal(x),
    lambda x, y: ops.norm(x),
    lambda x, y: ops.vector_norm(x),
    lambda x, y: ops.dist(x, y) * 7.0,
    lambda x, y: ops.hypot(x, y) * 7.0,
    lambda x, y: ops.atan2(x, y) * 70.0,
    lambda x, y: ops.copysign(x, y),
    lambda x, y: ops.xlogy(x, y + 7.0),
    lambda x, y: ops.xdivy(x, y) * 7.0,
    lambda x, y: ops.fmod(x, y),
    lambda x, y: ops.remainder(x, y),
    lambda x, y: ops.truncate_mod(x, y),
    lambda x, y: ops.float_power(x, 2),
    lambda x, y: ops.ldexp(x, y),
    lambda x, y: ops.mse_loss(x, y) * 7.0,
    lambda x, y: ops.tanhshrink(x) * 7.5,
    lambda x, y: ops.hardswish(x) * 7,
    lambda x, y: ops.positive(x) + ops.conj(x),
)


@case
def through_more_operators():
    x = Tensor([[3, 1, 5], [2, 7, -3]], ms.int32)
    y = Tensor([[0.75, 2.5, 1.25], [-2.25, 1.5, 1.75]])
    return tuple(ms.grad(function)(x, y) for function in THROUGH)


@case
def quotient_of_zero():
    zero = Tensor([0, 2], ms.int32)
    return ms.value_and_grad(ops.reciprocal)(zero), ms.value_and_grad(lambda x: 1.0 / x)(zero)


# Of each the elements are no integers, and none becomes 0.
ASKED = {
    "sum": lambda x, to: ops.sum(x, 1, dtype=to),
    "mint_sum": lambda x, to: mint.sum(x, dtype=to),
    "method_sum": lambda x, to: x.sum(0, dtype=to),
    "mean": lambda x, to: mint.mean(x, 1, dtype=to),
    "prod": lambda x, to: mint.prod(x, 1, dtype=to),
    "cumsum": lambda x, to: ops.cumsum(x, 0, dtype=to),
    "method_cumsum": lambda x, to: x.cumsum(0, dtype=to),
    "cumprod": lambda x, to: ops.cumprod(x, 1, dtype=to),
    "nansum": lambda x, to: ops.nansum(x, 1, dtype=to),
    "nanmean": lambda x, to: ops.nanmean(x, 1, dtype=to),
    "vector_norm": lambda x, to: ops.vector_norm(x, axis=1, dtype=to),
}


@case.table({name: (fn,) for name, fn in ASKED.items()})
def in_integers_as_asked(fn):
    def weighed(x):
        return (fn(x, ms.int32) * 1.5).sum()

    x = Tensor([[1.5, 2.25, -3.25], [4.0, 5.75, 1.5]])
    return ms.value_and_grad(lambda x: fn(x, ms.int32))(x), ms.value_and_grad(weighed)(x)


@case.table({name: (ASKED[name],) for name in ("sum", "prod", "cumsum", "mean")})
def of_integers_as_asked(fn):
    x = Tensor([[1, 2, -3], [4, 5, 1]], ms.int32)
    asked = (ms.int32, ms.int64, ms.int16, ms.float32)
    return tuple(ms.value_and_grad(lambda x: fn(x, to))(x) for to in asked)


@case
def truth_of_a_sum():
    return ms.value_and_grad(lambda x: ops.sum(x, 1, dtype=ms.bool_) * 1.5)(Tensor([[0.5, 2.25]]))
