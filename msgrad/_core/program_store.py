"""``ProgramStore``: compiled programs as files of one folder, bounded; what they are is JAX's.

JAX's persistent cache asks it (``get``, ``put``) under keys of its own, which hold the program, the
versions, the options of the compiler and the processor. JAX's own store writes in place, keeps an
entry that was half written for ever, and is bounded only by a lock and a look at all files at each
write. Here

- a file is written under another name and renamed: a reader in another process, or the next one
  after ``kill -9``, finds the whole of it or nothing;
- it ends with a checksum; one that does not fit is removed, and the program compiled anew;
- what goes wrong (a full disk, a folder that cannot be written) ends the writing, with one line in
  the log; nothing is ever raised;
- the oldest go first. Files are counted at a process's first write if nobody did in the last hour,
  and again after each sixteenth of the bound that it has written: so the bound may be passed by
  that much for each process that writes.
"""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_SUFFIX = ".program"
# What is being written, and what a killed process left of it.
_NEW = ".new-"
_COUNTED = ".counted"
_HOUR, _DAY = 3600, 86400
_CHECKSUM = 4
# Of JAX's key the name of the function can be longer than a file's name may be.
_NAME, _HASH = 50, 64


class Entry(NamedTuple):
    """A file of a store.

    Attributes:
        used: When it was last used, to a day; seconds since 1970.
        size: In bytes.
        path: Where it is.
    """

    used: float
    size: int
    path: str


class ProgramStore:
    """Compiled programs in a folder.

    Args:
        folder: Made with the first program.
        bound: How many bytes they may take.
    """

    def __init__(self, folder: Path, bound: int) -> None:
        self.folder, self.bound = folder, bound
        # What JAX says in its own log.
        self._path = folder
        self._room: int | None = None
        self._writes = True

    def get(self, key: str) -> bytes | None:
        """Return a program; None if it is not there or not whole."""
        path = self._file(key)
        try:
            with open(path, "rb") as file:
                entry = file.read()
                age = time.time() - os.fstat(file.fileno()).st_mtime
            value = entry[:-_CHECKSUM]
            if _checksum(value) != entry[-_CHECKSUM:]:
                os.unlink(path)
                return None
        except OSError:
            return None
        if age > _DAY:
            with contextlib.suppress(OSError):
                os.utime(path)
        return value

    def put(self, key: str, value: bytes) -> None:
        size = len(value) + _CHECKSUM
        if not self._writes or size > self.bound:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(size)
            self._write(self._file(key), value + _checksum(value))
        except OSError as error:
            self._writes = False
            logging.getLogger("msgrad").warning(
                "Compiled programs of this process are not kept in %s: %s. Another folder: "
                "MSGRAD_COMPILE_CACHE=/path; none: MSGRAD_COMPILE_CACHE=0.",
                self.folder,
                error,
            )

    def entries(self) -> list[Entry]:
        """Return what is there, the longest unused first."""
        return sorted(entry for entry in self._files() if entry.path.endswith(_SUFFIX))

    def clear(self) -> None:
        for entry in self._files():
            _remove(entry.path)

    def _file(self, key: str) -> str:
        return os.path.join(self.folder, key[:-_HASH][:_NAME] + key[-_HASH:] + _SUFFIX)

    def _files(self) -> Iterator[Entry]:
        with contextlib.suppress(OSError), os.scandir(self.folder) as files:
            for file in files:
                if file.name.endswith(_SUFFIX) or file.name.startswith((_NEW, _COUNTED)):
                    with contextlib.suppress(FileNotFoundError):
                        status = file.stat()
                        yield Entry(status.st_mtime, status.st_size, file.path)

    def _write(self, path: str, entry: bytes) -> None:
        handle, new = tempfile.mkstemp(prefix=_NEW, dir=self.folder)
        try:
            with open(handle, "wb") as file:
                file.write(entry)
            os.replace(new, path)
        except FileNotFoundError:
            # Somebody has just cleared the folder.
            return
        except OSError:
            _remove(new)
            # On Windows a file cannot be replaced while somebody reads it.
            if not os.path.exists(path):
                raise

    def _make_room(self, size: int) -> None:
        share = self.bound // 16
        counted = self.folder / _COUNTED
        if self._room is None:
            self._room = share if _age(counted) < _HOUR else 0
        if size > self._room:
            counted.touch()
            self._remove_oldest(size)
            self._room = share
        self._room -= size

    def _remove_oldest(self, size: int) -> None:
        now = time.time()
        for entry in self._files():
            if os.path.basename(entry.path).startswith(_NEW) and now - entry.used > _HOUR:
                _remove(entry.path)
        entries = self.entries()
        too_much = sum(entry.size for entry in entries) + size - self.bound
        if too_much > 0:
            # Some more, so that it is not to be done again soon.
            too_much += self.bound // 8
        for entry in entries:
            if too_much <= 0:
                break
            _remove(entry.path)
            too_much -= entry.size


def _checksum(value: bytes) -> bytes:
    return zlib.crc32(value).to_bytes(_CHECKSUM, "big")


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return float("inf")


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
