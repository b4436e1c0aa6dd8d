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
from tests.record_exports import EXPORTS, PUBLIC

PINNED = json.loads(EXPORTS.read_text())


@pytest.mark.parametrize("path", PUBLIC)
def test_public_names(path):
    module = importlib.import_module(path)
    assert sorted(module.__all__) == PINNED[path], "run: python -m tests.record_exports"
    assert len(set(module.__all__)) == len(module.__all__)
    absent = [name for name in module.__all__ if not hasattr(module, name)]
    assert absent == []


@pytest.mark.parametrize("path", ["operations", "functional", "composite"])
def test_import_paths_of_the_operators(path):
    module = importlib.import_module(f"msgrad.ops.{path}")
    assert sorted(module.__all__) == sorted(msgrad.ops.__all__)
    assert module.Primitive is msgrad.ops.Primitive


def test_no_name_leaks_from_the_package():
    public = {name for name in vars(msgrad) if not name.startswith("_")}
    loaded = {path.split(".")[1] for path in sys.modules if path.startswith("msgrad.")}
    assert public - set(msgrad.__all__) - loaded == set()


def test_import_loads_nothing_more_than_it_needs():
    def loaded(packages: str) -> set[str]:
        text = f"import sys, {packages}; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True)
        return {name.split(".")[0] for name in done.stdout.decode().split()}

    beyond = loaded("msgrad") - loaded("jax, flax.nnx, optax")
    assert {name for name in beyond if name not in sys.stdlib_module_names} == {"msgrad"}
