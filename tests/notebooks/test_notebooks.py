"""Every notebook still prints what was committed, in Jupyter and under ``python -m msgrad run``.

How to write one, and how to record its outputs: the docstring of ``record.py``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest

from tests.notebooks.compare import differences, printed, text_difference
from tests.notebooks.mindspore import HERE, NATIVE, RECORDED, run
from tests.notebooks.record import NAMES, NOTEBOOKS, ROOT, environment, read

# Each takes less than a minute; a machine may be busy with other things.
SECONDS = 300


def _python(*command: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=cwd,
        env={**environment(), **variables},
    )


@pytest.mark.parametrize("name", NAMES)
def test_is_in_step_with_its_script(name):
    def cells(notebook):
        return [(cell.cell_type, cell.source, cell.metadata) for cell in notebook.cells]

    script = jupytext.read(NOTEBOOKS / f"{name}.py")
    assert cells(read(name)) == cells(script), f"run python -m tests.notebooks.record {name}"


def test_each_notebook_has_a_script():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_of_no_one_machine(name):
    text = (NOTEBOOKS / f"{name}.ipynb").read_text()
    assert not re.findall(r"/(?:home|root|tmp|usr|Users|work)/\S*| at 0x[0-9a-f]+", text)
    assert '"execution": {' not in text
    assert read(name).metadata.language_info == {"name": "python"}


@pytest.mark.notebook
@pytest.mark.parametrize("name", NAMES)
def test_executes_to_the_committed_outputs(name, tmp_path):
    done = _python("-m", "tests.notebooks.record", name, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    found = list(differences(read(name), read(name, tmp_path)))
    assert not found, "\n".join(found)


# The other scripts are these programs too, in step with their notebooks.
@pytest.mark.notebook
@pytest.mark.parametrize("name", ["01_gradient_guide", "migration_guide"])
def test_the_script_prints_the_same(name, tmp_path):
    script = str(NOTEBOOKS / f"{name}.py")
    done = _python("-m", "msgrad", "run", script, cwd=tmp_path, MPLBACKEND="Agg")
    assert (done.returncode, done.stderr) == (0, "")
    difference = text_difference(printed(read(name)), done.stdout)
    assert not difference, difference


@pytest.mark.parametrize("name", RECORDED)
def test_prints_what_mindspore_prints(name):
    recorded = (HERE / f"{name}.out").read_text()
    difference = text_difference(recorded, printed(read(name), without=NATIVE))
    assert not difference, difference


@pytest.mark.oracle
@pytest.mark.parametrize("name", RECORDED)
def test_mindspore_still_prints_the_recording(name):
    assert not text_difference((HERE / f"{name}.out").read_text(), run(name))
