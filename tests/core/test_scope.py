"""The scope: nothing traced outlives a gradient call, and a failed call changes nothing."""

import gc
import threading

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core.context import context
from msgrad._core.engine import is_tracer


@pytest.fixture
def x():
    return Tensor([1.0, 2.0])


def test_survivors_are_settled_wherever_they_are_kept(x):
    kept, box = [], {}

    class Net(nn.Cell):
        def construct(self, x):
            self.on_self = x * 2
            kept.append(x * 3)
            box["deep"] = {"er": (x * 4,)}
            return self.on_self.sum()

    net = Net()
    ms.value_and_grad(net)(x)
    values = [net.on_self, kept[0], box["deep"]["er"][0]]
    assert not any(is_tracer(v._data) for v in values)
    assert [v.asnumpy().tolist() for v in values] == [[2, 4], [3, 6], [4, 8]]
    assert str(net.on_self) == "[2. 4.]"


def test_second_order_flows_through_what_an_inner_call_kept(x):
    kept = []

    def inner(y):
        kept.append(y * y)
        return (y * y).sum()

    def outer(y):
        ms.grad(inner)(y)
        return kept[-1].sum()

    assert ms.grad(outer)(x).asnumpy().tolist() == [2, 4]
    assert not is_tracer(kept[-1]._data)


def test_exception_leaves_parameters_and_leaves_no_tracer(x):
    weight, kept = Parameter(Tensor([1.0, 1.0]), name="w"), []

    def fails(x):
        ops.assign(weight, weight * 5)
        kept.append(x * weight)
        raise KeyError("boom")

    with pytest.raises(KeyError, match="boom"):
        ms.grad(fails, 0, weight)(x)
    assert weight.asnumpy().tolist() == [1, 1]
    assert kept[0].asnumpy().tolist() == [5, 10]
    assert not is_tracer(kept[0]._data)
    assert context.scope is None
    assert ms.grad(lambda x: (x * weight).sum())(x).asnumpy().tolist() == [1, 1]


def test_written_parameter_is_committed_once_the_call_succeeded(x):
    class Norm(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mean = Parameter(Tensor([0.0, 0.0]), requires_grad=False)
            self.scale = Parameter(Tensor([1.0, 1.0]))

        def construct(self, x):
            ops.assign(self.mean, self.mean * 0.9 + ops.stop_gradient(x) * 0.1)
            return ((x - self.mean) * self.scale).sum()

    net = Norm()
    grads = ms.grad(net, None, net.trainable_params())(x)
    np.testing.assert_allclose(net.mean.asnumpy(), [0.1, 0.2], rtol=1e-6)
    np.testing.assert_allclose(grads[0].asnumpy(), [0.9, 1.8], rtol=1e-6)
    assert not is_tracer(net.mean._data)


def test_a_parameter_that_dies_inside_does_not_lend_its_id(x):
    def f(x):
        total = x.sum() * 0
        for i in range(50):
            temporary = Parameter(Tensor([float(i)]), name="t")
            ops.assign(temporary, temporary + 1)
            total = total + temporary.sum() * x.sum()
        return total

    assert ms.grad(f)(x).asnumpy().tolist() == [1275, 1275]


def test_threads_see_their_own_values(x):
    weight = Parameter(Tensor([2.0, 2.0]), name="w")
    wrong = []
    barrier = threading.Barrier(2)

    def work(factor):
        for _ in range(20):
            barrier.wait()
            (grad,) = ms.grad(lambda x: (x * weight * factor).sum(), None, [weight])(x)
            if grad.asnumpy().tolist() != [factor, 2 * factor]:
                wrong.append(grad)

    threads = [threading.Thread(target=work, args=(f,)) for f in (1.0, 3.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_repeated_calls_leave_no_arrays_behind(x):
    weight = Parameter(Tensor([2.0, 2.0]), name="w")
    step = ms.value_and_grad(lambda x: ((x * weight) ** 2).sum(), 0, [weight])
    step(x)
    gc.collect()
    before = len(jax.live_arrays())
    for _ in range(200):
        step(x)
    gc.collect()
    assert len(jax.live_arrays()) <= before


def test_write_through_views_under_a_gradient(x):
    def f(x):
        y = x * 2
        row = y[0:1]
        row[0] = x[1] * 10
        return (y * y).sum()

    assert ms.grad(f)(x).asnumpy().tolist() == [0, 16 + 400]
