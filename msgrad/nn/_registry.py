"""``Registry``: the dict in which a Cell keeps its parameters or child cells by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from msgrad._core.context import bump_revision


class Registry(OrderedDict[str, Any]):
    """An ordered dict whose every change lets compiled programs look at the tree of cells again."""


def _bumping(name: str) -> Callable[..., Any]:
    change = getattr(OrderedDict, name)

    def changed(self: Registry, *args: Any, **kwargs: Any) -> Any:
        try:
            return change(self, *args, **kwargs)
        finally:
            # After the change, since a program that is called meanwhile would look too early.
            bump_revision()

    return changed


for _name in (
    "__delitem__",
    "__ior__",
    "__setitem__",
    "clear",
    "move_to_end",
    "pop",
    "popitem",
    "setdefault",
    "update",
):
    setattr(Registry, _name, _bumping(_name))
