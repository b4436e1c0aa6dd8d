"""How files that others may change are read, and how they are replaced; no format is known here.

A file is read into memory, never mapped: a mapped page that is gone ends the process (SIGBUS). A
file is replaced by a whole new one, which has no name while it is written, where the file system
can do that (``O_TMPFILE``), and else a hidden one.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from msgrad._core.errors import ArgumentValueError
from msgrad._core.protobuf import DamagedFile

fcntl: Any = None
with suppress(ImportError):
    import fcntl

# MindSpore's mode of a checkpoint: its owner may read it.
_MODE = 0o400
_BLOCK = 2**16

Span: TypeAlias = tuple[int, int]


def encoded(name: str) -> bytes:
    """Return a name in UTF-8, or raise ``UnicodeEncodeError`` that shows it."""
    try:
        return name.encode()
    except UnicodeEncodeError as error:
        error.reason = f"surrogates not allowed in a name, got {name[:200]!r}"
        raise


# Reading --------------------------------------------------------------------------------------


class Source:
    """The bytes of an open file by position, ``size`` of them; they are read ahead in blocks."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self.size = size
        self._start, self._block = 0, b""

    def read_into(self, at: int, buffer: Any) -> None:
        """Fill a buffer with the bytes from ``at`` on."""
        view = memoryview(buffer)
        self._file.seek(at)
        if self._file.readinto(view) != len(view):  # pyright: ignore[reportAttributeAccessIssue]
            raise _changed(self._file)

    def ahead(self, at: int, count: int) -> tuple[bytes, int]:
        """Return a block and the place of the byte ``at`` in it.

        From there on it has ``count`` bytes, or as many as the file has.
        """
        offset = at - self._start
        if not 0 <= offset <= len(self._block) - count:
            wanted = min(max(count, _BLOCK), self.size - at)
            self._file.seek(at)
            self._start, self._block, offset = at, self._file.read(wanted), 0
            if len(self._block) != wanted:
                raise _changed(self._file)
        return self._block, offset

    def part(self, start: int, end: int) -> bytes:
        """Return the bytes of a range."""
        block, offset = self.ahead(start, end - start)
        return block[offset : offset + end - start]

    def array(self, dtype: np.dtype, shape: Sequence[int], pieces: list[Span]) -> np.ndarray:
        """Return an array with memory of its own, filled from one range after the other."""
        raw = np.empty(sum(end - start for start, end in pieces), np.uint8)
        at = 0
        for start, end in pieces:
            self.read_into(start, raw.data[at : at + end - start])
            at += end - start
        try:
            return raw.view(dtype.newbyteorder("<")).reshape(shape)
        except ValueError as error:
            raise DamagedFile(f"the shape {tuple(shape)} is impossible ({error})") from None

    def checksum(self, end: int) -> int:
        """Compute the CRC-32 of the bytes up to ``end``."""
        total, buffer = 0, bytearray(min(end, 2**20))
        for start in range(0, end, 2**20):
            piece = memoryview(buffer)[: end - start]
            self.read_into(start, piece)
            total = zlib.crc32(piece, total)
        return total


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[Source]:
    """Open an ordinary file; what a block without an error has read was all there at one time.

    A file that another takes the place of meanwhile is read as it was.

    Args:
        path: The file.

    Raises:
        ValueError: If it is a pipe or a device, or has changed by the end of the block.
        OSError: If it cannot be opened, or is a folder.
    """

    # A pipe would be waited for.
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    with open(path, "rb", buffering=_BLOCK, opener=opener) as file:
        before = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise ArgumentValueError(
                f"{os.fspath(path)} is a pipe or a device; only an ordinary file can be read."
            )
        yield Source(file, before.st_size)
        after = os.fstat(file.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise _changed(file)


def _changed(file: BinaryIO) -> ArgumentValueError:
    return ArgumentValueError(
        f"{file.name} was changed while it was read; read it again when it is whole."
    )


# Writing --------------------------------------------------------------------------------------


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a new file for writing, which takes the place of ``path`` at the end of the block.

    The new file is on the disk before it gets the name, so whatever happens, ``path`` is either
    what it was before or the whole new file. After an error nothing is left of the new one. If the
    process is killed it may be left, in the instant between two names or where the file system has
    no files without a name; the next call with this path removes it.

    Args:
        path: The final name; an existing file, read-only ones too, is replaced.

    Raises:
        OSError: As writing, or making a file in the folder, raises.
    """
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise IsADirectoryError(f"{target} is a directory; give the name of a file in it.")
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(errno.EINVAL, f"{target} is a pipe or a device, which no file replaces")
    folder, name = os.path.split(target)
    # Not the name itself, which may have all the bytes that a name can have.
    stem = f".msgrad-{zlib.crc32(os.fsencode(name)):08x}-"
    _remove_abandoned(folder, stem)
    file, scratch = _new_file(folder, stem)
    try:
        with file:
            _lock(file)
            yield file
            file.flush()
            os.fchmod(file.fileno(), _MODE)
            os.fsync(file.fileno())
            if scratch is None:
                scratch = os.path.join(folder, f"{stem}{os.urandom(8).hex()}.tmp")
                # A folder's handle must be given for the link in /proc to be followed.
                os.link(f"/proc/self/fd/{file.fileno()}", scratch, src_dir_fd=file.fileno())
            os.replace(scratch, target)
    except BaseException:
        if scratch is not None:
            with suppress(FileNotFoundError):
                os.remove(scratch)
        raise
    _sync_folder(folder)


def _new_file(folder: str, stem: str) -> tuple[BinaryIO, str | None]:
    """Make a file in a folder; returns it and its name, if it has one."""
    if os.path.isdir("/proc/self/fd"):
        # Not every file system has it; a folder that cannot be written to says so below, too.
        with suppress(AttributeError, OSError):
            return open(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600), "wb"), None
    handle, scratch = tempfile.mkstemp(prefix=stem, suffix=".tmp", dir=folder)
    return open(handle, "wb"), scratch


def _lock(file: BinaryIO) -> None:
    # Some file systems cannot lock; their scratch files stay.
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove_abandoned(folder: str, stem: str) -> None:
    """Remove the scratch files of processes that were killed: those that nobody locks."""
    if fcntl is None:
        return
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(stem):
                path = os.path.join(folder, name)
                with suppress(OSError), open(path, "rb") as file:
                    fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.remove(path)


def _sync_folder(folder: str) -> None:
    # Without it the new name may be lost in a power cut, though never the old file. Some file
    # systems cannot do it.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
