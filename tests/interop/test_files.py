"""Files that change, end, fill the disk or are none, and processes that are killed or forked."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor
from msgrad.interop import read_ckpt, read_safetensors, write_ckpt, write_safetensors
from msgrad.interop.ckpt import ckpt_items

FORMATS = {"ckpt": (read_ckpt, write_ckpt), "safetensors": (read_safetensors, write_safetensors)}
# More than is read ahead.
VALUES = {name: np.full(2**17, i, np.float32) for i, name in enumerate("abc")}


@pytest.fixture(params=FORMATS)
def format(request):
    return request.param


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def written(format: str) -> str:
    path = f"x.{format}"
    FORMATS[format][1](path, VALUES)
    os.chmod(path, 0o600)
    return path


# Reading ----------------------------------------------------------------------------------------


def rewritten(path: str) -> None:
    """Change a byte of the last array and let the file be older, as a slow clock may have it."""
    with open(path, "r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\1")
    os.utime(path, (1, 1))


def grown(path: str) -> None:
    with open(path, "ab") as file:
        file.write(b"more")


CHANGES = {
    "emptied": lambda path: os.truncate(path, 0),
    "cut_in_the_next": lambda path: os.truncate(path, 600_000),
    "cut_by_one": lambda path: os.truncate(path, os.path.getsize(path) - 1),
    "grown": grown,
    "rewritten": rewritten,
}


def when_open(monkeypatch, deed):
    """Let something happen to the next file that is read, after it was opened."""
    fstat = os.fstat

    def seen(handle):
        monkeypatch.setattr(os, "fstat", fstat)
        found = fstat(handle)
        deed()
        return found

    monkeypatch.setattr(os, "fstat", seen)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_that_changes_while_it_is_read(monkeypatch, format, change):
    path = written(format)
    when_open(monkeypatch, lambda: change(path))
    with pytest.raises(ValueError, match="while it was read"):
        FORMATS[format][0](path)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_that_changes_between_two_entries(change):
    path = written("ckpt")
    items = ckpt_items(path)
    assert next(items)[0] == "a"
    change(path)
    with pytest.raises(ValueError, match="while it was read"):
        list(items)


def test_a_file_that_changes_under_load_checkpoint():
    path = written("ckpt")

    def wanted(name: str) -> bool:
        if name == "b":
            os.truncate(path, 1000)
        return True

    with pytest.raises(ValueError, match="while it was read"):
        ms.load_checkpoint(path, choice_func=wanted)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_read_of_safetensors_stays_as_it_was(change):
    path = written("safetensors")
    found = read_safetensors(path)
    change(path)
    np.testing.assert_equal(found, VALUES)


def test_a_file_that_is_replaced_is_read_as_it_was(monkeypatch, format):
    read, write = FORMATS[format]
    path = written(format)
    when_open(monkeypatch, lambda: write(path, {"new": np.zeros(1)}))
    np.testing.assert_equal(read(path), VALUES)
    assert list(read(path)) == ["new"]


def test_what_is_not_wanted_is_not_read():
    items = ckpt_items(written("ckpt"), wanted=lambda name: name == "b")
    assert [name for name, _ in items] == ["b"]


NO_FILES = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "device_without_end": lambda path: os.symlink("/dev/zero", path),
    "empty_device": lambda path: os.symlink("/dev/null", path),
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
@pytest.mark.parametrize("crc_check", [False, True])
def test_what_is_no_ordinary_file(format, make, crc_check):
    make(f"x.{format}")
    with pytest.raises((ValueError, IsADirectoryError)):
        FORMATS[format][0](f"x.{format}", crc_check=crc_check)
    with pytest.raises(ValueError, match=r"x\.|zero|null"):
        ms.load_checkpoint(f"x.{format}", format=format, crc_check=crc_check)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_ordinary_file_is_not_replaced(format, make):
    make(f"x.{format}")
    before = os.stat(f"x.{format}")
    with pytest.raises(OSError, match=r"x\."):
        ms.save_checkpoint([Parameter(Tensor([1.0]), name="w")], f"x.{format}", format=format)
    assert os.path.samestat(before, os.stat(f"x.{format}"))
    assert os.listdir() == [f"x.{format}"]


# Names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [240, 245, 250, 255])
@pytest.mark.parametrize("letter", ["x", "é"])
def test_long_names(format, length, letter):
    stem = length - len(f".{format}")
    name = letter * (stem // len(letter.encode())) + "x" * (stem % len(letter.encode()))
    for value in (1.0, 2.0):
        ms.save_checkpoint([Parameter(Tensor([value]), name="w")], name, format=format)
    assert len(os.fsencode(*os.listdir())) == length
    assert float(ms.load_checkpoint(f"{name}.{format}", format=format)["w"].asnumpy()[0]) == 2


def test_a_name_that_is_too_long(format):
    with pytest.raises(OSError, match="too long") as caught:
        ms.save_checkpoint([Parameter(Tensor([1.0]), name="w")], "x" * 300, format=format)
    assert caught.value.errno == errno.ENAMETOOLONG
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_checkpoint("x" * 300 + f".{format}", format=format)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"], ids=["nul", "half_a_pair"])
def test_names_that_no_file_can_have(format, name):
    with pytest.raises(ValueError, match="file name"):
        ms.save_checkpoint([Parameter(Tensor([1.0]), name="w")], name, format=format)
    with pytest.raises(ValueError, match="file name"):
        ms.load_checkpoint(f"{name}.{format}", format=format)
    assert os.listdir() == []


@pytest.mark.parametrize("name", ["\ud800", "a\udcff"])
def test_names_of_parameters_that_are_no_text(format, name):
    with pytest.raises(ValueError, match="surrogates not allowed in a name"):
        FORMATS[format][1](f"x.{format}", {"good": np.ones(1), name: np.ones(1)})
    assert os.listdir() == []


@pytest.mark.parametrize("name", ["", "\0", "a\0b", "a/b", "\n", '"', "\x7f", "é" * 9999])
def test_odd_names_of_parameters(format, name):
    FORMATS[format][1](f"x.{format}", {name: np.ones(1)})
    assert list(FORMATS[format][0](f"x.{format}")) == [name]


def test_texts_with_half_a_surrogate_pair():
    write_ckpt("x.ckpt", {"note": "a\ud800"})
    assert read_ckpt("x.ckpt")["note"].item() == "a\ud800"


# Writing ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def full_disk():
    """No file can have more than 4096 bytes here (Python ignores the signal that says so)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk(format):
    path = f"x.{format}"
    ms.save_checkpoint([Parameter(Tensor([1.0]), name="old")], path, format=format)
    large = [Parameter(Tensor(np.ones(9999, np.float32)), name="w")]
    with pytest.raises(OSError, match="an existing file is as it was") as caught, full_disk():
        ms.save_checkpoint(large, path, format=format)
    assert caught.value.errno == errno.EFBIG
    assert os.listdir() == [path]
    assert list(ms.load_checkpoint(path, format=format)) == ["old"]


