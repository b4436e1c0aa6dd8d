"""Times steps on texts of many lengths, from the first on: compiling is most of it.

    python -m tests.benchmarks.lengths [engine ...] [--call forward] [--steps N] [--lengths N]
    MSGRAD_ORACLE_PYTHON=path/to/python python -m tests.benchmarks.lengths

Each engine has a process of its own, and a second one that finds the programs of the first on disk.
Shown are the sums over all steps, in seconds of a clock and of the processor, which say more on a
machine that does other things too, and the quotients of MindSpore's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from tests.benchmarks.engines import ENGINES, MINDSPORE, program
from tests.benchmarks.workloads import Batch, Workload

_ENGINES = ("pynative", "eager", "eager_op", "jit", "graph_mode")
_SHORTEST, _COUNT, _WORDS = 17, 8, 256


def texts(steps: int, lengths: int) -> list[Batch]:
    """Give the batches: every length as often as others, in an order drawn at random."""
    rng = np.random.default_rng(0)
    made = []
    for length in rng.permutation(np.arange(steps) % lengths) + _SHORTEST:
        text = rng.integers(0, _WORDS, (_COUNT, length + 1)).astype(np.int32)
        made.append((text[:, :-1].copy(), text[:, 1:].copy()))
    return made


def workload(steps: int, lengths: int, call: str = "step") -> Workload:
    """Give the network, a transformer of 2 layers, with Adam or without a gradient."""
    tokens = _SHORTEST + lengths
    options = {"words": _WORDS, "width": 128, "heads": 4, "tokens": tokens, "depth": 2}
    first = texts(steps, lengths)[0]
    about = f"{steps} times a {call} of a transformer, at {lengths} lengths"
    return Workload(about, "transformer", lambda _: first, "adam", 1e-3, options=options, call=call)


def run(engine: str, steps: int, lengths: int, call: str = "step") -> dict[str, float]:
    """Make the steps in this process, and give the sums and the last loss."""
    made, spent = workload(steps, lengths, call), []
    if ENGINES[engine].python:
        import mindspore as ms

        step = program(made)[1]
    else:
        import msgrad as ms

        with ms.install():
            step = program(made)[1]
    step = ms.jit(step) if engine == "jit" else step
    loss: Any = None
    with ENGINES[engine].around():
        for x, y in texts(steps, lengths):
            start = time.perf_counter(), time.process_time()
            loss = float(step(ms.Tensor(x), ms.Tensor(y)).asnumpy())
            spent.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    clock, processor = np.sum(spent, axis=0)
    return {"clock": float(clock), "processor": float(processor), "loss": loss}


def run_apart(engine: str, cache: str, *numbers: str) -> dict[str, float]:
    """Do the same in a process of its own, that keeps its programs in a folder."""
    python = os.environ[MINDSPORE] if ENGINES[engine].python else sys.executable
    # Where JAX's own setting names a folder, that has the programs.
    kept = {"MSGRAD_COMPILE_CACHE": cache, "JAX_COMPILATION_CACHE_DIR": ""}
    shown = subprocess.run(
        [python, "-m", "tests.benchmarks.lengths", engine, "--here", *numbers],
        env={**os.environ, **kept, "GLOG_v": "3"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(shown.stdout.splitlines()[-1])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.lengths")
    parser.add_argument("engines", nargs="*", choices=[*_ENGINES, []], default=[])
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--lengths", type=int, default=64)
    parser.add_argument("--call", choices=["step", "forward"], default="step")
    parser.add_argument("--here", action="store_true", help="run one engine in this process")
    args = parser.parse_args()
    engines = args.engines or [
        e for e in _ENGINES if not ENGINES[e].python or MINDSPORE in os.environ
    ]
    numbers = args.steps, args.lengths, args.call
    if args.here:
        print(json.dumps(run(engines[0], *numbers)))
        return
    print(workload(*numbers).about)
    given = [f"--{name}={getattr(args, name)}" for name in ("steps", "lengths", "call")]
    theirs: dict[str, float] = {}
    for engine in engines:
        with tempfile.TemporaryDirectory() as cache:
            for which in ("cold",) if ENGINES[engine].python else ("cold", "second run"):
                sums = run_apart(engine, cache, *given)
                theirs = sums if ENGINES[engine].python else theirs
                ratios = (
                    f"{name} {theirs[name] / sums[name]:.2f}" for name in theirs if name != "loss"
                )
                print(
                    f"{ENGINES[engine].title}, {which}: clock {sums['clock']:.1f} s, processor "
                    f"{sums['processor']:.1f} s, last loss {sums['loss']:.5f}; MindSpore's over "
                    f"it: {', '.join(ratios) or 'not measured'}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
