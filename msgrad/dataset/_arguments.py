"""How arguments of transforms and loaders are checked: kinds, numbers and their limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError


def one_of(name: str, value: Any, *kinds: Any) -> Any:
    """Return what is of one of the types, as a member of an enumeration.

    Raises:
        TypeError: If it is not.
    """
    if not isinstance(value, kinds):
        raise ArgumentTypeError(
            f"Argument {name} with value {value} is not of type {list(kinds)}, but got "
            f"{type(value)}."
        )
    return value


def a_probability(prob: Any) -> float:
    """Return a probability; raises ``TypeError`` or ``ValueError`` if it is none."""
    return a_number("prob", prob, 0, 1)


def a_number(name: str, value: Any, low: float = -(2.0**31), high: float = 2.0**31) -> Any:
    """Return a number within limits.

    Raises:
        TypeError, ValueError: If it is none, or outside.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ArgumentTypeError(
            f"Argument {name} with value {value} is not of type [float, int], but got "
            f"{type(value)}."
        )
    if not low <= value <= high:
        raise ArgumentValueError(
            f"Input {name} is not within the required interval of [{low}, {high}], but got {value}."
        )
    return value


def an_int(name: str, value: Any, low: int, high: int = 2**31 - 1) -> int:
    """Return an int within limits.

    Raises:
        TypeError, ValueError: If it is none, or outside.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ArgumentTypeError(
            f"Argument {name} with value {value} is not of type [int], but got {type(value)}."
        )
    return a_number(name, value, low, high)


def check_kind(name: str, value: Any, *kinds: Any) -> None:
    """Raise ``TypeError`` unless a value is of one of the types; a bool is no int."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise ArgumentTypeError(f"{name} must be {wanted}, but got: {type(value).__name__}.")
