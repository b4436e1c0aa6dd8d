"""The module-level ``__getattr__``: submodules on demand, and what an absent name says.

There is no list of names here.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Iterable, Mapping
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from msgrad._core.errors import MissingAttributeError, ModuleMissingError, MsgradError, TextLater
from msgrad._core.exports import public_names
from msgrad._core.paths import ABSENT, dropped, home, is_dropped, is_path, later, looked_up

SEE_CHECK = "; see python -m msgrad check"


def library(path: str, extra: str, what: str, error: type[MsgradError] = ModuleMissingError) -> Any:
    """Return a module of a library that one of msgrad's extras brings.

    Args:
        path: Of the module.
        extra: Name of the extra.
        what: What needs it, for the error.
        error: What is raised where it is not installed.
    """
    try:
        return importlib.import_module(path)
    except ImportError:
        name = path.partition(".")[0]
        lacking = error(f"{what} needs the library '{name}': pip install 'msgrad[{extra}]'.")
        if isinstance(lacking, ImportError):
            lacking.name = name
        raise lacking from None


def nearest_names(name: str, candidates: Iterable[str]) -> list[str]:
    """Return up to three public candidates that look like ``name``, the most alike first."""
    # Case aside: `ops.softmax` is what somebody after `ops.SoftMax` looks for.
    spellings: dict[str, str] = {}
    for candidate in sorted(candidates):
        if not candidate.startswith("_"):
            spellings.setdefault(candidate.lower(), candidate)
    found = difflib.get_close_matches(name.lower(), spellings, n=3, cutoff=0.6)
    return [spellings[key] for key in found]


def missing_text(owner: str, name: str, place: ModuleType | type) -> str:
    """Return the sentence that an absent name raises with: finding near names takes milliseconds.

    Args:
        owner: The module that was asked, ``msgrad.ops``.
        name: The name it does not have.
        place: The module, or a class, that has others.
    """
    offered = {*(dir(place) if isinstance(place, type) else vars(place))}
    # A module also has names that it looks up when asked for.
    near = nearest_names(name, offered.union(getattr(place, "__all__", ())))
    hint = f"nearest: {', '.join(near)}" if near else "no name comes near it"
    return f"{owner} has no '{name}' yet; {hint}{SEE_CHECK}"


def missing_names(
    module: str, elsewhere: Mapping[str, str] | None = None, above: str | None = None
) -> Any:
    """Make the ``__getattr__`` (PEP 562) of a public module.

    It loads public submodules when first needed (in MindSpore all are loaded at once, and programs
    write ``ms.common.initializer.Normal`` without importing that), and explains any other name.

    Args:
        module: The module's ``__name__``.
        elsewhere: Name -> the module that has it, of a layer above this one.
        above: A module of a layer above, all of whose names are names of this one, and so of its
            ``__all__``.
    """
    places = {**later(module), **(elsewhere or {})}

    def __getattr__(name: str) -> Any:
        owner = sys.modules[module]
        if name == "__all__" and above:
            return public_names(vars(owner), *importlib.import_module(above).__all__)
        # Python and its tools probe for dunders; those are absent in any module.
        if name.startswith("__"):
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        if name in places:
            return getattr(importlib.import_module(places[name]), name)
        child, path = f"{module}.{name}", getattr(owner, "__path__", None)
        if path is not None and (is_path(child) or PathFinder.find_spec(child, path) is not None):
            return importlib.import_module(child)
        if is_dropped(child):
            return dropped(child)
        if above and name in importlib.import_module(above).__all__:
            return getattr(sys.modules[above], name)
        package = home(module)
        if package and name[0] != "_" and hasattr(importlib.import_module(package), name):
            return getattr(sys.modules[package], name)
        value = looked_up(module, name)
        if value is not ABSENT:
            return value
        raise MissingAttributeError(TextLater(missing_text, module, name, owner))

    # Where the coverage report looks.
    setattr(__getattr__, "places", places)  # noqa: B010
    return __getattr__
