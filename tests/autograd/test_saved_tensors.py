"""``saved_tensors_hooks``: nothing of them stays, whatever a hook does."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.context import context

X = Tensor(np.array([0.5, 1.0], np.float32))


def test_a_hook_that_raises_leaves_everything():
    weight = Parameter(Tensor([1.0, 2.0], ms.float32), name="w")

    def fn(x):
        with ms.saved_tensors_hooks(lambda x: 1 / 0, lambda x: x):
            ops.assign_add(weight, x)
            return ops.exp(x) * weight

    with pytest.raises(ZeroDivisionError):
        ms.grad(fn)(X)
    assert context.saved_hooks is None
    assert weight.tolist() == [1.0, 2.0]
    assert np.allclose(ms.grad(ops.exp)(X).asnumpy(), np.exp([0.5, 1.0]))


def test_what_came_before_and_after_is_right():
    kept = []

    def fn(x):
        before = ops.sin(x) * x
        with ms.saved_tensors_hooks(lambda t: kept.append(t.shape) or t.asnumpy(), Tensor):
            inside = ops.matmul(before, before)
        return inside * ops.exp(x)

    found = ms.value_and_grad(fn)(X)
    plain = ms.value_and_grad(lambda x: ops.matmul(ops.sin(x) * x, ops.sin(x) * x) * ops.exp(x))(X)
    for one, other in zip(found, plain, strict=True):
        assert np.allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)
    assert kept == [(2,), (2,)]


def test_a_copy_of_a_cell_runs_itself():
    net = nn.Dense(2, 1, weight_init="ones")
    seen = []
    net.register_saved_tensors_hooks(lambda t: seen.append(t.shape) or t, lambda t: t)
    other = copy.deepcopy(net)
    other.weight.set_data(Tensor([[2.0, 3.0]], ms.float32))
    assert ms.grad(other)(X[None]).tolist() == [[2.0, 3.0]]
    assert seen
    assert ms.grad(net)(X[None]).tolist() == [[1.0, 1.0]]


def test_a_parameter_that_turns_out_to_be_used_between_hooks():
    weight = Parameter(Tensor([1.0, 2.0], ms.float32), name="w")

    def fn(x):
        with ms.saved_tensors_hooks(lambda t: t, lambda t: t):
            return ops.exp(x * weight)

    (found,) = ops.GradOperation(get_by_list=True)(fn)(X)
    assert np.allclose(found.asnumpy(), X.asnumpy() * np.exp([0.5, 2.0]))
