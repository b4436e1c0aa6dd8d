"""Names around ``jit`` that steer MindSpore's compiler and have nothing to steer here."""

from __future__ import annotations

from typing import Any, TypeVar

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError

T = TypeVar("T")


def jit_class(cls: T) -> T:
    """Give the class back: any Python object may be used inside a compiled function."""
    return cls


def mutable(input_data: T, dynamic_len: bool = False) -> T:
    """Give ``input_data`` back: its Tensors are inputs of a compiled function anyway.

    Args:
        input_data: Tensor, or tuple, list or dict of them.
        dynamic_len: Accepted for compatibility.

    Differs from MindSpore: Python numbers in it stay constants of the compiled function.
    """
    if not is_tensor(input_data) and not isinstance(input_data, (tuple, list, dict, int, float)):
        raise ArgumentTypeError(
            "For 'mutable', the 'input_data' must be a Tensor, number, tuple, list or dict, but "
            f"got {type(input_data)}."
        )
    return input_data


def lazy_inline(fn: Any = None, attrs: Any = None, policy: Any = None) -> Any:
    """Give the function back, bare or as a decorator with arguments; XLA decides what to inline."""
    return fn if callable(fn) else lambda function: function
