"""``left_out``: the classes that msgrad leaves out, each a row that says what to do instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError


class LeftOut:
    """Base of the classes that only say that they are not there."""

    _text = ""

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(self._text)


def is_left_out(value: Any) -> bool:
    """Whether a class or function only says that it is left out, and what to do instead."""
    if isinstance(value, type):
        return issubclass(value, LeftOut)
    return getattr(value, "__annotations__", {}).get("return") == "NoReturn"


def left_out(module: str, name: str, what: str, instead: str) -> type[Any]:
    """Make a class whose constructor says that it is left out.

    Args:
        module: The ``__name__`` of the module that defines it; its first folder stands in the text.
        name: The name of the class.
        what: What it does in MindSpore, for the docstring.
        instead: The way that is open instead.
    """
    text = f"msgrad leaves out {module.split('.')[1]}.{name}: {instead}."
    doc = f"Left out: {what}.\n\nRaises:\n    NotImplementedError: Always."
    return type(name, (LeftOut,), {"_text": text, "__doc__": doc, "__module__": module})


def refused(module: str, name: str, instead: str) -> Callable[..., NoReturn]:
    """Make a function that says that it is left out.

    Args:
        module: The ``__name__`` of the module that defines it.
        name: The name of the function.
        instead: Why, or the way that is open instead.
    """

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(f"msgrad leaves out {name}: {instead}.")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__module__ = module
    refuse.__doc__ = f"Left out: {instead}.\n\nRaises:\n    NotImplementedError: Always."
    return refuse


def left_out_all(module: str, what: str, rows: Mapping[str, str]) -> dict[str, type[Any]]:
    """Make the classes of a table.

    Args:
        module: The ``__name__`` of the module that defines them.
        what: What they are, for the docstrings.
        rows: Why, or the way that is open instead -> names.
    """
    return {
        name: left_out(module, name, what, why)
        for why, names in rows.items()
        for name in names.split()
    }
