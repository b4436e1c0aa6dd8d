"""State under interrupts and readers: a step happens whole or not at all, and whoever looks at a
weight finds it, of one step.

Every way to make a step beside every way to look at what it changes.
"""

from __future__ import annotations

import contextlib
import copy
import linecache
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad._compiled import program as _layout
from msgrad._core import ownership

PACKAGE = ms.__path__[0]
X = Tensor(np.arange(12, dtype=np.float32).reshape(4, 3) / 10)


class Loss(nn.Cell):
    """A small network with statistics, and its loss."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(3, 4)
        self.norm = nn.SequentialCell(nn.BatchNorm1d(4), nn.BatchNorm1d(4))
        self.last = nn.Dense(4, 1)

    def construct(self, x):
        return (self.last(ops.tanh(self.norm(self.first(x)))) ** 2).mean()


class Job:
    """A network, its optimizer, and a step in one of several ways."""

    def __init__(self, way: str):
        ms.set_seed(1)
        self.loss = Loss()
        self.loss.set_train()
        self.rule = nn.Adam(self.loss.trainable_params(), 0.05)
        self.state = [*self.loss.get_parameters(), *self.rule.get_parameters()]
        self.step = WAYS[way](self.loss, self.rule)

    def values(self) -> list[np.ndarray]:
        return [p.asnumpy() for p in self.state]


def eager(loss, rule):
    take = ms.value_and_grad(loss, None, rule.parameters)

    def step(x=X):
        value, grads = take(x)
        rule(grads)
        return value

    return step


def jitted(loss, rule):
    step = ms.jit(eager(loss, rule))
    return lambda: step(X)


def in_graph_mode(loss, rule):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = nn.TrainOneStepCell(loss, rule)
    return lambda: cell(X)


def gradient_only(loss, rule):
    """Writes the statistics."""
    take = ms.value_and_grad(loss, None, rule.parameters)
    return lambda: take(X)[0]


def optimizer_only(loss, rule):
    grads = tuple(ops.ones_like(p) for p in rule.parameters)
    return lambda: rule(grads)


def fused(loss, rule):
    steps, both = ms.fuse_steps(eager(loss, rule), 2), ops.stack((X, X))
    return lambda: steps(both)


WAYS: dict[str, Callable] = {
    "eager": eager,
    "gradient": gradient_only,
    "optimizer": optimizer_only,
    "jit": jitted,
    "GRAPH_MODE": in_graph_mode,
    "fuse_steps": fused,
}


@pytest.fixture(autouse=True)
def pynative() -> Iterator[None]:
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def stays(request, monkeypatch) -> bool:
    """Let state stay with its program from the first step on, or never."""
    backoff = 1 if request.param else 10**9
    monkeypatch.setattr(_layout, "_FIRST_BACKOFF", backoff)
    monkeypatch.setattr(_layout, "_LONGEST_BACKOFF", backoff)
    return request.param


class Interrupt:
    """Raise ``KeyboardInterrupt`` at the n-th line of msgrad that runs, and at the next ones."""

    def __init__(self, at: int, times: int = 1):
        self.left, self.times, self.raised = at, times, 0

    def __enter__(self) -> Interrupt:
        self._before = sys.gettrace()
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _trace(self, frame, event, _):
        code = frame.f_code
        # Where interrupts wait there are none.
        if not code.co_filename.startswith(PACKAGE) or code.co_name == "_interrupted_later":
            return None
        if event == "line":
            self.left -= 1
            if self.left <= 0 and self.raised < self.times and not _leaves_a_with(frame):
                self.raised += 1
                # Python takes a trace function away that raises.
                sys.settrace(self._trace)
                raise KeyboardInterrupt
        return self._trace


def _leaves_a_with(frame) -> bool:
    """Python comes back to the line of a ``with`` to leave it; no signal is taken before it has."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return line.lstrip().startswith("with ")


def is_free(lock) -> bool:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: lock.acquire(blocking=False) and not lock.release()).result()


def same(values: list[np.ndarray], others: list[np.ndarray]) -> bool:
    return all(np.allclose(a, b, 1e-4, 1e-6) for a, b in zip(values, others, strict=True))


@pytest.mark.parametrize("stays", [False, True], indirect=True)
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("way", [way for way in WAYS if way != "eager"])
def test_an_interrupt_at_any_line_leaves_whole_steps(way, times, stays):
    job, other = Job(way), Job(way)
    history = [other.values()]
    done, at, raised = 0, 0, True

    def expected(count: int) -> list[np.ndarray]:
        while len(history) <= count:
            other.step()
            history.append(other.values())
        return history[count]

    job.step()
    done += 1
    while raised:
        # Each of the first lines, then ever fewer.
        at += 1 + at // 8
        job.step()
        done += 1
        if way == "jit":
            assert ("_data" not in vars(job.loss.last.weight)) == stays
        with Interrupt(at, times) as interrupt, contextlib.suppress(KeyboardInterrupt):
            job.step()
        raised = interrupt.raised > 0
        now = job.values()
        happened = same(now, expected(done + 1))
        assert happened or same(now, expected(done)), f"line {at}"
        done += happened
    assert at > 10
    assert is_free(ownership.lock)


