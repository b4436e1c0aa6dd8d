"""What rows are made of: arrays, and dicts that arrays hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import EngineError

Row = tuple[np.ndarray, ...]


def as_array(value: Any) -> np.ndarray:
    """Return what a source or a function made as a NumPy array.

    Raises:
        RuntimeError: For what none can hold: None, a complex number, objects other than dicts.
    """
    try:
        made = value.asnumpy() if is_tensor(value) else np.asarray(value)
    except ValueError as error:
        raise EngineError(f"Invalid data type: {error}") from error
    if made.dtype.kind in "cmMV" or (made.dtype.kind == "O" and not isinstance(opened(made), dict)):
        raise EngineError(
            f"Invalid data type: rows are made of NumPy arrays, numbers, str, bytes and dict, but "
            f"got {type(value).__name__}. Does a function forget to return?"
        )
    return made


def opened(value: Any) -> Any:
    """Return the dict that an array of none but it holds, in lists too, or else the value."""
    if isinstance(value, list):
        return [opened(one) for one in value]
    held = isinstance(value, np.ndarray) and value.dtype.kind == "O" and value.ndim == 0
    return value.item() if held else value


def called(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of the user's; what it raises is a ``RuntimeError``, as in MindSpore."""
    try:
        return function(*map(opened, arguments))
    except Exception as error:
        raise EngineError(
            "Exception thrown from user defined Python function in dataset: "
            f"{what}. {type(error).__name__}: {error}"
        ) from error