KILLED = """
    import os, signal, sys
    import numpy as np
    from msgrad.interop import _files, ckpt, read_ckpt, read_safetensors, safetensors_io

    path, unnamed = sys.argv[1], sys.argv[2] == "unnamed"
    os.fsync = lambda handle: None
    if not unnamed:
        del os.O_TMPFILE
    if path.endswith("ckpt"):
        read, write = read_ckpt, ckpt.write_ckpt
    else:
        read, write = read_safetensors, safetensors_io.write_safetensors

    def save(value):
        write(path, {name: np.full(3000, value, np.float32) for name in "ab"})

    def kill_at(event):
        left = [event]

        def line(frame, kind, argument):
            left[0] -= kind == "line"
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return line

        def call(frame, *_):
            code = frame.f_code
            writing = code.co_name in ("_write", "write_safetensors")
            return line if writing or code.co_filename == _files.__file__ else None

        sys.settrace(call)

    save(0)
    event, abandoned, killed = 0, 0, True
    while killed:
        event += 1
        child = os.fork()
        if not child:
            kill_at(event)
            save(event)
            os._exit(0)
        killed = os.waitpid(child, 0)[1] == signal.SIGKILL
        found = read(path)
        values = {float(value) for array in found.values() for value in np.unique(array)}
        assert len(values) == 1 and values <= {*map(float, range(event + 1))}, values
        hidden = len(os.listdir()) - 1
        assert hidden <= 1, os.listdir()
        abandoned += hidden
    assert values == {event}
    assert os.listdir() == [path], os.listdir()
    assert event > 30
    assert not unnamed or abandoned <= 2, abandoned
"""


def unnamed_files() -> bool:
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_WRONLY))
    except (AttributeError, OSError):
        return False
    return True


@pytest.mark.parametrize("how", ["unnamed", "hidden"])
def test_killed_at_every_line_of_writing(format, how):
    """The name has the old file or the new one, whole, and the next call leaves nothing else."""
    if how == "unnamed" and not unnamed_files():
        pytest.skip("the file system has no files without a name")
    run = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(KILLED), f"x.{format}", how]
    subprocess.run(run, timeout=120, check=True)


FORKED = """
    import os, threading
    import msgrad as ms
    from msgrad.train import serialization

    def saved(value, **options):
        ms.save_checkpoint([ms.Parameter(ms.Tensor([value]), name="w")], "x.ckpt", **options)

    saved(1.0)
    go_on, write = threading.Event(), serialization.write_ckpt

    def wait_and_write(*args, **kwargs):
        go_on.wait()
        write(*args, **kwargs)

    serialization.write_ckpt = wait_and_write
    saved(2.0, async_save=True)
    child = os.fork()
    if not child:
        assert not ms.async_ckpt_thread_status()
        assert ms.load_checkpoint("x.ckpt")["w"].asnumpy().tolist() == [1.0]
        go_on.set()
        saved(3.0)
        saved(4.0, async_save=True)
        assert ms.load_checkpoint("x.ckpt")["w"].asnumpy().tolist() == [4.0]
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    go_on.set()
    assert ms.load_checkpoint("x.ckpt")["w"].asnumpy().tolist() == [2.0]
"""


def test_a_fork_while_a_file_is_being_written():
    run = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(FORKED)]
    subprocess.run(run, timeout=120, check=True)
