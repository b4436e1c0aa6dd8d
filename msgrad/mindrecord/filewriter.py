"""``FileWriter``: writes rows into MindRecord files."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from msgrad import log
from msgrad._core.errors import EngineError
from msgrad.mindrecord._format import (
    ARRAYS,
    HEADER_SIZE,
    LENGTH,
    PAGE_SIZE,
    PLACES,
    SCALARS,
    MindRecordException,
    files_of,
    is_blob,
    pack_ints,
)

_SQL_TYPES = {"i": "INTEGER", "f": "REAL", "s": "TEXT"}
_PYTHON_TYPES = {"i": int, "f": (float, np.float32), "s": str, "b": bytes}
_PLACES = ("ROW_ID", *PLACES[:3], "ROW_GROUP_ID", *PLACES[3:])
_MOST_SHARDS = 1000


class FileWriter:
    """Writes rows into one MindRecord file or several; ``commit`` ends it.

    Args:
        file_name: The path; a number is appended where there are several files.
        shard_num: How many files the rows are spread over, 1 to 1000.
        overwrite: Whether files that exist are replaced.

    Raises:
        MindRecordException: For arguments that are not accepted.
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False) -> None:
        if not isinstance(file_name, str):
            raise MindRecordException(f"Invalid parameter value. File path: {file_name} is not str")
        if type(shard_num) is not int or not 1 <= shard_num <= _MOST_SHARDS:
            raise MindRecordException(
                f"Invalid parameter value. Parameter shard_num's value: {shard_num} should between "
                f"1 and {_MOST_SHARDS}."
            )
        if not isinstance(overwrite, bool):
            raise MindRecordException(f"Parameter overwrite must be bool, but got {overwrite}.")
        digits = len(str(shard_num - 1))
        names = [f"{file_name}{i:0{digits}}" for i in range(shard_num)]
        self._paths = names if shard_num > 1 else [file_name]
        self._overwrite = overwrite
        self._schema: dict[str, dict[str, Any]] = {}
        self._desc, self._index = "", None
        self._sizes = HEADER_SIZE, PAGE_SIZE
        self._shards: list[_Shard] | None = None
        self._committed = False
        # The rows of each file that there are before.
        self._kept: list[list[dict[str, Any]]] = []

    @classmethod
    def open_for_append(cls, file_name: str) -> FileWriter:
        """Return a writer of files that are there; further rows come after those of each file.

        Differs from MindSpore: the files are written anew by ``commit``.

        Args:
            file_name: The file, or one of several that were written together.

        Raises:
            MindRecordException, RuntimeError: If it is no name of a MindRecord file.
        """
        if not isinstance(file_name, str):
            raise MindRecordException(f"Invalid parameter value. File path: {file_name} is not str")
        if not Path(file_name).exists():
            raise EngineError(f"The input: {file_name} is not exists.")
        files = files_of(file_name)
        writer, header = cls(file_name, overwrite=True), files[0].header
        writer._paths = [file.path for file in files]
        writer._schema, writer._desc = files[0].schema, header["schema"][0]["desc"]
        writer._index = [field["index_field"] for field in header["index_fields"] or ()]
        writer._sizes = header["header_size"], header["page_size"]
        writer._kept = [[file.row(i) for i in range(len(file))] for file in files]
        return writer

    def add_schema(self, content: dict[str, dict[str, Any]], desc: str | None = None) -> None:
        """Set the fields of a row.

        Args:
            content: Name -> ``{"type": "int32"}``, of int32, int64, float32, float64, string and
                bytes, and with ``"shape"``, in which -1 is any size, for arrays of numbers.
            desc: Says what the rows are.

        Raises:
            MindRecordException: For a field that cannot be.
        """
        if self._kept:
            raise MindRecordException("[MRMAddSchemaError]: Failed to add schema.")
        wrong = "[MRMInvalidSchemaError]: Schema format is error. Detail: "
        if not isinstance(content, dict):
            raise MindRecordException(f"{wrong}Schema content should be dict.")
        if not content:
            raise MindRecordException(f"{wrong}Schema content is empty.")
        for name, field in content.items():
            if not isinstance(name, str) or not re.fullmatch(r"\w+", name, re.ASCII):
                raise MindRecordException(
                    f"{wrong}Field '{name}' should be composed of '0-9' or 'a-z' or 'A-Z' or '_'."
                )
            kind = field.get("type") if isinstance(field, dict) else field
            if kind not in (ARRAYS if "shape" in field else SCALARS):
                raise MindRecordException(
                    f"{wrong}Field '{name}' contain illegal attribute '{kind}'."
                )
        self._schema = {name: dict(sorted(content[name].items())) for name in sorted(content)}
        self._desc = desc or ""

    def add_index(self, index_fields: list[str]) -> None:
        """Set the fields that the index has: numbers and strings; all of them by default.

        Raises:
            MindRecordException: For something else.
        """
        if not isinstance(index_fields, list):
            raise MindRecordException("Invalid parameter type. 'index_fields' expect list type.")
        for name in index_fields:
            if name not in self._schema:
                raise EngineError(f"the index field {name} is not in the schema.")
            if is_blob(self._schema[name]):
                raise MindRecordException(
                    f"Failed to set field {name} since it's not primitive type."
                )
        self._index = index_fields

    def set_header_size(self, header_size: int) -> None:
        """Set the size of the header: 16 KB to 128 MB, a power of 2."""
        self._sizes = _power("header_size", header_size, 27), self._sizes[1]

    def set_page_size(self, page_size: int) -> None:
        """Set the size of a page, which a row must fit into: 16 KB to 256 MB, a power of 2."""
        self._sizes = self._sizes[0], _power("page_size", page_size, 28)

    def write_raw_data(self, raw_data: list[dict[str, Any]], parallel_writer: bool = False) -> None:
        """Write rows; one that is not as the schema says is left out, with a warning.

        Args:
            raw_data: Rows by the names of the fields.
            parallel_writer: Accepted for compatibility.

        Raises:
            RuntimeError: If no row can be written, or the files exist.
            MindRecordException: If it is no list of dicts.
        """
        if not isinstance(raw_data, list):
            raise MindRecordException("Invalid parameter type. 'raw_data' expect list type.")
        for row in raw_data:
            if not isinstance(row, dict):
                raise MindRecordException("Invalid parameter type. 'raw_data' item expect dict.")
        rows = [row for row in raw_data if self._fits(row)]
        if not rows:
            raise EngineError(
                "There is no valid data which can be written by 'write_raw_data' to mindrecord "
                "file. Please check the abnormal input data indicated in the warning log above."
            )
        shards = self._opened()
        bounds = np.linspace(0, len(rows), len(shards) + 1).astype(int)
        for shard, start, end in zip(shards, bounds, bounds[1:], strict=False):
            for row in rows[start:end]:
                shard.write(row)

    def commit(self) -> None:
        """Finish the files; nothing can be written after that.

        Raises:
            RuntimeError: If there is no schema, or it was done before.
        """
        shards = self._opened()
        self._committed = True
        for number, shard in enumerate(shards):
            shard.close(number)

    def _discard(self) -> None:
        """Remove the files that were begun."""
        for shard in self._shards or ():
            shard._file.close()
            Path(shard._path).unlink(missing_ok=True)
            Path(f"{shard._path}.db").unlink(missing_ok=True)

    def _opened(self) -> list[_Shard]:
        if self._committed or not self._schema:
            what = "the files are committed" if self._committed else "there is no schema"
            raise EngineError(f"FileWriter: {what}; make another one, with add_schema first.")
        if self._shards is None:
            for path in self._paths:
                for each in (Path(path), Path(f"{path}.db")):
                    if each.exists() and not self._overwrite:
                        raise EngineError(f"{each} exists; remove it, or give overwrite=True.")
                    each.unlink(missing_ok=True)
            self._shards = [_Shard(path, self) for path in self._paths]
            for shard, rows in zip(self._shards, self._kept, strict=False):
                for row in rows:
                    shard.write(row)
        return self._shards

    def _fits(self, row: dict[str, Any]) -> bool:
        for name, field in self._schema.items():
            if not _fits(row.get(name), field["type"], field.get("shape")):
                log.warning("FileWriter: a row is left out: its %s does not fit %s.", name, field)
                return False
        return True


