"""Operators that only move elements, by NumPy for shapes that may not come back.

A slice or a reshape outside of programs is a program of XLA for each shape: 16 to 50 ms to compile,
10 to load from disk, where NumPy takes less than 0.1. Of sentences, whose lengths change, every
mask and target is such a shape. The elements are the same, whoever moves them. What comes back
often enough is compiled: then a call takes a tenth of NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from msgrad._core.context import platform
from msgrad._core.engine import is_tracer, needs_arguments_later, to_device

# Calls of a shape before it is compiled: what they take by NumPy is a small part of that.
_BY_NUMPY = 16
_MAX_SIZE = 2**20
_MAX_KNOWN = 1024


class Moving:
    """An operator with its static arguments, as ``jax.jit`` would give it.

    Args:
        plain: The kernel, which takes NumPy's arrays too.
        jitted: ``jax.jit`` of it.
    """

    def __init__(self, plain: Callable[..., Any], jitted: Callable[..., Any]) -> None:
        self._plain, self.jitted = plain, jitted
        self._calls: dict[Any, int] = {}

    def __call__(self, *operands: Any) -> Any:
        given = operands[0]
        if not isinstance(given, jax.Array) or is_tracer(given):
            return self.jitted(*operands)
        key = given.shape, given.dtype
        calls = self._calls.get(key, 0)
        if calls >= _BY_NUMPY or not _is_plain(given):
            return self.jitted(*operands)
        if len(self._calls) >= _MAX_KNOWN:
            self._calls.clear()
        self._calls[key] = calls + 1
        return to_device(self._plain(np.asarray(given), *operands[1:]))


def _is_plain(given: Any) -> bool:
    """Whether NumPy's array stands for an array of JAX, and no program is made around the call."""
    return (
        given.size <= _MAX_SIZE
        and not (given.weak_type or given.committed)
        and isinstance(given.dtype, np.dtype)
        and platform() == "cpu"
        and not needs_arguments_later()
    )
