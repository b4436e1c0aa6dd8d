"""NumPy's numbers on the left of Tensors, ``np.sqrt(d) * x``: arrays eagerly, Tensors compiled."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.parity.case import case

HALF, WHOLE, SINGLE = np.float64(0.5), np.int64(2), np.float32(0.5)


def multiplied(x):
    return HALF * x, WHOLE * x, SINGLE * x, np.bool_(True) * x


def added(x):
    return HALF + x, WHOLE - x, np.sqrt(2.0) * x


def divided(x):
    return HALF / x, HALF // x, WHOLE % x, SINGLE**x


def compared(x):
    return HALF < x, HALF == x, WHOLE >= x, SINGLE != x  # noqa: SIM300


FORMS = {f.__name__: (f,) for f in (multiplied, added, divided, compared)}
INPUTS = {
    "float32": lambda: Tensor([1.0, 2.0, 3.0]),
    "float16": lambda: Tensor([1.0, 2.0], ms.float16),
    "int64": lambda: Tensor([1, 2, 3]),
    "number": lambda: Tensor(2.0),
    "bool": lambda: Tensor([True, True]),
    "int8": lambda: Tensor([1, 2], ms.int8),
}


def described(result):
    values = result.asnumpy() if isinstance(result, Tensor) else np.asarray(result)
    return [isinstance(result, Tensor), str(values.dtype), Tensor(values)]


@case.table(FORMS)
def eagerly(form):
    return {name: [described(r) for r in form(make())] for name, make in INPUTS.items()}


@case.table(FORMS)
def compiled(form):
    return {name: [described(r) for r in ms.jit(form)(make())] for name, make in INPUTS.items()}


@case
def by_functions_of_numpy():
    x = INPUTS["float32"]()
    total = np.ones(3, np.float32)
    total += x
    results = (np.sqrt(x), np.add(x, 1), np.maximum(x, 2), np.add.reduce(x), total, np.ones(3) * x)
    return [described(r) for r in results]


@case
def written_into_a_tensor():
    x = INPUTS["float32"]()
    return np.add(x, 1, out=x)


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = np.sqrt(3.0)
        self.dense = nn.Dense(3, 2, weight_init="ones")

    def construct(self, x):
        return x.sum() + self.scale * self.dense(x).sum()


@case
def gradient_of_a_compiled_cell():
    cell = Scaled()
    gradients = ms.grad(cell, 0, cell.trainable_params())

    @ms.jit
    def run(x):
        return gradients(x)

    return run(Tensor(np.ones((2, 3)), ms.float32))


def halves(x):
    return x + HALF * x


TRANSFORMS = {
    "jacrev": lambda x: ms.jacrev(halves)(x),
    "jacfwd": lambda x: ms.jacfwd(halves)(x),
    "vmap": lambda x: ms.vmap(halves)(x),
    "jvp": lambda x: ms.jvp(halves, x, x),
    "derivative": lambda x: ops.derivative(halves, x, 2),
    "grad": lambda x: ms.grad(halves)(x),
    "vjp": lambda x: ms.vjp(halves, x)[1](x),
}


@case.table({name: (transform,) for name, transform in TRANSFORMS.items()})
def transformed(transform):
    return transform(INPUTS["float32"]())
