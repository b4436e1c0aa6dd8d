"""Programs of one structure in many shapes, loaded by a thread before they are called.

Where a second run meets a new shape at nearly every step, as with sentences, half of such a step
was loading its program: 60 ms in which XLA does not hold Python's lock. A ``KeptTable`` says which
programs of the structure earlier runs have had. When the first of them is asked for, a thread
begins to load the others, in the order in which those runs needed them.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

from msgrad._core.engine.programs import program_from
from msgrad._core.kept_table import KeptTable
from msgrad._core.numpy_program import NumpyProgram

# A program takes a few megabytes, and may not be called in this run.
_MOST = 128


def load(store: Any, key: str) -> Any:
    """Return a program that is kept under a key; None if there is none, or not whole."""
    try:
        reference = store.get(key)
        if reference is None:
            return None
        kept = pickle.loads(reference)
        if isinstance(kept, NumpyProgram):
            return kept
        jaxs_key, around = kept
        entry = store.get(jaxs_key)
        return entry and program_from(around, entry)
    except Exception as error:
        # It was written in whatever state: what is compiled anew takes its place.
        logging.getLogger("msgrad").debug("A program on disk cannot be loaded: %s", error)
        return None


class LoadedAhead:
    """The programs of one structure.

    Args:
        store: Where they are, a ``ProgramStore``.
        name: The name of their table.
    """

    def __init__(self, store: Any, name: str) -> None:
        self._store = store
        self._kept = KeptTable(store, name)
        self._left = deque(key.decode() for key in islice(self._kept.known, _MOST))
        self._begun: dict[str, Future[Any]] = {}
        self._thread = ThreadPoolExecutor(1, "msgrad-ahead") if self._left else None
        self._lock = threading.Lock()

    def get(self, key: str) -> Any:
        """Return a program; None if it is not there."""
        with self._lock:
            began = self._begun.pop(key, None)
            with contextlib.suppress(ValueError):
                self._left.remove(key)
            thread, self._thread = self._thread, None
        if thread:
            thread.submit(self._load_next, thread)
        return load(self._store, key) if began is None else began.result()

    def add(self, key: str) -> None:
        """Note that a program is there now."""
        if key.encode() not in self._kept.known:
            self._kept.add(key.encode(), b"")

    def _load_next(self, thread: ThreadPoolExecutor) -> None:
        with self._lock:
            if not self._left:
                thread.shutdown(wait=False)
                return
            key = self._left.popleft()
            future = self._begun[key] = Future()
        future.set_result(load(self._store, key))
        # One at a time is handed over, and none while the process ends.
        with contextlib.suppress(RuntimeError):
            thread.submit(self._load_next, thread)


_known: dict[tuple[Any, str], LoadedAhead] = {}
if hasattr(os, "register_at_fork"):
    # The thread is not there in the child.
    os.register_at_fork(after_in_child=_known.clear)


def loaded_ahead(store: Any, name: str) -> LoadedAhead:
    """Return the programs of a structure."""
    found = _known.get((store, name))
    return found or _known.setdefault((store, name), LoadedAhead(store, name))
