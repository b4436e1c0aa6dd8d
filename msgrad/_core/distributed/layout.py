"""``Layout``: names for the axes of a grid of devices, and which of them cut which dimension."""

from __future__ import annotations

import copy
import math
from typing import Any

from msgrad._core.checks import of_type
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError

# An axis of the grid that cuts a Tensor on one device.
VIRTUAL = "interleaved_parallel"


class Layout:
    """Names for the axes of a grid of devices; called with some of them, one for each dimension.

    Args:
        device_matrix: The sizes of the grid, a tuple of ints.
        alias_name: A name for each; ``interleaved_parallel``, which may be the last, is no axis of
            devices and has no effect.
        rank_list: The devices, a list of ints; all in order by default.

    Raises:
        TypeError: If one of them, or of what is in them, is of another type.
        ValueError: If there are more or fewer names or devices than sizes say, or a name is empty,
            ``'None'``, there twice, or one that may only be the last.

    Differs from MindSpore: which device has which part is left to JAX, whatever ``rank_list`` says.
    """

    def __init__(
        self,
        device_matrix: tuple[int, ...],
        alias_name: tuple[str, ...],
        rank_list: list[int] | None = None,
    ) -> None:
        for name, value, kind in (
            ("device_matrix", device_matrix, int),
            ("alias_name", alias_name, str),
        ):
            of_type("Layout", name, value, tuple)
            _check_elements(name, value, kind)
        if len(device_matrix) != len(alias_name):
            raise ArgumentValueError(
                f"device_matrix and alias_name must have one length, but got {device_matrix} and "
                f"{alias_name}."
            )
        if {"", "None"} & {*alias_name} or len({*alias_name}) < len(alias_name):
            raise ArgumentValueError(
                "The names of alias_name must differ, and none be empty or 'None', which stands "
                f"for a dimension that is not cut, but got {alias_name}."
            )
        if VIRTUAL in alias_name[:-1]:
            raise ArgumentValueError(f"'{VIRTUAL}' must be the last of alias_name: {alias_name}.")
        size = max(math.prod(device_matrix), 0)
        if rank_list is not None:
            of_type("Layout", "rank_list", rank_list, list)
            _check_elements("rank_list", rank_list, int)
            if len(rank_list) != size:
                raise ArgumentValueError(
                    f"rank_list must have {size} devices, as device_matrix {device_matrix} has, "
                    f"but got {len(rank_list)}."
                )
        self.device_matrix, self.alias_name = device_matrix, alias_name
        self.rank_list = list(range(size)) if rank_list is None else rank_list
        self._tensor_map: tuple[Any, ...] | None = None

    def __call__(self, *tensor_map: Any) -> Layout:
        new = copy.copy(self)
        used: set[Any] = set()
        new._tensor_map = tuple(self._place(axis, used) for axis in tensor_map)
        return new

    def _place(self, axis: Any, used: set[Any]) -> Any:
        if isinstance(axis, tuple):
            return tuple(self._place(each, used) for each in axis)
        if axis == "None":
            return -1
        if axis not in self.alias_name:
            raise ArgumentValueError(f"The axis {axis} is not found in {self.alias_name}")
        if axis in used:
            raise ArgumentValueError(f"The axis {axis} cuts two dimensions; each may cut one.")
        used.add(axis)
        return len(self.alias_name) - 1 - self.alias_name.index(axis)

    def to_dict(self) -> dict[str, Any]:
        """Return what it was made of, with the place of each dimension's axis from the end.

        Raises:
            ValueError: If it was not called with axes.
        """
        if self._tensor_map is None:
            raise ArgumentValueError("The tensor_map of layout is None: call it first.")
        return {
            "device_matrix": self.device_matrix,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": VIRTUAL in self.alias_name,
            "alias_name": self.alias_name,
            "rank_list": self.rank_list,
        }

    def cuts(self) -> list[tuple[int, ...]]:
        """Return, for each dimension, the numbers of the grid's axes that cut it."""
        last, virtual = len(self.alias_name) - 1, VIRTUAL in self.alias_name
        places = [p if isinstance(p, tuple) else (p,) for p in self.to_dict()["tensor_map"]]
        return [tuple(last - p for p in each if p > -1 + virtual) for each in places]


def _check_elements(name: str, values: Any, kind: type) -> None:
    for value in values:
        if not isinstance(value, kind):
            raise ArgumentTypeError(
                f"The elements of {name} must be {kind.__name__}, but got {type(value)}"
            )
