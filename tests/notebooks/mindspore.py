"""Records what MindSpore prints for the cells of a notebook that are MindSpore code.

    python -m tests.notebooks.mindspore [NAME ...]

runs the cells of ``notebooks/NAME.py`` that have no tag ``jax``, as one program, and writes what it
prints to ``NAME.out`` beside this file. Without a name: those that have such a file already.
``MSGRAD_ORACLE_PYTHON`` is a Python with MindSpore.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import jupytext

from tests.notebooks.record import NOTEBOOKS

HERE = Path(__file__).parent
RECORDED = tuple(sorted(path.stem for path in HERE.glob("*.out")))
NATIVE = "jax"


def program(name: str) -> str:
    """Give a notebook's MindSpore code as one program."""
    return "\n\n".join(
        cell.source
        for cell in jupytext.read(NOTEBOOKS / f"{name}.py").cells
        if cell.cell_type == "code" and NATIVE not in cell.metadata.get("tags", ())
    )


def run(name: str) -> str:
    """Give what MindSpore prints for a notebook's MindSpore code."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.py")
        path.write_text(program(name))
        done = subprocess.run(
            [os.environ["MSGRAD_ORACLE_PYTHON"], str(path)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=folder,
            env={**os.environ, "GLOG_v": "3"},
        )
    return done.stdout


def main() -> None:
    """Store what MindSpore prints for each notebook."""
    for name in sys.argv[1:] or RECORDED:
        (HERE / f"{name}.out").write_text(run(name))


if __name__ == "__main__":
    main()
