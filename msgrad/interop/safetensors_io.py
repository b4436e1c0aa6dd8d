"""``.safetensors`` files as NumPy arrays by name, by the ``safetensors`` library (an extra).

The library is given bytes, never a name: of that it would map the file, and raise no OSError when
the disk is full. The checksum is MindSpore's own addition: the CRC-32 of every name and its bytes,
names in alphabetical order, as text in the metadata.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.missing import library
from msgrad.common import dtype as mstype
from msgrad.interop._files import encoded, reading, replacing

__all__ = ["read_safetensors", "write_safetensors"]

_NAMES = {"BOOL": "bool_", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2"}
_NAMES |= {"BF16": "bfloat16", "F16": "float16", "F32": "float32", "F64": "float64"}
_NAMES |= {f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)}
_NAMES |= {f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)} | {"C64": "complex64"}
_DTYPES = {key: getattr(mstype, name).np_dtype for key, name in _NAMES.items()}
_CHECKSUM = "crc_num"
_FILES = "A .safetensors file (one of the format 'ckpt' needs nothing more)"


def _checksum(values: Mapping[str, np.ndarray]) -> str:
    total = 0
    for name, array in sorted(values.items()):
        summed: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        # MindSpore calls bytes() on a 0-d integer, which gives that many zeros; where it cannot
        # (negative, or beyond memory), its own check fails whatever stands in the file.
        if array.ndim == 0 and array.dtype.kind in "iu" and 0 <= array < 2**28:
            summed = bytes(int(array))
        total = zlib.crc32(summed, zlib.crc32(name.encode(), total))
    return str(total)


def _noted(content: bytes) -> str | None:
    """Return the checksum in the metadata, which the library gives of a named file only."""
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    return (header.get("__metadata__") or {}).get(_CHECKSUM)


def read_safetensors(
    path: str | os.PathLike[str], *, crc_check: bool = False
) -> dict[str, np.ndarray]:
    """Read a ``.safetensors`` file.

    Args:
        path: The file.
        crc_check: Whether to compare MindSpore's checksum, if the file has one.

    Returns:
        The arrays by name, in alphabetical order.

    Raises:
        ModuleNotFoundError: If the library is not installed.
        ValueError: If the file is truncated, damaged or no ordinary file, or changes while it is
            read.
        NotImplementedError: If it holds a dtype that msgrad does not have (of 4 or 6 bits, ...).
        OSError: If it cannot be opened.
    """
    reader = library("safetensors", "checkpoints", _FILES)
    with reading(path) as source:
        content = source.part(0, source.size)
    try:
        values = {
            name: np.frombuffer(tensor["data"], _DTYPES[tensor["dtype"]]).reshape(tensor["shape"])
            for name, tensor in sorted(reader.deserialize(content))
        }
    except KeyError as error:
        raise UnsupportedError(
            f"{os.path.realpath(path)} holds the dtype {error}, which msgrad does not have; "
            f"nearest: save it as one of {list(_NAMES.values())}."
        ) from None
    except (reader.SafetensorError, ValueError) as error:
        raise ArgumentValueError(
            f"Fail to parse the input safetensors: '{os.path.realpath(path)}'. Please check the "
            f"correctness of the file: {error}"
        ) from None
    if crc_check and _noted(content) not in (None, _checksum(values)):
        raise ArgumentValueError(
            "For 'load_checkpoint', the crc check has failed. Please check whether the ckpt file "
            f"is damaged: {os.path.realpath(path)}."
        )
    return values


def write_safetensors(
    path: str | os.PathLike[str],
    values: Mapping[str, Any],
    *,
    crc_check: bool = False,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write a ``.safetensors`` file as MindSpore does; its name never holds half of it.

    Args:
        path: The file, replaced if it exists.
        values: Arrays by name.
        crc_check: Whether to note MindSpore's checksum in the metadata.
        metadata: Further texts for the metadata.

    Raises:
        ModuleNotFoundError: If the library is not installed.
        TypeError: If a value is not an array of a dtype that the format has; nothing is written.
        ValueError: If a name cannot be written in UTF-8; nothing is written.
        OSError: If the file cannot be written; an existing one is as it was.
    """
    writer = library("safetensors.numpy", "checkpoints", _FILES)
    arrays = {name: np.asarray(value, order="C") for name, value in values.items()}
    for name, array in arrays.items():
        encoded(name)
        if array.dtype.newbyteorder("=") not in _DTYPES.values():
            raise ArgumentTypeError(
                f"A .safetensors file cannot hold '{name}' of dtype {array.dtype}; accepted are "
                f"{list(_NAMES.values())}. The format 'ckpt' also holds strings and complex128."
            )
    texts = {"format": "ms", **(metadata or {})}
    if crc_check:
        texts[_CHECKSUM] = _checksum(arrays)
    content = writer.save(arrays, texts)
    with replacing(path) as file:
        file.write(content)
