"""The stubs are those of the live objects, and a type checker makes of them what it should."""

from __future__ import annotations

import importlib
import json
import os
import runpy
import site
import subprocess
import sys
from pathlib import Path

import pytest

from msgrad import Tensor
from msgrad._core.left_out import is_left_out
from tests.record_exports import PUBLIC
from tests.record_stubs import ROOT, stubs

USER = Path(__file__).parent / "typing"


@pytest.mark.parametrize(("path", "text"), stubs().items())
def test_the_stubs_are_current(path, text):
    assert (ROOT / path).read_text() == text, "run: python -m tests.record_stubs"


def _all_names() -> str:
    """Return a program that names all that is public, and every method of a Tensor."""
    names = [
        f"ms{path.removeprefix('msgrad')}.{name}"
        for path in PUBLIC
        for name in importlib.import_module(path).__all__
        # The module is hidden by a function of its name, as in MindSpore.
        if not name.startswith("_") and path != "msgrad.common.seed"
        # What is there only to say that it is not, an editor need not know.
        if not is_left_out(getattr(importlib.import_module(path), name))
    ]
    methods = [f"ms.Tensor(1).{name}" for name in dir(Tensor) if not name.startswith("_")]
    return "\n".join(["import msgrad as ms", *names, *methods, ""])


# One run for all that is asked of it, since a run takes ten seconds.
def test_what_a_type_checker_sees(tmp_path):
    programs = {path.name: path.read_text() for path in USER.glob("*.py")}
    programs["all_names.py"] = _all_names()
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
    # As an installed package, whose `py.typed` counts.
    packages = tmp_path / "venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    (packages / "all.pth").write_text("\n".join([str(ROOT), *site.getsitepackages()]))
    settings = {"venvPath": str(tmp_path), "venv": "venv", "pythonVersion": "3.11"}
    more = {"typeCheckingMode": "basic", "reportUnusedExpression": False, "exclude": ["venv"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({**settings, **more}))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--project", str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    said: dict[str, dict[str, str]] = {name: {} for name in programs}
    for item in json.loads(done.stdout)["generalDiagnostics"]:
        name = Path(item["file"]).name
        line = programs[name].splitlines()[item["range"]["start"]["line"]]
        said[name][line] = item["message"]
    assert said["all_names.py"] == {}
    assert [*said["wrong.py"]] == _marked(programs["wrong.py"], "# refused")
    types = {line: f'is "{line.partition("# is ")[2]}"' for line in _marked(programs["right.py"])}
    wrong = {k: v for k, v in said["right.py"].items() if not v.endswith(types.get(k, "?"))}
    assert wrong == {}
    assert said["right.py"].keys() == types.keys()


def _marked(text: str, mark: str = "# is ") -> list[str]:
    return [line for line in text.splitlines() if mark in line]


def test_the_right_program_runs():
    assert runpy.run_path(str(USER / "right.py"))["rows"] == 2


def test_what_is_refused_fails():
    text = (USER / "wrong.py").read_text()
    scope = {}
    exec(text.partition("\n\nops.")[0], scope)
    for line in _marked(text, "# refused"):
        with pytest.raises((TypeError, AttributeError)):
            exec(line, scope)
