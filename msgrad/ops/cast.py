"""Conversion between dtypes, and the questions about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core import basics
from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.promotion import is_complex as is_complex_dtype
from msgrad._core.promotion import is_float
from msgrad._core.registry import function, method
from msgrad._core.scopes.integer_gradients import attach, carrier_of, passed_on
from msgrad.common import dtype as mstype
from msgrad.common._views import everything, root
from msgrad.common.tensor import Tensor
from msgrad.ops.creation import dtype_of


def _converted(x: Tensor, target: np.dtype[Any]) -> Tensor:
    """Cast to another dtype; a gradient passes through integers in either direction."""
    return passed_on(x, basics.cast(x, target))


def _share(x: Tensor) -> Tensor:
    """Return a Tensor of its own that shares the elements, as a cast to the same dtype does;
    of a part of another Tensor it is a copy.
    """
    result = wrap(x._peek())
    if root(x)._view is None:
        result._set_base(x, everything)
    carrier = carrier_of(x)
    if carrier is not None:
        attach(result, carrier)
    return result


@function(primitive="Cast")
def cast(input: Any, dtype: mstype.DType) -> Tensor:
    """Convert to another dtype.

    Args:
        input: Tensor or number.
        dtype: A MindSpore dtype.

    Returns:
        ``input`` itself where it has the dtype, else a new Tensor.

    Raises:
        TypeError: If the input is neither, or the dtype is not a MindSpore dtype.
    """
    target = dtype_of(dtype, mstype.float32)
    if not is_tensor(input):
        if not isinstance(input, (bool, int, float)):
            raise ArgumentTypeError(
                f"Failed calling Cast: expected a Tensor or a number, but got {type(input)}."
            )
        return Tensor(input, mstype.from_numpy(target))
    return input if input._now().dtype == target else _converted(input, target)


@method("astype")
def _astype(self: Tensor, dtype: Any, copy: bool = True) -> Tensor:
    """Convert to another dtype.

    Args:
        dtype: A MindSpore dtype, its name, a NumPy type or a Python type.
        copy: Accepted for compatibility.

    Raises:
        TypeError: If ``dtype`` names no dtype.
    """
    found = mstype.as_dtype(dtype)
    target = dtype_of(found, found)
    return _share(self) if self._now().dtype == target else _converted(self, target)


# GPU is none of MindSpore 2.10's, but may be where the arrays here are.
_DEVICES = (None, "CPU", "cpu", "GPU", "gpu", "Ascend", "npu", "meta")


@method("to")
def _to(
    self: Tensor,
    *args: Any,
    device: str | None = None,
    dtype: Any = None,
    other: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Tensor:
    """Convert to a dtype, or to that of another Tensor.

    Raises:
        ValueError: If a string names no device; a dtype is not given by its name.
        TypeError: For what is none of the three.

    Differs from MindSpore: a device is accepted and not used; ``"GPU"`` is one.
    """
    # Three overloads: to(device, dtype), to(dtype) and to(other).
    first = args[0] if args else device
    if isinstance(first, str) and first not in _DEVICES:
        raise ArgumentValueError(
            f"Failed to convert the value {first!r} to a device, which is one of "
            f"{', '.join(map(repr, _DEVICES[1:]))}; a dtype is given as mindspore.float16 is."
        )
    for value in (*args, dtype, other):
        if is_tensor(value):
            return _astype(self, value.dtype)
        if isinstance(value, mstype.DType):
            return _astype(self, value)
    if not isinstance(first, (str, type(None))):
        raise ArgumentTypeError(f"expected a dtype, a Tensor or a device, but got {first!r}.")
    return self


def _as(dtype: mstype.DType) -> Callable[[Tensor], Tensor]:
    def converted(self: Tensor) -> Tensor:
        return _astype(self, dtype)

    converted.__doc__ = f"Convert to {dtype}."
    return converted


@function(method=True)
def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Convert to the dtype of another Tensor."""
    return cast(input, other.dtype)


@method("type")
def _type(self: Tensor, dtype: Any = None) -> Any:
    """Return the name of the dtype; with ``dtype``, convert to it."""
    return str(self.dtype) if dtype is None else _astype(self, dtype)


@function(primitive="DType")
def dtype(x: Tensor) -> mstype.DType:
    """Return the dtype of a Tensor.

    Raises:
        TypeError: If ``x`` is not a Tensor.
    """
    return x.dtype


@function(method=True)
def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is floating."""
    return bool(is_float(input._now().dtype))


@function(method=True)
def is_complex(input: Tensor) -> bool:
    """Whether the dtype is complex."""
    return bool(is_complex_dtype(input._now().dtype))


@method("is_signed")
def _is_signed(self: Tensor) -> bool:
    """Whether the dtype has negative numbers; of float16, MindSpore says no."""
    kind = self._now().dtype
    return kind not in (np.bool_, np.float16) and not jnp.issubdtype(kind, jnp.unsignedinteger)


for _name, _kind in {
    "bool": mstype.bool_,
    "byte": mstype.uint8,
    "short": mstype.int16,
    "int": mstype.int32,
    "long": mstype.int64,
    "half": mstype.float16,
    "bfloat16": mstype.bfloat16,
    "float": mstype.float32,
    "double": mstype.float64,
}.items():
    method(_name)(_as(_kind))