def test_an_interrupt_in_the_first_run_of_a_program_waits():
    compiled = jax.jit(lambda arrays: [a + 1 for a in arrays], donate_argnums=0)

    def program(arrays):
        """Be interrupted where JAX's own Python code runs behind a program's first run."""
        results = compiled(arrays)
        signal.raise_signal(signal.SIGINT)
        return results

    place = {"_data": jax.numpy.zeros(3)}
    owner = ownership.Owner([place], [place])
    # A shell has what it starts behind it ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with ownership.lock:
            owner.take()
            with pytest.raises(KeyboardInterrupt):
                owner.run(program)
            owner.put_back()
    finally:
        signal.signal(signal.SIGINT, before)
    np.testing.assert_array_equal(place["_data"], np.ones(3))


LOOKS = {
    "asnumpy": lambda job: [p.asnumpy() for p in job.state],
    "np.asarray": lambda job: [np.asarray(p) for p in job.state],
    "operator": lambda job: [(p + 0).asnumpy() for p in job.state],
    "value": lambda job: [p.value().asnumpy() for p in job.state],
    "repr": lambda job: [repr(p.value()) for p in job.state],
    "deepcopy": lambda job: copy.deepcopy(job.loss).first.weight.asnumpy(),
    "pickle": lambda job: pickle.loads(pickle.dumps(job.loss.first.weight)).asnumpy(),
    "view": lambda job: job.loss.first.weight[0].asnumpy(),
    "JAX": lambda job: [np.asarray(x) for x in jax.tree.leaves(job.rule.parameters)],
    "forward": lambda job: job.loss(X).asnumpy(),
    "gradient": lambda job: ms.grad(job.loss, None, job.rule.parameters)(X)[0].asnumpy(),
    "write": lambda job: job.loss.first.bias.set_data(Tensor(np.zeros(4, np.float32))),
}
LOOK_COUNT = 20


def beside(step: Callable, look: Callable, count: int = LOOK_COUNT) -> list:
    """Make steps while another thread looks, until both have done so often enough."""
    looks: list = []
    errors: list[BaseException] = []
    stop = threading.Event()

    def reader():
        try:
            while not stop.is_set():
                looks.append(look())
        except BaseException as error:
            errors.append(error)

    step(), look(), step()
    thread = threading.Thread(target=reader)
    thread.start()
    try:
        steps = 0
        while (steps < count or len(looks) < count) and not errors:
            step()
            steps += 1
    finally:
        stop.set()
        thread.join()
    if errors:
        raise errors[0]
    return looks


@pytest.fixture
def often_switched():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("way", [way for way in WAYS if way != "gradient"])
def test_a_thread_that_looks_never_fails(way):
    job = Job(way)
    forward = ms.jit(lambda x: job.loss(x))
    looks = {**LOOKS, "jitted forward": lambda job: forward(X).asnumpy()}
    for look in looks.values():
        for found in beside(job.step, lambda look=look: look(job)):
            for array in found if isinstance(found, list) else [found]:
                assert not isinstance(array, np.ndarray) or np.isfinite(array).all()


class Equal(nn.Cell):
    """Weights that are all the number of the step."""

    def __init__(self):
        super().__init__()
        for i in range(20):
            setattr(self, f"p{i}", Parameter(Tensor(np.zeros(3, np.float32)), name=f"p{i}"))

    def construct(self, x):
        return ops.stack([p * x for p in self.trainable_params()])


def counting(way: str) -> tuple[Equal, Callable]:
    net = Equal()
    rule = nn.SGD(net.trainable_params(), 1.0)
    grads = tuple(-ops.ones_like(p) for p in net.trainable_params())
    if way == "optimizer":
        return net, lambda: rule(grads)

    @ms.jit
    def step(x):
        rule(grads)
        return x

    return net, lambda: step(X)


def check_equal(values: list[np.ndarray]) -> None:
    assert len({float(v) for array in values for v in np.ravel(array)}) == 1


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("way", ["optimizer", "jit"])
def test_a_compiled_forward_pass_sees_one_step(way):
    net, step = counting(way)
    forward = ms.jit(lambda x: net(x))
    one = Tensor(np.ones(3, np.float32))
    for found in beside(step, lambda: forward(one).asnumpy()):
        check_equal([found])


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
@pytest.mark.parametrize("way", ["optimizer", "jit"])
def test_a_checkpoint_is_of_one_step(way, format, tmp_path):
    net, step = counting(way)
    name = str(tmp_path / f"net.{format}")

    def save():
        ms.save_checkpoint(net, name, format=format)
        return [p.asnumpy() for p in ms.load_checkpoint(name, format=format).values()]

    for found in beside(step, save, 10):
        check_equal(found)


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("way", ["optimizer", "jit"])
def test_two_threads_that_make_steps_take_turns(way):
    net, step = counting(way)
    others = beside(step, step, 200)
    made = net.p0.asnumpy()[0]
    check_equal([p.asnumpy() for p in net.trainable_params()])
    step()
    assert net.p0.asnumpy()[0] == made + 1
    assert made >= len(others) + 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
def test_a_fork_finds_the_lock_free():
    net, step = counting("optimizer")
    stop = threading.Event()

    def train():
        while not stop.is_set():
            step()

    thread = threading.Thread(target=train)
    thread.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                # Not to the values: XLA's threads are not in the child.
                os._exit(0 if vars(net.p0)["_data"] is not None else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        thread.join()
