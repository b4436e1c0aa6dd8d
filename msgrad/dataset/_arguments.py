"""How arguments of transforms and loaders are checked: kinds, names, numbers and their limits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

MOST = 2**31 - 1


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


def an_int(name: str, value: Any, low: int, high: int = MOST) -> int:
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


def a_list(columns: Any) -> list[str]:
    """Return one name, or several, as a list.

    Raises:
        TypeError: If one is no text.
        ValueError: If there is none, one is empty, or comes twice.
    """
    names = [columns] if isinstance(one_of("columns", columns, str, list), str) else list(columns)
    if not names or "" in names:
        raise ArgumentValueError(f"Columns need names that are not empty, but got {names}.")
    for i, name in enumerate(names):
        one_of(f"columns[{i}]", name, str)
    if len(set(names)) < len(names):
        raise ArgumentValueError(
            "Every column name should not be same with others in column_names."
        )
    return names


def check_count(name: str, value: int, low: int, *also: int) -> None:
    """Raise ``ValueError`` unless a number is ``low`` or more, or one of ``also``."""
    if not low <= value <= MOST and value not in also:
        raise ArgumentValueError(
            f"Input {name} is not within the required interval of [{low}, {MOST}], but is {value}."
        )


def existing_folder(path: str) -> Path:
    """Return a folder that exists; raises ``ValueError`` if it does not."""
    if not Path(path).is_dir():
        raise ArgumentValueError(
            f"The folder {path} does not exist or is not a directory or permission denied!"
        )
    return Path(path)


def check_valid(name: str, value: Any, valid: Iterable[Any]) -> None:
    """Refuse a value that there is not; None is the default.

    Raises:
        ValueError: If it is none of ``valid``.
    """
    if value is not None and value not in (accepted := list(valid)):
        raise ArgumentValueError(
            f"Input {name} is not within the valid set of {accepted}, but got {value}."
        )


def existing_file(path: str) -> Path:
    """Return the path of a file that exists; raises ``ValueError`` if it does not."""
    if not Path(path).is_file():
        raise ArgumentValueError(f"The file {path} does not exist or permission denied!")
    return Path(path)


def check_row_size(max_rowsize: int | list[int] | None) -> None:
    """Raise for sizes of rows, in megabytes, that are none.

    Raises:
        TypeError: For a list of other than two.
        ValueError: For one below -1, which is for any.
    """
    sizes = max_rowsize if isinstance(max_rowsize, list) else [max_rowsize or 0] * 2
    if len(sizes) != 2:
        raise ArgumentTypeError(
            "max_rowsize should be a single integer or a list[in_rowsize, out_rowsize] of length "
            f"2, but got {max_rowsize}."
        )
    check_count("max_rowsize", min(sizes), -1)
