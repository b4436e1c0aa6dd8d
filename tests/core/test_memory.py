"""Memory that was freed stays with the process."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys

import pytest

from msgrad._core.memory import keep_freed

_PROGRAM = """
import resource
import msgrad

def block():
    return len(b"." * (48 << 20))

block()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
block()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc alone is told so")
def test_a_block_that_was_freed_is_there_for_the_next():
    found = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True)
    assert int(found.stdout) < 100, found.stderr  # It has 12,288 pages of 4 KB.


@pytest.mark.parametrize("name", ["MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"])
def test_who_says_how_to_allocate_is_obeyed(monkeypatch, name):
    asked = []
    monkeypatch.setattr(ctypes, "CDLL", asked.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv(name, "")
    keep_freed()
    assert not asked
    monkeypatch.delenv(name)
    keep_freed()
    assert asked == [None]
