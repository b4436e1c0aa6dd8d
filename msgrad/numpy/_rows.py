"""How a row of a table becomes a function of ``mindspore.numpy``: array-likes in, ``dtype`` out.

The operator that computes stands in ``msgrad.ops``, or beside the row where MindSpore's function
has no twin there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad._core.declared import checked
from msgrad.common.tensor import Tensor
from msgrad.numpy.utils import tensor, typed

Function = Callable[..., Any]


def _finished(call: Function, name: str, summary: str) -> Any:
    call.__name__ = call.__qualname__ = name
    call.__doc__ = summary
    call.__module__ = "msgrad.numpy"
    return checked(call)


def unary(name: str, function: Function, summary: str, *, strict: bool = False) -> Any:
    """Make the function ``name(x, dtype=None)``; ``strict``: Tensors only."""

    def of_any(x: Any, dtype: Any = None) -> Tensor:
        return typed(function(tensor(x)), dtype)

    def of_tensor(x: Tensor, dtype: Any = None) -> Tensor:
        return typed(function(x), dtype)

    return _finished(of_tensor if strict else of_any, name, summary)


def binary(name: str, function: Function, summary: str, *, strict: bool = False) -> Any:
    """Make the function ``name(x1, x2, dtype=None)``; ``strict``: Tensors only."""

    def of_any(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
        return typed(function(tensor(x1), tensor(x2)), dtype)

    def of_tensors(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
        return typed(function(x1, x2), dtype)

    return _finished(of_tensors if strict else of_any, name, summary)
