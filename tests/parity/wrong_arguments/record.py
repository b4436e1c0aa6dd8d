"""Runs the calls with wrong arguments under the real MindSpore and writes down what came out.

``GLOG_v=3 python -m tests.parity.wrong_arguments.record`` from the root of the repository, with
an interpreter that has MindSpore. Each call runs in a fork: some kill or hang their process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import json
import os
import resource
import tempfile
import warnings
from pathlib import Path

from tests.parity.wrong_arguments.forms import FORMS, first_builtin, namespace, outcome, variants

RECORDING = Path(__file__).with_name("recording.json")
SECONDS = 10
MEMORY = 24 * 2**30

# One letter per outcome; any other exception is written out.
LETTERS = {
    "accepted": "a",
    "TypeError": "T",
    "ValueError": "V",
    "RuntimeError": "R",
    "IndexError": "I",
    "AttributeError": "A",
    "KeyError": "K",
    "OverflowError": "O",
    "NotImplementedError": "N",
    "crashed": "c",
}


def observe(source: str) -> str:
    """Return what the call does: ``accepted`` or the name of the builtin exception."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        error = outcome(source, namespace())
    return "accepted" if error is None else first_builtin(error)


def observe_apart(source: str) -> str:
    """Observe in a fork of this process; one that dies or hangs is ``crashed``."""
    import mindspore as ms

    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)
            with os.fdopen(writer, "w") as pipe:
                pipe.write(observe(source))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        found = pipe.read()
    _, status = os.waitpid(child, 0)
    return found if status == 0 else "crashed"


def write(found: dict[str, dict[str, str]]) -> None:
    """Write the recording, a form on each line; what is no form any more is left out."""
    lines = [f"{json.dumps(f)}: {json.dumps(found[f])}" for f in FORMS if f in found]
    RECORDING.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    """Record all forms, those whose line in the recording is there already excepted."""
    found = json.loads(RECORDING.read_text()) if RECORDING.exists() else {}
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        for form in FORMS:
            if form in found:
                continue
            rows: dict[str, str] = {"": observe_apart(form)}
            for slot, _, source in variants(form):
                what = observe_apart(source)
                rows[slot] = rows.get(slot, "") + LETTERS.get(what, f"({what})")
            found[form] = rows
            write(found)


if __name__ == "__main__":
    main()
