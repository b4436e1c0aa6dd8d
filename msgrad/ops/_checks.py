"""Checks that operator kernels share: which operands and which axes MindSpore accepts.

They run while a kernel is traced, so they cost nothing in later calls with the same shapes. What
they raise does not say of which operator it speaks; the operator, or the function that is held to
its annotations, puts its name in front.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import too_large
from msgrad._core.checks import of_type
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad._core.promotion import common_type, is_float


def normal_axis(axis: Any, ndim: int, label: str = "axis") -> int:
    """Return ``axis`` counted from the front.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it lies outside ``[-ndim, ndim)``.
    """
    if isinstance(axis, np.integer):
        axis = int(axis)
    of_type("", label, axis, int)
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


def need(holds: Any, wanted: str, *came: Any) -> None:
    """Raise ``ValueError`` unless it holds; of Tensors the text tells the shapes."""
    if not holds:
        shown = " and ".join(str(v.shape if hasattr(v, "dtype") else v) for v in came)
        raise ArgumentValueError(f"{wanted}, but got {shown}.")


def require_tensor(*operands: jax.Array) -> None:
    """Raise ``TypeError`` where a Python number stands for a Tensor; it arrives weakly typed."""
    for x in operands:
        if getattr(x, "weak_type", False):
            raise ArgumentTypeError(
                "the input must be a Tensor, but got a number; write mindspore.Tensor(value)."
            )


def floating(x: jax.Array, label: str = "input") -> None:
    """Raise ``TypeError`` for a Tensor of another than a floating dtype."""
    if not is_float(x.dtype):
        raise ArgumentTypeError(
            f"the '{label}' must be a floating Tensor, but got {x.dtype}; cast it first, as in "
            "x.astype(mindspore.float32)."
        )


def of_ints(x: jax.Array, label: str) -> None:
    """Raise ``TypeError`` for a Tensor of another than an integer dtype."""
    if not jnp.issubdtype(x.dtype, jnp.integer):
        raise ArgumentTypeError(f"the '{label}' must be an int Tensor, but got {x.dtype}.")


def of_rank(x: Any, *ranks: int, label: str = "input") -> None:
    """Raise ``ValueError`` for a Tensor of another than one of the numbers of dimensions."""
    if x.ndim not in ranks:
        accepted = " or ".join(map(str, ranks))
        raise ArgumentValueError(
            f"the '{label}' must have {accepted} dimensions, but its shape is {tuple(x.shape)}."
        )


def of_shape(x: Any, label: str, *sizes: int | None) -> None:
    """Raise ``ValueError`` for a Tensor of another shape; None stands for any size."""
    if len(sizes) != x.ndim or any(
        want not in (None, size) for want, size in zip(sizes, x.shape, strict=True)
    ):
        wanted = ", ".join("any" if size is None else str(size) for size in sizes)
        raise ArgumentValueError(
            f"the '{label}' must have the shape ({wanted}), but its shape is {tuple(x.shape)}."
        )


def of_length(values: Any, label: str, length: int) -> None:
    """Raise ``ValueError`` for another number of members than ``length``."""
    if len(values) != length:
        raise ArgumentValueError(f"the '{label}' must have {length} members, but got {values}.")


def multiple_of(divisor: int, label: str, value: int) -> None:
    """Raise ``ValueError`` where a size is not a multiple of ``divisor``."""
    if value % divisor:
        raise ArgumentValueError(f"the {label} must be a multiple of {divisor}, but got {value}.")


def same_shape(*operands: Any) -> None:
    """Raise ``ValueError`` where Tensors that must have one shape have several."""
    shapes = [str(tuple(x.shape)) for x in operands]
    if len(set(shapes)) > 1:
        raise ArgumentValueError(f"the Tensors must have one shape, but got {', '.join(shapes)}.")


def of_dtype(x: jax.Array, label: str, *dtypes: Any) -> None:
    """Raise ``TypeError`` for a Tensor of another than one of the dtypes."""
    if x.dtype not in dtypes:
        names = " or ".join(jnp.dtype(dtype).name for dtype in dtypes)
        raise ArgumentTypeError(f"the '{label}' must be a Tensor of {names}, but got {x.dtype}.")


def rank_at_least(x: Any, least: int, label: str = "input") -> None:
    """Raise ``ValueError`` for a Tensor of less than a number of dimensions."""
    if x.ndim < least:
        raise ArgumentValueError(
            f"the '{label}' must have {least} dimensions or more, but its shape is "
            f"{tuple(x.shape)}."
        )


def channels_first(data_format: Any) -> None:
    """Raise ``ValueError`` for a layout of images whose channels come last."""
    if data_format not in ("NCHW", "NCDHW"):
        raise ArgumentValueError(
            f"the channels must come first ('NCHW', 'NCDHW'), but got the format {data_format}; "
            "transpose the input."
        )


def refuse(x: jax.Array, *kinds: Any) -> None:
    """Raise ``TypeError`` where the dtype of ``x`` is of one of ``kinds`` (jnp abstract types)."""

    def refused(dtype: Any) -> bool:
        return any(jnp.issubdtype(dtype, kind) for kind in kinds)

    if refused(x.dtype):
        taken = [n for n in ("float32", "int32") if not refused(jnp.dtype(n))]
        raise ArgumentTypeError(
            f"a Tensor of dtype {x.dtype} is not supported; cast it first, as in "
            f"x.astype(mindspore.{taken[0] if taken else 'bool_'})."
        )


def same_type(*operands: Any) -> None:
    """Raise ``TypeError`` where Tensors or arrays that must have one dtype have several."""
    dtypes = [str(x.dtype) for x in operands]
    if len(set(dtypes)) > 1:
        raise ArgumentTypeError(
            f"the Tensors must have one dtype, but got {', '.join(dtypes)}; cast one of them."
        )


def as_type_of(variable: jax.Array, value: jax.Array) -> jax.Array:
    """Return ``value`` in the dtype of ``variable``, which must hold it without a loss of kind."""
    if common_type(variable, value) != variable.dtype:
        raise ArgumentTypeError(
            f"a value of dtype {value.dtype} is not converted to the variable's dtype "
            f"{variable.dtype}; cast it first, as in value.astype(variable.dtype)."
        )
    return value.astype(variable.dtype)


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


def host_values(array: Any) -> np.ndarray | None:
    """Return the values where looking costs nothing: they are on the CPU and known."""
    if isinstance(array, np.ndarray):
        return array
    known = concrete(array)
    if is_tracer(known) or next(iter(known.devices())).platform != "cpu":
        return None
    return np.asarray(known)
