"""The demo: what it needs, and running its program in this process."""

from __future__ import annotations

import importlib
import runpy
import sys
from importlib.resources import as_file, files

from msgrad.porting.install import install

_PACKAGES = {"matplotlib": "matplotlib", "sklearn": "scikit-learn", "tqdm": "tqdm"}


def demo_lacks() -> list[str]:
    """Return the packages, as pip calls them, that the demo needs and that cannot be imported."""
    absent = []
    for module, package in _PACKAGES.items():
        try:
            importlib.import_module(module)
        except ImportError:
            absent.append(package)
    return absent


def run_demo(out: str, epochs: int) -> None:
    """Run the shipped program ``digits.py``: train on real images, write the loss curve.

    Args:
        out: Folder for the picture.
        epochs: Passes over the training images.
    """
    with as_file(files("msgrad.porting").joinpath("programs", "digits.py")) as script, install():
        sys.argv = [str(script), "--out", out, "--epochs", str(epochs)]
        runpy.run_path(str(script), run_name="__main__")
