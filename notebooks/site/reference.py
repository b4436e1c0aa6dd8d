"""The pages of the reference: what the public modules export, a section for each defining file.

``__all__`` and the docstrings say all. A name that several modules have stands once, under the path
that is nearest to where it is defined; the others refer to it.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any

from msgrad._core.left_out import is_left_out
from tests.record_exports import PUBLIC

_PACKAGES = {name.split(".")[1] for name in PUBLIC if "." in name} - {"common", "context", "log"}
# With a page for each of their files.
_LARGE = ("ops.", "nn.layer.")
# Those whose methods users call, on a page of their own; of others it is the construction.
_WITH_METHODS = ("Tensor", "Parameter", "nn.Cell", "nn.Optimizer", "train.Model", "train.Callback")
_INTRODUCTION = """
What msgrad exports, from the docstrings. ``import mindspore`` gives the same names after
``msgrad.install()`` and under ``python -m msgrad run``. What is not here is on :doc:`../coverage`.
"""


def pages() -> dict[str, str]:
    """Return the text of each page, in reStructuredText, by its name."""
    files: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    again: dict[str, list[str]] = defaultdict(list)
    for paths, value in _public():
        path = min(paths, key=lambda path: _rank(path, value))
        page, module = _place(path, value)
        files[page][module][path] = _entry(path, value)
        for other in paths:
            if _package(other) != _package(path):
                again[_package(other) or "msgrad"].append(f"``{other}`` is :py:obj:`{path}`")
    made = {}
    for page in sorted({*files, *again}):
        inside = [name for name in sorted(files) if name.startswith(f"{page}.")]
        text = _heading(_title(page), "=") + _toctree(inside)
        for module, entries in sorted(files[page].items()):
            text += _introduction(module, single=len(files[page]) == 1)
            text += f"{_names(entries)}\n\n" + "\n".join(entries[path] for path in sorted(entries))
        if again[page]:
            lines = "\n".join(f"- {line}" for line in sorted(again[page]))
            text += f"{_heading('Also under these names', '-')}\n{lines}\n"
        made[page] = text
    first = [page for page in made if "." not in page]
    made["index"] = f"{_heading('Reference', '=')}{_INTRODUCTION}{_toctree(first)}"
    return made


def reason(value: Any) -> str | None:
    """Return why something is left out, and what to use instead; None if it is not."""
    if not is_left_out(value):
        return None
    text = getattr(value, "_text", None) or (inspect.getdoc(value) or "").partition("\n")[0]
    return text.partition(": ")[2].rstrip(".")


def _public() -> Iterator[tuple[list[str], Any]]:
    """Yield what is public and can be called, with all its paths."""
    found: dict[int, tuple[list[str], Any]] = {}
    for module in PUBLIC:
        owner = importlib.import_module(module)
        for name in owner.__all__:
            value = getattr(owner, name)
            if callable(value) and value is not functools.partial and not is_left_out(value):
                found.setdefault(id(value), ([], value))[0].append(f"{module}.{name}")
    yield from found.values()


def _package(path: str) -> str:
    """Return the package that a dotted path leads into, nothing for the top level."""
    parts = path.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in _PACKAGES else ""


def _module(value: Any) -> str:
    """Return the file that defines it; of files that are not public, the package."""
    parts = (getattr(value, "__module__", None) or "msgrad").split(".")
    shown = takewhile(lambda part: not part.startswith("_"), parts)
    return ".".join(shown) if parts[0] == "msgrad" else "msgrad"


def _rank(path: str, value: Any) -> tuple[bool, int, str]:
    return _package(path) != _package(_module(value)), path.count("."), path


def _place(path: str, value: Any) -> tuple[str, str]:
    """Return the page and the file of what is documented."""
    module = _module(value)
    inner, name = module.partition(".")[2], path.partition(".")[2]
    if name in _WITH_METHODS:
        return name, module
    return (inner if inner.startswith(_LARGE) else _package(module) or "msgrad"), module


def _entry(path: str, value: Any) -> str:
    kind = "class" if isinstance(value, type) else "function"
    options = ""
    if path.partition(".")[2] in _WITH_METHODS:
        options = "   :members:\n"
    return f".. auto{kind}:: {path}\n{options}"


def _introduction(module: str, *, single: bool) -> str:
    text = inspect.getdoc(importlib.import_module(module)) or ""
    heading = "" if single or "." not in module else _heading(_words(module), "-")
    return f"{heading}\n{text.partition(chr(10) * 2)[0]}\n\n"


def _title(page: str) -> str:
    package, _, file = page.rpartition(".")
    if page.startswith(_LARGE):
        return f"msgrad.{package}: {_words(file)}"
    return page if page == "msgrad" else f"msgrad.{page}"


def _words(module: str) -> str:
    """Return the name of a file as a heading."""
    name = module.rpartition(".")[2].strip("_").removesuffix("_ops").removesuffix("_op")
    return name.replace("_", " ").capitalize()


def _names(paths: Iterable[str]) -> str:
    """Return links to what follows; as entries of the table of contents they cost half the time."""
    return " · ".join(f":py:obj:`{path.rpartition('.')[2]} <{path}>`" for path in sorted(paths))


def _heading(text: str, line: str) -> str:
    return f"\n{text}\n{line * len(text)}\n"


def _toctree(names: list[str]) -> str:
    listed = "".join(f"   {name}\n" for name in names)
    return f"\n.. toctree::\n   :maxdepth: 1\n\n{listed}\n" if names else ""
