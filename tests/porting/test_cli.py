"""The command line: ``check`` reports what lacks; each wrong start ends with one line.

``run`` has its own file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import jax
import pytest

import msgrad
from msgrad._core.program_store import ProgramStore
from msgrad.porting.cli import main
from msgrad.porting.coverage import mindspore_names, why_lacking


@pytest.fixture
def script(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "program.py"
        path.write_text(text)
        return str(path)

    return write


def wrong_start(*words: str, **fakes: str) -> tuple[int, list[str]]:
    """Return the status and the lines on stderr of ``python -m msgrad``, which prints nothing else.

    Args:
        words: What follows.
        fakes: Modules that are found before others, and their code.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, code in fakes.items():
            Path(folder, f"{name}.py").write_text(code)
        path = os.pathsep.join([folder, str(Path(msgrad.__file__).parent.parent)])
        done = subprocess.run(
            [sys.executable, "-m", "msgrad", *words],
            capture_output=True,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            timeout=120,
        )
    assert done.stdout == ""
    return done.returncode, done.stderr.splitlines()


def test_the_demo_without_its_extras():
    absent = "raise ImportError('as if it was not there')"
    status, (line,) = wrong_start("demo", matplotlib=absent, sklearn="", tqdm=absent)
    assert status == 2
    assert line == (
        f"msgrad: the demo lacks packages; {sys.executable} -m pip install matplotlib tqdm"
    )


# Wherever the demo is then: among msgrad's own imports, or among the demo's.
@pytest.mark.parametrize("module", ["jax", "matplotlib"])
def test_an_interrupt_in_the_demo(module):
    interrupt = "import os, signal; os.kill(os.getpid(), signal.SIGINT)\nwhile True: pass"
    status, lines = wrong_start("demo", **{module: interrupt})
    assert status == 130
    # The terminal shows ^C on a line of its own.
    assert lines == [
        "",
        "msgrad: the demo was interrupted; a shorter one: python -m msgrad demo --epochs 3",
    ]


@pytest.mark.parametrize("command", ["demo", "check", "run"])
def test_without_what_msgrad_stands_on(command):
    absent = "import sys; sys.modules.update(jax=None, optax=None)"
    status, (line,) = wrong_start(command, "x", sitecustomize=absent)
    assert status == 1
    assert line.startswith(f"msgrad: {sys.executable} has no jax, optax; ")


@pytest.mark.parametrize("words", [("demo",), ("check", "."), ("run", "prog.py"), ("path",), ()])
def test_an_older_python(words):
    # Runs before the command is looked at, as if this was that Python.
    older = "import sys; sys.version_info = (3, 10, 13, 'final', 0); sys.version = '3.10.13 (x)'"
    status, (line,) = wrong_start(*words, sitecustomize=older)
    assert status == 1
    assert "msgrad needs Python 3.11, 3.12 or 3.13, and" in line
    assert "3.10.13" in line
    assert "python3.12 -m venv" in line


@pytest.mark.parametrize("command", [["check", "absent"], ["check"]])
def test_what_is_not_there(command, capsys):
    assert main(command) == 2
    assert capsys.readouterr().err.startswith("msgrad: ")


PROGRAM = """\
import mindspore as ms, mindspore.nn as nn
from mindspore import context, ops as O
from mindspore.common.initializer import initializer as init, Nonsense
import mindspore.no_such_module
import numpy as np

def use():
    return late.Tensor

import mindspore as late
ms.set_context(mode=ms.GRAPH_MODE)
context.set_context(mode=context.GRAPH_MODE)
x = ms.Tensor(np.ones(3)).sum()
nn.NoSuchLayer(nn.NoSuchLayer(1))
nn.NoSuchLayer.attribute.of_it(2)
ms.Tensor.no_such_method
ms.float32.anything
other.nn.Absent
"""


