"""Times training steps of msgrad beside the same steps by hand in JAX, MindSpore and PyTorch.

    python -m tests.benchmarks [workload ...] [--rounds N] [--write-readme]
    MSGRAD_ORACLE_PYTHON=a/python MSGRAD_TORCH_PYTHON=another/python python -m tests.benchmarks

The second form has the columns of MindSpore and PyTorch too; the variables name interpreters that
have them. All other engines run in this process; MindSpore's two modes and PyTorch, which is eager,
have a process each and take their turns in the same rounds. Nothing here is a test: times belong to
a machine. ``msgrad`` in the table is the program of ``tests/benchmarks/programs``, unchanged; what
the other columns are, and which targets the ratios have, is in ``engines.py`` and ``report.py``.
``lengths.py`` is a command of its own, for a training in which the shapes change.
"""

from __future__ import annotations

import argparse
import sys

from tests.benchmarks import report
from tests.benchmarks.engines import ENGINES, MINDSPORE, PYTORCH
from tests.benchmarks.timing import measure, measure_first, start_workers
from tests.benchmarks.workloads import WORKLOADS

_COMPILED = ("hand_jit", "jit")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description="Time training steps beside JAX by hand."
    )
    parser.add_argument("workloads", nargs="*", help=f"of {', '.join(WORKLOADS)}; default: all")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--first", type=int, default=3, help="processes to time first steps in")
    parser.add_argument("--write-readme", action="store_true")
    args = parser.parse_args()
    if unknown := set(args.workloads) - WORKLOADS.keys():
        parser.error(f"no workload {', '.join(sorted(unknown))}; there are {', '.join(WORKLOADS)}")

    workers = start_workers(args.engines)
    here = [name for name in args.engines if not ENGINES[name].python or name in workers]
    compiled = [name for name in _COMPILED if name in here]
    results, wrong = [], []
    for workload in args.workloads or WORKLOADS:
        try:
            result = measure(workload, here, args.rounds, workers)
        except AssertionError as error:
            wrong.append(str(error))
            print(f"left out: {error}", flush=True)
            continue
        measure_first(result, compiled, args.first)
        results.append(result)
        shown = (f"{name} {1e3 * seconds:.3f}" for name, seconds in result.seconds.items())
        print(f"{workload}: {', '.join(shown)} ms", flush=True)
    versions = {ENGINES[name].python: worker.ask("version") for name, worker in workers.items()}
    where = report.machine(versions.get(MINDSPORE), versions.get(PYTORCH))
    for worker in workers.values():
        worker.close()
    whole = report.text(results, where, args.rounds)
    print(f"\n{whole}")
    if wrong:
        sys.exit("not timed, since the losses differ: " + "; ".join(wrong))
    if args.write_readme:
        report.write_readme(whole)


if __name__ == "__main__":
    main()
