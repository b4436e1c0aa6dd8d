"""``Registry``: the dict in which a Cell keeps its parameters or child cells by name."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from msgrad._core.context import bump_revision


class Registry(OrderedDict[str, Any]):
    """An ordered dict whose every change lets compiled programs look at the tree of cells again."""

    def __setitem__(self, key: str, value: Any) -> None:
        bump_revision()
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        bump_revision()
        super().__delitem__(key)

    def pop(self, key: str, *default: Any) -> Any:
        """Take an entry out, as ``dict.pop``."""
        bump_revision()
        return super().pop(key, *default)

    def clear(self) -> None:
        """Take all entries out."""
        bump_revision()
        super().clear()
