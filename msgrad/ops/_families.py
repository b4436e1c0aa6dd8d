"""What the families of operators define: read from their modules and rows, written nowhere."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from msgrad._core.registry import ROWS, Row, row_of
from msgrad._core.spelling import parameters_in, spellings_in, stands_for
from msgrad.ops.primitive import Primitive, primitive


def exports(families: Iterable[ModuleType]) -> dict[str, Any]:
    """Return what ``msgrad.ops`` exports: names of rows, and Primitive classes.

    Args:
        families: The modules of operators; a row's names are those of its module for it.

    Raises:
        ValueError: If two values have one name.
    """
    found: dict[str, Any] = {}
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
        for made in _primitives(row):
            export(made.__name__, made, row.target.__module__)
    return dict(sorted(found.items()))


def _primitives(row: Row) -> Iterable[type[Primitive]]:
    """Yield the classes of a row; ``(*)`` are the keyword-only parameters of its function."""
    for name, text in spellings_in(row.primitive, [row.name]):
        if text == "*":
            own = inspect.signature(row.target).parameters.values()
            params = [p.replace(annotation=p.empty) for p in own if p.kind is p.KEYWORD_ONLY]
        else:
            params = parameters_in(text, row.target.__module__) if text else []
        options = {p.name: p.default for p in params}
        renames = {p.name: stands_for(p) for p in params if stands_for(p) != p.name}
        yield primitive(name, row.target, options, renames, checks=row.checks)
