"""What functions of NumPy give for Tensors, and symbols with a number of NumPy on their left."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.context import context
from msgrad.common.dtype import bfloat16

_SYMBOLS: dict[Any, Callable[[Any, Any], Any]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.true_divide: operator.truediv,
    np.floor_divide: operator.floordiv,
    np.remainder: operator.mod,
    np.power: operator.pow,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
}


def _values(value: Any) -> Any:
    """Return a Tensor as an array; NumPy computes with bfloat16 in float32."""
    if not is_tensor(value):
        return value
    return value.asnumpy().astype(np.float32) if value.dtype is bfloat16 else value.asnumpy()


def _kind(value: Any) -> int:
    return "biufc".index(np.asarray(value).dtype.kind.replace("u", "i"))


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Compute ``np.sqrt(tensor)``, or ``np.float64(2) * tensor``.

    In a compiled call a number on the left counts as Python's and gives a Tensor, as in MindSpore;
    elsewhere both give an array. There only a number of another kind widens the array, whichever
    NumPy is installed: 2.10 runs with NumPy below 2.
    """
    if any(map(is_tensor, kwargs.get("out", ()))):
        return NotImplemented
    symbol = _SYMBOLS.get(ufunc) if method == "__call__" and not kwargs else None
    # A comparison has made an array without dimensions of the number.
    of_numpy = isinstance(inputs[0], (np.generic, np.ndarray)) and not inputs[0].ndim
    if symbol and of_numpy and context.inputs is not None:
        return symbol(inputs[0].item(), inputs[1])
    values = [_values(value) for value in inputs]
    if symbol and any(map(np.ndim, values)):
        kind = max(_kind(value) for value in values if np.ndim(value))
        values = [v if np.ndim(v) or _kind(v) > kind else np.asarray(v).item() for v in values]
    return getattr(ufunc, method)(*values, **kwargs)
