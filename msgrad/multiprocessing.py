"""``mindspore.multiprocessing``: Python's ``multiprocessing``; a child starts afresh.

Differs from MindSpore: processes are spawned by default, not forked, for JAX runs threads that a
forked process would wait for.
"""

from __future__ import annotations

import multiprocessing as _multiprocessing
from typing import Any

_spawn = _multiprocessing.get_context("spawn")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    if name in ("get_context", "set_start_method", "get_start_method"):
        return getattr(_multiprocessing, name)
    started = _multiprocessing.get_start_method(allow_none=True)
    return getattr(_multiprocessing if started == "spawn" else _spawn, name)


__all__ = [name for name in dir(_spawn) if name[0] != "_"]  # pyright: ignore
