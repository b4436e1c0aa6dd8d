"""An import only ever points downwards through the layers (the order stands in ``LAYERS``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import msgrad

ROOT = Path(msgrad.__file__).parent

# From the bottom; packages and modules in one row may import each other.
LAYERS = (
    ("_core", "version", "log"),
    ("common",),
    ("context", "device_manager"),
    ("runtime",),
    ("hal",),
    ("ops", "mint", "numpy"),
    ("_compiled",),
    ("_gradients",),
    ("autograd",),
    ("nn", "experimental"),
    ("interop",),
    ("train", "amp", "parallel", "communication", "dataset", "dataset_engine", "mindrecord"),
    ("porting", "__main__"),
    ("__init__",),
)
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}


def _modules() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names of what is imported when the module runs, or a function in it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        else:
            yield from _imports(node)


def _only_forwards(module: str, tree: ast.Module) -> bool:
    """Tell whether a module is but another of MindSpore's import paths for what lies elsewhere."""
    kinds = (ast.Import, ast.ImportFrom)
    return not module.endswith("__init__.py") and all(
        isinstance(node, kinds)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("__"))
        for node in tree.body
    )


def _layer(parts: list[str]) -> str:
    """Give the first part below the package: a folder, or a module beside the folders."""
    return parts[0] if parts and parts[0] in RANK else "__init__"


@pytest.mark.parametrize("module", _modules())
def test_imports_point_downwards(module):
    own = module.removesuffix(".py").split("/")[0]
    assert own in RANK, f"{module}: give '{own}' its place in LAYERS"
    tree = ast.parse((ROOT / module).read_text())
    if _only_forwards(module, tree):
        return
    upwards = {
        name
        for name in _imports(tree)
        if name.split(".")[0] == "msgrad" and RANK[_layer(name.split(".")[1:])] > RANK[own]
    }
    assert not upwards
