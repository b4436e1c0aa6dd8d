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

from tests.programs.record import HERE, PROGRAMS

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


def test_demo(tmp_path):
    printed = run("demo", "--epochs", "3", "--out", str(tmp_path / "new"))
    assert "1437 training images, 360 test images" in printed
    # From the same seed MindSpore itself prints 2.306796, and 0.9139 after three epochs. Rounding
    # differs, so a few of the 360 images may fall on the other side.
    assert "first step 2.30679" in printed
    accuracy = float(re.search(r"test accuracy: ([\d.]+)", printed).group(1))
    assert abs(accuracy - 0.9139) <= 4 / 360
    picture = tmp_path / "new" / "loss.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
