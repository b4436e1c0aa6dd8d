"""MindSpore's ``.ckpt`` files as NumPy arrays by name; neither MindSpore nor protobuf is needed.

Parameters, Cells and what is loaded into them are in ``msgrad.train.serialization``.

A file is a protobuf message without a header, a sequence of fields. A field is a key (the varint
``number * 8 + wire type``) and its value: for wire type 2 a length and that many bytes, for wire
type 0 a varint (7 bits a byte, lowest first, the top bit set on all bytes but the last)::

    file    1 (bytes, repeated)   an entry
    entry   1 (bytes)             name, UTF-8
            2 (bytes)             the tensor        (3 in its place: a MapParameter, not read here)
    tensor  1 (varint, repeated)  sizes; none for a 0-d tensor
            2 (bytes)             dtype: Float32, BFloat16, Bool, ..., or str
            3 (bytes)             the elements, little-endian, in C order

Bytes beyond 512 MiB go on in further entries of the same name and sizes, right after the first. A
``str`` has the sizes ``[0]`` and UTF-32-LE bytes. With a checksum, ``crc_num`` and the CRC-32 of
all before as 10 bytes, big-endian, close the file.
"""

from __future__ import annotations

import math
import mmap
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.interop._files import replacing

__all__ = ["read_ckpt", "write_ckpt"]

_DTYPES: dict[str, np.dtype] = {
    str(entry): entry.np_dtype for entry in mstype.all_types if entry.np_dtype is not None
}
_TITLES = {np_dtype: title for title, np_dtype in _DTYPES.items()}
_STRING = "str"
_SPLIT_BYTES = 512 * 2**20
_CRC_MARK = b"crc_num"
_CRC_BYTES = 10
# How a file begins that MindSpore has encrypted with AES-GCM.
_ENCRYPTED = bytes.fromhex("d85e3a7f")

_VARINT, _BYTES = 0, 2


class _Malformed(Exception):
    """The bytes are not what the format says."""


@dataclass
class _Entry:
    """One name: its sizes and dtype, and the pieces of its bytes in order."""

    name: str
    sizes: tuple[int, ...]
    dtype: str
    pieces: list[memoryview] = field(default_factory=list)


