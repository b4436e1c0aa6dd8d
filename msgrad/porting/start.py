"""What comes before msgrad's imports: ``python -m msgrad run``, ``launch``, ``report``, ``path``.

``msgrad/__init__.py`` imports this module first. A program is run by a new Python that takes this
one's place, as ``python ...`` with a folder on ``PYTHONPATH`` whose ``mindspore`` is msgrad. So
tracebacks, signals, exit codes and ``__main__`` are Python's own, processes that the program starts
find the same folder, and variables that it sets before ``import mindspore`` are set in time. All
that before JAX is loaded, which this process does not need. A module ``mindspore`` of the program's
own, beside it, comes first in all its processes, as it would before MindSpore.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from types import FrameType
from typing import NoReturn

_HERE = os.path.dirname(os.path.abspath(__file__))
_FOLDER = os.path.join(_HERE, "pythonpath")
_ROOT = os.path.dirname(os.path.dirname(_HERE))

_NEEDED = ("jax", "flax", "optax", "numpy")

INTERRUPTED = 130


def search_path() -> list[str]:
    """Return the folders on ``PYTHONPATH`` that make ``import mindspore`` give msgrad.

    The second, where msgrad lies, is there only if msgrad was found by standing in that folder:
    another process may start elsewhere.
    """
    return [_FOLDER, *([_ROOT] if _ROOT in sys.path[:1] else [])]


def python_path() -> str:
    """Return ``PYTHONPATH`` with those folders in front."""
    present, own = os.environ.get("PYTHONPATH"), search_path()
    rest = [entry for entry in present.split(os.pathsep) if entry not in own] if present else []
    return os.pathsep.join([*own, *rest])


def run_program(words: Sequence[str]) -> NoReturn:
    """Go on as ``python *words``, with msgrad as its ``mindspore``; does not return.

    Args:
        words: What would follow ``python``: ``prog.py --lr 0.1``, ``-m package.module``, ``-``.

    Raises:
        SystemExit: If this Python was told to ignore its environment.
    """
    if sys.flags.ignore_environment:
        sys.exit("msgrad: run works through PYTHONPATH, which Python ignores under -E and -I")
    os.environ["PYTHONPATH"] = python_path()
    os.execv(sys.executable, [sys.executable, *_options(), *words])


def report_program(words: Sequence[str]) -> NoReturn:
    """Go on as ``run_program``, watched by ``porting/report.py``; does not return.

    Args:
        words: ``--html FILE`` and ``--seconds N``, if they are wanted, and what would follow
            ``python``.

    Raises:
        SystemExit: If there is no program, or an option is not understood.
    """
    page, seconds, rest = None, 30.0, list(words)
    try:
        while rest[:1] in (["--html"], ["--seconds"]):
            option, value, *rest = rest
            page, seconds = (value, seconds) if option == "--html" else (page, float(value))
    except ValueError:
        rest = []
    if not rest:
        sys.exit("usage: python -m msgrad report [--html FILE] [--seconds N] program ...")
    page = page and os.path.abspath(page)
    told = {"words": len(rest), "page": page, "began": time.time(), "seconds": seconds}
    os.environ["MSGRAD_REPORT"] = json.dumps(told)
    run_program(rest)


def start(command: list[str]) -> None:
    """Do what the words after ``python -m msgrad`` ask for, if that needs nothing of msgrad.

    Raises:
        SystemExit: If it is done.
    """
    if command == ["path"]:
        print(os.pathsep.join(search_path()))
        sys.exit()
    if command[:1] == ["launch"]:
        from msgrad.porting.launch import launch

        sys.exit(launch(command[1:]))
    if command[:1] == ["run"] and command[1:2] not in (["-h"], ["--help"]):
        run_program(command[1:])
    if command[:1] == ["report"] and command[1:2] not in (["-h"], ["--help"]):
        report_program(command[1:])


def watched() -> None:
    """Begin to watch the program, under ``report``; called at the end of msgrad's import."""
    if "MSGRAD_REPORT" in os.environ:
        from msgrad.porting.report import begin

        begin()


def _options() -> list[str]:
    """Return what stood between ``python`` and msgrad: ``-u``, ``-X dev``, ``-W error``."""
    options = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv)]
    last = options[-1] if options else ""
    if last.startswith("-") and last.endswith("m"):
        # `-m`, or several in one: `-um`.
        options[-1:] = [last[:-1]] if len(last) > 2 else []
    return options


def _command() -> list[str]:
    """Return the words after ``python -m msgrad`` or pip's script ``msgrad``; none elsewhere."""
    argv = getattr(sys, "argv", []) or [""]
    # While Python looks for the module that -m names, that is its first word.
    by_name = argv[0] == "-m" and getattr(sys, "orig_argv", argv)[-len(argv)] == "msgrad"
    scripts = os.path.realpath(os.path.dirname(sys.executable))
    by_script = os.path.realpath(argv[0]) == os.path.join(scripts, "msgrad")
    return argv[1:] if by_name or by_script else []


def _end_demo(signum: int, frame: FrameType | None) -> NoReturn:
    text = "\nmsgrad: the demo was interrupted; a shorter one: python -m msgrad demo --epochs 3\n"
    os.write(2, text.encode())
    # No exception: it could come up anywhere, in an import too, and be shown as a fault of it.
    os._exit(INTERRUPTED)


def _start() -> None:
    command = _command()
    if sys.version_info < (3, 11):  # noqa: UP036, a checkout has no installer that looks
        text = (
            f"msgrad needs Python 3.11, 3.12 or 3.13, and {sys.executable} is "
            f"{sys.version.split()[0]}; make an environment with one of those: "
            "python3.12 -m venv .venv && .venv/bin/pip install -e ."
        )
        raise SystemExit(text) if command else ImportError(text, name="msgrad")
    absent = [name for name in _NEEDED if find_spec(name) is None] if command else []
    if absent:
        text = "in a checkout: python -m pip install -e ."
        raise SystemExit(f"msgrad: {sys.executable} has no {', '.join(absent)}; {text}")
    start(command)
    # Not where the shell said to ignore it (`nohup`, `&`).
    default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if command[:1] == ["demo"] and default:
        signal.signal(signal.SIGINT, _end_demo)


_start()
