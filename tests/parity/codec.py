"""Results of cases as JSON values, the same under MindSpore and msgrad; comparing is elsewhere.

Plain JSON stands for None, bool, int, finite float, str and list. Everything else is an object
whose first key is its kind: ``tuple``, ``dict``, ``set``, ``float`` (nan and infinities),
``complex``, ``bytes``, ``dtype``, ``tensor``, ``parameter``, ``array``, ``scalar`` (numpy's),
``exception`` and ``object``. A subclass of a container adds its ``class``.
"""

from __future__ import annotations

import builtins
import math
import re
from typing import Any

import numpy as np

_DTYPES = (
    *("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128", "string"),
)


def tidy(text: str) -> str:
    """Take out of a text what differs from run to run: addresses and folders."""
    text = re.sub(r"0x[0-9a-fA-F]{6,}", "0x..", text)
    return re.sub(r"(?:/[\w.+@-]+){2,}/", ".../", text)


def encode_exception(error: BaseException) -> dict[str, Any]:
    """The builtin classes of an exception, most derived first, and the first line of its text."""
    names = [cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins"]
    text = str(error).split("\n-----", 1)[0].strip()
    names.remove("object")
    return {"raises": names, "text": tidy(text.splitlines()[0] if text else "")}


def builtin_type(name: str) -> type[BaseException]:
    """The builtin exception class of a recorded name."""
    return getattr(builtins, name)


def _number(value: Any) -> Any:
    """A numpy or Python number as JSON: shortest digits that read back as the same value."""
    if isinstance(value, (complex, np.complexfloating)):
        part = float if isinstance(value, (complex, np.complex128)) else np.float32
        return [_number(part(value.real)), _number(part(value.imag))]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if not math.isfinite(value):
        return str(float(value))
    return float(str(value)) if isinstance(value, np.floating) else float(value)


def _values(array: np.ndarray) -> dict[str, Any]:
    if array.dtype.kind == "V" or array.dtype.name == "bfloat16":
        # No interpreter but ours has a numpy scalar for bfloat16; float32 holds each of its values.
        array = array.astype(np.float32)
    if array.dtype.kind in "US":
        return {"shape": list(array.shape), "values": [str(item) for item in array.reshape(-1)]}
    return {"shape": list(array.shape), "values": [_number(item) for item in array.reshape(-1)]}


def _members(value: Any, kind: str, exact: type, items: Any) -> dict[str, Any]:
    encoded = {kind: items}
    if type(value) is not exact:
        encoded["class"] = type(value).__name__
    return encoded


def _container(value: Any) -> Any:
    if isinstance(value, tuple):
        return _members(value, "tuple", tuple, [encode(item) for item in value])
    if type(value) is list:
        return [encode(item) for item in value]
    if isinstance(value, list):
        return _members(value, "list", list, [encode(item) for item in value])
    if isinstance(value, dict):
        pairs = [[encode(key), encode(item)] for key, item in value.items()]
        return _members(value, "dict", dict, pairs)
    return _members(value, "set", set, sorted((encode(item) for item in value), key=repr))


def encode(value: Any) -> Any:
    """Encode what a case returned.

    Args:
        value: any nesting of the kinds named at the top of this file.

    Returns:
        A structure of JSON values that keeps type, dtype, shape and every digit.
    """
    # Imported here: which library answers to this name is decided after this module is read.
    import mindspore as ms

    if value is None or type(value) in (bool, int):
        return value
    if type(value) is str:
        return tidy(value)
    if isinstance(value, ms.Parameter):
        described = {"name": value.name, "requires_grad": bool(value.requires_grad)}
        return {"parameter": str(value.dtype), **_values(value.asnumpy()), **described}
    if isinstance(value, ms.Tensor):
        return {"tensor": str(value.dtype), **_values(value.asnumpy())}
    if isinstance(value, np.ndarray):
        return {"array": value.dtype.name, **_values(value)}
    if isinstance(value, np.generic):
        return {"scalar": value.dtype.name, "value": _number(value)}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": str(float(value))}
    if isinstance(value, complex):
        return {"complex": _number(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, (tuple, list, dict, set, frozenset)):
        return _container(value)
    if isinstance(value, BaseException):
        return {"exception": encode_exception(value)}
    if any(value is getattr(ms, name, None) for name in _DTYPES):
        return {"dtype": str(value)}
    return {"object": "type" if isinstance(value, type) else type(value).__name__}
