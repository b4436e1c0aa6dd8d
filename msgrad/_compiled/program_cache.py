"""``cached_on``: compiled programs kept on the object that they belong to, and dropped with it.

A program holds the Cells and Parameters it works on, so a table of programs would keep them alive;
as an attribute of the object it is a mere cycle.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import Any

from msgrad._core.bounded import Bounded

_NAME = "_program_cache"
_MAX_KEPT = 64


class ProgramCache:
    """What was compiled for one object; a copy of the object starts with nothing."""

    def __init__(self, owner: Any = None) -> None:
        self.owner = (lambda: None) if owner is None else weakref.ref(owner)
        self.entries: Bounded[Hashable, Any] = Bounded(_MAX_KEPT)

    def __reduce__(self) -> tuple[Any, ...]:
        return ProgramCache, ()


def cached_on(owner: Any, key: Hashable, make: Callable[[], Any]) -> Any:
    """Return what is kept on ``owner`` under ``key``, made when it is first asked for.

    Args:
        owner: A Cell, a function or another object with attributes of its own.
        key: Among the longest unused ones, one too many is dropped.
        make: Makes the entry.
    """
    attributes = vars(owner)
    kept = attributes.get(_NAME)
    # A shallow copy, or functools.wraps, brings along what belongs to another object.
    if kept is None or kept.owner() is not owner:
        kept = attributes[_NAME] = ProgramCache(owner)
    entry = kept.entries.get(key)
    if entry is None:
        entry = kept.entries[key] = make()
    return entry
