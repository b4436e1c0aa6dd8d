"""What the classes that stand higher look like from below: the types that would make a circle."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol


class OperatorLike(Protocol):
    """An ``Operator`` (``op.py``), or a ``RecordedProgram``, which is recorded like one."""

    name: str

    def compiled(self, options: tuple[Any, ...], /) -> Callable[..., Any]: ...


class ScopeLike(Protocol):
    """A ``Scope`` (``scopes/scope.py``)."""

    parent: ScopeLike | None
    values: dict[int, tuple[Any, Any]]
    written: dict[int, None]
    made: list[weakref.ref[Any]]
    carriers: dict[int, tuple[Any, Any]]
    float_gradients: set[int]
    forward: bool
    recorder: Any

    def substitute(self, tensor: Any, value: Any) -> None: ...
    def lookup(self, tensor: Any) -> Any: ...
    def last_written(self, tensor: Any) -> Any: ...
    def write(self, tensor: Any, value: Any) -> None: ...


class LiftLike(ScopeLike, Protocol):
    """A ``LiftScope`` (``scopes/discovery.py``)."""

    checks: list[Callable[[int], None]]
    branches: int
    drawn: Counter[Any]
    missed: set[tuple[int, str]]
    needed: Any
    number: Any

    def note(self, cell: Any) -> None: ...
    def read(self, cell: Any, name: str) -> None: ...
    def note_askers(self) -> None: ...
    def decide(self, raw: Any) -> bool | None: ...
    def value_of(self, tensor: Any, traced: Any) -> Any: ...
    def note_constant(self, raw: Any, values: Any) -> None: ...
    def within_block(self) -> AbstractContextManager[None]: ...