def _fits(value: Any, kind: str, shape: list[int] | None) -> bool:
    if shape is None and isinstance(value, np.generic):
        return value.dtype == kind
    if shape is None:
        return isinstance(value, _PYTHON_TYPES[kind[0]]) and not isinstance(value, bool)
    if not isinstance(value, np.ndarray) or value.dtype != kind or value.ndim != len(shape):
        return False
    return value.size > 0 and all(a in (-1, b) for a, b in zip(shape, value.shape, strict=True))


class _Shard:
    """One file that is being written."""

    def __init__(self, path: str, owner: FileWriter) -> None:
        self._path, self._owner = path, owner
        self._header_size, self._page_size = owner._sizes
        self._blobs = [name for name, field in owner._schema.items() if is_blob(field)]
        self._scalars = [name for name in owner._schema if name not in self._blobs]
        self._index = self._scalars if owner._index is None else owner._index
        self._pages: list[dict[str, Any]] = []
        # What the raw pages have of each row, its blob page and group, and its place in the index.
        self._rows: list[tuple[bytes, int, tuple[Any, ...]]] = []
        self._saved = 0
        self._file = open(path, "wb")  # noqa: SIM115

    def write(self, row: dict[str, Any]) -> None:
        """Write the blobs of a row, and keep the rest until the end."""
        parts = [self._bytes(row[name]) for name in self._blobs]
        if len(parts) > 1:
            parts = [each for part in parts for each in (len(part).to_bytes(LENGTH, "big"), part)]
        # Where there are no blobs, MindSpore fills the place, too.
        place = self._put("BLOB_DATA", b"".join(parts or [bytes(4)]), len(self._rows))
        self._pages[-1]["end_row_id"] = len(self._rows) + 1
        scalars = {name: row[name] for name in self._scalars} or {"id": 0}
        raw = msgpack.packb({name: _plain(one) for name, one in scalars.items()}) or b""
        values = [each for name in self._index for each in (0, _plain(row[name]))]
        self._rows.append((raw, place[0], (*place, *values)))

    def _bytes(self, value: Any) -> bytes:
        if not isinstance(value, np.ndarray):
            return value
        if value.dtype.kind != "i":
            return value.tobytes()
        packed = pack_ints(value)
        self._saved += value.nbytes - len(packed)
        return packed

    def _put(self, kind: str, data: bytes, row: int = 0) -> tuple[int, int, int]:
        """Write into the last page, or a new one; return the page, the beginning and the end."""
        size = LENGTH + len(data)
        if size > self._page_size:
            raise EngineError(f"a row of {size} bytes is more than a page; see set_page_size.")
        last = self._pages[-1] if self._pages else None
        if last is None or last["page_type"] != kind or last["page_size"] + size > self._page_size:
            last = {
                "page_id": len(self._pages),
                "page_type": kind,
                "page_type_id": sum(page["page_type"] == kind for page in self._pages),
                "page_size": 0,
                "start_row_id": row,
                "end_row_id": 0,
                "row_group_ids": [{"id": 0, "offset": 0}] if kind == "BLOB_DATA" else [],
            }
            self._pages.append(last)
        page, start = last["page_id"], last["page_size"]
        last["page_size"] += size
        self._file.seek(self._header_size + page * self._page_size + start)
        self._file.write(len(data).to_bytes(LENGTH, "little") + data)
        return page, start, start + size

    def close(self, number: int) -> None:
        """Write the rest of the rows, the header and the index."""
        rows = []
        for i, (raw, group, places) in enumerate(self._rows):
            place = self._put("RAW_DATA", raw)
            groups = self._pages[-1]["row_group_ids"]
            if not groups or groups[-1]["id"] != group:
                groups.append({"id": group, "offset": place[1]})
            rows.append((i, *place, group, *places))
        fields = self._owner._schema
        header = {
            "header_size": self._header_size,
            "index_fields": [{"index_field": n, "schema_id": 0} for n in self._index] or None,
            "page": [dict(sorted({**page, "shard_id": number}.items())) for page in self._pages],
            "page_size": self._page_size,
            "compression_size": self._saved,
            "schema": [{"blob_fields": self._blobs, "desc": self._owner._desc, "schema": fields}],
            "shard_addresses": [Path(path).name for path in self._owner._paths],
            "shard_id": number,
            "statistics": None,
            "version": "3.0",
        }
        text = json.dumps(header, separators=(",", ":")).encode()
        self._file.seek(0)
        self._file.write(len(text).to_bytes(LENGTH, "little") + text)
        self._file.close()
        more = [
            f"INC_{i} INT, {name}_0 {_SQL_TYPES[fields[name]['type'][0]]}"
            for i, name in enumerate(self._index)
        ]
        columns = [f"{name} INT NOT NULL" for name in _PLACES]
        keys = ",".join(["ROW_ID", *(f"INC_{i}" for i in range(len(more)))])
        marks = ",".join("?" * (len(columns) + 2 * len(more)))
        base = sqlite3.connect(f"{self._path}.db")
        # Nobody has it before it is whole: waiting for the disk took 95 of 100 ms a file.
        base.execute("PRAGMA synchronous=OFF")
        with base:
            base.execute(f"CREATE TABLE INDEXES({','.join(columns + more)}, PRIMARY KEY({keys}))")
            base.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
            base.execute("INSERT INTO SHARD_NAME VALUES(?)", (Path(self._path).name,))
            base.executemany(f"INSERT INTO INDEXES VALUES({marks})", rows)
        base.close()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _power(name: str, size: int, most: int) -> int:
    if size not in [1 << each for each in range(14, most + 1)]:
        raise EngineError(f"{name} must be a power of 2, 2**14 to 2**{most}, but got {size}.")
    return size
