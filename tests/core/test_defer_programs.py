"""Random programs give the same values, gradients and state deferred and operator by operator."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, ops


def written(a: Any, b: Any) -> Any:
    y = a * 1
    y[0] = b[1]
    return y


def written_through_a_view(a: Any, b: Any) -> Any:
    y = a * 1
    row = y[0:1]
    row += 1
    return y


class Run:
    """One run of a random program: its state and what it keeps."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        values = np.linspace(0.2, 1, 6, dtype="f").reshape(2, 3)
        self.weights = [Parameter(Tensor(values), name=f"w{i}") for i in range(2)]
        self.state = Parameter(Tensor(values * 0), name="state", requires_grad=False)
        self.kept: list[Any] = []

    def assigned(self, a: Any, b: Any) -> Any:
        ops.assign(self.state, a)
        return self.state * b

    def added(self, a: Any, b: Any) -> Any:
        ops.assign_add(self.state, a)
        return a

    def set(self, a: Any, b: Any) -> Any:
        self.state.set_data(a * 0.5)
        return a

    def keep(self, a: Any, b: Any) -> Any:
        self.kept.append(a * 2)
        return a

    def statements(self) -> list[Callable[[Any, Any], Any]]:
        return [
            lambda a, b: a + b,
            lambda a, b: a * b,
            lambda a, b: a * 0.7,
            lambda a, b: ops.tanh(a),
            lambda a, b: ops.relu(a) - ops.ReduceMean(True)(a, 1),
            lambda a, b: a.reshape(3, 2).transpose(1, 0),
            lambda a, b: ops.concat([a, b], 1)[:, 1:4],
            lambda a, b: ops.where(a > b, a, b),
            lambda a, b: a.astype(ms.float16).astype(ms.float32),
            lambda a, b: ops.stop_gradient(a) * b,
            lambda a, b: a if float(a.sum()) > 1.5 else b,
            lambda a, b: ms.grad(lambda z: (z * z * b).sum())(a),
            lambda a, b: ms.vjp(lambda z: z * b, a)[1](b)[0],
            lambda a, b: ops.InsertGradientOf(lambda g: g * 0.5)(a),
            written,
            written_through_a_view,
            self.assigned,
            self.added,
            self.set,
            self.keep,
        ]

    def __call__(self, x: Any) -> Any:
        choose = random.Random(self.seed)
        values = [x, *self.weights]
        for _ in range(choose.randint(3, 14)):
            statement = choose.choice(self.statements())
            values.append(statement(choose.choice(values), choose.choice(values)))
        return values[-1].sum() + (values[-2] * values[-1]).mean()

    def numbers(self, mode: str) -> list[np.ndarray]:
        x = Tensor(np.linspace(-1, 1, 6, dtype="f").reshape(2, 3))
        with ms.eager_mode(mode):
            value, (by_input, by_weight) = ms.value_and_grad(self, 0, self.weights)(x)
        found = [value, by_input, *by_weight, self.state, *self.kept]
        return [tensor.asnumpy() for tensor in found]


@pytest.mark.parametrize("seed", range(60))
def test_both_ways_agree(seed):
    one, other = Run(seed).numbers("op"), Run(seed).numbers("deferred")
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(b, a, rtol=2e-4, atol=2e-5)
