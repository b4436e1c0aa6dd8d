"""Programs that a review of the core and the gradient functions found to come out wrong.

Each row is a small program and what MindSpore 2.10 (or, for Flax and JAX, plain sense) gives.
"""

from __future__ import annotations

import jax
import numpy as np
import pytest
from flax import nnx

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

X = np.array([1.0, 2.0], np.float32)


def backward_hook_on_the_first_layer():
    """With weights only, nothing arrives at the inputs; the hook runs all the same."""
    seen = []
    net = nn.Dense(2, 1)
    net.register_backward_hook(lambda cell, given, out: seen.append((given, out[0].shape)))
    ms.grad(net, None, net.trainable_params())(Tensor(X[None]))
    return seen


def parameter_made_in_a_gradient():
    return ms.grad(lambda x: (Parameter(x * 2, name="p") * x).sum())(Tensor(X)).tolist()


def _written(write):
    p = Parameter(Tensor([1.0, 2.0, 3.0]), name="p")
    part = p[1:]

    def f(x):
        write(p, part, x)
        return (p[:2] * x).sum()

    gradient, (by_weight,) = ms.grad(f, 0, [p])(Tensor(X))
    return gradient.tolist(), by_weight.tolist(), p.asnumpy().tolist()


def element_of_a_parameter_written():
    return _written(lambda p, part, x: p.__setitem__(0, x[0] * 2))


def view_of_a_parameter_written():
    return _written(lambda p, part, x: part.__setitem__(0, x[0] * 5))


def broadcast_view_written():
    base = Tensor([[1.0, 2.0]])
    view = base.broadcast_to((3, 2))
    view[0, 0] = 9.0
    view[2] = Tensor([9.0, 6.0])
    return base.tolist(), view.tolist()


def list_of_tensors_and_numbers():
    data = ([Tensor(1.0), 2.0], [Tensor(1, ms.int32), Tensor(2, ms.int32)], [[Tensor(1.0)], [3]])
    return [str(Tensor(item).dtype) for item in data]


class _Pair(nnx.Module):
    def __init__(self):
        self.first, self.second = nn.Dense(2, 2), nn.Dense(2, 2)

    def __call__(self, x):
        return self.second(self.first(x))


class _Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.pair = _Pair()

    def construct(self, x):
        return self.pair(x)


def names_of_cells_in_a_flax_module():
    return sorted(p.name for p in ms.ParameterTuple(_Outer().trainable_params()))


def printed_shape_of_a_result():
    return repr(jax.eval_shape(lambda x: x * 2, Tensor(X)))


def weights_of_a_function():
    return ops.GradOperation(get_by_list=True)(lambda x: x)(Tensor(X))


def kinds_of_errors():
    kinds = []
    for call in (
        lambda: ms.get_grad(Tensor(X), 0),
        lambda: ms.get_grad(None, 0),
        lambda: ops.ones_like([1]),  # pyright: ignore[reportArgumentType]
        lambda: ops.full_like([1], 2),  # pyright: ignore[reportArgumentType]
    ):
        with pytest.raises((TypeError, ValueError, RuntimeError, AttributeError)) as caught:
            call()
        builtin = next(cls for cls in caught.type.__mro__ if cls.__module__ == "builtins")
        kinds.append(builtin.__name__)
    return kinds


CASES = {
    backward_hook_on_the_first_layer: [((None,), (1, 1))],
    parameter_made_in_a_gradient: [2.0, 4.0],
    element_of_a_parameter_written: ([2.0, 2.0], [1.0, 2.0, 0.0], [2.0, 2.0, 3.0]),
    view_of_a_parameter_written: ([1.0, 5.0], [1.0, 2.0, 0.0], [1.0, 5.0, 3.0]),
    broadcast_view_written: ([[9.0, 6.0]], [[9.0, 6.0]] * 3),
    list_of_tensors_and_numbers: ["Float32", "Int64", "Float32"],
    names_of_cells_in_a_flax_module: [
        *("pair.first.bias", "pair.first.weight", "pair.second.bias", "pair.second.weight"),
    ],
    printed_shape_of_a_result: "Tensor(ShapeDtypeStruct(shape=(2,), dtype=float32))",
    weights_of_a_function: (),
    kinds_of_errors: ["RuntimeError", "RuntimeError", "TypeError", "TypeError"],
}


@pytest.mark.parametrize("program", CASES, ids=lambda program: program.__name__)
def test_review(program):
    assert program() == CASES[program]
