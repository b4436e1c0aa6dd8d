"""Times every engine on a workload: in turn within every round, so that all meet the same machine.

What is measured is a step whose loss is awaited. Shown are medians over the rounds. Losses of all
engines are compared before anything is timed.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.benchmarks.engines import ENGINES, MINDSPORE, PYTORCH, WEIGHTS, first_weights
from tests.benchmarks.worker import Worker
from tests.benchmarks.workloads import WORKLOADS

# A turn of an engine within a round takes about this long, at least one step.
_TURN = 0.05
_MOST_STEPS = 50
_CHECKED = 3
ORACLE = MINDSPORE


@dataclass
class Result:
    """What was measured of a workload.

    Attributes:
        seconds: Of a step, for each engine.
        first: Of the first step of the compiled engines, in a fresh process.
        memory: Scratch memory of their programs, in bytes.
    """

    workload: str
    seconds: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    memory: dict[str, int] = field(default_factory=dict)


class Timer:
    """Times steps of one engine.

    Args:
        engine: A key of ``ENGINES``.
        workload: A key of ``WORKLOADS``.
        worker: The process of the engine; None for this one.
    """

    def __init__(self, engine: str, workload: str, worker: Worker | None) -> None:
        self._engine = ENGINES[engine]
        self._workload = workload
        self._worker = worker
        self._around: Callable[[], AbstractContextManager[None]] = self._engine.around
        self._call: Any = None
        if self._engine.python == PYTORCH:
            np.savez(os.environ[WEIGHTS], **first_weights(WORKLOADS[workload]))
        if worker is None:
            with self._around():
                self._call = self._engine.make(WORKLOADS[workload])
        self.losses = self._losses()
        once = self._seconds(1)
        self._calls = max(1, min(_MOST_STEPS, int(_TURN / once)))
        self.seconds: list[float] = []

    def _losses(self) -> list[float]:
        count = max(1, _CHECKED // self._engine.steps)
        if self._worker is not None:
            return self._worker.ask("losses", self._workload, count)
        with self._around():
            return [float(self._call()) for _ in range(count)]

    def _seconds(self, calls: int) -> float:
        if self._worker is not None:
            return self._worker.ask("seconds", self._workload, calls)
        with self._around():
            self._call()
            start = time.perf_counter()
            for _ in range(calls):
                self._call()
            return (time.perf_counter() - start) / calls / self._engine.steps

    def turn(self) -> None:
        """Time some steps."""
        self.seconds.append(self._seconds(self._calls))


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def measure(
    workload: str, engines: Sequence[str], rounds: int, workers: dict[str, Worker]
) -> Result:
    """Time a workload with each engine.

    Args:
        workload: A key of ``WORKLOADS``.
        engines: Keys of ``ENGINES``.
        rounds: How often each has its turn.
        workers: The processes of the engines that have one.

    Raises:
        AssertionError: If the engines do not compute the same losses.
    """
    timers = {name: Timer(name, workload, workers.get(name)) for name in engines}
    _compare(workload, timers)
    names = list(timers)
    for turn in range(rounds):
        with _no_collection():
            for place in range(len(names)):
                timers[names[(place + turn) % len(names)]].turn()
    return Result(
        workload, {name: statistics.median(timer.seconds) for name, timer in timers.items()}
    )


def tolerance() -> float:
    """Give how far losses may lie apart, relative to 1 or to themselves."""
    import jax

    # On other devices a matrix product of float32 is computed with fewer bits by default.
    return 1e-4 if jax.default_backend() == "cpu" else 2e-2


def _compare(workload: str, timers: dict[str, Timer]) -> None:
    known = {name: t.losses for name, t in timers.items() if len(t.losses) == _CHECKED}
    expected = next(iter(known.values()))
    for name, losses in known.items():
        for ours, theirs in zip(losses, expected, strict=True):
            assert abs(ours - theirs) <= tolerance() * max(1, abs(theirs)), (
                f"{workload}: {name} has losses {losses}, {next(iter(known))} has {expected}"
            )


def measure_first(result: Result, engines: Sequence[str], times: int) -> None:
    """Measure first steps and scratch memory, each time in a fresh process of each engine."""
    found: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(times):
        for name in engines:
            worker = Worker(name)
            seconds, result.memory[name] = worker.ask("first", result.workload)
            worker.close()
            found[name].append(seconds)
    result.first = {name: statistics.median(seconds) for name, seconds in found.items() if seconds}


def start_workers(engines: Sequence[str]) -> dict[str, Worker]:
    """Start the processes of MindSpore and PyTorch, where the environment names interpreters."""
    variables = {name: ENGINES[name].python or "" for name in engines}
    pythons = {name: os.environ.get(variable) for name, variable in variables.items()}
    if PYTORCH in variables.values() and WEIGHTS not in os.environ:
        folder = tempfile.TemporaryDirectory()
        atexit.register(folder.cleanup)
        os.environ[WEIGHTS] = os.path.join(folder.name, "weights.npz")
    return {name: Worker(name, python) for name, python in pythons.items() if python}
