"""An eager step of an optimizer writes into the arrays that only its Parameters hold."""

from __future__ import annotations

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn


def make(rule=nn.Adam):
    params = [Parameter(Tensor(np.ones(4, np.float32) * k), name=f"p{k}") for k in (1, 2)]
    optimizer = rule(params, 0.5) if rule is nn.Adam else rule(params, 0.5, 0.5)
    gradients = tuple(Tensor(np.ones(4, np.float32)) for _ in params)
    # The two powers of Adam begin as one array.
    optimizer(gradients)
    return optimizer, gradients


def held(optimizer):
    return [param._data for param in optimizer.get_parameters() if "moment" in param.name] + [
        param._data for param in optimizer.parameters
    ]


def places(optimizer):
    return [array.unsafe_buffer_pointer() for array in held(optimizer)]


@pytest.mark.parametrize("rule", [nn.Adam, nn.Momentum])
def test_nothing_is_allocated(rule):
    optimizer, gradients = make(rule)
    before = places(optimizer)
    optimizer(gradients)
    assert places(optimizer) == before


def test_what_was_taken_before_keeps_its_value():
    optimizer, gradients = make()
    param = optimizer.parameters[0]
    taken, raw = param.value(), optimizer.parameters[1]._data
    values = taken.asnumpy(), np.array(raw)
    optimizer(gradients)
    np.testing.assert_array_equal(taken.asnumpy(), values[0])
    np.testing.assert_array_equal(raw, values[1])
    assert (param.asnumpy() < values[0]).all()


def test_weights_as_their_own_gradients():
    optimizer, _ = make(nn.Momentum)
    before = [param.asnumpy() for param in optimizer.parameters]
    optimizer(tuple(optimizer.parameters))
    # The moment was one after one step with a gradient of one.
    for param, was in zip(optimizer.parameters, before, strict=True):
        np.testing.assert_allclose(param.asnumpy(), was - 0.5 * (0.5 + was))


def test_step_that_fails_changes_nothing():
    optimizer, gradients = make()
    before = [array.copy() for array in held(optimizer)]

    def fail(*_):
        raise KeyboardInterrupt

    programs = optimizer.plan().compiled_for
    programs[optimizer] = programs[optimizer][0], fail
    with pytest.raises(KeyboardInterrupt):
        optimizer(gradients)
    for array, was in zip(held(optimizer), before, strict=True):
        np.testing.assert_array_equal(array, was)
    assert optimizer.global_step.asnumpy() == [1]


def test_inside_a_gradient_nothing_is_given_away():
    optimizer, gradients = make()
    param = optimizer.parameters[0]
    before = param.asnumpy()

    def forward(x):
        optimizer(gradients)
        return x.sum()

    ms.grad(forward)(Tensor(np.ones(3, np.float32)))
    assert (param.asnumpy() < before).all()
    assert not param._data.is_deleted()
