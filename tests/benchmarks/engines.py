"""The ways to make a workload's step; each is a column of the table.

Everything that needs JAX, msgrad, MindSpore or PyTorch is imported where it is used: the processes
of the last two have no JAX, and a step's own process imports nothing that it does not use.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.benchmarks.workloads import Workload

FUSED = 10
# Variables that name interpreters, and the file in which PyTorch's process finds its first weights.
MINDSPORE, PYTORCH = "MSGRAD_ORACLE_PYTHON", "MSGRAD_TORCH_PYTHON"
WEIGHTS = "MSGRAD_BENCHMARK_WEIGHTS"


@dataclass(frozen=True)
class Engine:
    """A way to make steps.

    Attributes:
        title: What the table calls it.
        make: Gives, for a workload, a call that makes steps and returns the last loss, once known.
        around: What steps are made within.
        steps: How many steps a call makes.
        python: The variable that names its interpreter, if it needs one, and a process, of its own.
    """

    title: str
    make: Callable[[Workload], Callable[[], Any]]
    around: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext
    steps: int = 1
    python: str | None = None


def program(workload: Workload) -> tuple[Any, Callable[[Any, Any], Any], tuple[Any, Any]]:
    """Make network, step and batch with whichever library ``mindspore`` is."""
    import mindspore as ms

    training = importlib.import_module("tests.benchmarks.programs.training")
    code = importlib.import_module(f"tests.benchmarks.programs.{workload.code}")
    ms.set_seed(0)
    net, forward = code.make(**workload.options)
    x, y = workload.data()
    batch = ms.Tensor(x), ms.Tensor(y)
    if workload.call != "step":
        return net, training.CALLS[workload.call](net, forward), batch
    optimizer = training.make_optimizer(net, workload.optimizer, workload.rate)
    return net, training.make_step(forward, optimizer), batch


def _mindspore(mode: str) -> Callable[[Workload], Callable[[], Any]]:
    def make(workload: Workload) -> Callable[[], Any]:
        import mindspore as ms

        ms.set_context(mode=getattr(ms, mode), device_target="CPU")
        _, step, batch = program(workload)
        step = ms.jit(step) if mode == "GRAPH_MODE" else step
        return lambda: step(*batch).asnumpy()

    return make


def _msgrad(form: str) -> Callable[[Workload], Callable[[], Any]]:
    def make(workload: Workload) -> Callable[[], Any]:
        import msgrad as ms

        with ms.install():
            _, step, batch = program(workload)
        if form == "jit":
            step = ms.jit(step)
        elif form == "fused":
            step = ms.fuse_steps(step, FUSED)
            x, y = (np.broadcast_to(part, (FUSED, *part.shape)) for part in workload.data())
            batch = (ms.Tensor(x.copy()), ms.Tensor(y.copy()))
            return lambda: step(*batch).__jax_array__().block_until_ready()[-1]
        elif form == "pure":
            return _pure(step, *batch)
        return lambda: step(*batch).__jax_array__().block_until_ready()

    return make


def _pure(step: Callable[[Any, Any], Any], *batch: Any) -> Callable[[], Any]:
    import jax

    import msgrad as ms

    pure, state = ms.interop.functionalize(step, *batch)
    # The state first, as by hand: see what functionalize says of donated scalars.
    turned = jax.jit(lambda state, *arrays: pure(state, *arrays)[::-1], donate_argnums=0)
    arrays = [jax.numpy.asarray(part) for part in batch]

    def call() -> Any:
        nonlocal state
        state, loss = turned(state, *arrays)
        return loss.block_until_ready()

    return call


def first_weights(workload: Workload) -> dict[str, np.ndarray]:
    """Give the first weights of the MindSpore program, by their names there."""
    import msgrad as ms

    with ms.install():
        net = program(workload)[0]
    return {name: param.asnumpy() for name, param in net.parameters_dict().items()}


def _pytorch(workload: Workload) -> Callable[[], Any]:
    import torch

    training = importlib.import_module("tests.benchmarks.in_torch.training")
    code = importlib.import_module(f"tests.benchmarks.in_torch.{workload.code}")
    net, forward = code.make(**workload.options)
    with np.load(os.environ[WEIGHTS]) as weights:
        training.load(net, weights)
    if workload.call == "step":
        optimizer = training.make_optimizer(net, workload.optimizer, workload.rate)
        step = training.make_step(net, forward, optimizer)
    else:
        step = training.CALLS[workload.call](net, forward)
    batch = [torch.tensor(part) for part in workload.data()]
    return lambda: step(*batch).item()


def _by_hand(compiled: bool) -> Callable[[Workload], Callable[[], Any]]:
    def make(workload: Workload) -> Callable[[], Any]:
        import jax.numpy as jnp

        training = importlib.import_module("tests.benchmarks.by_hand.training")
        code = importlib.import_module(f"tests.benchmarks.by_hand.{workload.code}")
        weights = first_weights(workload)
        rule = training.make_optimizer(workload.optimizer, workload.rate)
        state = training.Training(code, weights, rule, compiled, workload.call)
        x, y = (jnp.array(part) for part in workload.data())
        return lambda: state.step(x, y).block_until_ready()

    return make


@contextlib.contextmanager
def _graph_mode() -> Iterator[None]:
    import msgrad as ms

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        yield
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def _op_by_op() -> AbstractContextManager[None]:
    import msgrad as ms

    return ms.eager_mode("op")


ENGINES = {
    "hand_eager": Engine("JAX", _by_hand(False)),
    "eager": Engine("msgrad", _msgrad("eager")),
    "eager_op": Engine("msgrad, op by op", _msgrad("eager"), _op_by_op),
    "torch": Engine("PyTorch, eager", _pytorch, python=PYTORCH),
    "pynative": Engine("MindSpore PYNATIVE", _mindspore("PYNATIVE_MODE"), python=MINDSPORE),
    "hand_jit": Engine("jax.jit", _by_hand(True)),
    "jit": Engine("ms.jit", _msgrad("jit")),
    "pure": Engine("functionalize", _msgrad("pure")),
    "graph_mode": Engine("msgrad GRAPH_MODE", _msgrad("eager"), _graph_mode),
    "fused": Engine(f"fuse_steps, {FUSED}", _msgrad("fused"), steps=FUSED),
    "graph": Engine("MindSpore GRAPH", _mindspore("GRAPH_MODE"), python=MINDSPORE),
}
