"""``check_inputs``: holds a call of a Cell to what ``Cell.set_inputs`` has declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

_HERE = "For set_inputs {} tuple(list) in set_inputs, "


def check_inputs(
    construct: Callable[..., Any],
    declared: tuple[Any, ...],
    by_name: dict[str, Any],
    given: tuple[Any, ...],
) -> None:
    """Compare the arguments of a call with those that were declared, Tensors at the top only.

    Raises:
        TypeError: If their number, a dtype, or what is a Tensor differs.
        ValueError: If a rank or a size differs, or a size is not what its Symbol says.
    """
    names = inspect.signature(construct).parameters
    if not by_name:
        needed = sum(each.default is each.empty for each in names.values())
        if not needed <= len(declared) <= len(names):
            raise ArgumentTypeError(
                f"For 'Cell', the function construct requires {needed} positional argument and "
                f"{len(names) - needed} default argument, total {len(names)}, but got "
                f"{len(declared)}: as many are to be declared by set_inputs."
            )
        by_name = dict(zip(names, declared, strict=False))
    for at, (name, value) in enumerate(zip(names, given, strict=False), 1):
        if name in by_name:
            _check(by_name[name], value, at)


def _check(declared: Any, value: Any, at: int) -> None:
    either, both = _HERE.format("or"), _HERE.format("and")
    if not is_tensor(declared):
        if is_tensor(value):
            raise ArgumentTypeError(f"{either}the {at}th should be static one, but got mutable!")
        return
    if not is_tensor(value):
        raise ArgumentTypeError(f"{either}the {at}th should be mutable one, but got static!")
    if declared.dtype != value.dtype:
        raise ArgumentTypeError(
            f"{either}the {at}th type should be Tensor[{declared.dtype}], but got "
            f"Tensor[{value.dtype}]!"
        )
    shape, sizes = declared.shape, value.shape
    if shape == (-2,):
        return
    if len(shape) != len(sizes):
        raise ArgumentValueError(
            f"{both}the dims of {at}th input must be the same as expected, but got expected: "
            f"{len(shape)}, and input: {len(sizes)}!"
        )
    for axis, (expected, size) in enumerate(zip(shape, sizes, strict=True)):
        if expected not in (-1, size):
            raise ArgumentValueError(
                f"{both}the shape of {at}th input must be the same as expected, but got expected: "
                f"{expected}, and input: {size}!"
            )
        symbol = (declared.symbolic_shape or shape)[axis]
        if isinstance(symbol, dict):
            least, divisor = symbol.get("min", 1), symbol.get("divisor", 1)
            left = symbol.get("remainder", 0)
            if size < max(least, divisor) or size % divisor != left:
                raise ArgumentValueError(
                    f"The {axis + 1}th shape value of {at}th actual input args must be greater "
                    f"than or equal to the 'min' value '{least}' of `Symbol`, and match its "
                    f"'divisor' {divisor} and 'remainder' {left}, but got '{size}'. Actual shape: "
                    f"{[*sizes]}, axis: {axis}."
                )