def test_check_lists_each_missing_name_once_with_its_places(script, tmp_path, capsys):
    path = script(PROGRAM)
    (tmp_path / "second.py").write_text("import mindspore as ms\nms.nn.NoSuchLayer(1)\n")
    # The same file thrice: it is read once.
    assert main(["check", path, str(tmp_path), str(tmp_path / "." / "program.py")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "missing  mindspore.nn.NoSuchLayer: msgrad.nn has no 'NoSuchLayer' yet; nearest: layer",
        f"         {path}:14, 15",
        f"         {tmp_path}/second.py:2",
        "missing  mindspore.Tensor.no_such_method: "
        "msgrad.Tensor has no 'no_such_method' yet; no name comes near it",
        f"         {path}:16",
        "missing  mindspore.common.initializer.Nonsense: "
        "msgrad.common.initializer has no 'Nonsense' yet; no name comes near it",
        f"         {path}:3",
        "missing  mindspore.no_such_module: "
        "msgrad has no 'no_such_module' yet; no name comes near it",
        f"         {path}:4",
        "2 files use MindSpore: 11 of 15 names are there, 14 of 20 uses.",
    ]


def test_check_everything_there(script, tmp_path, capsys):
    script("from mindspore import Tensor\nprint(Tensor([1.0]))\n")
    (tmp_path / "plain.py").write_text("import numpy\n")
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        "1 files use MindSpore: 1 of 1 names are there, 2 of 2 uses.\n"
    )
    assert main(["check", "--all", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("ok       mindspore.Tensor\n")


def test_check_names_unreadable_files(script, capsys):
    path = script("print 'two'\n")
    assert main(["check", path]) == 1
    assert f"not readable as Python: {path}" in capsys.readouterr().out


def test_coverage_counts_what_is_there(capsys):
    assert main(["check", "--coverage"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "public"
    owner, have, refused, total, _ = lines[-1].split()
    names = mindspore_names()
    assert (owner, int(total)) == ("all", len(names))
    # Each name is there, or listed with the reason.
    assert int(have) + int(refused) == len(names)
    one = next(line.split() for line in lines if line.startswith("mindspore.rewrite "))
    assert one == ["mindspore.rewrite", "0", "5", "5", "0%"]


def test_output_that_nobody_reads_any_more_ends_it_silently():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "msgrad", "check", "--coverage", "mindspore.train"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_coverage_lists_what_a_module_lacks(capsys):
    assert main(["check", "--coverage", "mindspore.communication"]) == 0
    lines = capsys.readouterr().out.splitlines()
    inside = [name for name in mindspore_names() if name.startswith("mindspore.communication.")]
    assert [line.partition(":")[0] for line in lines] == [n for n in inside if why_lacking(n)]
    assert lines == ["mindspore.communication.get_comm_name: Left out: 2.10 has it on Ascend only."]
    assert main(["check", "--coverage", "mindspore.Tensor"]) == 0
    assert "mindspore.Tensor.kthvalue: msgrad leaves out" in capsys.readouterr().out
    assert main(["check", "--coverage", "train.py"]) == 2
    assert "no public names in train.py" in capsys.readouterr().err


def test_names_are_sorted_and_looked_up():
    names = mindspore_names()
    assert names == sorted(set(names))
    assert why_lacking("mindspore.nn.Cell.set_train") is None
    # Of other layers, and loaded late.
    assert why_lacking("mindspore.nn.ResizeBilinear") is None
    assert "2.10 does not run it" in (why_lacking("mindspore.Tensor.kthvalue") or "")
    assert why_lacking("mindspore.Tensor.asnumpy") is None
    # A function hides the module of its name.
    assert why_lacking("mindspore.parallel.shard.Layout") is None
    assert why_lacking("mindspore.parallel.shard.__wrapped__") is not None
    text = why_lacking("mindspore.nn.SequentialCel")
    assert text is not None
    assert "nearest: SequentialCell" in text


@pytest.fixture
def jaxs_folder():
    """Return a function that gives JAX a folder for compiled programs, or none."""
    before = jax.config.values["jax_compilation_cache_dir"]
    yield lambda folder: jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_compilation_cache_dir", before)


def test_cache_says_what_is_kept_and_clears_it(tmp_path, monkeypatch, capsys, jaxs_folder):
    jaxs_folder(None)
    monkeypatch.setenv("MSGRAD_COMPILE_CACHE", str(tmp_path))
    (tmp_path / "mine.txt").touch()
    store = ProgramStore(tmp_path, 1000)
    for number, name in enumerate(("jit_f", "shapes", "jit_f")):
        store.put(f"{name}-{number:064x}", bytes(300))
    for entry, day in zip(store.entries(), (1, 5, 9), strict=True):
        os.utime(entry.path, (day * 86400, day * 86400))
    assert main(["cache"]) == 0
    out = capsys.readouterr().out
    for words in (str(tmp_path), "2\n", "0.0 MB of at most 2000 MB", "1970-01-02", "1970-01-10"):
        assert words in out
    assert main(["cache", "--clear"]) == 0
    assert "programs           0" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_cache_leaves_jaxs_folder_alone(tmp_path, monkeypatch, capsys, jaxs_folder):
    jaxs_folder(str(tmp_path))
    (tmp_path / "jit_f-cache").touch()
    assert main(["cache", "--clear"]) == 0
    assert f"in {tmp_path}; that folder is left alone" in capsys.readouterr().out
    assert (tmp_path / "jit_f-cache").exists()
    jaxs_folder(None)
    monkeypatch.setenv("MSGRAD_COMPILE_CACHE", "0")
    assert main(["cache"]) == 0
    assert "are not kept" in capsys.readouterr().out
