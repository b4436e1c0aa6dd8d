"""What XLA's compiling takes: counted, and said on a terminal while one takes long.

The counts come from ``jax.monitoring``. What is compiled right now it does not say, so the line
hangs on the one function of JAX that every compile goes through (``engine.compile_within``). For a
compile on a terminal that is a thread, 0.1 ms, which looks at the user's code only when there is
something to write.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax

from msgrad._core.engine import compile_within, refuse_programs
from msgrad._core.errors import EngineError
from msgrad._core.user_code import user_frame

VARIABLE = "MSGRAD_SHOW_COMPILES"
PATIENCE, _TURN = 2.0, 0.1
_SPINNER = "|/-\\"


@dataclass
class Counts:
    """What was compiled.

    Attributes:
        programs: Programs that XLA compiled or that came from the disk.
        seconds: What that took.
        cache_hits: Those that came from the disk.
    """

    programs: int = 0
    seconds: float = 0.0
    cache_hits: int = 0


class _OfThread(threading.local):
    """Who counts what a thread compiles."""

    def __init__(self) -> None:
        self.counts = [process_counts]


process_counts = Counts()
_of_thread = _OfThread()


@contextlib.contextmanager
def counted(add: Callable[[Counts], None]) -> Iterator[None]:
    """Call ``add`` with the counts of what this thread compiles inside."""
    counts = Counts()
    _of_thread.counts = [*_of_thread.counts, counts]
    try:
        yield
    finally:
        _of_thread.counts = _of_thread.counts[:-1]
        add(counts)


def _note_event(event: str, **_: Any) -> None:
    if event == "/jax/compilation_cache/cache_hits":
        for counts in _of_thread.counts:
            counts.cache_hits += 1


def _note_seconds(event: str, duration_secs: float, **_: Any) -> None:
    if event == "/jax/core/compile/backend_compile_duration":
        for counts in _of_thread.counts:
            counts.programs += 1
            counts.seconds += duration_secs


# Held by who writes the line: of several at a time, the first that takes long.
_line = threading.Lock()


def _write(program: str, thread: int, over: threading.Event) -> None:
    """Write the line of a compile that takes long; the terminal is as before when it is over."""
    start, shown = time.monotonic(), False
    over.wait(PATIENCE)
    for sign in itertools.cycle(_SPINNER):
        if over.is_set():
            break
        shown = shown or _line.acquire(blocking=False)
        if shown:
            seconds = time.monotonic() - start
            _put(f"compiling {_what(program, thread)}, {seconds:.0f} s {sign}")
        over.wait(_TURN)
    if shown:
        _put("")
        _line.release()


def _put(text: str) -> None:
    width = shutil.get_terminal_size().columns - 1
    # The terminal may be gone.
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write("\r" + " " * width + "\r" + text[:width])
        sys.stderr.flush()


def _what(program: str, thread: int) -> str:
    """Return what is compiled, and where in the user's code it is called."""
    frame = user_frame(sys._current_frames().get(thread))
    if frame is None:
        return program
    code = frame.f_code
    words = [f"{os.path.basename(code.co_filename)}:{frame.f_lineno}"]
    if not code.co_name.startswith("<"):
        words.insert(0, code.co_name)
    # What msgrad's own functions are called says nothing; operators have MindSpore's names.
    if program != "run" and not program.startswith("_"):
        words.insert(0, f"{program} for")
    return " ".join(words)


def _starts_anew() -> None:
    global _line
    _line = threading.Lock()
    refuse_programs(_without_threads)


def _without_threads() -> EngineError:
    return EngineError(
        "This process was forked from one in which JAX was at work, and does not have JAX's "
        "threads: compiling would wait for them for ever. Start it by "
        "multiprocessing.get_context('spawn'), as mindspore.multiprocessing does, or fork before "
        "the first Tensor is made."
    )


def _is_shown() -> bool:
    stderr = sys.stderr
    # Loaded in processes that it has started; loading it here would take longer than all this.
    processes = sys.modules.get("multiprocessing.process")
    return (
        stderr is not None
        and stderr.isatty()
        and os.environ.get(VARIABLE) != "0"
        and (processes is None or processes.current_process().name == "MainProcess")
        and jax.process_index() == 0
    )


@contextlib.contextmanager
def _around(name: str) -> Iterator[None]:
    if not _is_shown():
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_write, args=(name, threading.get_ident(), over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_starts_anew)
jax.monitoring.register_event_listener(_note_event)
jax.monitoring.register_event_duration_secs_listener(_note_seconds)
compile_within(_around)
