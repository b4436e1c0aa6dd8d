"""The README's program prints what the README says, and its figures are not more than there is."""

from __future__ import annotations

import re
from pathlib import Path

from msgrad.porting.coverage import coverage
from msgrad.porting.run import run_script

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_program_prints_what_is_shown(tmp_path, capsys):
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (shown,) = re.findall(r"```text\n(\d.*?)```", README, re.DOTALL)
    assert sum(1 for line in program.splitlines() if line.strip()) <= 15
    path = tmp_path / "program.py"
    path.write_text(program)
    run_script(path)
    assert capsys.readouterr().out == shown


def test_coverage_is_not_overstated():
    claimed = re.findall(r"^\| `?(\S+?)`? \| (\d+) \| (\d+) \|$", README, re.MULTILINE)
    there = {row.owner: (row.have, row.total) for row in coverage()}
    there["all"] = tuple(map(sum, zip(*there.values(), strict=True)))
    assert claimed
    for owner, have, total in claimed:
        assert int(have) <= there[owner][0], owner
        assert int(total) == there[owner][1], owner
