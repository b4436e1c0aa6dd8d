"""Whole MindSpore programs through ``python -m msgrad run``: they print what MindSpore prints.

The expected output was recorded by ``record.py`` under MindSpore 2.10.0.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.programs.record import DEMO, DEMO_EPOCHS, DEMO_LOSSES, HERE, PROGRAMS

pytestmark = pytest.mark.full_compile

ROOT = HERE.parent.parent
_NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]\d+)?")
# Numbers are float32 of a few roundings; exp and log differ in the last bit between libraries.
_ULPS = 4 * np.finfo(np.float32).eps


def run(*command: str, cwd: Path = ROOT) -> str:
    """Give what ``python -m msgrad`` prints, run in its own process."""
    done = subprocess.run(
        [sys.executable, "-m", "msgrad", *command],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def words(text: str) -> list[str]:
    """Give the text between its numbers; how columns are padded depends on the numbers."""
    return [re.sub(r"\s+", "", part) for part in _NUMBER.split(text)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_what_mindspore_prints(name):
    printed = run("run", str(HERE / f"{name}.py"))
    expected = (HERE / f"{name}.out").read_text()
    if printed == expected:
        return
    assert words(printed) == words(expected)
    np.testing.assert_allclose(
        [float(n) for n in _NUMBER.findall(printed)],
        [float(n) for n in _NUMBER.findall(expected)],
        rtol=_ULPS,
    )


def test_demo_trains_as_mindspore_does(tmp_path):
    losses = tmp_path / "losses.txt"
    out = str(tmp_path / "new" / "folder")
    run("run", str(DEMO), "--epochs", DEMO_EPOCHS, "--losses", str(losses), "--out", out)
    # Rounding of one step is about 1e-7 of a loss near 2; over these steps it does not grow.
    np.testing.assert_allclose(np.loadtxt(losses), np.loadtxt(DEMO_LOSSES), atol=5e-6)


def test_demo_command(tmp_path):
    printed = run("demo", "--epochs", "1", cwd=tmp_path)
    assert "1437 training images, 360 test images" in printed
    (accuracy,) = re.findall(r"^test accuracy: ([\d.]+)$", printed, re.MULTILINE)
    assert float(accuracy) > 0.4
    assert (tmp_path / "msgrad-demo" / "loss.png").read_bytes().startswith(b"\x89PNG")
