"""Padding layers; the operators are in ``msgrad.ops.pad_ops``."""

from __future__ import annotations

from msgrad import ops
from msgrad._core.checks import of_type, one_of
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensor
from msgrad.nn._family import Family
from msgrad.nn.cell import Cell


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
        for pair in of_type("Pad", "paddings", paddings, tuple):
            of_type("Pad", "paddings", pair, tuple, list)
        if any(len(p) != 2 for p in paddings):
            raise ArgumentValueError(
                f"For 'Pad', each member of 'paddings' must have 2 members, but got {paddings}."
            )
        if len(paddings) > 4:
            raise ArgumentValueError(
                f"For 'Pad', only 'paddings' up to 4 dims is supported, but got {len(paddings)}."
            )
        self.paddings = paddings
        self.mode = one_of("Pad", "mode", mode, "CONSTANT", "REFLECT", "SYMMETRIC")

    def construct(self, x: Tensor) -> Tensor:
        check_tensor("Pad", "x", x)
        if self.mode == "CONSTANT":
            return ops.Pad(self.paddings)(x)
        return ops.MirrorPad(self.mode)(x, self.paddings)


class _Around(Family):
    """Pads the last dimensions, the last one's pair first."""

    _rank = 2
    _mode = "constant"
    _value = None

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__()
        owner, count = self.cls_name, 2 * self._rank
        of_type(owner, "padding", padding, int, tuple)
        members = padding if isinstance(padding, tuple) else (padding,) * count
        if len(members) % 2 or len(members) > count:
            raise ArgumentValueError(
                f"For '{owner}', the length of parameter 'padding' with tuple type must be a "
                f"multiple of 2 and at most {count}, but got {len(members)}"
            )
        for member in members:
            of_type(owner, "padding", member, int)
        if self._mode == "reflect" and any(p < 0 for p in members):
            raise ArgumentValueError(
                f"For '{owner}' every element in 'padding' must be >= 0. but got {members}. "
            )
        self._members = self.padding = members
        if self._mode == "reflect":
            pairs = zip(members[::2], members[1::2], strict=True)
            self.padding = [list(pair) for pair in pairs][::-1]

    def construct(self, x: Tensor) -> Tensor:
        check_tensor(self.cls_name, "x", x)
        return ops.pad(x, self._members, self._mode, self._value)


class ZeroPad2d(_Around):
    """Pads the last two dimensions with zeros.

    Args:
        padding: int, or (left, right, top, bottom); negative ones cut.

    Raises:
        TypeError: If ``padding`` is neither.
        ValueError: If it has another length.
    """


class _Constant(_Around):
    def __init__(self, padding: int | tuple[int, ...], value: float) -> None:
        super().__init__(padding)
        of_type(self.cls_name, "value", value, bool, int, float)
        self.value = self._value = value


class ConstantPad1d(_Constant, rank=1):
    """Pads the last dimension with a number: (padding, value), the first an int or a pair."""


class ConstantPad2d(_Constant):
    """Pads the last two dimensions with a number; see ``ZeroPad2d`` and ``ConstantPad1d``."""


class ConstantPad3d(_Constant, rank=3):
    """Pads the last three dimensions with a number; see ``ConstantPad1d``."""


class ReflectionPad1d(_Around, rank=1, mode="reflect"):
    """Pads the last dimension with its mirror image, the edge not repeated."""


class ReflectionPad2d(_Around, mode="reflect"):
    """Pads the last two dimensions with their mirror image, the edge not repeated."""


class ReflectionPad3d(_Around, rank=3, mode="reflect"):
    """Pads the last three dimensions with their mirror image, the edge not repeated."""


class ReplicationPad1d(_Around, rank=1, mode="replicate"):
    """Pads the last dimension with the edge."""


class ReplicationPad2d(_Around, mode="replicate"):
    """Pads the last two dimensions with the edge."""


class ReplicationPad3d(_Around, rank=3, mode="replicate"):
    """Pads the last three dimensions with the edge."""


__all__ = public_names(globals())
