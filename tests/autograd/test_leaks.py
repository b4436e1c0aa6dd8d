"""What gradient calls leave behind: no array, tracer, hook, compiled program or memory."""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
import weakref

import jax
import pytest
from jax.core import Tracer

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._core import by_numpy
from msgrad._core.context import context


class Net(nn.Cell):
    """Writes a Parameter and keeps a Tensor, as layers and users do."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.mean = Parameter(Tensor([0.0, 0.0]), name="mean", requires_grad=False)
        self.last = None

    def construct(self, x):
        self.last = x * self.w
        ops.assign(self.mean, self.mean * 0.5 + self.last)
        return (self.last * self.last).sum()


class Doubled(nn.Cell):
    def construct(self, x):
        return x * 1

    def bprop(self, x, out, dout):
        return (dout * 2,)


class Own(ms._Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0] * 2


def x():
    return Tensor([1.0, 2.0])


def ones():
    return Tensor([1.0, 1.0])


def square(x):
    return x * x


def hooked(x):
    y = x * 2
    y.register_hook(lambda g: g * 3)
    return y * y


def written(x):
    y = x * 1
    y[0] = 5.0
    return y * y


def cell_with_hooks():
    cell = nn.CellList([Doubled()])[0]
    handles = [
        cell.register_forward_hook(lambda cell, inputs, output: None),
        cell.register_backward_hook(lambda cell, into, out: None),
    ]
    gradient = ms.grad(cell)(x())
    for handle in handles:
        handle.remove()
    return gradient


def plain(net=None):
    net = net or Net()
    return lambda: ms.value_and_grad(net, 0, [net.w])(x())


def inner_gradient(x):
    return ms.grad(square)(x) * x


def pulled_twice():
    _, pull = ms.vjp(square, x())
    return pull(ones()), pull(ones())


CALLS = {
    "value_and_grad_of_a_cell": plain,
    "gradient_of_a_gradient": lambda: lambda: ms.grad(inner_gradient)(x()),
    "grad_operation": lambda: lambda: ops.GradOperation(get_all=True)(square)(x()),
    "jvp": lambda: lambda: ms.jvp(square, x(), ones()),
    "vjp": lambda: pulled_twice,
    "hessian": lambda: lambda: ms.jacfwd(ms.jacrev(square))(x()),
    "vmap_of_grad": lambda: lambda: ms.vmap(ms.grad(square))(x()),
    "insert_gradient": lambda: lambda: ms.grad(ops.InsertGradientOf(lambda g: g * 2))(x()),
    "hook_backward": lambda: lambda: ms.grad(ops.HookBackward(lambda g: None))(x()),
    "hook_of_a_tensor": lambda: lambda: ms.grad(hooked)(x()),
    "hooks_of_a_cell": lambda: cell_with_hooks,
    "bprop": lambda: lambda: ms.grad(Doubled())(x()),
    "function": lambda: lambda: ms.grad(Own.apply)(x()),
    "recompute": lambda: lambda: ms.grad(lambda x: ms.recompute(Doubled(), x) * x)(x()),
    "write_in_place": lambda: lambda: ms.grad(written)(x()),
    "integers": lambda: lambda: ms.grad(square)(Tensor([1, 2])),
}


class StopError(Exception):
    pass


def stop(*anything):
    raise StopError


def stop_late(x):
    y = x * x
    stop()
    return y


class Failing(Net):
    """Raises after it has written; what it kept on the way stays with it."""

    def construct(self, x):
        super().construct(x)
        stop()


def hooked_to_fail(x):
    y = x * 2
    y.register_hook(stop)
    return y * y


class FailingBackward(nn.Cell):
    def construct(self, x):
        return x * 1

    bprop = stop


RAISING = {
    "in_forward": lambda: lambda: ms.grad(stop_late)(x()),
    "after_a_write": lambda: plain(Failing()),
    "in_the_inner_gradient": lambda: lambda: ms.grad(lambda x: ms.grad(stop_late)(x))(x()),
    "in_a_hook": lambda: lambda: ms.grad(hooked_to_fail)(x()),
    "in_bprop": lambda: lambda: ms.grad(FailingBackward())(x()),
    "in_inserted_gradient": lambda: lambda: ms.grad(ops.InsertGradientOf(stop))(x()),
    "in_vmap": lambda: lambda: ms.vmap(stop_late)(x()),
    "in_jvp": lambda: lambda: ms.jvp(stop_late, x(), ones()),
    "in_jacrev": lambda: lambda: ms.jacrev(stop_late)(x()),
    "wrong_cotangent": lambda: lambda: ms.vjp(square, x())[1](Tensor([1.0, 1.0, 1.0])),
    "wrong_output": lambda: lambda: ms.vjp(square, x(), has_aux=True),
}


def quietly(call):
    def caught():
        try:
            call()
        except (StopError, TypeError, ValueError, RuntimeError):
            return
        raise AssertionError("the call was to raise")

    return caught


JITTED = type(jax.jit(lambda: None))


@pytest.fixture(autouse=True)
def compiled_at_once(monkeypatch):
    # Else the program of a small operator is made between two counts, at its 32nd call.
    monkeypatch.setattr(by_numpy, "_EXACT_CALLS", 0)
    # Or another one at the 16th call, where two shapes came in tests before.
    monkeypatch.setattr(context, "deterministic", True)


@pytest.fixture(autouse=True, scope="module")
def there_before():
    """What there was before these tests is not looked through again at each count, as it is a
    million objects; of it, jitted functions are looked at.

    Not the kernels, which conftest.py froze: JAX keeps 4,096 programs of all, the last used ones.
    """
    gc.collect()
    BEFORE[:] = [found for found in gc.get_objects() if type(found) is JITTED]
    gc.freeze()
    yield
    BEFORE.clear()


BEFORE: list = []


def left():
    """Count the live arrays, the tracers, and the programs that all jitted functions hold."""
    gc.collect()
    programs, tracers = sum(found._cache_size() for found in BEFORE), 0
    for kind, found in ((type(o), o) for o in gc.get_objects()):
        if kind is JITTED:
            programs += found._cache_size()
        elif issubclass(kind, Tracer):
            tracers += 1
    return len(jax.live_arrays()), tracers, programs


def assert_nothing_is_left(call, times=8):
    # JAX keeps the trace around a jitted function's first use if that trace ends in an exception,
    # as in a test that ran in this process before.
    tracers = left()[1]
    for _ in range(3):
        call()
    before = left()
    for _ in range(times):
        call()
    assert left() == before
    assert before[1] == tracers
    assert context.scope is None
    assert context.replaced is None
    assert not context.no_grad


@pytest.mark.parametrize("make", CALLS.values(), ids=CALLS)
def test_calls(make):
    assert_nothing_is_left(make())


@pytest.mark.parametrize("make", RAISING.values(), ids=RAISING)
def test_calls_that_raise(make):
    assert_nothing_is_left(quietly(make()))


def test_what_was_kept_on_the_cell_is_let_go_by_the_next_call():
    net = Net()
    plain(net)()
    first = weakref.ref(net.last)
    plain(net)()
    gc.collect()
    assert first() is None


def test_a_hook_dies_with_its_tensor():
    kept = []

    def fn(x):
        def hook(gradient):
            return gradient * 2

        kept.append(weakref.ref(hook))
        y = x * x
        y.register_hook(hook)
        return y

    ms.grad(fn)(x())
    gc.collect()
    assert kept[0]() is None


def test_a_removed_hook_is_gone_from_the_parameter():
    net = Net()
    for _ in range(3):
        handle = net.w.register_hook(lambda g: g)
        plain(net)()
        handle.remove()
    assert not net.w._hooks


def test_the_pullback_keeps_what_it_needs_and_no_longer_than_it_lives():
    gc.collect()
    before = len(jax.live_arrays())
    out, pull = ms.vjp(lambda x: ops.exp(x) * x, x())
    gc.collect()
    assert len(jax.live_arrays()) > before
    del out, pull
    gc.collect()
    assert len(jax.live_arrays()) == before


def everything():
    net = Net()
    shared, point = plain(net), x()

    def fn(x):
        y = ops.InsertGradientOf(lambda g: g * 2)(x * net.w)
        y.register_hook(lambda g: g * 3)
        return y * y

    return shared, lambda: ms.grad(fn)(point), quietly(lambda: ms.grad(stop_late)(point))


def resident():
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_thousand_calls():
    calls = everything()

    def run(times):
        for i in range(times):
            calls[i % 3]()
        gc.collect()

    run(30)
    before, size = left(), resident()
    run(600)
    tracemalloc.start()
    try:
        # What JAX itself renews while it runs is seen as new for a few hundred calls.
        run(200)
        traced, _ = tracemalloc.get_traced_memory()
        run(200)
        grown = tracemalloc.get_traced_memory()[0] - traced
    finally:
        tracemalloc.stop()
    assert left() == before
    # JAX itself still takes 60 bytes a call here; a Tensor left by each would be 1,900 more.
    assert grown < 200 * 300, f"{grown} bytes in 200 calls"
    # A compiled program left by each call would be tens of megabytes.
    assert resident() - size < 8 * 2**20
