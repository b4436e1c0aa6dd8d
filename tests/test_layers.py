"""An import only ever points downwards through the layers (the order stands in ``LAYERS``).

Within ``_core`` and the rooms of gradients and compiled calls also one for types only does, and no
chain of imports comes back to where it started.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import msgrad

ROOT = Path(msgrad.__file__).parent

# From the bottom; packages and modules in one row may import each other.
LAYERS = (
    ("_core", "version", "log", "multiprocessing", "default_config"),
    ("common",),
    ("context", "device_manager"),
    ("runtime",),
    ("hal",),
    ("ops", "numpy", "scipy"),
    ("_compiled",),
    ("_gradients",),
    ("autograd",),
    ("nn", "experimental"),
    ("interop",),
    ("profiler",),
    (
        *(
            "mint",
            "train",
            "amp",
            "parallel",
            "communication",
            "dataset",
            "dataset_engine",
            "mindrecord",
        ),
        *("boost", "rewrite"),
    ),
    ("porting", "__main__", "_top"),
    ("__init__",),
)
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}
# The rooms of ``_core``, from the bottom; what is not named stands beside the room below it.
ROOMS = ("", "distributed", "deferred", "scopes", "op", "basics", "autocast")
# Where imports for types count.
STRICT = ("_core", "_compiled", "_gradients", "autograd")


def _modules() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def _imports(tree: ast.AST, types: bool = False) -> Iterator[str]:
    """Yield the dotted names of what is imported when the module runs, or a function in it.

    Args:
        tree: The module.
        types: Whether also what is imported for type checkers.
    """
    for node in ast.iter_child_nodes(tree):
        if not types and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        else:
            yield from _imports(node, types)


def _only_forwards(module: str, tree: ast.Module) -> bool:
    """Whether a module is but another of MindSpore's import paths for what lies elsewhere."""
    kinds = (ast.Import, ast.ImportFrom)
    return not module.endswith("__init__.py") and all(
        isinstance(node, kinds)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, (ast.Assign, ast.AnnAssign)) and ast.unparse(node).startswith("__"))
        for node in tree.body
    )


def _layer(parts: list[str]) -> str:
    """Return the first part below the package: a folder, or a module beside the folders."""
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
        for name in _imports(tree, own in STRICT)
        if name.split(".")[0] == "msgrad" and RANK[_layer(name.split(".")[1:])] > RANK[own]
    }
    assert not upwards


def _module(name: str) -> str | None:
    """Return the path of the module that an imported name is, or is in."""
    path = name.removeprefix("msgrad.").replace(".", "/")
    for candidate in (f"{path}.py", f"{path}/__init__.py", f"{path.rpartition('/')[0]}.py"):
        if (ROOT / candidate).is_file():
            return candidate
    return None


def _strict_imports() -> dict[str, set[str]]:
    """Return what each module of the strict rooms imports of them."""
    modules = [m for m in _modules() if m.split("/")[0] in STRICT]
    trees = {m: ast.parse((ROOT / m).read_text()) for m in modules}
    found = {m: {_module(name) for name in _imports(tree, True)} for m, tree in trees.items()}
    return {m: {i for i in imports if i in trees and i != m} for m, imports in found.items()}


def test_no_import_runs_in_a_circle():
    rest = _strict_imports()
    while ready := [m for m, imports in rest.items() if not imports & rest.keys()]:
        for module in ready:
            del rest[module]
    assert not rest


def test_the_rooms_of_the_core_stand_in_order():
    def room(module: str) -> int:
        name = module.removeprefix("_core/").split("/")[0].removesuffix(".py")
        return ROOMS.index(name) if name in ROOMS else 0

    for module, imports in _strict_imports().items():
        if module.startswith("_core/"):
            assert max(map(room, imports), default=0) <= room(module), module