# Reading --------------------------------------------------------------------------------------


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """Read a varint; returns it and the position behind it."""
    value = 0
    for shift in range(0, 64, 7):
        if at >= len(data):
            raise _Malformed("it ends inside a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise _Malformed("a number is longer than 64 bits")


def _fields(data: memoryview, known: dict[int, int]) -> Iterator[tuple[int, Any]]:
    """Yield ``(number, value)`` of each field; ``known`` gives the wire type of each number."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = divmod(key, 8)
        if known.get(number) != wire:
            raise _Malformed(f"field {number} of wire type {wire} does not belong here")
        value, at = _varint(data, at)
        if wire == _BYTES:
            end = at + value
            if end > len(data):
                raise _Malformed(f"{value} bytes are announced, {len(data) - at} are there")
            yield number, data[at:end]
            at = end
        else:
            yield number, value


def _text(data: memoryview) -> str:
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        raise _Malformed("a name is not UTF-8 text") from None


def _entry(data: memoryview) -> _Entry:
    found = dict(_fields(data, {1: _BYTES, 2: _BYTES, 3: _BYTES}))
    if 1 not in found:
        raise _Malformed("an entry has no name")
    name = _text(found[1])
    if 3 in found:
        raise UnsupportedError(
            f"The entry '{name}' is a MapParameter, which msgrad does not have; export it with "
            "MindSpore as ordinary Parameters."
        )
    if 2 not in found:
        raise _Malformed(f"the entry '{name}' has no tensor")
    sizes: list[int] = []
    dtype, content = "", memoryview(b"")
    for number, value in _fields(found[2], {1: _VARINT, 2: _BYTES, 3: _BYTES}):
        if number == 1:
            sizes.append(value)
        elif number == 2:
            dtype = _text(value)
        else:
            content = value
    if dtype != _STRING and dtype not in _DTYPES:
        raise _Malformed(f"the entry '{name}' has the unknown dtype '{dtype}'")
    return _Entry(name, tuple(sizes), dtype, [content])


def _entries(data: memoryview) -> dict[str, _Entry]:
    entries: dict[str, _Entry] = {}
    last: _Entry | None = None
    for _, body in _fields(data, {1: _BYTES}):
        entry = _entry(body)
        if last is not None and last.name == entry.name:
            if (last.sizes, last.dtype) != (entry.sizes, entry.dtype):
                raise _Malformed(f"the pieces of '{entry.name}' differ in shape or dtype")
            last.pieces += entry.pieces
        else:
            entries[entry.name] = last = entry
    return entries


def _value(entry: _Entry) -> np.ndarray:
    size = sum(len(piece) for piece in entry.pieces)
    if entry.dtype == _STRING:
        try:
            return np.array(b"".join(entry.pieces).decode("utf-32-le").rstrip("\0"))
        except UnicodeDecodeError:
            raise _Malformed(f"the text of '{entry.name}' is not UTF-32") from None
    dtype = _DTYPES[entry.dtype].newbyteorder("<")
    wanted = math.prod(entry.sizes) * dtype.itemsize
    if size != wanted:
        raise _Malformed(
            f"'{entry.name}' of shape {entry.sizes} and dtype {entry.dtype} needs {wanted} bytes, "
            f"{size} are there"
        )
    if len(entry.pieces) == 1:
        raw = np.frombuffer(entry.pieces[0], np.uint8)
    else:
        raw = np.empty(size, np.uint8)
        at = 0
        for piece in entry.pieces:
            raw[at : at + len(piece)] = piece
            at += len(piece)
        raw.flags.writeable = False
    return raw.view(dtype).reshape(entry.sizes)


def _without_checksum(data: memoryview, check: bool) -> memoryview:
    start = len(data) - len(_CRC_MARK) - _CRC_BYTES
    if start < 0 or bytes(data[start : start + len(_CRC_MARK)]) != _CRC_MARK:
        return data
    body = data[:start]
    if check and zlib.crc32(body) != int.from_bytes(data[-_CRC_BYTES:], "big"):
        raise _Malformed("the checksum does not fit the content")
    return body


def has_checksum(path: str | os.PathLike[str]) -> bool:
    """Tell whether a ``.ckpt`` file ends with a checksum."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(_CRC_MARK) - _CRC_BYTES))
        return file.read(len(_CRC_MARK)) == _CRC_MARK


def _mapped(path: str | os.PathLike[str]) -> memoryview:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def read_ckpt(path: str | os.PathLike[str], *, crc_check: bool = False) -> dict[str, np.ndarray]:
    """Read a ``.ckpt`` file that MindSpore or msgrad wrote.

    Args:
        path: The file.
        crc_check: Whether to compare the checksum, if the file has one.

    Returns:
        The arrays by name, in the order of the file: read-only, with the file itself mapped as
        their memory, so that nothing is read before it is used. bfloat16 has ``ml_dtypes``' dtype;
        a string (an entry of ``append_dict``) is a 0-d array of dtype ``str``.

    Raises:
        ValueError: If the file is truncated, damaged or encrypted.
        NotImplementedError: If it holds a ``MapParameter``.
        OSError: If it cannot be opened.

    On to native JAX: ``weights = jax.tree.map(jnp.asarray, read_ckpt(path))``.
    """
    data = _mapped(path)
    try:
        if bytes(data[: len(_ENCRYPTED)]) == _ENCRYPTED:
            raise _Malformed("it is encrypted; save it with MindSpore without 'enc_key'")
        entries = _entries(_without_checksum(data, crc_check))
        return {name: _value(entry) for name, entry in entries.items()}
    except _Malformed as error:
        raise ArgumentValueError(
            f"Failed to read the checkpoint file {os.path.realpath(path)}. The file may be "
            f"corrupted, and the content cannot be parsed: {error}."
        ) from None


# Writing --------------------------------------------------------------------------------------


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes_field(number: int, size: int) -> bytes:
    """The key and the length of a field of ``size`` bytes."""
    return _number(number * 8 + _BYTES) + _number(size)


def _title(name: str, value: Any) -> str:
    """Give the format's name of the dtype of a value."""
    dtype = np.dtype(value.dtype) if hasattr(value, "dtype") else np.asarray(value).dtype
    if dtype.kind == "U" and np.ndim(value) == 0:
        return _STRING
    title = _TITLES.get(dtype.newbyteorder("="))
    if title is None:
        raise ArgumentTypeError(
            f"The value of '{name}' has the type {type(value)} and dtype {dtype}; a checkpoint "
            f"holds strings and arrays of {sorted(_DTYPES)}."
        )
    return title


def _content(title: str, value: Any) -> tuple[tuple[int, ...], memoryview]:
    """Give the sizes and the bytes of a value."""
    array = np.asarray(value)
    if title == _STRING:
        # An empty text is one NUL, as in MindSpore; readers drop NULs at the end.
        return (0,), memoryview((array.item() or "\0").encode("utf-32-le"))
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    # Seen as bytes since bfloat16 has no buffer protocol.
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return array.shape, raw.data


def _pieces(name: str, value: Any, split_bytes: int) -> Iterator[bytes | memoryview]:
    """Yield the bytes of the entries of one name."""
    title = _title(name, value)
    sizes, content = _content(title, value)
    label = name.encode()
    described = b"".join(_number(1 * 8 + _VARINT) + _number(size) for size in sizes)
    described += _bytes_field(2, len(title)) + title.encode()
    for start in range(0, max(1, len(content)), split_bytes):
        piece = content[start : start + split_bytes]
        head = described + _bytes_field(3, len(piece))
        tensor = _bytes_field(2, len(head) + len(piece)) + head
        named = _bytes_field(1, len(label)) + label
        yield _bytes_field(1, len(named) + len(tensor) + len(piece)) + named + tensor
        yield piece


def write_ckpt(
    path: str | os.PathLike[str],
    values: Mapping[str, Any],
    *,
    crc_check: bool = False,
    _split_bytes: int = _SPLIT_BYTES,
) -> None:
    """Write a ``.ckpt`` file that MindSpore and msgrad read; its name never holds half of it.

    Args:
        path: The file, replaced if it exists.
        values: Arrays (NumPy's, JAX's, numbers) and strings by name.
        crc_check: Whether to end the file with a checksum.

    Raises:
        TypeError: If a name is not a string or a value not of a dtype that MindSpore has; nothing
            is written.
        OSError: If the file cannot be written; an existing one is as it was.
    """
    for name, value in values.items():
        if not isinstance(name, str):
            raise ArgumentTypeError(f"Names must be strings, but got {name!r}.")
        _title(name, value)
    with replacing(path) as scratch, open(scratch, "wb") as file:
        _write(file, values, crc_check, _split_bytes)


def _write(file: BinaryIO, values: Mapping[str, Any], crc_check: bool, split_bytes: int) -> None:
    checksum = 0
    for name, value in values.items():
        for piece in _pieces(name, value, split_bytes):
            file.write(piece)
            if crc_check:
                checksum = zlib.crc32(piece, checksum)
    if crc_check:
        file.write(_CRC_MARK + checksum.to_bytes(_CRC_BYTES, "big"))
