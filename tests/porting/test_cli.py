"""The command line: ``run`` behaves as ``python script`` does, ``check`` reports what lacks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from msgrad.porting.cli import main
from msgrad.porting.coverage import mindspore_names, missing


@pytest.fixture
def script(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "program.py"
        path.write_text(text)
        return str(path)

    return write


def test_run_gives_the_script_its_arguments_and_folder(script, tmp_path, capsys):
    (tmp_path / "helper.py").write_text("import mindspore\nvalue = mindspore.Tensor([2.0])\n")
    path = script(
        "import sys, helper, mindspore as ms\n"
        "print(__name__, sys.argv[1:], sys.path[0], helper.value, ms.__version__)\n"
    )
    argv, search = sys.argv, list(sys.path)
    assert main(["run", path, "--lr", "0.1", "-x"]) == 0
    shown = f"__main__ ['--lr', '0.1', '-x'] {tmp_path.resolve()} [2.] 2.10.0\n"
    assert capsys.readouterr().out == shown
    assert sys.argv is argv
    assert sys.path == search
    assert "mindspore" not in sys.modules


def test_run_lets_exceptions_through(script):
    with pytest.raises(KeyError):
        main(["run", script("import mindspore\n{}['absent']\n")])
    with pytest.raises(SystemExit) as stop:
        main(["run", script("import sys\nsys.exit(7)\n")])
    assert stop.value.code == 7
    assert "mindspore" not in sys.modules


@pytest.mark.parametrize(("text", "code"), [("1 / 0", 1), ("raise SystemExit(3)", 3), ("", 0)])
def test_exit_code_of_the_process(script, text, code):
    command = [sys.executable, "-m", "msgrad", "run", script(text)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == code
    assert ("ZeroDivisionError" in done.stderr) == (code == 1)


@pytest.mark.parametrize("command", [["run", "absent.py"], ["check", "absent"], ["check"]])
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
nn.NoSuchLayer(1)
nn.NoSuchLayer(2)
ms.Tensor.no_such_method
ms.float32.anything
other.nn.Absent
"""


def test_check_lists_what_is_missing(script, capsys):
    path = script(PROGRAM)
    assert main(["check", path]) == 1
    out = capsys.readouterr().out
    table = {line.split()[0]: line.split()[1:] for line in out.splitlines()[1:5]}
    assert table == {
        "mindspore.nn.NoSuchLayer": ["missing", "2", f"{path}:14,", f"{path}:15"],
        "mindspore.Tensor.no_such_method": ["missing", "1", f"{path}:16"],
        "mindspore.common.initializer.Nonsense": ["missing", "1", f"{path}:3"],
        "mindspore.no_such_module": ["missing", "1", f"{path}:4"],
    }
    assert "1 files use MindSpore: 11 of 15 names are there" in out


def test_check_everything_there(script, tmp_path, capsys):
    script("from mindspore import Tensor\nprint(Tensor([1.0]))\n")
    (tmp_path / "plain.py").write_text("import numpy\n")
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        "1 files use MindSpore: 1 of 1 names are there, 2 of 2 uses.\n"
    )
    assert main(["check", "--all", str(tmp_path)]) == 0
    assert "mindspore.Tensor  ok" in capsys.readouterr().out


def test_check_names_unreadable_files(script, capsys):
    path = script("print 'two'\n")
    assert main(["check", path]) == 1
    assert f"not readable as Python: {path}" in capsys.readouterr().out


def test_coverage_counts_what_is_there(capsys):
    assert main(["check", "--coverage"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "public"
    owner, have, total, _ = lines[-1].split()
    names = mindspore_names()
    assert (owner, int(total)) == ("all", len(names))
    assert int(have) == sum(missing(name) is None for name in names)


def test_names_are_sorted_and_looked_up():
    names = mindspore_names()
    assert names == sorted(set(names))
    assert missing("mindspore.nn.Cell.set_train") is None
    assert missing("mindspore.Tensor.asnumpy") is None
    text = missing("mindspore.nn.SequentialCel")
    assert text is not None
    assert "nearest: SequentialCell" in text
