"""Writes ``exports.json``, the public names of every public module; ``test_exports.py`` reads it.

Run as ``python -m tests.record_exports`` after a change to what is public, and read the diff.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

from msgrad.porting.install import module_names, msgrad_path

EXPORTS = Path(__file__).parent / "exports.json"
# Modules that have no names of MindSpore's: the tools around it, and the programs that are shipped.
OWN = ("msgrad.__main__", "msgrad.porting", "msgrad.interop")


def exported() -> dict[str, list[str]]:
    """Give the sorted ``__all__`` of each module whose path is one of MindSpore's."""
    found = {}
    for name in module_names():
        path = msgrad_path(name) or name
        if not path.startswith(OWN):
            module = importlib.import_module(path)
            if hasattr(module, "__all__"):
                found[path] = sorted(module.__all__)
    return found


if __name__ == "__main__":
    EXPORTS.write_text(json.dumps(exported(), indent=1) + "\n")
