"""``_no_grad``: a block, or a function, in which results carry no gradient."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

from msgrad._core.context import context


class _no_grad(ContextDecorator):
    """Context manager and decorator: the operators inside give results without a gradient."""

    def __init__(self) -> None:
        self._outer: list[bool] = []

    def _recreate_cm(self) -> _no_grad:
        # Each call of a decorated function has its own: it may be recursive, or run in two threads.
        return type(self)()

    def __enter__(self) -> None:
        self._outer.append(context.no_grad)
        context.no_grad = True

    def __exit__(self, *exception: Any) -> None:
        context.no_grad = self._outer.pop()
