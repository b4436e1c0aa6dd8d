"""What the families of operators define: read from their modules and rows, written nowhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType
from typing import Any

from msgrad._core.registry import ROWS, Row, row_of
from msgrad._core.spelling import parameters_in, spelled, spellings_in, stands_for
from msgrad.ops.primitive import Primitive, primitive


def exports(
    families: Iterable[ModuleType],
) -> tuple[dict[str, Any], dict[str, Callable[[], type[Primitive]]]]:
    """Return what ``msgrad.ops`` exports: names of rows, and what makes Primitive classes.

    Args:
        families: The modules of operators; a row's names are those of its module for it.

    Returns:
        The values by name, and for the classes of rows, which are made when they are asked for,
        a function by name.

    Raises:
        ValueError: If two values have one name.
    """
    found: dict[str, Any] = {}
    classes: dict[str, Callable[[], type[Primitive]]] = {}
    places: dict[str, str] = {}

    def export(name: str, value: Any, place: str) -> None:
        first = places.setdefault(name, place)
        if found.setdefault(name, value) is not value:
            raise ValueError(f"ops.{name} is defined twice, in {first} and {place}.")

    for family in families:
        for name, value in list(vars(family).items()):
            row = row_of(value)
            if row is not None and getattr(value, "__module__", None) == family.__name__:
                row.names = list(dict.fromkeys([*row.names, name]))
                # What another function made has no name of its own.
                value.__name__ = value.__qualname__ = row.names[0]
            is_class = isinstance(value, type) and issubclass(value, Primitive)
            if (is_class or (row is not None and row.public)) and name[0] != "_":
                export(name, value, family.__name__)
    for row in ROWS.values():
        for name, text in spellings_in(row.primitive, [row.name]):
            classes[name] = partial(_primitive, row, name, text)
            export(name, classes[name], row.target.__module__)
    return {n: found[n] for n in sorted(found) if n not in classes}, classes


def _primitive(row: Row, name: str, text: str | None) -> type[Primitive]:
    """Make a class of a row; ``*`` are keyword-only parameters, ``...`` all options of a kernel.

    What stands before ``/`` is a spelling of the call, as ``Chunk(x, chunks, dim: axis = 0, /)``.
    """
    target, told, (call, slash, options) = row.target, {}, (text or "").partition("/")
    if slash:
        text = options.lstrip(", ")
        whole = f"{call}*, {text}" if text else call
        target = spelled(target, name, whole)
        told = {p.name: stands_for(p) for p in parameters_in(whole, row.target.__module__)}
    if text in ("*", "..."):
        own = list(inspect.signature(target).parameters.values())
        own = own[target.arity :] if text == "..." else [p for p in own if p.kind is p.KEYWORD_ONLY]
        params = [p.replace(annotation=p.empty) for p in own]
    else:
        params = parameters_in(text, row.target.__module__) if text else []
        params = [p for p in params if p.name != "_"]
    options = {p.name: p.default for p in params}
    renames = {p.name: stands_for(p) for p in params if not slash and stands_for(p) != p.name}
    return primitive(name, target, options, renames, checks=row.checks, told=told)
