"""Padding layers; the operators are in ``msgrad.ops.pad_ops``."""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common.tensor import Tensor
from msgrad.nn.cell import Cell, check_tensor

__all__ = [
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "Pad",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad2d",
]


class Pad(Cell):
    """Pads every dimension.

    Args:
        paddings: A tuple with a pair (before, after) for each dimension, at most 4.
        mode: ``'CONSTANT'`` (zeros), ``'REFLECT'`` or ``'SYMMETRIC'`` (with the edge repeated).

    Raises:
        TypeError: If ``paddings`` is not a tuple of pairs of ints.
        ValueError: For another mode, a negative padding, or paddings that do not fit the input.
    """

    def __init__(self, paddings: tuple[tuple[int, int], ...], mode: str = "CONSTANT") -> None:
        super().__init__()
        if not isinstance(paddings, tuple):
            raise ArgumentTypeError(
                f"For 'Pad', the type of 'paddings' must be tuple, but got "
                f"{type(paddings).__name__}."
            )
        if any(not isinstance(p, (tuple, list)) for p in paddings):
            raise ArgumentTypeError(
                f"For 'Pad', each member of 'paddings' must be a pair of ints, but got {paddings}."
            )
        if any(len(p) != 2 for p in paddings):
            raise ArgumentValueError(
                f"For 'Pad', each member of 'paddings' must have 2 members, but got {paddings}."
            )
        if len(paddings) > 4:
            raise ArgumentValueError(
                f"For 'Pad', only 'paddings' up to 4 dims is supported, but got {len(paddings)}."
            )
        if mode not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
            raise ArgumentValueError(
                "For 'Pad', the 'mode' must be str and must be in '['CONSTANT', 'REFLECT', "
                f"'SYMMETRIC']', but got '{mode}'."
            )
        self.paddings = paddings
        self.mode = mode

    def construct(self, x: Tensor) -> Tensor:
        """Pad the input."""
        check_tensor("Pad", "x", x)
        if self.mode == "CONSTANT":
            return ops.Pad(self.paddings)(x)
        return ops.MirrorPad(self.mode)(x, self.paddings)


class _Around(Cell):
    """Pads the last dimensions, the last one's pair first."""

    _rank = 2
    _mode = "constant"
    _value: Any = None

    def __init__(self, padding: Any) -> None:
        super().__init__()
        owner, count = self.cls_name, 2 * self._rank
        if type(padding) is not int and not isinstance(padding, tuple):
            raise ArgumentTypeError(
                f"For '{owner}', the type of parameter 'padding' must be in [int, tuple], but got "
                f"{type(padding)}"
            )
        members = padding if isinstance(padding, tuple) else (padding,) * count
        if len(members) % 2 or len(members) > count:
            raise ArgumentValueError(
                f"For '{owner}', the length of parameter 'padding' with tuple type must be a "
                f"multiple of 2 and at most {count}, but got {len(members)}"
            )
        if not all(type(p) is int for p in members):
            raise ArgumentTypeError(
                f"For '{owner}', every element in 'padding' must be an int, but got {padding}."
            )
        if self._mode != "constant" and any(p < 0 for p in members):
            raise ArgumentValueError(
                f"For '{owner}' every element in 'padding' must be >= 0. but got {members}. "
            )
        self.padding = members

    def construct(self, x: Tensor) -> Tensor:
        """Pad the input."""
        check_tensor(self.cls_name, "x", x)
        return ops.pad(x, self.padding, self._mode, self._value)


class ZeroPad2d(_Around):
    """Pads the last two dimensions with zeros.

    Args:
        padding: int, or (left, right, top, bottom); negative ones cut.

    Raises:
        TypeError: If ``padding`` is neither.
        ValueError: If it has another length.
    """


class _Constant(_Around):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        if not isinstance(value, (int, float)):
            raise ArgumentTypeError(
                f"For '{self.cls_name}', the type of parameter 'value' should be int or float, but "
                f"got {type(value)}"
            )
        self.value = self._value = value


class ConstantPad1d(_Constant):
    """Pads the last dimension with a number: (padding, value), the first an int or a pair."""

    _rank = 1


class ConstantPad2d(_Constant):
    """Pads the last two dimensions with a number; see ``ZeroPad2d`` and ``ConstantPad1d``."""


class ConstantPad3d(_Constant):
    """Pads the last three dimensions with a number; see ``ConstantPad1d``."""

    _rank = 3


class ReflectionPad1d(_Around):
    """Pads the last dimension with its mirror image, the edge not repeated."""

    _rank = 1
    _mode = "reflect"


class ReflectionPad2d(_Around):
    """Pads the last two dimensions with their mirror image, the edge not repeated."""

    _mode = "reflect"


class ReflectionPad3d(_Around):
    """Pads the last three dimensions with their mirror image, the edge not repeated."""

    _rank = 3
    _mode = "reflect"


class ReplicationPad1d(_Around):
    """Pads the last dimension with the edge."""

    _rank = 1
    _mode = "replicate"


class ReplicationPad2d(_Around):
    """Pads the last two dimensions with the edge."""

    _mode = "replicate"


class ReplicationPad3d(_Around):
    """Pads the last three dimensions with the edge."""

    _rank = 3
    _mode = "replicate"
