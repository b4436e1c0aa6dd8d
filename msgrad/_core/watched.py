"""``Watched``: containers whose changes compiled programs see, since they bump the revision.

Objects whose attributes are seen are in ``scopes/discovery.py``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from msgrad._core.context import bump_revision

_CHANGES = (
    *("__delitem__", "__iadd__", "__ior__", "__setitem__", "append", "clear", "extend", "insert"),
    *("move_to_end", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update"),
)


class Watched:
    """A container, by its second base, whose changes are seen."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in _CHANGES:
            if hasattr(cls, name):
                setattr(cls, name, _bumping(getattr(cls, name)))


def _bumping(change: Callable[..., Any]) -> Callable[..., Any]:
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return change(self, *args, **kwargs)
        finally:
            # Not before the change: a program may be called meanwhile.
            bump_revision(self)

    return changed


class Registry(Watched, OrderedDict[str, Any]):
    """An ordered dict, in which a Cell keeps its parameters or child cells by name."""


class WatchedDict(Watched, dict[str, Any]):
    """A dict."""


class WatchedList(Watched, list[Any]):
    """A list."""
