"""64-bit intermediates in a gradient call: their dtype, what branches on it, what casts them."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.parity.case import case

X = np.array([[0.3, 0.8, 0.5], [0.9, 0.2, 0.7]])
SINGLE = Tensor(X.astype(np.float32))
BIG = 2**40


def _dense():
    layer = nn.Dense(3, 2, weight_init="ones", bias_init="ones")
    return lambda x: layer((x * x).astype(ms.float32))


def _conv():
    layer = nn.Conv2d(1, 2, 2, weight_init="ones", has_bias=True, bias_init="zeros")
    return lambda x: layer((x * 2).astype(ms.float32).reshape(1, 1, 2, 3))


def _branch(x):
    h = x * x
    return h * 100 / 4 if h.dtype == ms.float64 else h * 50 / 4


def _assigned():
    kept = Parameter(Tensor(np.zeros((2, 3), np.float32)), name="kept")

    def fn(x):
        ops.assign(kept, (x * 3).astype(ms.float32))
        return x * kept

    return fn


def _counted(x):
    steps = ops.ones((2, 3), ms.int64) * BIG
    return x * (steps + 1 - BIG)


PROGRAMS = {
    "astype": lambda: lambda x: ops.exp(x).astype(ms.float32),
    "cast": lambda: lambda x: ops.cast(x * 2, ms.float32) * SINGLE,
    "there_and_back": lambda: lambda x: (x + 1e-9).astype(ms.float32).astype(ms.float64) - x,
    "branch": lambda: _branch,
    "concat": lambda: lambda x: ops.concat([(x * x).astype(ms.float32), SINGLE]),
    "concat_of_double": lambda: lambda x: ops.concat([x * x, x + 1]),
    "stack": lambda: lambda x: ops.stack([(x * x).astype(ms.float32), SINGLE]),
    "matmul": lambda: lambda x: ops.matmul((x * x).astype(ms.float32), SINGLE.T),
    "bmm": lambda: (
        lambda x: ops.bmm((x * x).astype(ms.float32).reshape(1, 2, 3), SINGLE.reshape(1, 3, 2))
    ),
    "where": lambda: lambda x: ops.where(x * 2 > 1, (x * x).astype(ms.float32), SINGLE),
    "dense": _dense,
    "conv": _conv,
    "assigned": _assigned,
    "number": lambda: lambda x: ops.sin(x) * 0.25 + 3,
    "number_of_many_digits": lambda: lambda x: ops.sin(x) * 0.1,
    "scaled": lambda: lambda x: ops.tanh(x) * SINGLE,
    "integers": lambda: _counted,
    "cumsum": lambda: lambda x: ops.cumsum(x * x, 1).astype(ms.float32),
    "mean": lambda: lambda x: (x * x).mean().astype(ms.float32),
    "softmax": lambda: lambda x: ops.softmax(x * 2).astype(ms.float32),
}


@case.table({name: (make,) for name, make in PROGRAMS.items()})
def value_and_gradient(make):
    return ms.value_and_grad(make())(Tensor(X))


@case.table({name: (make,) for name, make in PROGRAMS.items()})
def weighted(make):
    weight = Parameter(Tensor(X), name="weight")
    fn = make()
    return ms.value_and_grad(lambda x: fn(x * weight), None, [weight])(Tensor(X + 1))


@case.table(
    {
        "sin": (lambda x, i: ops.sin(x),),
        "number": (lambda x, i: x * 2 + 0.5,),
        "comparison": (lambda x, i: x * 2 > 1,),
        "integer": (lambda x, i: i * 2 + 1,),
        "integer_sum": (lambda x, i: (i * 2).sum(),),
        "integer_and_double": (lambda x, i: (i * 2) * x,),
        "integer_and_single": (lambda x, i: (i * 2) * SINGLE,),
        "single_and_double": (lambda x, i: SINGLE * ops.exp(x),),
        "argmax": (lambda x, i: ops.argmax(x * 2, 1),),
        "half": (lambda x, i: (x * 2).astype(ms.float16) + 1,),
        "shape": (lambda x, i: ops.ones_like(x * 2),),
        "zeros": (lambda x, i: ops.zeros_like(i * 2),),
        "one_hot": (lambda x, i: ops.one_hot(i * 1, 3, Tensor(1.0), Tensor(0.0)),),
        "gathered": (lambda x, i: ops.gather(x * 2, i[0] * 0, 0),),
        "mask": (lambda x, i: ops.masked_fill(x * 2, x > 0.5, 0.0),),
        "topk": (lambda x, i: ops.topk(x * 2, 2),),
        "sorted": (lambda x, i: ops.sort(x * 2),),
        "mean": (lambda x, i: (x * 2).mean(0),),
        "var": (lambda x, i: (x * 2).var(),),
        "norm": (lambda x, i: ops.norm(x * 2),),
    }
)
def seen_inside(look):
    seen = []

    def fn(x):
        seen.append(look(x * 1, Tensor([[0, 1, 0]], ms.int64)))
        return (x * x).sum()

    gradient = ms.grad(fn)(Tensor(X))
    return seen, gradient


# 2.10 computes the step in float32.
@case(tol=1e-6)
def optimizer_of_doubles():
    weight = Parameter(Tensor(X), name="weight")
    optimizer = nn.Momentum([weight], 0.125, 0.5)
    step = ms.value_and_grad(lambda x: ((x * weight) ** 2).sum(), None, [weight])
    losses = []
    for _ in range(3):
        loss, gradients = step(Tensor(X))
        optimizer(gradients)
        losses.append(loss)
    return losses, weight.dtype, weight.value()


@case
def second_order():
    inner = ms.grad(lambda x: (ops.exp(x) * x).astype(ms.float32).sum())
    return ms.grad(lambda x: (inner(x) * x).sum())(Tensor(X))
