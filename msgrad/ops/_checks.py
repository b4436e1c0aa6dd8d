"""Checks that operator kernels share: which operands and which axes MindSpore accepts.

They run while a kernel is traced, so they cost nothing in later calls with the same shapes. What
they raise does not say of which operator it speaks; the operator, or the function that is held to
its annotations, puts its name in front.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import too_large
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError

__all__ = []


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


def require_tensor(*operands: jax.Array) -> None:
    """Raise ``TypeError`` where a Python number stands for a Tensor; it arrives weakly typed."""
    for x in operands:
        if getattr(x, "weak_type", False):
            raise ArgumentTypeError(
                "the input must be a Tensor, but got a number; write mindspore.Tensor(value)."
            )


def refuse(x: jax.Array, *kinds: Any) -> None:
    """Raise ``TypeError`` where the dtype of ``x`` is of one of ``kinds`` (jnp abstract types)."""
    if any(jnp.issubdtype(x.dtype, kind) for kind in kinds):
        raise ArgumentTypeError(
            f"a Tensor of dtype {x.dtype} is not supported; cast it first, as in "
            "x.astype(mindspore.float32)."
        )


def same_type(*operands: Any) -> None:
    """Raise ``TypeError`` where Tensors or arrays that must have one dtype have several."""
    dtypes = [str(x.dtype) for x in operands]
    if len(set(dtypes)) > 1:
        raise ArgumentTypeError(
            f"the Tensors must have one dtype, but got {', '.join(dtypes)}; cast one of them."
        )


def one_axis(axis: Any, ndim: int) -> int:
    """Return ``axis`` counted from the front; a 0-d Tensor counts as having one dimension."""
    return normal_axis(axis, max(ndim, 1))


def axes(axis: Any, ndim: int, *, none: bool = True) -> tuple[int, ...]:
    """Return the dimensions to reduce, counted from the front; None and () mean all of them.

    Args:
        axis: int, tuple of ints or None.
        ndim: Rank of the operand.
        none: Whether None is accepted.

    Raises:
        TypeError: For an axis of another type.
        ValueError: If there is no such dimension.
        RuntimeError: If a dimension is named twice.
    """
    if axis is None and not none:
        raise ArgumentTypeError("the axis must be an int or a tuple, but got None.")
    if axis is None or axis == ():
        return tuple(range(ndim))
    named = [one_axis(a, ndim) for a in (axis if isinstance(axis, tuple) else (axis,))]
    if len(set(named)) != len(named):
        raise KernelError(f"an axis stands twice in {axis}; name each one once.")
    return tuple(named) if ndim else ()
