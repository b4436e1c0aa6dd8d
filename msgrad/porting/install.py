"""``install`` and ``uninstall``: ``import mindspore`` means msgrad; nothing is run here.

A finder at the front of ``sys.meta_path`` answers for ``mindspore`` and everything below it with
the *same module objects* that msgrad has, so ``mindspore.nn.Cell is msgrad.nn.Cell``. Classes keep
their msgrad module names, hence pickles load with and without ``install()``.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import sys
import threading
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import Distribution
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from msgrad._core.errors import InstallError, ModuleMissingError, TextLater
from msgrad._core.left_out import why_left_out
from msgrad._core.missing import SEE_CHECK, missing_text, nearest_names
from msgrad._core.path_tables import BESIDE, PATHS
from msgrad._core.paths import extend, is_path
from msgrad.version import __version__

ALIAS = "mindspore"
PACKAGE = "msgrad"


def msgrad_path(name: str) -> str | None:
    """Return msgrad's name of a ``mindspore`` module path, or None for a path of something else."""
    if name == ALIAS or name.startswith(f"{ALIAS}."):
        return PACKAGE + name[len(ALIAS) :]
    return None


def module_names() -> list[str]:
    """Return the path of every public module that msgrad has, as MindSpore spells it."""
    root = sys.modules[PACKAGE]
    found = [
        ALIAS + info.name[len(PACKAGE) :]
        for info in pkgutil.walk_packages(root.__path__, f"{PACKAGE}.")
    ]
    found += [f"{ALIAS}.{path}" for path in PATHS]
    return [ALIAS] + [name for name in found if not any(p[0] == "_" for p in name.split("."))]


def missing_module_text(name: str) -> str:
    """Return the sentence that an absent module path raises with."""
    why = why_left_out(name)
    if why is not None:
        return f"msgrad leaves out the module '{name}': {why}."
    near = nearest_names(name, module_names())
    hint = f"nearest: {', '.join(near)}" if near else "no module comes near it"
    return f"msgrad has no module '{name}' yet; {hint}{SEE_CHECK}"


class _MindSporeDistribution(Distribution):
    """What ``importlib.metadata`` says of ``mindspore``: its name and version, and no files."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {ALIAS}\nVersion: {__version__}\n"

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return Path(path)


class _AliasLoader(Loader):
    """Loads ``mindspore.X`` by handing out the module ``msgrad.X``."""

    def __init__(self, target: str) -> None:
        self._target = target

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._target)
        extend(module)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just stamped the alias's spec on the module.
        module.__spec__ = self._spec


class _AliasFinder(MetaPathFinder):
    """Finds ``mindspore`` and the modules below it in msgrad."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        own = msgrad_path(fullname)
        if own is None:
            return None
        # `path` is where the parent looks for its modules, and the parent is msgrad's own.
        known = own in sys.modules or is_path(own)
        if not known and PathFinder.find_spec(own, path) is None:
            # Mostly caught unread (`except ImportError`), and the text needs every module's name.
            raise ModuleMissingError(TextLater(missing_module_text, fullname), name=fullname)
        return importlib.util.spec_from_loader(fullname, _AliasLoader(own))

    def find_distributions(self, context: Any = None) -> list[Any]:
        """Answer ``importlib.metadata``: libraries ask it whether MindSpore is installed."""
        name = getattr(context, "name", None)
        return [_MindSporeDistribution()] if name is None or name.lower() == ALIAS else []


class _MissingNameFinder(MetaPathFinder):
    """Asked last, when nothing else has the module: explains ``from mindspore.X import absent``.

    Python looks for a name that a package lacks among its submodules, and would then say only that
    it cannot be imported.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        parent, _, name = fullname.rpartition(".")
        if parent.split(".")[0] != PACKAGE or parent not in sys.modules:
            return None
        text = TextLater(missing_text, parent, name, sys.modules[parent])
        # Another name than the module asked for: that one Python would swallow.
        raise ModuleMissingError(text, name=ALIAS + fullname[len(PACKAGE) :])


_alias_finder = _AliasFinder()
_missing_finder = _MissingNameFinder()
_held: set[Installation] = set()
# Whoever puts the finders in their places or takes them away; not held when a process is forked.
_turn = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_turn.acquire, after_in_parent=_turn.release, after_in_child=_turn.release
    )


class Installation:
    """What ``install`` returns; as a context manager it undoes its own installation at the end."""

    def __enter__(self) -> Installation:
        return self

    def __exit__(self, *error: object) -> None:
        with _turn:
            _held.discard(self)
            if not _held:
                _remove()


def install() -> Installation:
    """Make ``import mindspore`` and every module path below it resolve to msgrad.

    May be called again while installed, and used as a context manager::

        with msgrad.install():
            import mindspore as ms

    Returns:
        An ``Installation``; leaving its ``with`` block undoes this call, and the last one to end
        takes the name ``mindspore`` away.

    Raises:
        ImportError: If MindSpore itself has been imported in this process.
    """
    # MindSpore loads these with itself, so that a program which replaces names of ``ops`` leaves
    # them as they are.
    importlib.import_module(f"{PACKAGE}.mint.nn")
    # For who reads them without an import: ``mindspore.train.model._StepSync``.
    for path in BESIDE:
        if f"{PACKAGE}.{path}" in sys.modules:
            extend(sys.modules[f"{PACKAGE}.{path}"])
    with _turn:
        present: Any = sys.modules.get(ALIAS)
        own = sys.modules[PACKAGE]
        if present is not None and present is not own:
            raise InstallError(
                "MindSpore itself is already imported (from "
                f"{getattr(present, '__file__', None)}); call msgrad.install() before anything "
                "imports mindspore.",
                name=ALIAS,
            )
        if _alias_finder not in sys.meta_path:
            sys.meta_path.insert(0, _alias_finder)
            sys.meta_path.append(_missing_finder)
            # MindSpore has NumPy 1, in which a metric in a dict prints as 0.5, not np.float64(0.5).
            np.set_printoptions(legacy="1.25")
        sys.modules[ALIAS] = own
        installation = Installation()
        _held.add(installation)
        return installation


def uninstall() -> None:
    """Undo every ``install``: ``import mindspore`` finds what it found before.

    Objects imported in the meantime stay usable. Without an ``install`` this does nothing.
    """
    with _turn:
        _held.clear()
        _remove()


def _remove() -> None:
    if _alias_finder in sys.meta_path:
        np.set_printoptions(legacy=False)
    for finder in (_alias_finder, _missing_finder):
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
    # A copy in one piece: other threads import meanwhile.
    for name in [n for n in list(sys.modules) if msgrad_path(n) is not None]:
        own = msgrad_path(name)
        if own is not None and sys.modules[name] is sys.modules.get(own):
            del sys.modules[name]
