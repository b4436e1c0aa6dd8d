"""The C library's allocator, told to keep what programs give back."""

from __future__ import annotations

import ctypes
import os
import sys

# Of malloc.h; bytes.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGEST, _KEPT = 2**30, 2**31 - 1


def keep_freed() -> None:
    """Have glibc keep up to 2 GB of freed memory, in blocks of up to 1 GB.

    XLA's CPU backend allocates anew what each call of a program works in, and glibc hands a block
    of over 32 MB, or a large free end of its heap, back to the system at once. The next step waits
    until the system has made each page of it again: 2,700 in an eager step of a small depthwise
    network, a third of its time. What several threads allocate still comes and goes at times.
    With another C library, or where a variable says how it allocates, nothing changes.
    """
    said = any(name.startswith("MALLOC_") or name == "GLIBC_TUNABLES" for name in os.environ)
    if sys.platform != "linux" or said:
        return
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
        mallopt(_M_MMAP_THRESHOLD, _LARGEST)
