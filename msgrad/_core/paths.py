"""MindSpore's other import paths, and names it has dropped: no file stands behind one.

They are rows of ``path_tables.py``, and nothing is loaded before it is asked for.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from msgrad._core.path_tables import (
    BESIDE,
    DROPPED,
    DROPPED_PATHS,
    HOMES,
    LATER,
    PATHS,
    SHARED,
)

_PACKAGE = "msgrad"
_ROWS = PATHS | DROPPED_PATHS


def later(package: str) -> dict[str, str]:
    """Return the public names of a package that it looks up late, with the modules that have them.

    Args:
        package: Its ``__name__``.
    """
    rows = LATER.get(package.removeprefix(_PACKAGE).removeprefix("."), {})
    return {name: f"{_PACKAGE}.{module}" for name, module in rows.items()}


def home(module: str) -> str | None:
    """Return the package whose names a module has too, None for none."""
    found = HOMES.get(module.rpartition(".")[0].removeprefix(f"{_PACKAGE}."))
    return found and f"{_PACKAGE}.{found}"


def is_path(name: str) -> bool:
    """Whether a table has a module path, as ``msgrad.ops.function``."""
    return name.removeprefix(f"{_PACKAGE}.") in _ROWS


def _warn(name: str, target: str) -> None:
    warnings.warn(
        f"MindSpore 2.10 has no {name.replace(_PACKAGE, 'mindspore', 1)}; it is {target} here.",
        DeprecationWarning,
        stacklevel=4,
    )


def is_dropped(name: str) -> bool:
    """Whether a dotted name is one that MindSpore has dropped and msgrad has."""
    return name.removeprefix(f"{_PACKAGE}.") in DROPPED


def dropped(name: str) -> Any:
    """Return what stands for a dotted name that MindSpore has dropped, with a warning."""
    source, _, own = DROPPED[name.removeprefix(f"{_PACKAGE}.")].partition(":")
    found = getattr(importlib.import_module(f"{_PACKAGE}.{source}"), own)
    inner = found.__module__.startswith(f"{_PACKAGE}.porting.inner")
    _warn(name, "made" if inner else f"{found.__module__}.{found.__qualname__}")
    return found


def _sources(row: str) -> Iterator[tuple[str, dict[str, str] | None]]:
    """Yield the modules of a row, each with the names taken from it, None for all of them."""
    for source in row.split():
        module, _, names = source.partition(":")
        pairs = (name.partition("=")[::2] for name in names.split(",") if name)
        yield f"{_PACKAGE}.{module}".rstrip("."), {new or old: old for old, new in pairs} or None


ABSENT = object()
_asked = threading.local()


def looked_up(module: str, name: str, shared: bool = True) -> Any:
    """Return what the tables say that a module has under a name, ``ABSENT`` for nothing.

    Args:
        module: Its ``__name__``.
        name: Not one of Python's own, as ``__wrapped__``.
        shared: Whether also those that all files have.
    """
    # Modules may have the names of one another: a question that comes back has no answer, and what
    # all files have is of the one that was asked first.
    asked = vars(_asked).setdefault("questions", [])
    if (module, name) in asked:
        return ABSENT
    asked.append((module, name))
    try:
        return _first(module, name, shared and len(asked) == 1)
    finally:
        asked.pop()


def _first(module: str, name: str, shared: bool) -> Any:
    path = module.removeprefix(_PACKAGE).removeprefix(".")
    rows = _ROWS.get(path) or BESIDE.get(path, "")
    if shared and "." in path:
        rows = f"{rows} {SHARED}"
    for source, names in _sources(rows):
        if names is None or name in names:
            found = _found(source)
            label = name if names is None else names[name]
            value = ABSENT if found is None else getattr(found, label, ABSENT)
            if isinstance(value, Forwarding):
                # A module below another is not one of its names, but a function that it hides is.
                value = vars(value).get(label, ABSENT if names is None else value)
            if value is not ABSENT:
                return value
    return ABSENT


def extend(module: ModuleType) -> None:
    """Make a file have the names that MindSpore's file of this path has, too."""
    own = module.__name__

    def __getattr__(name: str) -> Any:
        value = ABSENT if name.startswith("__") else looked_up(own, name)
        if value is ABSENT:
            raise AttributeError(f"module '{own}' has no attribute '{name}'")
        return value

    vars(module).setdefault("__getattr__", __getattr__)


class Forwarding(ModuleType):
    """A module of the table: it has each name from the moment when that is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return self._public()
        own = self.__name__
        if not (name.startswith("__") and name.endswith("__")):
            if is_dropped(f"{own}.{name}"):
                return dropped(f"{own}.{name}")
            value = looked_up(own, name, shared=False)
            if value is ABSENT and is_path(f"{own}.{name}"):
                value = importlib.import_module(f"{own}.{name}")
            if value is ABSENT:
                value = looked_up(own, name)
            if value is ABSENT:
                # What it hides, as the class ``profiler.mstx``.
                value = getattr(vars(self).get(own.rpartition(".")[2]), name, ABSENT)
            if value is not ABSENT:
                setattr(self, name, value)
                return value
        raise AttributeError(f"module '{own}' has no attribute '{name}'")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # In MindSpore a function of the same name hides the module, as ``parallel.shard``.
        return getattr(self, self.__name__.rpartition(".")[2])(*args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(getattr(self, self.__name__.rpartition(".")[2]))

    def _public(self) -> list[str]:
        found: dict[str, None] = {}
        for module, names in _sources(_ROWS[self.__name__.removeprefix(f"{_PACKAGE}.")]):
            source = _found(module)
            listed = names or getattr(source, "__all__", None) or vars(source or self)
            found.update(dict.fromkeys(name for name in listed if name[0] != "_"))
        return list(found)

    def __dir__(self) -> list[str]:
        return self._public()


def _found(module: str) -> ModuleType | None:
    """Import a module; None where there is none, as where another part has not been built yet."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and module.startswith(error.name):
            return None
        raise


class _Loader(Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Forwarding(spec.name, f"``{spec.name}``: another import path of other modules.")

    def exec_module(self, module: ModuleType) -> None:
        package, _, own = module.__name__.rpartition(".")
        hidden = getattr(sys.modules[package], own, None)
        if hidden is not None and not isinstance(hidden, ModuleType):
            # A function of this name, in whose place Python now puts the module: see ``__call__``.
            setattr(module, own, hidden)
        row = DROPPED_PATHS.get(module.__name__.removeprefix(f"{_PACKAGE}."))
        if row is not None:
            _warn(module.__name__, " or ".join(name for name, _ in _sources(row)))


class _Finder(MetaPathFinder):
    """Finds the modules of the tables; asked after the files, so that a file comes first."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{_PACKAGE}.") or not is_path(fullname):
            return None
        return ModuleSpec(fullname, _Loader(), is_package=True)


# By its names: where this module is loaded anew its classes are others. Packages of others have a
# class of that name there, too.
_own = __name__, _Finder.__name__
if not any((type(f).__module__, type(f).__name__) == _own for f in sys.meta_path):
    sys.meta_path.append(_Finder())
