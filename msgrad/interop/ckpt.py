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
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.protobuf import DamagedFile, as_varint, before_bytes, varint
from msgrad.common import dtype as mstype
from msgrad.interop._encryption import MODES, Cipher, Encrypting
from msgrad.interop._files import Source, Span, encoded, reading, replacing

__all__ = ["read_ckpt", "write_ckpt"]

_DTYPES: dict[str, np.dtype] = {
    str(entry): entry.np_dtype for entry in mstype.all_types if entry.np_dtype is not None
}
_TITLES = {np_dtype: title for title, np_dtype in _DTYPES.items()}
_STRING = "str"
# NumPy's limit of dimensions.
_MOST_SIZES = 64
_SPLIT_BYTES = 512 * 2**20
_CRC_MARK = b"crc_num"
_CRC_BYTES = 10
_ENCRYPTED = [mark for mark, _ in MODES.values()]

_VARINT, _BYTES = 0, 2
_FILE_KEYS = frozenset({1 * 8 + _BYTES})
_ENTRY_KEYS = frozenset({1 * 8 + _BYTES, 2 * 8 + _BYTES, 3 * 8 + _BYTES})
_TENSOR_KEYS = frozenset({1 * 8 + _VARINT, 2 * 8 + _BYTES, 3 * 8 + _BYTES})


@dataclass
class _Entry:
    """One name: its sizes and dtype, and where the pieces of its bytes stand, in order."""

    name: str
    sizes: tuple[int, ...]
    dtype: str
    pieces: list[Span]


# Reading --------------------------------------------------------------------------------------


def _fields(source: Source, span: Span, known: frozenset[int]) -> Iterator[tuple[int, Any]]:
    """Yield ``(number, value)`` of each field between two positions; ``known`` are the keys.

    A value is an int, or where its bytes begin and end.
    """
    at, end = span
    while at < end:
        block, offset = source.ahead(at, 20)
        key, behind = varint(block, offset)
        if key not in known:
            raise DamagedFile(f"field {key >> 3} of wire type {key & 7} does not belong here")
        value, behind = varint(block, behind)
        at += behind - offset
        if at > end:
            raise DamagedFile("it ends inside a number")
        if key & 7 == _VARINT:
            yield key >> 3, value
        elif value <= end - at:
            yield key >> 3, (at, at + value)
            at += value
        else:
            raise DamagedFile(f"{value} bytes are announced, {end - at} are there")


def _text(source: Source, span: Span) -> str:
    try:
        return str(source.part(*span), "utf-8")
    except UnicodeDecodeError:
        raise DamagedFile("a name is not UTF-8 text") from None


def _entry(source: Source, span: Span) -> _Entry:
    found = dict(_fields(source, span, _ENTRY_KEYS))
    if 1 not in found:
        raise DamagedFile("an entry has no name")
    name = _text(source, found[1])
    if 3 in found:
        raise UnsupportedError(
            f"The entry {name[:200]!r} is a MapParameter, which msgrad does not have; export it "
            "with MindSpore as ordinary Parameters."
        )
    if 2 not in found:
        raise DamagedFile(f"the entry {name[:200]!r} has no tensor")
    sizes: list[int] = []
    dtype, content = "", (0, 0)
    for number, value in _fields(source, found[2], _TENSOR_KEYS):
        if number == 1:
            sizes.append(value)
            if len(sizes) > _MOST_SIZES:
                raise DamagedFile(f"the entry {name[:200]!r} has more than {_MOST_SIZES} sizes")
        elif number == 2:
            dtype = _text(source, value)
        else:
            content = value
    if dtype != _STRING and dtype not in _DTYPES:
        raise DamagedFile(f"the entry {name[:200]!r} has the unknown dtype {dtype[:200]!r}")
    return _Entry(name, tuple(sizes), dtype, [content])


def _entries(source: Source, end: int) -> list[_Entry]:
    """Return the entries up to a position, of each name the last one, at the place of the first."""
    entries: dict[str, _Entry] = {}
    last: _Entry | None = None
    for _, span in _fields(source, (0, end), _FILE_KEYS):
        entry = _entry(source, span)
        if last is not None and last.name == entry.name:
            if (last.sizes, last.dtype) != (entry.sizes, entry.dtype):
                raise DamagedFile(f"the pieces of {entry.name[:200]!r} differ in shape or dtype")
            last.pieces += entry.pieces
        else:
            entries[entry.name] = last = entry
    for entry in entries.values():
        if entry.dtype == _STRING:
            continue
        size = sum(end - start for start, end in entry.pieces)
        wanted = math.prod(entry.sizes) * _DTYPES[entry.dtype].itemsize
        if size != wanted:
            raise DamagedFile(
                f"{entry.name[:200]!r} of shape {entry.sizes} and dtype {entry.dtype} needs "
                f"{wanted} bytes, {size} are there"
            )
    return list(entries.values())


def _value(source: Source, entry: _Entry) -> np.ndarray:
    if entry.dtype != _STRING:
        return source.array(_DTYPES[entry.dtype], entry.sizes, entry.pieces)
    try:
        # Half a surrogate pair is a character of a Python text, and of MindSpore's file.
        raw = source.array(np.dtype(np.uint8), (-1,), entry.pieces)
        return np.array(str(raw.data, "utf-32-le", "surrogatepass").rstrip("\0"))
    except UnicodeDecodeError:
        raise DamagedFile(f"the text of {entry.name[:200]!r} is not UTF-32") from None


