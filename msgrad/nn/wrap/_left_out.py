"""Base of the classes that msgrad leaves out, each with the way that is open instead."""

from __future__ import annotations

from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError


class LeftOut:
    """A class that only says that it is not there, and what is there instead."""

    _instead = ""

    def __init_subclass__(cls, instead: str) -> None:
        cls._instead = instead

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(f"msgrad leaves out nn.{type(self).__name__}: {self._instead}.")
