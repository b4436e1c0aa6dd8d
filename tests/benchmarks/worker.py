"""A process that makes steps with one engine and times them on request; and its other end.

Real MindSpore and PyTorch need a process, and an interpreter, of their own; the first step of a
compiled program needs a process in which nothing has been compiled yet.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

from tests.benchmarks.engines import ENGINES, MINDSPORE, PYTORCH
from tests.benchmarks.workloads import FIRST, WORKLOADS

_MARK = "benchmark answer: "
WARM_UP = 3
_LIBRARIES = {MINDSPORE: "mindspore", PYTORCH: "torch"}


class Worker:
    """An engine in a process of its own, which is stopped while it is not asked anything.

    MindSpore's threads look for work all the time: beside them, what is measured in other processes
    takes up to three times as long.

    Args:
        engine: A key of ``ENGINES``.
        python: The interpreter that has what it needs.
        variables: Of its environment. No programs are kept on disk, unless these say so.
    """

    def __init__(self, engine: str, python: str = sys.executable, **variables: str) -> None:
        environment = {**os.environ, "GLOG_v": "3", "MSGRAD_COMPILE_CACHE": "0", **variables}
        if ENGINES[engine].python:
            environment.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [python, "-m", "tests.benchmarks.worker", engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        atexit.register(self._process.send_signal, signal.SIGCONT)

    def ask(self, *request: Any) -> Any:
        """Send a request, see ``_answers``, and give the answer.

        Raises:
            RuntimeError: If the process ends instead.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.send_signal(signal.SIGCONT)
        print(json.dumps(request), file=self._process.stdin, flush=True)
        for line in self._process.stdout:
            if line.startswith(_MARK):
                self._process.send_signal(signal.SIGSTOP)
                return json.loads(line.removeprefix(_MARK))
        raise RuntimeError(f"the worker ended with code {self._process.wait()}: {request}")

    def close(self) -> None:
        """End the process."""
        self._process.send_signal(signal.SIGCONT)
        self._process.communicate()


class Served:
    """What a worker answers: ``(method name, *arguments)`` as JSON."""

    def __init__(self, engine: str) -> None:
        self._engine = ENGINES[engine]
        self._made: dict[str, Any] = {}

    def _call(self, workload: str) -> Any:
        if workload not in self._made:
            # Of one workload at a time: another one's memory and threads would be in the way.
            self._made = {workload: self._engine.make({**WORKLOADS, **FIRST}[workload])}
        return self._made[workload]

    def version(self) -> str:
        """Give the version of MindSpore or PyTorch."""
        return importlib.import_module(_LIBRARIES[self._engine.python]).__version__

    def losses(self, workload: str, steps: int) -> list[float]:
        """Give the losses of the first steps."""
        call = self._call(workload)
        return [float(call()) for _ in range(steps)]

    def seconds(self, workload: str, steps: int) -> float:
        """Give the mean time of some steps."""
        call = self._call(workload)
        call()
        start = time.perf_counter()
        for _ in range(steps):
            call()
        return (time.perf_counter() - start) / steps

    def first_step(self, workload: str) -> tuple[float, float]:
        """Give the time of the first step, and its loss."""
        call = self._call(workload)
        start = time.perf_counter()
        loss = call()
        return time.perf_counter() - start, float(loss)

    def first(self, workload: str) -> tuple[float, int]:
        """Give the time of the first step, and the scratch memory of its program."""
        import jax

        seconds, _ = self.first_step(workload)
        # The step's program is by far the largest: what comes before it only makes weights.
        programs = jax.devices()[0].client.live_executables()
        return seconds, max(p.get_compiled_memory_stats().temp_size_in_bytes for p in programs)


def main() -> None:
    """Answer until there is nothing more to read."""
    served = Served(sys.argv[1])
    for line in sys.stdin:
        method, *arguments = json.loads(line)
        print(_MARK + json.dumps(getattr(served, method)(*arguments)), flush=True)


if __name__ == "__main__":
    main()
