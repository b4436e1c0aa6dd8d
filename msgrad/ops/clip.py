"""Clipping by value, by norm and by the global norm of several Tensors."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor, too_large
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError, NotATensorError
from msgrad._core.op import Array, Arrays, Operand, operator
from msgrad._core.promotion import is_inexact, promote, wide
from msgrad._core.registry import function
from msgrad.common import dtype as mstype
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import refuse
from msgrad.ops.extremes import extreme
from msgrad.ops.linalg import power_norm
from msgrad.ops.unary import size


@operator("clip_by_value", int_grad=True)
def _clip(x: Array, low: Operand | None, high: Operand | None) -> Array:
    out = x
    for bound, choose in ((low, jax.lax.max), (high, jax.lax.min)):
        if bound is not None:
            out = choose(*jnp.broadcast_arrays(*promote(out, jnp.asarray(bound))))
    return out.astype(x.dtype)


@function
def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """Clip to [clip_value_min, clip_value_max], the upper bound last.

    Args:
        x: Tensor, or tuple or list of Tensors.
        clip_value_min: Number, Tensor that broadcasts, or None.
        clip_value_max: Likewise; one of both must be given.

    Returns:
        Tensor of the dtype of ``x``, or a tuple of them. The gradient at a bound is 0.5.

    Raises:
        TypeError: If ``x`` or a bound is of another type.
        ValueError: If both bounds are None.
    """
    _check_bounds((int, float), clip_value_min=clip_value_min, clip_value_max=clip_value_max)
    if isinstance(x, (tuple, list)) and all(is_tensor(i) for i in x):
        return tuple(_clip(i, clip_value_min, clip_value_max) for i in x)
    if not is_tensor(x):
        raise ArgumentTypeError(
            "the type of argument 'x' must be Tensor or tuple[Tensor] or list[Tensor], but got "
            f"{type(x)}."
        )
    return _clip(x, clip_value_min, clip_value_max)


def _check_bounds(numbers: tuple[type, ...], **bounds: Any) -> None:
    if all(value is None for value in bounds.values()):
        names = " or ".join(f"'{key}'" for key in bounds)
        raise ArgumentValueError(f"at least one of {names} must not be None.")
    for key, value in bounds.items():
        if value is not None and not is_tensor(value) and not isinstance(value, numbers):
            raise ArgumentTypeError(
                f"the argument '{key}' must be None, Tensor, float or int, but got {type(value)}."
            )


@operator("Clamp", int_grad=True)
def _clamp(input: Array, min: Operand | None, max: Operand | None) -> Array:
    refuse(input, jnp.complexfloating)
    out = input
    for bound, keeps in ((min, jnp.greater_equal), (max, jnp.less_equal)):
        if bound is not None:
            x, edge = promote(out, jnp.asarray(bound))
            out = jnp.where(keeps(x, edge) | jnp.isnan(x), x, edge)
    if out.shape != input.shape:
        raise ArgumentValueError(
            f"the bounds must broadcast to the shape of the input, {input.shape}, but with them it "
            f"is {out.shape}."
        )
    return out


@function(primitive="ClampScalar", method=True)
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Clip to [min, max], the upper bound last; the gradient at a bound is 1.

    Args:
        input: Tensor.
        min: Number, Tensor that broadcasts to the shape of ``input``, or None.
        max: Likewise; one of both must be given.

    Returns:
        Tensor of the dtype that ``input`` and the bounds meet in.

    Raises:
        ValueError: If both bounds are None, one of the three is of bool, or a bound has more
            elements along a dimension than ``input``.
    """
    _check_bounds((int, float, np.generic), min=min, max=max)
    given = (input, min, max)
    bools = (bool, np.bool_)
    if any(isinstance(i, bools) or getattr(i, "dtype", None) == mstype.bool_ for i in given):
        raise ArgumentValueError(f"neither input nor bounds may be of bool, but got {given}.")
    return _clamp(input, min, max)


clip = clamp


@operator("clip_by_norm")
def _norm(x: Arrays, order: float) -> Array:
    parts = [_vector_norm(wide(i), order) for i in x]
    return _vector_norm(jnp.stack(parts), order)


def _vector_norm(x: Array, order: float) -> Array:
    if abs(order) == float("inf"):
        return extreme(size(x), tuple(range(x.ndim)), False, order > 0)
    return power_norm(x, int(order) if order.is_integer() else order, tuple(range(x.ndim)), False)


