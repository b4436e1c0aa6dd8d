"""The README's program prints what the README says, and its figures are not more than there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests._marked import read_part
from tests.record_coverage import table

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_program_prints_what_is_shown(tmp_path):
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (shown,) = re.findall(r"```text\n(\d.*?)```", README, re.DOTALL)
    assert sum(1 for line in program.splitlines() if line.strip()) <= 15
    path = tmp_path / "program.py"
    path.write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "msgrad", "run", path], capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.stderr) == (shown, "")


def test_coverage_is_what_there_is():
    assert read_part("coverage") == table(), "run python -m tests.record_coverage"
