"""The checks of ``mindspore.dataset.core.validator_helpers`` that operations of programs use."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

UINT8_MIN, UINT8_MAX = 0, 2**8 - 1
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
UINT32_MIN, UINT32_MAX = 0, 2**32 - 1
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
UINT64_MIN, UINT64_MAX = 0, 2**64 - 1
FLOAT_MIN_INTEGER, FLOAT_MAX_INTEGER = -(2**24), 2**24
DOUBLE_MIN_INTEGER, DOUBLE_MAX_INTEGER = -(2**53), 2**53
POS_INT_MIN = 1


def check_value(
    value: Any,
    valid_range: Sequence[Any],
    arg_name: str = "",
    left_open_interval: bool = False,
    right_open_interval: bool = False,
) -> None:
    """Check that a number lies in a range.

    Args:
        value: The number.
        valid_range: The two ends.
        arg_name: What the error calls it.
        left_open_interval: Whether the lower end is outside.
        right_open_interval: Whether the upper end is outside.

    Raises:
        ValueError: If it does not.
    """
    low, high = valid_range
    above = value > low if left_open_interval else value >= low
    below = value < high if right_open_interval else value <= high
    if not (above and below):
        span = f"{'[('[left_open_interval]}{low}, {high}{'])'[right_open_interval]}"
        raise ArgumentValueError(f"Input {arg_name} is not within the required interval of {span}.")


def type_check(arg: Any, types: tuple[type, ...], arg_name: str) -> None:
    """Check that an argument is of one of some types; a bool is no number.

    Raises:
        TypeError: If it is not.
    """
    strict_bool = isinstance(arg, bool) and bool not in types
    if strict_bool or not isinstance(arg, tuple(types)):
        shown = types if strict_bool else list(types)
        raise ArgumentTypeError(
            f"Argument {arg_name} with value {arg} is not of type {shown}, but got {type(arg)}."
        )


def type_check_list(args: Any, types: tuple[type, ...], arg_names: Any) -> None:
    """Check the type of each argument of a list; the names are a list, or one for all.

    Raises:
        TypeError: If one is of another type.
    """
    type_check(args, (list, tuple), arg_names if isinstance(arg_names, str) else "args")
    for place, arg in enumerate(args):
        one = isinstance(arg_names, str)
        type_check(arg, types, f"{arg_names}[{place}]" if one else arg_names[place])


def parse_user_args(method: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[list, dict]:
    """Return the arguments of a method in its order, with its defaults, and all by name."""
    bound = inspect.signature(method).bind(method, *args, **kwargs)
    bound.apply_defaults()
    return list(bound.arguments.values())[1:], dict(bound.arguments)


def _number(
    name: str, types: tuple[type, ...], low: float, high: float, is_open: bool = False
) -> Callable[..., None]:
    def check(value: Any, arg_name: str = "") -> None:
        type_check(value, types, arg_name)
        check_value(value, (low, high), arg_name, is_open)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"Check that a number is from {low} to {high}."
    return check


_INT, _FLOAT = (int,), (float, int)
_ROWS: dict[str, tuple[Any, ...]] = {
    "check_uint8": (_INT, UINT8_MIN, UINT8_MAX),
    "check_int32": (_INT, INT32_MIN, INT32_MAX),
    "check_uint32": (_INT, UINT32_MIN, UINT32_MAX),
    "check_uint64": (_INT, UINT64_MIN, UINT64_MAX),
    "check_pos_int32": (_INT, POS_INT_MIN, INT32_MAX),
    "check_pos_int64": (_INT, POS_INT_MIN, INT64_MAX),
    "check_pos_uint32": (_INT, POS_INT_MIN, UINT32_MAX),
    "check_non_negative_int32": (_INT, 0, INT32_MAX),
    "check_float32": (_FLOAT, FLOAT_MIN_INTEGER, FLOAT_MAX_INTEGER),
    "check_float64": (_FLOAT, DOUBLE_MIN_INTEGER, DOUBLE_MAX_INTEGER),
    "check_pos_float32": (_FLOAT, 0, FLOAT_MAX_INTEGER, True),
    "check_pos_float64": (_FLOAT, 0, DOUBLE_MAX_INTEGER, True),
    "check_non_negative_float32": (_FLOAT, 0, FLOAT_MAX_INTEGER),
    "check_non_negative_float64": (_FLOAT, 0, DOUBLE_MAX_INTEGER),
}
globals().update({name: _number(name, *row) for name, row in _ROWS.items()})
__all__ = [
    *(name for name in dir() if name.isupper() and name[0] != "_"),
    *("check_value", "parse_user_args", "type_check", "type_check_list"),
    *_ROWS,
]
