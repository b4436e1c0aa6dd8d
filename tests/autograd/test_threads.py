"""Gradients taken by two threads at once, of objects that they share."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

CALLS = 30


@pytest.fixture(autouse=True)
def often_switched():
    """Let the interpreter change threads in the middle of everything."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(*workers):
    """Call each worker CALLS times, each in its own thread; give one list of results per worker."""
    barrier = threading.Barrier(len(workers))

    def run(worker):
        barrier.wait()
        return [worker() for _ in range(CALLS)]

    with ThreadPoolExecutor(len(workers)) as pool:
        return [future.result() for future in [pool.submit(run, w) for w in workers]]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.seen = None

    def construct(self, x):
        y = x * self.w
        self.seen = y
        return y * self.w


class Writer(nn.Cell):
    """Puts a function of its input into a Parameter and uses it."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.last = Parameter(Tensor([0.0, 0.0]), name="last", requires_grad=False)

    def construct(self, x):
        y = x * self.w
        ops.assign(self.last, y)
        return y * self.last


def array(values):
    return np.asarray(values, np.float32)


def test_gradients_of_one_cell():
    net, x, y = Net(), Tensor([1.0, 2.0]), Tensor([10.0, 20.0])
    after = ms.grad(net, 0, [net.w])

    def worker(a):
        return lambda: [g.asnumpy() for g in (after(a)[0], after(a)[1][0])]

    for results, a in zip(at_once(worker(x), worker(y)), (x, y), strict=True):
        for by_input, by_weight in results:
            np.testing.assert_array_equal(by_input, array([4, 9]))
            np.testing.assert_array_equal(by_weight, 2 * a.asnumpy() * array([2, 3]))
    assert net.w.asnumpy().tolist() == [2, 3]


def test_a_gradient_beside_a_plain_forward_pass():
    net, x = Net(), Tensor([1.0, 2.0])
    gradients, values = at_once(
        lambda: ms.grad(net)(x).asnumpy(), lambda: (net(x).asnumpy(), net.w.asnumpy())
    )
    for gradient in gradients:
        np.testing.assert_array_equal(gradient, array([4, 9]))
    for value, weight in values:
        np.testing.assert_array_equal(value, array([4, 18]))
        np.testing.assert_array_equal(weight, array([2, 3]))


def test_what_one_thread_differentiates_is_plain_in_another():
    net, x = Net(), Tensor([1.0, 2.0])
    inside, seen = threading.Event(), threading.Event()

    def fn(x):
        y = net(x)
        inside.set()
        assert seen.wait(10)
        return y

    def look():
        assert inside.wait(10)
        found = (net.w + 1).asnumpy(), (net.w * x).asnumpy()
        seen.set()
        return found

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(look)
        np.testing.assert_array_equal(ms.grad(fn)(x).asnumpy(), array([4, 9]))
    np.testing.assert_array_equal(found.result(), array([[3, 4], [2, 6]]))


def test_a_thread_started_inside_the_function_sees_plain_values():
    w, x, seen = Parameter(Tensor([2.0]), name="w"), Tensor([5.0]), []

    def fn(x):
        thread = threading.Thread(target=lambda: seen.append((w * 10).asnumpy().tolist()))
        y = x * w
        ops.assign(w, y)
        thread.start()
        thread.join()
        return y * w

    assert ms.grad(fn, 0, [w])(x)[0].asnumpy().tolist() == [20]
    # The write is committed when the call has succeeded.
    assert seen == [[20.0]]
    assert w.asnumpy().tolist() == [10]


def test_a_parameter_written_in_both_threads():
    net, x, y = Writer(), Tensor([1.0, 2.0]), Tensor([10.0, 20.0])
    after = ms.value_and_grad(net, 0)

    def worker(a):
        return lambda: [t.asnumpy() for t in after(a)]

    for results, a in zip(at_once(worker(x), worker(y)), (x, y), strict=True):
        kept = a.asnumpy() * array([2, 3])
        for value, gradient in results:
            np.testing.assert_array_equal(value, kept * kept)
            np.testing.assert_array_equal(gradient, kept * array([2, 3]))
    assert net.last.asnumpy().tolist() in ([2, 6], [20, 60])


def test_a_parameter_written_in_one_thread_and_read_in_the_other():
    net, x = Writer(), Tensor([1.0, 2.0])
    gradients, reads = at_once(
        lambda: ms.grad(net)(x).asnumpy(), lambda: (net.last + 0).asnumpy().tolist()
    )
    for gradient in gradients:
        np.testing.assert_array_equal(gradient, array([4, 18]))
    assert all(read in ([0, 0], [2, 6]) for read in reads)


def test_an_exception_in_one_thread_leaves_the_other_alone():
    net, x = Net(), Tensor([1.0, 2.0])

    def failing():
        def fn(x):
            raise ValueError(f"stop at {net(x)}")

        with pytest.raises(ValueError, match="stop"):
            ms.grad(fn, 0, [net.w])(x)

    _, gradients = at_once(failing, lambda: ms.grad(net)(x).asnumpy())
    for gradient in gradients:
        np.testing.assert_array_equal(gradient, array([4, 9]))


def test_no_grad_in_one_thread_is_not_in_the_other():
    net, x = Net(), Tensor([1.0, 2.0])

    def without():
        with ms._no_grad():
            return net(x).asnumpy()

    values, gradients = at_once(without, lambda: ms.grad(net)(x).asnumpy())
    for value, gradient in zip(values, gradients, strict=True):
        np.testing.assert_array_equal(value, array([4, 18]))
        np.testing.assert_array_equal(gradient, array([4, 9]))


def test_backward_functions_of_the_user_in_both_threads():
    class Scaled(nn.Cell):
        def construct(self, x):
            return x * 1

        def bprop(self, x, out, dout):
            return (Tensor(100.0) if float(x.sum()) > 10 else dout * 2,)

    cell, x, y = Scaled(), Tensor([1.0]), Tensor([11.0])
    small, large = at_once(
        lambda: ms.grad(cell)(x).asnumpy().tolist(), lambda: ms.grad(cell)(y).asnumpy().tolist()
    )
    assert small == [[2.0]] * CALLS
    assert large in ([[100.0]] * CALLS, [100.0] * CALLS)
