"""Times the first step of a fresh process: nothing compiled yet, a second run, and MindSpore.

    MSGRAD_ORACLE_PYTHON=path/to/python python -m tests.benchmarks.first [workload ...] [--times N]
        [--write-readme]

The step is MindSpore's, eager (PYNATIVE), its loss awaited; loading the library and making the
network come before. Each process does one step and ends; they take turns. The losses are compared:
those of both runs of msgrad in every bit.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests._marked import README, write_part
from tests.benchmarks.report import WIDTH, machine, table
from tests.benchmarks.timing import ORACLE, tolerance
from tests.benchmarks.worker import Worker
from tests.benchmarks.workloads import FIRST

Seconds = Mapping[str, float]
_TITLES = {"pynative": "MindSpore PYNATIVE", "cold": "msgrad, cold", "again": "msgrad, second run"}
_TARGETS = (
    "The first step of a process, in seconds: with nothing compiled yet at most twice MindSpore's, "
    "or one second; in the second run of a program at most MindSpore's. One with ! misses it."
)


def _step(workload: str, kind: str, cache: str) -> tuple[float, float, str]:
    """Give a first step's seconds and loss, and MindSpore's version if it was its."""
    real = kind == "pynative"
    python = os.environ[ORACLE] if real else sys.executable
    # Where JAX's own setting names a folder, there would be no cold step.
    caches = {"MSGRAD_COMPILE_CACHE": cache, "JAX_COMPILATION_CACHE_DIR": ""}
    worker = Worker("pynative" if real else "eager", python, **caches)
    seconds, loss = worker.ask("first_step", workload)
    version = worker.ask("version") if real else ""
    worker.close()
    return seconds, loss, version


def measure(workload: str, times: int) -> tuple[Seconds, str]:
    """Time the first steps of a workload.

    Args:
        workload: A key of ``FIRST``.
        times: How often each kind has its turn.

    Returns:
        The medians of each kind, and MindSpore's version, empty where it took no part.

    Raises:
        AssertionError: If the losses differ.
    """
    kinds = [kind for kind in _TITLES if kind != "pynative" or os.environ.get(ORACLE)]
    found: dict[str, list[float]] = {kind: [] for kind in kinds}
    losses, version = {}, ""
    for _ in range(times):
        with tempfile.TemporaryDirectory() as cache:
            for kind in kinds:
                seconds, losses[kind], said = _step(workload, kind, cache)
                found[kind].append(seconds)
                version = said or version
        assert losses["cold"] == losses["again"], f"{workload}: {losses}"
        for loss in losses.values():
            assert abs(loss - losses["cold"]) <= tolerance() * max(1, abs(loss)), losses
    return {kind: statistics.median(seconds) for kind, seconds in found.items()}, version


def _cell(kind: str, seconds: Seconds) -> str:
    if kind not in seconds:
        return ""
    theirs = seconds.get("pynative")
    most = {"cold": max(2 * theirs, 1.0), "again": theirs} if theirs else {}
    missed = seconds[kind] > most.get(kind, float("inf"))
    return f"{seconds[kind]:.2f}" + (" !" if missed else "")


def text(results: Mapping[str, Seconds], where: str, times: int) -> str:
    """Give the whole report in Markdown."""
    rows: list[Sequence[str]] = [["seconds of the first step", *_TITLES.values()]]
    for workload, seconds in results.items():
        rows.append([FIRST[workload].about, *(_cell(kind, seconds) for kind in _TITLES)])
    measured = f"Measured on {where}; medians of {times} processes each, in turn."
    parts = (textwrap.fill(measured, WIDTH), "\n".join(table(rows)), textwrap.fill(_TARGETS, WIDTH))
    return "\n\n".join(parts)


def main(readme: Path = README) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.first", description="Time the first step of a process."
    )
    parser.add_argument("workloads", nargs="*", help=f"of {', '.join(FIRST)}; default: all")
    parser.add_argument("--times", type=int, default=5, help="processes of each kind")
    parser.add_argument("--write-readme", action="store_true")
    args = parser.parse_args()
    if unknown := set(args.workloads) - FIRST.keys():
        parser.error(f"no workload {', '.join(sorted(unknown))}; there are {', '.join(FIRST)}")
    results, version = {}, ""
    for workload in args.workloads or FIRST:
        results[workload], version = measure(workload, args.times)
        shown = (f"{kind} {seconds:.2f}" for kind, seconds in results[workload].items())
        print(f"{workload}: {', '.join(shown)} s", flush=True)
    whole = text(results, machine(version or None), args.times)
    print(f"\n{whole}")
    if args.write_readme:
        write_part("first seconds", f"{whole}\n", readme)


if __name__ == "__main__":
    main()
