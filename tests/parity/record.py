"""Runs the cases under the real MindSpore and writes down what came out; it compares nothing.

``python -m tests.parity.record [family ...] [--out folder]``, from the root of the repository,
with an interpreter that has MindSpore; without names, every family is recorded. Each case runs in
a process of its own, forked after the imports: one that kills or hangs its process is recorded as
crashed, and an error in one leaves no trace in the next, which in one process it does (after some
errors MindSpore 2.10 refuses ``x[0]`` for good).

``--graph`` runs the cases under GRAPH_MODE instead and writes into ``graph_mode.json`` which of
them come out as in their recording, and what came out of the others.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.parity.case import Case, cases, observe
from tests.parity.compare import differences

HERE = Path(__file__).resolve().parent
RECORDINGS = HERE / "recordings"
GRAPH_MODE = HERE / "graph_mode.json"
SECONDS_PER_CASE = 90


def families() -> list[str]:
    """The names of all families, from the files that are there."""
    return sorted(path.stem for path in (HERE / "cases").glob("*.py") if path.stem != "__init__")


def observe_apart(one: Case, ready: Callable[[], None], graph: bool = False) -> dict[str, Any]:
    """Observe a case in a fork of this process; a fork that dies or hangs is a crash."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            faulthandler.dump_traceback_later(SECONDS_PER_CASE, exit=True)
            ready()
            with os.fdopen(writer, "w") as pipe:
                json.dump(observe(one, graph), pipe)
            # Leave at once: the real library may abort while it is torn down.
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        outcome = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(outcome) if status == 0 else {"crashed": True}


def record(family: str) -> dict[str, Any]:
    """Run a family, each case on its own; returns the content of its recording."""
    import mindspore as ms

    def ready() -> None:
        # Operators run asynchronously otherwise, and an error surfaces in a later operator.
        ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)

    observed = cases(family)
    # A failed compilation leaves its dumps in the current folder.
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        outcomes = {name: observe_apart(one, ready) for name, one in observed.items()}
    return {"mindspore": ms.__version__, "cases": outcomes}


def record_graph(family: str) -> dict[str, Any]:
    """Run a family under GRAPH_MODE.

    Returns:
        ``same``, the names of the cases that come out as they do under PYNATIVE_MODE, and
        ``other``, the outcomes of the others; without the cases that crash in one of the modes.
    """
    recorded = json.loads((RECORDINGS / f"{family}.json").read_text())["cases"]
    same: list[str] = []
    other: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        for name, one in cases(family).items():
            outcome = observe_apart(one, lambda: None, graph=True)
            if "crashed" in outcome or "crashed" in recorded[name]:
                continue
            if differences(recorded[name], outcome, one.tol, one.message):
                other[name] = outcome
            else:
                same.append(name)
    return {"same": same, "other": other}


def write_graph(family: str, found: dict[str, Any], path: Path) -> None:
    """Put a family into the file of what GRAPH_MODE gives, one line for each list or outcome."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    kept[family] = found
    blocks = []
    for name in sorted(kept):
        rows = [f"    {json.dumps(n)}: {json.dumps(o)}" for n, o in kept[name]["other"].items()]
        other = "{\n" + ",\n".join(rows) + "}" if rows else "{}"
        same = json.dumps(kept[name]["same"])
        blocks.append(f'{json.dumps(name)}: {{"same": {same},\n  "other": {other}}}')
    path.write_text("{\n" + ",\n".join(blocks) + "\n}\n")


def write(recording: dict[str, Any], path: Path) -> None:
    """Write a recording with one case on each line, so that a change shows as a line."""
    rows = [f"  {json.dumps(n)}: {json.dumps(o)}" for n, o in recording["cases"].items()]
    version = json.dumps(recording["mindspore"])
    path.write_text(f'{{"mindspore": {version}, "cases": {{\n' + ",\n".join(rows) + "\n}}\n")


def main() -> None:
    """Command line: see the top of this file."""
    parser = argparse.ArgumentParser(prog="python -m tests.parity.record")
    parser.add_argument("family", nargs="*")
    parser.add_argument("--out", type=Path, default=RECORDINGS)
    parser.add_argument("--graph", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("GLOG_v", "3")
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    for family in options.family or families():
        if options.graph:
            found = record_graph(family)
            write_graph(family, found, GRAPH_MODE)
            print(f"{family}: {len(found['same'])} same, {len(found['other'])} other", flush=True)
            continue
        recording = record(family)
        write(recording, options.out / f"{family}.json")
        crashed = sum("crashed" in outcome for outcome in recording["cases"].values())
        print(f"{family}: {len(recording['cases'])} cases, {crashed} crashed", flush=True)


if __name__ == "__main__":
    main()
