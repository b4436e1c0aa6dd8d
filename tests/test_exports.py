"""What is public: each public module exports exactly the names in ``exports.json``.

After a change that is meant, run ``python -m tests.record_exports`` and read the diff.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

import msgrad
from tests.record_exports import EXPORTS, exported

PINNED = json.loads(EXPORTS.read_text())


def test_public_modules():
    assert sorted(exported()) == sorted(PINNED)


@pytest.mark.parametrize("path", PINNED)
def test_public_names(path):
    module = importlib.import_module(path)
    assert sorted(module.__all__) == PINNED[path]
    assert len(set(module.__all__)) == len(module.__all__)
    absent = [name for name in module.__all__ if not hasattr(module, name)]
    assert absent == []


def test_no_name_leaks_from_the_package():
    public = {name for name in vars(msgrad) if not name.startswith("_")}
    loaded = {path.split(".")[1] for path in sys.modules if path.startswith("msgrad.")}
    assert public - set(msgrad.__all__) - loaded == {"missing_names"}


def test_import_loads_nothing_heavy():
    text = "import sys, msgrad; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    heavy = {"matplotlib", "sklearn", "orbax", "tensorstore", "pandas", "mindspore", "difflib"}
    assert heavy.isdisjoint(done.stdout.split())
