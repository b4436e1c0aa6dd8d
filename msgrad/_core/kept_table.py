"""``KeptTable``: many small things as one entry of the store that programs are kept in."""

from __future__ import annotations

import atexit
import logging
import pickle
from typing import Any

# How many are new before a process writes them in its midst, and how many are kept: 10 MB.
_FEW, _MOST = 64, 50_000


class KeptTable:
    """What is known, from earlier processes and this one.

    It is written when many are new and at the end of the process.

    Args:
        store: Where it is kept, a ``ProgramStore``.
        key: Under which name.

    Attributes:
        known: What there is, in the order in which it came.
    """

    def __init__(self, store: Any, key: str) -> None:
        self._store, self._key = store, key
        self.known = self._stored()
        self._new = 0
        atexit.register(self._save)

    def _stored(self) -> dict[bytes, bytes]:
        entry = self._store.get(self._key)
        try:
            return pickle.loads(entry) if entry else {}
        except Exception as error:
            logging.getLogger("msgrad").debug("%s on disk cannot be loaded: %s", self._key, error)
            return {}

    def add(self, key: bytes, value: bytes) -> None:
        """Take something over."""
        self.known[key] = value
        self._new += 1
        if self._new > max(_FEW, len(self.known) // 4):
            self._save()

    def _save(self) -> None:
        if not self._new:
            return
        # What another process has written meanwhile is not lost.
        self.known = {**self._stored(), **self.known}
        self._new = 0
        if len(self.known) <= _MOST:
            self._store.put(self._key, pickle.dumps(self.known))
