"""``.safetensors`` files as NumPy arrays by name; no library is needed.

A file is the length of its header (8 bytes, little-endian), the header, and the bytes of all
tensors without a gap, little-endian, in C order. The header is JSON, filled up with spaces::

    {"__metadata__": {text: text}, name: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}

The checksum in the metadata is MindSpore's own addition: the CRC-32 of every name and its bytes,
names in alphabetical order.
"""

from __future__ import annotations

import json
import math
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.interop._files import (
    MOST_SIZES,
    DamagedFile,
    Source,
    Span,
    encoded,
    raw_bytes,
    reading,
    replacing,
)

__all__ = ["read_safetensors", "write_safetensors"]

# In the order in which the library 'safetensors' lays tensors down, so that all are aligned.
_NAMES = {
    "U64": "uint64",
    "I64": "int64",
    "F64": "float64",
    "C64": "complex64",
    "F32": "float32",
    "U32": "uint32",
    "I32": "int32",
    "BF16": "bfloat16",
    "F16": "float16",
    "U16": "uint16",
    "I16": "int16",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "I8": "int8",
    "U8": "uint8",
    "BOOL": "bool_",
}
_DTYPES: dict[str, np.dtype] = {key: getattr(mstype, name).np_dtype for key, name in _NAMES.items()}
_KEYS = {np_dtype: key for key, np_dtype in _DTYPES.items()}
# The format has them, NumPy has not.
_OTHERS = ("F4", "F6_E2M3", "F6_E3M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ")
_METADATA = "__metadata__"
_CHECKSUM = "crc_num"
# The library's limit.
_LONGEST_HEADER = 100_000_000

# Name, dtype, shape, and where its bytes stand behind the header.
_Tensor: TypeAlias = tuple[str, np.dtype, list[int], Span]


def _summed(array: np.ndarray) -> Any:
    """Return the bytes that enter the checksum."""
    # MindSpore calls bytes() on a 0-d integer, which gives that many zeros; where it cannot
    # (negative, or beyond memory), its own check fails whatever stands in the file.
    if array.ndim == 0 and array.dtype.kind in "iu" and 0 <= array < 2**28:
        return bytes(int(array))
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _checksum(items: Iterable[tuple[str, np.ndarray]]) -> str:
    total = 0
    for name, value in items:
        total = zlib.crc32(_summed(value), zlib.crc32(name.encode(), total))
    return str(total)


def _header(source: Source) -> tuple[dict[str, Any], int]:
    """Read the header; returns it and where it ends."""
    size = int.from_bytes(source.part(0, 8), "little") if source.size >= 8 else 0
    if not 0 < size <= min(source.size - 8, _LONGEST_HEADER):
        raise DamagedFile(f"a header of {size} bytes is announced in a file of {source.size}")
    try:
        found = json.loads(source.part(8, 8 + size))
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"the header is not JSON: {error}") from None
    metadata = found.get(_METADATA, {}) if isinstance(found, dict) else None
    if not isinstance(metadata, dict) or any(type(text) is not str for text in metadata.values()):
        raise DamagedFile("the header or its metadata is not what the format says")
    return found, 8 + size


def _tensors(header: dict[str, Any]) -> Iterator[_Tensor]:
    """Yield the tensors in the order of the file."""
    named = [item for item in header.items() if item[0] != _METADATA]
    at = 0
    for name, told in sorted(named, key=lambda item: item[1]["data_offsets"]):
        encoded(name)
        key, shape = told["dtype"], told["shape"]
        if key in _OTHERS:
            raise UnsupportedError(
                f"{name[:200]!r} has the dtype {key}, which msgrad does not have; nearest: save it "
                f"as one of {list(_DTYPES)}."
            )
        if type(shape) is not list or len(shape) > MOST_SIZES or not all(map(_is_size, shape)):
            raise DamagedFile(f"the header gives {name[:200]!r} an impossible shape")
        end = at + math.prod(shape) * _DTYPES[key].itemsize
        if told["data_offsets"] != [at, end]:
            raise DamagedFile(f"the bytes of {name[:200]!r} do not stand where they should")
        yield name, _DTYPES[key], shape, (at, end)
        at = end


def _is_size(value: Any) -> bool:
    return type(value) is int and value >= 0


def safetensors_items(
    path: str | os.PathLike[str],
    *,
    crc_check: bool = False,
    wanted: Callable[[str], bool] | None = None,
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield what ``read_safetensors`` returns one by one, so that no more than one need be held.

    Args:
        path: The file.
        crc_check: As there.
        wanted: Called with each name; what it is False for is not read.
    """
    try:
        with reading(path) as source:
            header, start = _header(source)
            try:
                tensors = sorted(_tensors(header))
            except (KeyError, TypeError, ValueError) as error:
                raise DamagedFile(f"the header is not of the format ({error!r:.200})") from None
            if max([start, *(start + end for *_, (_, end) in tensors)]) != source.size:
                raise DamagedFile("the tensors do not end where the file does")

            def value(tensor: _Tensor) -> np.ndarray:
                _, dtype, shape, (at, end) = tensor
                return source.array(dtype, shape, [(start + at, start + end)])

            noted = header.get(_METADATA, {}).get(_CHECKSUM) if crc_check else None
            if noted is not None and noted != _checksum((t[0], value(t)) for t in tensors):
                raise ArgumentValueError(
                    "For 'load_checkpoint', the crc check has failed. Please check whether the "
                    f"ckpt file is damaged: {os.path.realpath(path)}."
                )
            for tensor in tensors:
                if wanted is None or wanted(tensor[0]):
                    yield tensor[0], value(tensor)
    except DamagedFile as error:
        raise ArgumentValueError(
            f"Fail to parse the input safetensors: '{os.path.realpath(path)}'. Please check the "
            f"correctness of the file: {error}."
        ) from None


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
        ValueError: If the file is truncated, damaged or no ordinary file, or changes while it is
            read.
        NotImplementedError: If it holds a dtype that NumPy does not have (of 4 or 6 bits, ...).
        OSError: If it cannot be opened.
    """
    return dict(safetensors_items(path, crc_check=crc_check))


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
        TypeError: If a value is not an array of a dtype that the format has; nothing is written.
        ValueError: If a name cannot be written in UTF-8; nothing is written.
        OSError: If the file cannot be written; an existing one is as it was.
    """
    arrays = {name: np.asarray(value) for name, value in values.items()}
    keys = dict.fromkeys(arrays, "")
    for name, array in arrays.items():
        encoded(name)
        keys[name] = _KEYS.get(array.dtype.newbyteorder("="), "")
        if not keys[name]:
            raise ArgumentTypeError(
                f"A .safetensors file cannot hold '{name}' of dtype {array.dtype}; accepted are "
                f"{list(_NAMES.values())}. The format 'ckpt' also holds strings and complex128."
            )
    texts = {"format": "ms", **(metadata or {})}
    if crc_check:
        texts[_CHECKSUM] = _checksum(sorted(arrays.items()))
    header: dict[str, Any] = {_METADATA: texts}
    order = list(_KEYS.values())
    names, at = sorted(arrays, key=lambda name: (order.index(keys[name]), name)), 0
    for name in names:
        end = at + arrays[name].nbytes
        shape = list(arrays[name].shape)
        header[name] = {"dtype": keys[name], "shape": shape, "data_offsets": [at, end]}
        at = end
    told = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    told += b" " * (-len(told) % 8)
    with replacing(path) as file:
        file.write(len(told).to_bytes(8, "little") + told)
        for name in names:
            file.write(raw_bytes(arrays[name]))
