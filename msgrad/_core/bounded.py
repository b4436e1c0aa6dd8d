"""``Bounded``: a table of at most so many entries."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Bounded(OrderedDict[Key, Value], Generic[Key, Value]):
    """A dict from which the entry that was longest not set is dropped first.

    Args:
        most: How many entries there may be.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self.most:
            self.popitem(last=False)
