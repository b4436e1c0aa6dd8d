"""``mindspore.train._utils``: the helpers that training scripts import from there."""

from __future__ import annotations

import os
from typing import Any

from msgrad._core.errors import ArgumentTypeError
from msgrad._core.left_out import refused

_SHARDED = "each rank holds what the sharding of its arrays says"
get_parameter_redundancy = refused(__name__, "get_parameter_redundancy", _SHARDED)
remove_param_redundancy = refused(__name__, "remove_param_redundancy", _SHARDED)


def _make_directory(path: str, arg_name: str = "path") -> str:
    """Make a folder, with those above it, unless it is there; gives its whole path.

    Raises:
        TypeError: If the path is not a str, or empty.
        OSError: If the folder cannot be made.
    """
    if not isinstance(path, str) or not path.strip():
        raise ArgumentTypeError(f"The {arg_name} is invalid, the type should be string.")
    folder = os.path.realpath(path)
    os.makedirs(folder, exist_ok=True)
    return folder


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any) -> None:
    """Check that an argument is of one of some types; a bool is an int only if it is asked for.

    Args:
        arg_name: What the error calls it.
        arg_value: The argument.
        valid_types: A type, or a list or tuple of them.

    Raises:
        TypeError: If it is not.
    """
    types = tuple(valid_types) if isinstance(valid_types, (list, tuple)) else (valid_types,)
    strict_bool = isinstance(arg_value, bool) and bool not in types
    if strict_bool or not isinstance(arg_value, types):
        raise ArgumentTypeError(
            f"For `{arg_name}` the type should be a valid type of "
            f"{[one.__name__ for one in types]}, but got {type(arg_value).__name__}."
        )
