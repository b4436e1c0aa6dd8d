"""Checks of one argument: its type, its range, or that it is one of some values.

Each is told the ``owner`` that the error names: a class or a function; None where MindSpore names
none, and "" in kernels, where the operator puts its name in front of the text.
"""

from __future__ import annotations

import math
from typing import Any

from msgrad._core.bridge import too_large
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, OptionError

REDUCTIONS = ("mean", "sum", "none")


def _the(owner: str | None) -> str:
    return f"For '{owner}', the" if owner else "The" if owner is None else "the"


def positive_int(owner: str | None, name: str, value: Any) -> int:
    """Return ``value`` if it is an int above 0.

    Raises:
        TypeError: If it is not an int (a bool is not).
        ValueError: If it is not positive.
    """
    if isinstance(value, int) and value >= 2**63:
        raise too_large(owner or "it", name, value)
    if not isinstance(value, int):
        kind = OptionError if hasattr(value, "shape") else ArgumentTypeError
        raise kind(f"{_the(owner)} '{name}' must be int, but got '{type(value).__name__}'")
    if isinstance(value, bool) or value <= 0:
        kind = ArgumentTypeError if isinstance(value, bool) else ArgumentValueError
        raise kind(
            f"{_the(owner)} '{name}' must be int and must > 0, but got '{value}' with type "
            f"'{type(value).__name__}'."
        )
    return value


def of_type(owner: str | None, name: str, value: Any, *types: Any) -> Any:
    """Return ``value`` if it is of one of ``types``; a bool only where bool is one of them.

    Raises:
        TypeError: If it is not.
    """
    if isinstance(value, types) and not (isinstance(value, bool) and bool not in types):
        return value
    names = [kind.__name__ for kind in types if kind is not type(None)]
    wanted = f"'{names[0]}'" if len(names) == 1 else f"one of '{names}'"
    raise ArgumentTypeError(
        f"{_the(owner)} type of '{name}' should be {wanted}, but got type '{type(value).__name__}'."
    )


def a_bool(owner: str | None, name: str, value: Any) -> bool:
    """Return ``value`` if it is a bool; raises ``TypeError`` if not."""
    if not isinstance(value, bool):
        raise ArgumentTypeError(
            f"{_the(owner)} '{name}' must be a bool, but got {type(value).__name__}."
        )
    return value


def at_least_zero(owner: str | None, name: str, value: float, *, strictly: bool = False) -> float:
    """Return ``value`` if it is 0 or more (``strictly``: more); raises ``ValueError`` if not."""
    if not 0 <= value < math.inf or (strictly and value == 0):
        raise ArgumentValueError(
            f"{_the(owner)} '{name}' must be float and must {'>' if strictly else '>='} 0, "
            f"but got '{value}' with type 'float'."
        )
    return value


def positive_float(owner: str | None, name: str, value: Any) -> float:
    """Return ``value`` if it is a float above 0.

    Raises:
        TypeError: If it is not a float.
        ValueError: If it is not positive.
    """
    if not isinstance(value, float):
        raise ArgumentTypeError(
            f"{_the(owner)} '{name}' must be float, but got '{type(value).__name__}'"
        )
    return at_least_zero(owner, name, value, strictly=True)


def at_least(owner: str | None, name: str, value: Any, low: float) -> Any:
    """Return ``value`` if it is ``low`` or more; raises ``ValueError`` if not."""
    if value < low:
        raise ArgumentValueError(f"{_the(owner)} '{name}' must be >= {low}, but got {value}.")
    return value


def above(owner: str | None, name: str, value: Any, low: float) -> Any:
    """Return ``value`` if it is more than ``low``; raises ``ValueError`` if not."""
    if value <= low:
        raise ArgumentValueError(f"{_the(owner)} '{name}' must be > {low}, but got {value}.")
    return value


def within(owner: str | None, name: str, value: Any, interval: str) -> Any:
    """Return ``value`` if it lies in an interval, as "[0, 1)"; raises ``ValueError`` if not."""
    low, high = map(float, interval[1:-1].split(","))
    ends = (low,) * (interval[0] == "[") + (high,) * (interval[-1] == "]")
    if not low < value < high and value not in ends:
        raise ArgumentValueError(
            f"{_the(owner)} '{name}' must be in range of {interval}, but got {value} with type "
            f"'{type(value).__name__}'."
        )
    return value


def inside(
    owner: str | None, name: str, value: Any, low: float, high: float, *, closed: bool = False
) -> float:
    """Return ``value`` if it is a float with ``low < value < high`` (``closed``: or an end).

    Raises:
        TypeError: If it is not a float.
        ValueError: If it lies outside.
    """
    of_type(owner, name, value, float)
    return within(owner, name, value, f"[{low}, {high}]" if closed else f"({low}, {high})")


def one_of(owner: str | None, name: str, value: Any, *accepted: Any) -> Any:
    """Return ``value`` if it is one of those accepted; raises ``ValueError`` if not."""
    if value not in accepted:
        texts = "str and must be " if isinstance(accepted[0], str) else ""
        raise ArgumentValueError(
            f"{_the(owner)} '{name}' must be {texts}in '{list(accepted)}', but got '{value}'."
        )
    return value


def a_reduction(owner: str | None, value: Any) -> str:
    """Return ``value`` if it is 'mean', 'sum' or 'none'; raises ``ValueError`` if not."""
    if value not in REDUCTIONS:
        raise ArgumentValueError(
            f"{_the(owner)} 'reduction' must be in {list(REDUCTIONS)}, but got {value}."
        )
    return value
