"""Records what MindSpore programs do under real MindSpore: their output, the demo's losses.

Run as ``python -m tests.programs.record``; ``MSGRAD_ORACLE_PYTHON`` is a Python with MindSpore,
scikit-learn, matplotlib and tqdm.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import msgrad.porting

HERE = Path(__file__).parent
PROGRAMS = ("gradient_guide", "insert_gradient", "autograd_tutorial")
DEMO = Path(msgrad.porting.__file__).parent / "programs" / "digits.py"
DEMO_EPOCHS = "3"
DEMO_LOSSES = HERE / "digits_losses.txt"


def run(*command: str) -> str:
    """Give what a program prints under MindSpore."""
    python = os.environ["MSGRAD_ORACLE_PYTHON"]
    environment = {**os.environ, "GLOG_v": "3"}
    done = subprocess.run(
        [python, *command], stdout=subprocess.PIPE, text=True, check=True, env=environment
    )
    return done.stdout


def main() -> None:
    """Run each program and store what it gave."""
    for name in PROGRAMS:
        (HERE / f"{name}.out").write_text(run(str(HERE / f"{name}.py")))
    with tempfile.TemporaryDirectory() as out:
        run(str(DEMO), "--epochs", DEMO_EPOCHS, "--losses", str(DEMO_LOSSES), "--out", out)


if __name__ == "__main__":
    main()
