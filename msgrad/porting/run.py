"""Running one program with msgrad as its MindSpore, in this process; no command line."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from msgrad.porting.install import install

_DEMO_IMPORTS = ("matplotlib", "sklearn", "tqdm")


def run_script(script: str | Path, args: Sequence[str] = ()) -> None:
    """Run a program as ``python script args`` would, with ``import mindspore`` being msgrad.

    Whatever the program raises, ``SystemExit`` included, goes to the caller.

    Args:
        script: Path of the program.
        args: What it finds in ``sys.argv[1:]``.

    Raises:
        FileNotFoundError: If there is no such file.
    """
    path = Path(script)
    if not path.is_file():
        raise FileNotFoundError(f"There is no file '{script}'.")
    old_argv, old_path = sys.argv, sys.path[:]
    sys.argv = [str(script), *args]
    sys.path[0] = str(path.resolve().parent)
    try:
        with install():
            runpy.run_path(str(script), run_name="__main__")
    finally:
        sys.argv = old_argv
        sys.path[:] = old_path


def demo_lacks() -> list[str]:
    """Give the packages that the demo imports and that are not installed."""
    return [name for name in _DEMO_IMPORTS if find_spec(name) is None]


def run_demo(out: str, epochs: int) -> None:
    """Run the shipped program ``digits.py``: train on real images, write the loss curve.

    Args:
        out: Folder for the picture.
        epochs: Passes over the training images.
    """
    with as_file(files("msgrad.porting").joinpath("programs", "digits.py")) as script:
        run_script(script, ["--out", out, "--epochs", str(epochs)])
