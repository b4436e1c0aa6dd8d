"""``.safetensors`` files as NumPy arrays by name, by the ``safetensors`` library (an extra).

The checksum is MindSpore's own addition: the CRC-32 of every name and its bytes, names in
alphabetical order, as text in the metadata.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    ModuleMissingError,
    UnsupportedError,
)
from msgrad.interop._files import replacing

__all__ = ["read_safetensors", "write_safetensors"]

_ACCEPTED = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64"),
)
_CHECKSUM = "crc_num"


def _library() -> Any:
    try:
        import safetensors.numpy
    except ImportError:
        raise ModuleMissingError(
            "Reading and writing .safetensors files needs the library 'safetensors': "
            "pip install 'msgrad[checkpoints]'. The format 'ckpt' needs nothing more.",
            name="safetensors",
        ) from None
    return safetensors


def _summed(array: np.ndarray) -> Any:
    """Give the bytes that enter the checksum."""
    # MindSpore calls bytes() on a 0-d integer, which gives that many zeros; where it cannot
    # (negative, or beyond memory), its own check fails whatever stands in the file.
    if array.ndim == 0 and array.dtype.kind in "iu" and 0 <= array < 2**28:
        return bytes(int(array))
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _checksum(values: Mapping[str, np.ndarray]) -> int:
    total = 0
    for name in sorted(values):
        total = zlib.crc32(_summed(values[name]), zlib.crc32(name.encode(), total))
    return total


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
        ValueError: If the file is truncated or damaged.
        NotImplementedError: If it holds a dtype that the library does not give to NumPy (float8).
        OSError: If it cannot be opened.
    """
    library = _library()
    # The library says of every file that it cannot open that there is none.
    with open(path, "rb"):
        pass
    try:
        with library.safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
        values = library.numpy.load_file(path)
    except (library.SafetensorError, ValueError, OSError) as error:
        raise ArgumentValueError(
            f"Fail to parse the input safetensors: '{os.path.realpath(path)}'. Please check the "
            f"correctness of the file: {error}"
        ) from None
    except (AttributeError, KeyError) as error:
        raise UnsupportedError(
            f"{os.path.realpath(path)} holds a dtype that the library 'safetensors' does not give "
            f"to NumPy ({error}); nearest: save it as one of {list(_ACCEPTED)}."
        ) from None
    if crc_check and _CHECKSUM in metadata and metadata[_CHECKSUM] != str(_checksum(values)):
        raise ArgumentValueError(
            "For 'load_checkpoint', the crc check has failed. Please check whether the ckpt file "
            f"is damaged: {os.path.realpath(path)}."
        )
    return {name: values[name] for name in sorted(values)}


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
        TypeError: If a value is not an array of a dtype that the format and the library have;
            nothing is written.
        OSError: If the file cannot be written; an existing one is as it was.
    """
    library = _library()
    arrays = {name: np.asarray(value) for name, value in values.items()}
    for name, array in arrays.items():
        if array.dtype.name not in _ACCEPTED:
            raise ArgumentTypeError(
                f"A .safetensors file cannot hold '{name}' of dtype {array.dtype}; accepted are "
                f"{list(_ACCEPTED)}. The format 'ckpt' also holds strings and complex128."
            )
    texts = {"format": "ms", **(metadata or {})}
    if crc_check:
        texts[_CHECKSUM] = str(_checksum(arrays))
    with replacing(path) as scratch:
        contiguous = {
            name: np.ascontiguousarray(array).reshape(array.shape) for name, array in arrays.items()
        }
        library.numpy.save_file(contiguous, scratch, texts)