def _body_end(source: Source, check: bool) -> int:
    """Return where the checksum begins, or the size of the file if it has none."""
    start = source.size - len(_CRC_MARK) - _CRC_BYTES
    if start < 0 or source.part(start, start + len(_CRC_MARK)) != _CRC_MARK:
        return source.size
    expected = int.from_bytes(source.part(source.size - _CRC_BYTES, source.size), "big")
    if check and source.checksum(start) != expected:
        raise DamagedFile("the checksum does not fit the content")
    return start


def has_checksum(path: str | os.PathLike[str]) -> bool:
    """Whether a ``.ckpt`` file ends with a checksum."""
    with reading(path) as source:
        return _body_end(source, False) < source.size


def ckpt_items(
    path: str | os.PathLike[str],
    *,
    crc_check: bool = False,
    wanted: Callable[[str], bool] | None = None,
    cipher: Cipher | None = None,
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield what ``read_ckpt`` returns one by one, so that no more than one need be held.

    Args:
        path: The file.
        crc_check: As there.
        wanted: Called with each name; what it is False for is not read.
        cipher: What the file is encrypted with.
    """
    try:
        with reading(path) as source:
            if cipher is not None:
                source = cipher.decrypted(source)
            elif source.part(0, min(4, source.size)) in _ENCRYPTED:
                raise DamagedFile("it is encrypted; give load_checkpoint the 'dec_key'")
            for entry in _entries(source, _body_end(source, crc_check)):
                if wanted is None or wanted(entry.name):
                    yield entry.name, _value(source, entry)
    except DamagedFile as error:
        raise ArgumentValueError(
            f"Failed to read the checkpoint file {os.path.realpath(path)}. The file may be "
            f"corrupted, and the content cannot be parsed: {error}."
        ) from None


def read_ckpt(path: str | os.PathLike[str], *, crc_check: bool = False) -> dict[str, np.ndarray]:
    """Read a ``.ckpt`` file that MindSpore or msgrad wrote.

    Args:
        path: The file.
        crc_check: Whether to compare the checksum, if the file has one.

    Returns:
        The arrays by name, in the order of the file, each with memory of its own. bfloat16 has
        ``ml_dtypes``' dtype; a string (an entry of ``append_dict``) is a 0-d array of dtype
        ``str``.

    Raises:
        ValueError: If the file is truncated, damaged, encrypted or no ordinary file, or changes
            while it is read.
        NotImplementedError: If it holds a ``MapParameter``.
        OSError: If it cannot be opened.

    On to native JAX: ``weights = jax.tree.map(jnp.asarray, read_ckpt(path))``.
    """
    return dict(ckpt_items(path, crc_check=crc_check))


# Writing --------------------------------------------------------------------------------------


def _title(name: str, value: Any) -> str:
    """Return the format's name of the dtype of a value."""
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
    """Return the sizes and the bytes of a value."""
    array = np.asarray(value)
    if title == _STRING:
        # An empty text is one NUL, as in MindSpore; readers drop NULs at the end.
        return (0,), memoryview((array.item() or "\0").encode("utf-32-le", "surrogatepass"))
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    # Seen as bytes since bfloat16 has no buffer protocol.
    return array.shape, np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _pieces(name: str, value: Any, split_bytes: int) -> Iterator[bytes | memoryview]:
    """Yield the bytes of the entries of one name."""
    title = _title(name, value)
    sizes, content = _content(title, value)
    label = name.encode()
    described = b"".join(as_varint(1 * 8 + _VARINT) + as_varint(size) for size in sizes)
    described += before_bytes(2, len(title)) + title.encode()
    for start in range(0, max(1, len(content)), split_bytes):
        piece = content[start : start + split_bytes]
        head = described + before_bytes(3, len(piece))
        tensor = before_bytes(2, len(head) + len(piece)) + head
        named = before_bytes(1, len(label)) + label
        yield before_bytes(1, len(named) + len(tensor) + len(piece)) + named + tensor
        yield piece


def write_ckpt(
    path: str | os.PathLike[str],
    values: Mapping[str, Any],
    *,
    crc_check: bool = False,
    cipher: Cipher | None = None,
    _split_bytes: int = _SPLIT_BYTES,
) -> None:
    """Write a ``.ckpt`` file that MindSpore and msgrad read; its name never holds half of it.

    Args:
        path: The file, replaced if it exists.
        values: Arrays (NumPy's, JAX's, numbers) and strings by name.
        crc_check: Whether to end the file with a checksum.
        cipher: What to encrypt it with.

    Raises:
        TypeError: If a name is not a string or a value not of a dtype that MindSpore has; nothing
            is written.
        OSError: If the file cannot be written; an existing one is as it was.
    """
    for name, value in values.items():
        if not isinstance(name, str):
            raise ArgumentTypeError(f"Names must be strings, but got {name!r}.")
        _title(name, value)
        try:
            encoded(name)
        except UnicodeEncodeError as error:
            raise ArgumentValueError(str(error)) from None
    with replacing(path) as file:
        if cipher is None:
            _write(file, values, crc_check, _split_bytes)
        else:
            within = Encrypting(file, cipher)
            _write(within, values, False, _split_bytes)
            within.close()


def _write(
    file: BinaryIO | Encrypting, values: Mapping[str, Any], crc_check: bool, split_bytes: int
) -> None:
    checksum = 0
    for name, value in values.items():
        for piece in _pieces(name, value, split_bytes):
            file.write(piece)
            if crc_check:
                checksum = zlib.crc32(piece, checksum)
    if crc_check:
        file.write(_CRC_MARK + checksum.to_bytes(_CRC_BYTES, "big"))
