"""What msgrad has of MindSpore's public names, looked up in the modules themselves.

The names of MindSpore 2.10.0 stand in ``mindspore_names.txt``, one per line; reading programs is
in ``scan.py``, printing in ``cli.py``.
"""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from types import ModuleType
from typing import Any

from msgrad._core.left_out import NOT_THERE, is_left_out
from msgrad._core.missing import missing_text
from msgrad._core.paths import Forwarding, is_dropped, is_path
from msgrad.porting.install import ALIAS, missing_module_text, msgrad_path


@dataclass(frozen=True)
class Coverage:
    """How many public names of one module or class of MindSpore msgrad has.

    Attributes:
        owner: ``mindspore.nn``, ``mindspore.Tensor``.
        have: How many of its names msgrad has.
        refused: How many msgrad leaves out, and says so, with the way that is open, when called.
        total: How many names it has in MindSpore.
    """

    owner: str
    have: int
    refused: int
    total: int


def mindspore_names() -> list[str]:
    """Return every public name of MindSpore 2.10.0 as a dotted path."""
    text = files("msgrad.porting").joinpath("mindspore_names.txt").read_text(encoding="utf-8")
    return text.split()


@functools.cache
def first_missing(path: str) -> tuple[str, str] | None:
    """Return the name that is missing on a dotted path, and what to tell about it; None if none is.

    Nothing of the path is run.

    In ``mindspore.nn.NoSuchLayer.attribute`` that is ``mindspore.nn.NoSuchLayer``; below a module
    that is missing it is the whole path.
    """
    found = _walk(path)
    if found is None:
        return None
    why = NOT_THERE.get(found[0])
    return found[0], f"msgrad leaves out {found[0]}: {why}" if why else found[1]()


def _walk(path: str) -> tuple[str, Callable[[], str]] | None:
    here: Any = importlib.import_module(msgrad_path(ALIAS) or ALIAS)
    at = ALIAS
    for part in path.split(".")[1:]:
        owner, at = at, f"{at}.{part}"
        if isinstance(here, ModuleType):
            child = _member(here, part)
            if child is None:
                if part.islower() and at != path:
                    return path, partial(missing_module_text, at)
                module = msgrad_path(owner) or owner
                return at, partial(missing_text, module, part, here)
            here = child
        elif isinstance(here, type):
            if not hasattr(here, part):
                return at, partial(missing_text, msgrad_path(owner) or owner, part, here)
            here = getattr(here, part)
        else:
            # A function, dtype or constant: what it has is decided when the program runs. A
            # function may hide a module of its name, as ``parallel.shard``.
            path_here = msgrad_path(owner)
            if path_here is None or not is_path(path_here) or hasattr(here, part):
                return None
            module = importlib.import_module(path_here)
            if _member(module, part) is None:
                return at, partial(missing_text, path_here, part, module)
            return None
    return None


def _member(module: ModuleType, name: str) -> Any:
    places = getattr(vars(module).get("__getattr__"), "places", ())
    if name in vars(module) or name in places or name in getattr(module, "__all__", ()):
        return getattr(module, name)
    if isinstance(module, Forwarding) or is_dropped(f"{module.__name__}.{name}"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return getattr(module, name, None)
    if not hasattr(module, "__path__"):
        return None
    child = f"{module.__name__}.{name}"
    try:
        return importlib.import_module(child)
    except ModuleNotFoundError as error:
        if error.name != child:
            raise
        return None


def coverage() -> list[Coverage]:
    """Count, for each module and class of MindSpore with public names, those that msgrad has."""
    owners: dict[str, list[str]] = {}
    for name in mindspore_names():
        owners.setdefault(name.rpartition(".")[0], []).append(name)
    return [_count(owner, names) for owner, names in owners.items()]


def _count(owner: str, names: list[str]) -> Coverage:
    # To look for near names would take most of the time.
    found = [name for name in names if _walk(name) is None]
    refused = sum(is_left_out(value_of(name)) for name in found)
    listed = sum(name in NOT_THERE for name in names if name not in found)
    return Coverage(owner, len(found) - refused, refused + listed, len(names))


def why_lacking(path: str) -> str | None:
    """Return why a public name of MindSpore is missing or left out; None if it is there."""
    if lacking := first_missing(path):
        return lacking[1]
    value = value_of(path)
    if not is_left_out(value):
        return None
    return getattr(value, "_text", None) or (value.__doc__ or "").partition("\n")[0]


def value_of(path: str) -> Any:
    """Return what stands at a dotted path of MindSpore; None where nothing does."""
    here: Any = importlib.import_module(msgrad_path(ALIAS) or ALIAS)
    for part in path.split(".")[1:]:
        own = isinstance(here, ModuleType)
        here = _member(here, part) if own else getattr(here, part, None)
    return here
