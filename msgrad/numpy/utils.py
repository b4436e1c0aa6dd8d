"""What ``mindspore.numpy`` accepts as an array, and how it becomes a Tensor."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from msgrad import ops
from msgrad._core.bridge import has_tensors, is_tensor, wrap
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.numpy.dtypes import dtype_of
from msgrad.ops._checks import normal_axes

# An array-like argument, which comes as a Tensor (``_rows.functions``).
Like = Any
_NARROWED = {mstype.float64: mstype.float32, mstype.int64: mstype.int32}


def tensor(value: Any, dtype: Any = None, narrow: bool = True) -> Any:
    """Return a Tensor of something array-like; numbers and lists become 32-bit ones.

    Args:
        value: Tensor, number, or nested list or tuple of these.
        dtype: What ``dtype_of`` accepts; by default that of the value.
        narrow: Whether a list of 64-bit values becomes a 32-bit Tensor.

    Raises:
        TypeError: For anything else.
    """
    if is_tensor(value):
        return value if dtype is None else ops.cast(value, dtype_of(dtype))
    if isinstance(value, jax.Array):
        return tensor(wrap(value), dtype)
    if isinstance(value, (list, tuple)) and has_tensors(value):
        parts = [tensor(item) for item in value]
        # As NumPy meets others, it takes bfloat16 for float32.
        kinds = [mstype.float32 if p.dtype is mstype.bfloat16 else p.dtype for p in parts]
        common = mstype.from_numpy(np.result_type(*map(mstype.to_numpy, kinds)))
        if narrow or common in mstype.float_type:
            common = _NARROWED.get(common, common)
        return tensor(ops.stack([p.astype(common) for p in parts]), dtype)
    if not isinstance(value, (bool, int, float, list, tuple)):
        raise ArgumentTypeError(
            "Expected something array-like (a Tensor, a number, or a list or tuple of these), but "
            f"got {type(value)}."
        )
    if dtype is None:
        made = Tensor(value)
        return made.astype(_NARROWED[made.dtype]) if narrow and made.dtype in _NARROWED else made
    return Tensor(np.asarray(value), dtype_of(dtype))


def tensors(*values: Any) -> list[Any]:
    """Return a Tensor of each array-like value."""
    return [tensor(value) for value in values]


def typed(result: Any, dtype: Any) -> Any:
    """Return a result in the dtype that was asked for, if one was."""
    return result if dtype is None else ops.cast(result, dtype)


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes that an int, a sequence of ints or None (all of them) names.

    Raises:
        TypeError: For anything else.
        ValueError: If one is out of range or stands twice.
    """
    if axis is None:
        return tuple(range(ndim))
    return normal_axes(axis if isinstance(axis, (tuple, list)) else (axis,), ndim)


def _to_tensor(*args: Any) -> Any:
    """Return a Tensor of one array-like value, a tuple of them of several."""
    made = tuple(tensors(*args))
    return made[0] if len(made) == 1 else made


def _raise_value_error(info: str, param: Any = None) -> None:
    raise ArgumentValueError(info if param is None else f"{info}{param}")


def _raise_type_error(info: str, param: Any = None) -> None:
    raise ArgumentTypeError(info if param is None else f"{info}{type(param)}")
