"""Checking and normalising axes: the one place that says what "out of range" means."""

from __future__ import annotations

from typing import Any

from msgrad._core.bridge import too_large
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError


def normal_axis(axis: Any, ndim: int, label: str = "axis") -> int:
    """Return ``axis`` counted from the front.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it lies outside ``[-ndim, ndim)``.
    """
    if type(axis) is not int:
        raise ArgumentTypeError(
            f"the type of '{label}' must be 'int', but got '{axis}' with type "
            f"'{type(axis).__name__}'."
        )
    if not -(2**63) <= axis < 2**63:
        raise too_large("", label, axis)
    if not -ndim <= axis < ndim:
        raise ArgumentValueError(
            f"the '{label}' must be in the range of [{-ndim}, {ndim}), but got {axis}."
        )
    return axis % ndim


def normal_axes(axes: Any, ndim: int, label: str = "axis") -> tuple[int, ...]:
    """Return an int or a sequence of ints as distinct axes counted from the front.

    Raises:
        TypeError: If one is not an int.
        ValueError: If one is out of range or given twice.
    """
    given = (axes,) if type(axes) is int else tuple(axes)
    found = tuple(normal_axis(axis, ndim, label) for axis in given)
    if len(set(found)) != len(found):
        raise ArgumentValueError(f"the '{label}' must all be unique dimensions, but got {given}.")
    return found
