"""Writes ``inner_paths.json``, module path -> names of MindSpore 2.10 that it defines.

Run under MindSpore, as ``python -m tests.record_inner_paths``: a name that MindSpore has not at
its path is taken out. ``test_inner_paths.py`` imports what is left from msgrad.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

FILE = Path(__file__).parent / "inner_paths.json"


def main() -> None:
    """Write the file."""
    rows = json.loads(FILE.read_text())
    for path, names in rows.items():
        module = importlib.import_module(f"mindspore.{path}")
        rows[path] = " ".join(name for name in names.split() if hasattr(module, name))
    FILE.write_text(json.dumps(rows, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
