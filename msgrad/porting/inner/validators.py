"""The checks of ``mindspore.dataset.core.validator_helpers`` that operations of programs use."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

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


def _require(right: bool, text: str, error: type[Exception] = ArgumentValueError) -> None:
    if not right:
        raise error(text)


def is_numpy(img: Any) -> bool:
    """Whether a value is an array of NumPy."""
    return isinstance(img, np.ndarray)


def is_iterable(obj: Any) -> bool:
    """Whether a value can be iterated over."""
    return isinstance(obj, Iterable)


def pad_arg_name(arg_name: str) -> str:
    """Return a name with a space after it, unless it is empty."""
    return arg_name and f"{arg_name} "


check_value_cutoff = functools.partial(check_value, right_open_interval=True)
check_value_ratio = check_value_normalize_std = functools.partial(
    check_value, left_open_interval=True
)


def check_range(values: Sequence[Any], valid_range: Sequence[Any], arg_name: str = "") -> None:
    """Check that a pair is in order and in a range; raises ``ValueError``."""
    low, high = valid_range
    text = f"Input {arg_name} is not within the required interval of [{low}, {high}]."
    _require(low <= values[0] <= values[1] <= high, text)


def check_positive(value: Any, arg_name: str = "") -> None:
    """Check that a number is above 0; raises ``ValueError``."""
    _require(value > 0, f"Input {arg_name} must be greater than 0.")


def _not_zero(types: tuple[type, ...], low: int, high: int) -> Callable[..., None]:
    def check(value: Any, arg_name: str = "") -> None:
        type_check(value, types, arg_name)
        text = (
            f"Input {arg_name} is not within the required interval of [{low}, 0) and (0, {high}]."
        )
        _require(low <= value <= high and value != 0, text)

    check.__doc__ = f"Check that a number is from {low} to {high}, and not 0."
    return check


check_int32_not_zero = _not_zero(_INT, INT32_MIN, INT32_MAX)
check_float32_not_zero = _not_zero(_FLOAT, FLOAT_MIN_INTEGER, FLOAT_MAX_INTEGER)


def check_odd(value: int, arg_name: str = "") -> None:
    """Check that a number is odd; raises ``ValueError``."""
    _require(value % 2 == 1, f"Input {arg_name} is not an odd value.")


def check_2tuple(value: Any, arg_name: str = "") -> None:
    """Check that a value is a tuple of two; raises ``ValueError``."""
    pair = isinstance(value, tuple) and len(value) == 2
    _require(pair, f"Value {arg_name} needs to be a 2-tuple.")


def check_valid_str(value: Any, valid_strings: Sequence[str], arg_name: str = "") -> None:
    """Check that a text is one of several; raises ``TypeError``, ``ValueError``."""
    type_check(value, (str,), arg_name)
    _require(
        value in valid_strings, f"Input {arg_name} is not within the valid set of {valid_strings}."
    )


def check_columns(columns: Any, name: str) -> None:
    """Check the name of a column, or a list of different ones."""
    type_check(columns, (list, str), name)
    if isinstance(columns, str):
        _require(columns != "", f"{name} should not be an empty str.")
        return
    for place, column in enumerate(columns):
        type_check(column, (str,), f"{name}[{place}]")
        _require(column != "", f"{name}[{place}] should not be empty.")
    unique = len(set(columns)) == len(columns)
    _require(unique, "Every column name should not be same with others in column_names.")


def check_filename(path: str) -> None:
    """Check that the name of a file has no special signs; raises ``ValueError``."""
    signs = "\\/:*?\"<>|`&;'"
    _require(
        not set(os.path.basename(path)) & set(signs),
        f"filename should not contain {signs}",
    )


def check_dir(dataset_dir: Any) -> None:
    """Check that there is a folder that can be read; raises ``ValueError``."""
    type_check(dataset_dir, (str,), "dataset_dir")
    _require(
        os.path.isdir(dataset_dir) and os.access(dataset_dir, os.R_OK),
        f"The folder {dataset_dir} does not exist or is not a directory or permission denied!",
    )


def check_file(dataset_file: Any) -> None:
    """Check that there is a file that can be read; raises ``ValueError``."""
    check_filename(dataset_file)
    _require(
        os.path.isfile(dataset_file) and os.access(dataset_file, os.R_OK),
        f"The file {dataset_file} does not exist or permission denied!",
    )


def check_list_same_size(
    list1: Sequence[Any], list2: Sequence[Any], list1_name: str = "", list2_name: str = ""
) -> None:
    """Check that two lists are of one length; raises ``ValueError``."""
    text = f"The size of {list1_name} should be the same as that of {list2_name}."
    _require(len(list1) == len(list2), text)


def check_num_samples(value: Any) -> None:
    """Check how many samples are asked for; raises ``TypeError``, ``ValueError``."""
    type_check(value, (int,), "num_samples")
    text = f"num_samples exceeds the boundary between 0 and {INT64_MAX}(INT64_MAX)!"
    _require(0 <= value <= INT64_MAX, text)


def replace_none(value: Any, default: Any) -> Any:
    """Return a value, or ``default`` for None."""
    return default if value is None else value


def check_dataset_num_shards_shard_id(num_shards: int | None, shard_id: int | None) -> None:
    """Check that there is such a part of a dataset; raises ``ValueError``."""
    together = (num_shards is None) == (shard_id is None)
    _require(together, "num_shards and shard_id need to be passed in together.")
    if num_shards is not None and shard_id is not None:
        _require(shard_id < num_shards, "shard_id should be less than num_shards.")


def check_dict(data: Any, key_type: Any, value_type: Any, param_name: str) -> None:
    """Check a dict, its keys and values; raises ``TypeError``."""
    text = f"{param_name} should be dict type, but got: {type(data)}"
    _require(isinstance(data, dict), text, ArgumentTypeError)
    for key, value in data.items():
        for what, one, kind in (("key", key, key_type), (f"value of '{key}'", value, value_type)):
            text = f"{what} in parameter {param_name} should be {kind} type, but got: {type(one)}"
            _require(isinstance(one, kind), text, ArgumentTypeError)


def validate_dataset_param_value(
    param_list: Sequence[str], param_dict: dict[str, Any], param_type: Any
) -> None:
    """Check the types of arguments that were given, by name."""
    for name in param_list:
        if param_dict.get(name) is not None:
            types = param_type if isinstance(param_type, tuple) else (param_type,)
            type_check(param_dict[name], types, name)


globals().update({name: _number(name, *row) for name, row in _ROWS.items()})