@operator("clip_by_norm", product=True)
def _scaled_down(x: Array, norm: Operand, max_norm: Operand) -> Array:
    dtype = x.dtype if is_inexact(x.dtype) else jnp.float32
    factor = max_norm / (norm + 1e-6)
    return x.astype(dtype) * jnp.where(factor >= 1, 1.0, factor).astype(dtype)


@function
def clip_by_norm(
    x: Any, max_norm: float | Tensor, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Any:
    """Scale down by ``min(max_norm / (norm + 1e-6), 1)``, with the norm over all Tensors.

    Args:
        x: Tensor, or tuple or list of Tensors; integers give float32.
        max_norm: Number, or a Tensor of one.
        norm_type: Order of the norm, which may be inf.
        error_if_nonfinite: Whether an infinite or undefined norm is an error.

    Returns:
        Tensor, or a tuple of them.

    Raises:
        RuntimeError: If the norm is not finite and this was asked to be an error.
        TypeError: If ``max_norm`` is not a number.
        ValueError: For an empty sequence, or a ``max_norm`` of several elements.
    """
    several = isinstance(x, (tuple, list))
    tensors = tuple(x) if several else (x,)
    if not tensors:
        raise ArgumentValueError("at least one Tensor is needed, but got none.")
    for item in tensors:
        if not is_tensor(item):
            raise NotATensorError(
                f"'{type(item).__name__}' object has no attribute 'dtype'; clip_by_norm takes "
                "Tensors."
            )
    if isinstance(max_norm, str):
        raise ArgumentTypeError("'max_norm' must be a number, but got a str.")
    if (size := getattr(max_norm, "size", 1)) != 1:
        raise ArgumentValueError(
            f"'max_norm' must be a number or a Tensor of one element, but got one of {size}."
        )
    if norm_type == 0:
        raise ZeroDivisionError("clip_by_norm has no norm of order 0")
    norm = _norm(tensors, float(norm_type))
    if error_if_nonfinite and not np.isfinite(norm.item()):
        raise KernelError(
            f"For clip_by_norm, the total norm of order {norm_type} from input is non-finite."
        )
    clipped = tuple(_scaled_down(item, norm, max_norm) for item in tensors)
    return clipped if several else clipped[0]


@operator("clip_by_global_norm", product=True)
def _global_clip(x: Arrays, clip_norm: Operand) -> tuple[Array, ...]:
    # Imported when it is first traced: optax takes longer to import than all operators.
    import optax

    # The norm is taken in float32, as in MindSpore, whatever the dtypes are.
    norm = optax.tree.norm([i.astype(jnp.float32) for i in x])
    factor = clip_norm / jnp.where(norm >= clip_norm, norm, clip_norm)
    return tuple((i * factor).astype(i.dtype) for i in x)


@function
def clip_by_global_norm(x: Any, clip_norm: Any = 1.0, use_norm: Any = None) -> Any:
    """Scale by ``clip_norm / max(norm, clip_norm)``, with the 2-norm over all Tensors.

    Args:
        x: Tensor, or tuple or list of Tensors.
        clip_norm: Positive number or 0-d Tensor.
        use_norm: Must be None.

    Returns:
        Tensor, or a tuple of them, of the dtypes given.

    Raises:
        TypeError: If ``x`` holds anything but Tensors, or ``clip_norm`` is not a number.
        ValueError: If ``clip_norm`` is not positive, ``use_norm`` not None, or ``x`` empty.
    """
    if type(clip_norm) is int and clip_norm >= 2**63:
        raise too_large("clip_by_global_norm", "clip_norm", clip_norm)
    if not clip_norm > 0.0:
        raise ArgumentValueError(f"the argument 'clip_norm' must > 0.0, but got {clip_norm}.")
    if use_norm is not None:
        raise ArgumentValueError(
            f"input 'use_norm' only supports None currently, but got 'use_norm': {use_norm}"
        )
    several = isinstance(x, (tuple, list))
    tensors = tuple(x) if several else (x,)
    if not tensors:
        raise ArgumentValueError("at least one Tensor is needed.")
    for item in tensors:
        if not is_tensor(item):
            raise ArgumentTypeError(f"every element must be a Tensor, but got {type(item)}.")
    limit = clip_norm if is_tensor(clip_norm) else float(clip_norm)
    clipped = _global_clip(tensors, limit)
    return clipped if several else clipped[0]
