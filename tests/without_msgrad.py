"""A process that has JAX and Flax, and in which nothing can import msgrad."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run_without_msgrad(code: str, *arguments: str, cwd: Path) -> None:
    """Run a program in a folder; it must end well.

    Args:
        code: The program.
        arguments: Its ``sys.argv[1:]``.
        cwd: The folder.
    """
    packages = os.pathsep.join(path for path in sys.path if "site-" in path)
    refusing = 'import sys; sys.modules["msgrad"] = None\n'
    subprocess.run(
        [sys.executable, "-c", refusing + code, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": packages},
        check=True,
        timeout=200,
    )
