"""Writing a file so that its final name never holds half of it; no file format is known here."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# MindSpore's mode of a checkpoint: its owner may read it.
_MODE = 0o400


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[str]:
    """Give the name of a new file in the folder of ``path``, which takes its place at the end.

    The new file is on the disk before it gets the name, so whatever happens, ``path`` is either
    what it was before or the whole new file. After an error the new file is removed.

    Args:
        path: The final name; an existing file, read-only ones too, is replaced.

    Raises:
        OSError: As writing, or making a file in the folder, raises.
    """
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise IsADirectoryError(f"{target} is a directory; give the name of a file in it.")
    folder, name = os.path.split(target)
    handle, scratch = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
    os.close(handle)
    try:
        yield scratch
        with open(scratch, "rb") as written:
            os.fsync(written.fileno())
        os.chmod(scratch, _MODE)
        os.replace(scratch, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.remove(scratch)
        raise
    _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    # Without it the new name may be lost in a power cut, though never the old file. Some file
    # systems cannot do it.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
