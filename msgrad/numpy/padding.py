"""``pad``: an array with more elements around it."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import static
from msgrad._core.checks import one_of
from msgrad._core.declared import guarded
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array
from msgrad.common.tensor import Tensor
from msgrad.numpy._rows import functions, kernel
from msgrad.numpy.array_ops import apply_along_axis
from msgrad.numpy.utils import tensor

_MODES = (
    *("constant", "maximum", "minimum", "mean", "edge", "wrap", "linear_ramp", "symmetric"),
    *("reflect", "empty"),
)


@kernel("pad", int_grad=True)
def _padded(arr: Array, pad_width: Any, mode: str, options: tuple) -> Array:
    return jnp.pad(arr, pad_width, mode, **dict(options)).astype(arr.dtype)


def _pairs(values: Any, ndim: int) -> Any:
    if not isinstance(values, (int, float, list, tuple, Tensor)):
        raise ArgumentTypeError(f"For 'pad', a number or numbers are needed, but got {values!r}.")
    try:
        wide = np.broadcast_to(np.asarray(static(values)), (ndim, 2))
    except ValueError:
        raise ArgumentValueError(f"For 'pad', {values!r} does not fit {ndim} axes.") from None
    return tuple(map(tuple, wide.tolist()))


@guarded
def _by_mode(arr: Tensor, width: Any, mode: str, options: dict[str, Any]) -> Tensor:
    return _padded(arr, width, mode, tuple(options.items()))


def pad(
    arr: Any,
    pad_width: Any,
    mode: Any = "constant",
    stat_length: Any = None,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: str = "even",
    **kwargs: Any,
) -> Tensor:
    """Return an array with ``pad_width`` more elements at either end of each axis.

    Args:
        arr: Array-like.
        pad_width: int, a pair, or a pair per axis.
        mode: How they are chosen: a name as NumPy has them (without ``'median'``), or a function
            ``(vector, widths, axis, kwargs)`` that returns the padded vector.
        stat_length: How many elements ``'maximum'``, ``'minimum'`` and ``'mean'`` look at.
        constant_values: The elements of ``'constant'``.
        end_values: The last elements of ``'linear_ramp'``.
        reflect_type: ``'even'`` or ``'odd'``, of ``'reflect'`` and ``'symmetric'``.
        **kwargs: Handed to the function.
    """
    arr = tensor(arr)
    if arr.ndim == 0:
        return arr
    width = _pairs(pad_width, arr.ndim)
    if callable(mode):
        made = _by_mode(arr, width, "constant", {})
        for axis in range(arr.ndim):
            made = apply_along_axis(mode, axis, made, width[axis], axis, kwargs)
        return made
    if mode == "median":
        raise UnsupportedError("For 'pad', the mode 'median' is not there; take 'mean'.")
    one_of("pad", "mode", mode, *_MODES)
    options: dict[str, Any] = {}
    if mode == "constant":
        options["constant_values"] = _pairs(constant_values, arr.ndim)
    elif mode == "linear_ramp":
        options["end_values"] = _pairs(end_values, arr.ndim)
    elif mode in ("reflect", "symmetric"):
        options["reflect_type"] = reflect_type
    elif mode in ("maximum", "minimum", "mean") and stat_length is not None:
        options["stat_length"] = _pairs(stat_length, arr.ndim)
    return _by_mode(arr, width, mode, options)


__all__ = functions(globals(), plain=("pad",))
