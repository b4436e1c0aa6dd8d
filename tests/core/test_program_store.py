"""The files of compiled programs: whole or not there, bounded, and nothing raised."""

from __future__ import annotations

import errno
import logging
import os
import resource

import pytest

from msgrad._core.program_store import ProgramStore

KEY = "jit_Dense-" + "0123456789abcdef" * 4
OTHER = "jit_" + "ungewöhnlich_lang_" * 20 + "-" + "fedcba9876543210" * 4
DAY = 86400


@pytest.fixture
def store(tmp_path):
    return ProgramStore(tmp_path / "a" / "programs", 10_000)


@pytest.fixture
def logged(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("msgrad"), "propagate", True)
    return caplog


def names(store):
    return sorted(os.listdir(store.folder))


def age(entry, seconds):
    os.utime(entry.path, (entry.used - seconds,) * 2)


def test_a_program_is_found_again(store):
    assert store.get(KEY) is None
    assert not store.folder.exists(), "looking makes no folder"
    store.put(KEY, b"program")
    store.put(OTHER, b"longer")
    store.put(KEY, b"program")
    again = ProgramStore(store.folder, store.bound)
    assert (again.get(KEY), again.get(OTHER)) == (b"program", b"longer")
    assert {entry.size for entry in again.entries()} == {11, 10}
    assert os.stat(store.folder).st_mode & 0o077 == 0, "nobody else may put programs there"
    again.clear()
    assert names(store) == []
    assert again.get(KEY) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda entry: entry[:-3],
        lambda entry: entry[:2] + b"?" + entry[3:],
        lambda entry: b"",
        lambda entry: entry + b"\0",
    ],
    ids=["truncated", "changed", "empty", "longer"],
)
def test_what_is_not_whole_is_replaced(store, spoil):
    store.put(KEY, b"program")
    [entry] = store.entries()
    with open(entry.path, "rb") as file:
        content = file.read()
    with open(entry.path, "wb") as file:
        file.write(spoil(content))
    assert store.get(KEY) is None
    assert store.entries() == []
    store.put(KEY, b"program")
    assert store.get(KEY) == b"program"


def test_the_longest_unused_go_first(store):
    keys = [f"jit_f-{number:064x}" for number in range(9)]
    for number, key in enumerate(keys):
        store.put(key, bytes(1000))
        age(store.entries()[-1], (9 - number) * 2 * DAY)
    # Found, so used today.
    assert store.get(keys[0]) is not None
    left_over, new = (store.folder / f".new-{name}" for name in ("killed", "written"))
    for path in (left_over, new):
        path.write_bytes(b"part")
    os.utime(left_over, (0, 0))
    store.put("jit_f-" + "f" * 64, bytes(2000))
    assert sum(entry.size for entry in store.entries()) <= store.bound
    assert [store.get(key) is not None for key in keys] == [True] + [False] * 3 + [True] * 5
    assert store.get("jit_f-" + "f" * 64) is not None
    assert (left_over.exists(), new.exists()) == (False, True)


def test_the_folder_is_counted_once_an_hour(tmp_path, monkeypatch):
    counts = []
    monkeypatch.setattr(ProgramStore, "_remove_oldest", lambda self, size: counts.append(size))
    for _ in range(3):
        store = ProgramStore(tmp_path, 16_000)
        store.put(KEY, bytes(600))
    assert counts == [604]
    store.put(KEY, bytes(600))
    assert counts == [604, 604], "a sixteenth of the bound was written"


def test_what_is_larger_than_the_bound_is_not_kept(store):
    store.put(KEY, bytes(20_000))
    assert not store.folder.exists()


def test_a_full_disk_ends_the_writing(store, logged, monkeypatch):
    store.put(OTHER, b"before")

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    for _ in range(2):
        store.put(KEY, b"program")
    monkeypatch.undo()
    store.put(KEY, b"program")
    assert len(store.entries()) == len(names(store)) - 1 == 1
    [line] = logged.messages
    assert "No space left on device" in line
    assert "MSGRAD_COMPILE_CACHE=0" in line
    assert store.get(OTHER) == b"before"


def test_a_folder_that_is_cleared_meanwhile_does_not(store, logged, monkeypatch):
    replace = os.replace

    def cleared(*paths):
        store.clear()
        replace(*paths)

    monkeypatch.setattr("os.replace", cleared)
    store.put(KEY, b"program")
    monkeypatch.undo()
    assert store.get(KEY) is None
    store.put(KEY, b"program")
    assert store.get(KEY) == b"program"
    assert logged.messages == []


def test_a_file_that_cannot_grow_is_removed(store, logged):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        store.put(KEY, bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert names(store) == [".counted"]
    assert len(logged.messages) == 1


def test_a_folder_that_cannot_be_made(tmp_path, logged):
    (tmp_path / "file").touch()
    store = ProgramStore(tmp_path / "file" / "programs", 1000)
    assert store.get(KEY) is None
    for _ in range(2):
        store.put(KEY, b"program")
    assert len(logged.messages) == 1
    assert store.entries() == []
