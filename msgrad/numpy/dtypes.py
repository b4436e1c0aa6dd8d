"""dtypes and constants of ``mindspore.numpy``; ``int_``, ``uint`` and ``float_`` have 32 bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError
from msgrad.common.dtype import (  # noqa: F401
    DType,
    as_dtype,
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    to_numpy,
    uint8,
    uint16,
    uint32,
    uint64,
)

int_, uint, float_ = int32, uint32, float32
inf = PINF = float("inf")
NINF = -inf
nan = float("nan")
pi = 3.141592653589793

numeric_types = [
    *("int_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float_", "float16", "float32", "float64", "bool_"),
]
_BY_NAME = {name.strip("_"): globals()[name] for name in (*numeric_types, "uint")}


def dtype_of(dtype: Any) -> DType:
    """Return the dtype that a dtype, its name or a Python type stands for.

    Raises:
        TypeError: If it is none that ``mindspore.numpy`` knows.
    """
    found: Any = _BY_NAME.get(dtype.lower()) if isinstance(dtype, str) else dtype
    if isinstance(dtype, type):
        found = {int: int32, float: float32}.get(dtype) or as_dtype(dtype)
    if not any(found is known for known in _BY_NAME.values()):
        raise ArgumentTypeError(
            f"A dtype must be one of {', '.join(numeric_types)}, its name, or bool, int or float, "
            f"but got {dtype!r}."
        )
    return found


def promoted(*dtypes: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype in which arrays meet: an int beside a float takes the float's."""
    result = dtypes[0]
    for other in dtypes[1:]:
        floats = [d for d in (result, other) if d.kind == "f"]
        if result.kind != other.kind and len(floats) == 1 and "c" not in result.kind + other.kind:
            result = floats[0]
        else:
            result = np.promote_types(result, other)
    return result


def alike(*arrays: Any) -> list[Any]:
    """Return raw arrays in the dtype in which they meet."""
    dtype = promoted(*[x.dtype for x in arrays])
    return [x.astype(dtype) for x in arrays]


def raw_dtype(dtype: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of what ``dtype_of`` accepts."""
    return to_numpy(dtype_of(dtype))


__all__ = numeric_types
