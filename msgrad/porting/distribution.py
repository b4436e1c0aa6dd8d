"""What ``importlib.metadata`` says of ``mindspore`` while msgrad stands for it.

Libraries ask it whether MindSpore is there, and for its version, before they import anything.
"""

from __future__ import annotations

import os
from importlib.metadata import Distribution
from pathlib import Path

from msgrad.version import __version__


class MindSporeDistribution(Distribution):
    """A distribution that has a name and a version, and no files."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: mindspore\nVersion: {__version__}\n"

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return Path(path)
