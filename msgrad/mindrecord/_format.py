"""How a MindRecord file is laid out, and reading it; writing is in ``filewriter.py``.

A file is a header (8 bytes of length, JSON, up to ``header_size``) and pages of ``page_size``. For
each row a raw page holds what is small, as a length and a map in msgpack, and a blob page the
arrays and bytes, as a length and, where there are several, a length for each. An SQLite database
beside the file, with ``.db``, says where each row begins and ends.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from msgrad._core.errors import ArgumentValueError, EngineError, MsgradError

HEADER_SIZE, PAGE_SIZE = 1 << 24, 1 << 25
LENGTH = 8
# What a field of a schema can be without a shape, and with one.
SCALARS: dict[str, Any] = {
    "int32": np.int32,
    "int64": np.int64,
    "float32": np.float32,
    "float64": np.float64,
    "string": np.str_,
    "bytes": np.bytes_,
}
ARRAYS = tuple(SCALARS)[:4]
PLACES = (
    *("PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END"),
    *("PAGE_ID_BLOB", "PAGE_OFFSET_BLOB", "PAGE_OFFSET_BLOB_END"),
)
_WIDTHS = ("<i1", "<i2", "<i4", "<i8")


class MindRecordException(MsgradError):
    """What MindSpore raises where a schema or a setting is not as it must be."""


def is_blob(field: dict[str, Any]) -> bool:
    """Whether a field of a schema is an array or bytes."""
    return "shape" in field or field["type"] == "bytes"


def pack_ints(array: np.ndarray) -> bytes:
    """Return whole numbers, each in the fewest bytes: a count, their widths, and they."""
    flat = array.ravel().astype(np.int64)
    widths = np.sum([flat != flat.astype(width) for width in _WIDTHS[:3]], axis=0)
    codes = np.zeros(-(-len(flat) // 4) * 4, np.uint8)
    codes[: len(flat)] = widths
    codes = codes.reshape(-1, 4) @ np.array([64, 16, 4, 1], np.uint8)
    numbers = (np.array(n, _WIDTHS[w]).tobytes() for n, w in zip(flat, widths, strict=True))
    return len(flat).to_bytes(4, "big") + codes.astype(np.uint8).tobytes() + b"".join(numbers)


def unpack_ints(data: bytes) -> np.ndarray:
    """Return the numbers of ``pack_ints``."""
    count = int.from_bytes(data[:4], "big")
    start = 4 + -(-count // 4)
    codes = np.frombuffer(data[4:start], np.uint8)[:, None] >> np.array([6, 4, 2, 0]) & 3
    widths = codes.ravel()[:count]
    places = start + np.concatenate([[0], np.cumsum(1 << widths)]).astype(int)
    found = np.empty(count, np.int64)
    for code in range(4):
        at = np.flatnonzero(widths == code)
        part = b"".join(data[places[i] : places[i + 1]] for i in at)
        found[at] = np.frombuffer(part, _WIDTHS[code])
    return found


class MindRecordFile:
    """One file: its header, and rows by number.

    Raises:
        RuntimeError: If the file or its database is not there, or is of another kind.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        for each in (path, f"{path}.db"):
            if not Path(each).exists():
                raise EngineError(f"The input: {each} is not exists.")
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(LENGTH), "little")
            try:
                self.header: dict[str, Any] = json.loads(file.read(min(length, HEADER_SIZE * 4)))
                self.schema: dict[str, dict[str, Any]] = self.header["schema"][0]["schema"]
            except (ValueError, KeyError) as error:
                raise EngineError(f"{path} is not a MindRecord file.") from error
        self.blobs: list[str] = self.header["schema"][0]["blob_fields"]
        self._places = np.array(_places(path))

    def __len__(self) -> int:
        return len(self._places)

    def row(self, index: int) -> dict[str, Any]:
        """Return a row: numbers and strings as Python has them, bytes, and arrays."""
        raw_page, raw, raw_end, blob_page, blob, blob_end = map(int, self._places[index])
        with open(self.path, "rb") as file:
            small = msgpack.unpackb(self._read(file, raw_page, raw, raw_end))
            data = self._read(file, blob_page, blob, blob_end) if self.blobs else b""
        found = {name: small[name] for name in small if name in self.schema}
        for name in self.blobs:
            if len(self.blobs) > 1:
                length, data = int.from_bytes(data[:LENGTH], "big"), data[LENGTH:]
            else:
                length = len(data)
            found[name], data = _value(self.schema[name], data[:length]), data[length:]
        return found

    def _read(self, file: Any, page: int, start: int, end: int) -> bytes:
        file.seek(self.header["header_size"] + page * self.header["page_size"] + start + LENGTH)
        return file.read(end - start - LENGTH)


def _value(field: dict[str, Any], data: bytes) -> Any:
    kind = field["type"]
    if kind == "bytes":
        return data
    array = unpack_ints(data) if kind[0] == "i" else np.frombuffer(data, kind)
    return array.astype(kind).reshape(field["shape"])


def _places(path: str) -> list[Any]:
    base = sqlite3.connect(f"{path}.db")
    try:
        return base.execute(f"SELECT {','.join(PLACES)} FROM INDEXES ORDER BY ROW_ID").fetchall()
    except sqlite3.Error as error:
        raise EngineError(f"{path}.db is not the index of a MindRecord file: {error}") from error
    finally:
        base.close()


def files_of(given: str | list[str]) -> list[MindRecordFile]:
    """Open files: those of a list, or one with the others that it was written with.

    Raises:
        ValueError: If a file does not exist.
        RuntimeError: If it is of another kind, or the files have different columns.
    """
    paths = [given] if isinstance(given, str) else given
    for path in paths:
        if not Path(path).is_file():
            raise ArgumentValueError(f"The file {path} does not exist or permission denied!")
    files = [MindRecordFile(path) for path in paths]
    if isinstance(given, str):
        folder, shards = Path(given).parent, files[0].header["shard_addresses"]
        if len(shards) > 1:
            files = [MindRecordFile(str(folder / Path(shard).name)) for shard in shards]
    if any(file.schema != files[0].schema for file in files):
        raise EngineError("The MindRecord files have different schemas.")
    return files
