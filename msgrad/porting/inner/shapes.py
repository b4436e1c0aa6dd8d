"""Helpers of ``mindspore.common._utils`` and ``ops._utils`` on shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgrad._core.errors import ArgumentValueError


def is_shape_unknown(shape: Sequence[int]) -> bool:
    """Whether a size of a shape is not known before the program runs: -1, or -2 for all."""
    return any(size < 0 for size in shape)


def is_dim_unknown(shape: Sequence[int]) -> bool:
    """Whether even the number of dimensions is not known: ``(-2,)``."""
    return len(shape) == 1 and shape[0] == -2


def get_func(func: Any) -> Any:
    """Return the function itself; MindSpore unwraps those it has compiled."""
    return func


def get_broadcast_shape(
    x_shape: Sequence[int],
    y_shape: Sequence[int],
    prim_name: str,
    arg_name1: str = "x",
    arg_name2: str = "y",
) -> list[int]:
    """Return the shape that two shapes broadcast to; -1 for a size that is not known.

    Raises:
        ValueError: If they do not.
    """
    if is_dim_unknown(x_shape) or is_dim_unknown(y_shape):
        return [-2]
    rank = max(len(x_shape), len(y_shape))
    sizes = []
    for place in range(-rank, 0):
        one, two = (s[place] if -place <= len(s) else 1 for s in (x_shape, y_shape))
        if one != two and 1 not in (one, two) and -1 not in (one, two):
            raise ArgumentValueError(
                f"For '{prim_name}', {arg_name1}.shape and {arg_name2}.shape need to broadcast. "
                f"The value of {arg_name1}.shape[{place}] or {arg_name2}.shape[{place}] must be 1 "
                f"or -1 when they are not the same, but got {arg_name1}.shape = {x_shape} and "
                f"{arg_name2}.shape = {y_shape}."
            )
        # Of a size that is known and one that is not, it is the known one, unless that is 1.
        sizes.append(two if one in (1, -1) and two != 1 else one)
    return sizes


def dim_not_equal(dim1: int, dim2: int) -> bool:
    """Whether two sizes are known and differ."""
    return dim1 != dim2 and dim1 >= 0 and dim2 >= 0


def is_stub_tensor(tensor: Any) -> bool:
    """Whether a value is a Tensor whose values are not there yet; none is."""
    return False
