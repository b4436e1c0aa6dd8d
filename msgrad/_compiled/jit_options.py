"""Names around ``jit`` that steer MindSpore's compiler and have nothing to steer here."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def jit_class(cls: T) -> T:
    """Give the class back: any Python object may be used inside a compiled function."""
    return cls


def lazy_inline(fn: Any = None, attrs: Any = None, policy: Any = None) -> Any:
    """Give the function back, bare or as a decorator with arguments; XLA decides what to inline."""
    return fn if callable(fn) else lambda function: function
