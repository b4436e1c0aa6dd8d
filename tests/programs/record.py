"""Records what the programs beside it print under real MindSpore, one ``.out`` file for each.

Run as ``python -m tests.programs.record``; ``MSGRAD_ORACLE_PYTHON`` is a Python with MindSpore.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = ("gradient_guide", "insert_gradient", "autograd_tutorial")


def main() -> None:
    """Run each program under MindSpore and store its standard output."""
    python = os.environ["MSGRAD_ORACLE_PYTHON"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for name in PROGRAMS:
        done = subprocess.run(
            [python, str(HERE / f"{name}.py")],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env={**environment, "GLOG_v": "3"},
        )
        (HERE / f"{name}.out").write_text(done.stdout)


if __name__ == "__main__":
    main()
