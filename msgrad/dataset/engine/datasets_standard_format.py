"""Datasets in formats for rows of any kind: TFRecord, CSV, and text by line."""

from __future__ import annotations

import csv
import glob
import gzip
import json
import re
import struct
import zlib
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from io import SEEK_END, BytesIO
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad._core.protobuf import fields, int64s
from msgrad.common import dtype as mstype
from msgrad.dataset._arguments import check_kind, check_valid, existing_file
from msgrad.dataset.config import _check_workers
from msgrad.dataset.engine._indexed import Indexed
from msgrad.dataset.engine._orders import Buffer, Reorders
from msgrad.dataset.engine._rows import Row, Run
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets import TextBaseDataset

# How many rows MindSpore holds at most to shuffle those of files: or four times those of a file.
_HELD = 10_000


class Shuffle(StrEnum):
    """What is shuffled of datasets that are read from files."""

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"


# Those that mix the rows of files; the others are of files, or of MindDataset.
MIXED = True, Shuffle.GLOBAL, Shuffle.ADAPTIVE


class SourceDataset(Indexed, TextBaseDataset):
    """Base of datasets that are the rows of files, in order of names, as many at a time as workers.

    Shards are runs of rows, and a short one goes on from the beginning.

    Args:
        dataset_files: Path or pattern, or a list of them.
        shuffle: bool or Shuffle.
        num_shards: int, how many parts there are, or None.
        shard_id: int, which of them is read.
    """

    # A part of the rows is cut out of them as they come.
    _random_access = False

    def _open(
        self, files: Any, samples: Any, workers: Any, shuffle: Any, shards: Any, shard: Any
    ) -> None:
        super().__init__()
        if not isinstance(files, (str, list)) or not all(isinstance(f, str) for f in files):
            raise ArgumentTypeError(f"dataset_files must be str or a list of str, but got {files}.")
        patterns = [files] if isinstance(files, str) else files
        if not patterns:
            raise ArgumentValueError(f"Input dataset_files can not be empty, but got {files!r}.")
        # A file that is given twice is read twice.
        found = [[path for path in glob.glob(one) if Path(path).is_file()] for one in patterns]
        missing = [one for one, paths in zip(patterns, found, strict=True) if not paths]
        if missing:
            raise ArgumentValueError(f"The following patterns did not match any files: {missing}.")
        check_kind("shuffle", shuffle, bool, Shuffle)
        self._workers = _check_workers(workers)
        self._paths = sorted(path for paths in found for path in paths)
        self._by_file = shuffle is Shuffle.FILES
        rows = shuffle in MIXED
        self._shards = None if shards is None else (shards, shard)
        self._order_by(rows, None, shards, shard, samples)
        self._samples, self._random = samples or None, rows
        # Shards take their parts of one order, whatever the seed.
        self._file_orders = Reorders(0 if shards is None else 1)

    @cached_property
    def _records(self) -> list[list[Any]]:
        """Return for each file what its rows are read from."""
        found = [list(self._records_of(path)) for path in self._paths]
        if not any(found):
            raise EngineError(
                f"Invalid data, {type(self).__name__} API can't read the data file (interface "
                f"mismatch or no data found): {self._paths} have no row."
            )
        return found

    def _records_of(self, path: str) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} must define _records_of.")

    @cached_property
    def _all(self) -> list[Any]:
        return [record for records in self._records for record in records]

    @cached_property
    def _buffer(self) -> Buffer:
        each = -(-len(self._all) // (self._shards[0] if self._shards else 1))
        return Buffer(min(4 * (each // len(self._paths)), _HELD) or _HELD)

    def _count(self) -> int:
        return len(self._all)

    def _order(self, run: Run) -> list[int]:
        sizes = [len(records) for records in self._records]
        ends, files = np.cumsum(sizes), list(range(len(sizes)))
        if self._by_file or self._random:
            seed = run.seed if self._shards is None else 1
            files = self._file_orders.of(files, seed, run.epoch)
        order = np.array([i for f in files for i in range(ends[f] - sizes[f], ends[f])], int)
        if self._shards is not None:
            each = -(-len(order) // self._shards[0])
            order = np.resize(order, each * self._shards[0]).reshape(self._shards[0], each)
            order = order[self._shards[1]]
        rows = self._in_turn(order)[: self._samples]
        if not self._random or run.epoch < 0:
            return rows
        return list(self._buffer.shuffled(iter(rows), run.seed, run.epoch, lambda: len(rows)))

    def _in_turn(self, order: np.ndarray) -> list[int]:
        """Return rows as workers give them in turn, of which each reads some of the files."""
        file_of = np.repeat(np.arange(len(self._records)), [len(each) for each in self._records])
        begins = np.flatnonzero((np.diff(file_of[order]) != 0) | (np.diff(order) < 0)) + 1
        runs = [run.tolist() for run in np.split(order, begins)]
        parts = [chain(*runs[i :: self._workers]) for i in range(self._workers)]
        return [i for taken in zip_longest(*parts) for i in taken if i is not None]


class TextFileDataset(SourceDataset):
    """Lines of text files that are not empty: column ``text``."""

    @checked
    def __init__(
        self,
        dataset_files: Any,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ) -> None:
        self._open(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    def get_col_names(self) -> list[str]:
        return ["text"]

    def _records_of(self, path: str) -> Iterator[str]:
        # As it stands there: a carriage return is of the line.
        text = Path(path).read_bytes().decode("utf-8")
        return (line for line in text.split("\n") if line)

    def _row_at(self, index: int) -> Row:
        return (np.array(self._all[index]),)


class CSVDataset(SourceDataset):
    """Rows of files of separated values.

    Args:
        field_delim: str, what stands between values.
        column_defaults: A value for each column, int, float or str: its type, and what stands
            for an empty value; the others are str.
        column_names: list of str; by default the first line of a file has them.
    """

    @checked
    def __init__(
        self,
        dataset_files: Any,
        field_delim: str | None = ",",
        column_defaults: list[Any] | None = None,
        column_names: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ) -> None:
        self._open(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)
        delimiter = field_delim or ","
        if len(delimiter) != 1 or delimiter in '"\r\n':
            raise ArgumentValueError(f"field_delim is invalid: {delimiter!r} is no separator.")
        for default in column_defaults or ():
            check_kind("A value of column_defaults", default, int, float, str)
        for name in column_names or ():
            check_kind("A name of column_names", name, str)
        self._delimiter, self._given = delimiter, column_names
        self._defaults = column_defaults

    def get_col_names(self) -> list[str]:
        if self._given is None:
            with open(self._paths[0], newline="", encoding="utf-8") as file:
                return next(csv.reader(file, delimiter=self._delimiter), [])
        return list(self._given)

    def _records_of(self, path: str) -> Iterator[list[str]]:
        with open(path, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file, delimiter=self._delimiter) if row]
        return iter(rows[self._given is None :])

    def _row_at(self, index: int) -> Row:
        row, names = self._all[index], self.get_col_names()
        given = self._defaults or []
        defaults = [*given, *[""] * (len(names) - len(given))]
        if not len(row) == len(names) == len(defaults):
            raise EngineError(f"CSVDataset: the row {row} does not have the columns {names}.")
        kinds = {int: np.int32, float: np.float32, str: np.str_}
        try:
            return tuple(
                np.array(kinds[type(default)](_read(value, default)))
                for value, default in zip(row, defaults, strict=True)
            )
        except (ValueError, OverflowError) as error:
            raise EngineError(f"CSVDataset: the row {row} is not of {defaults}: {error}") from error


def _read(text: str, default: Any) -> Any:
    """Return a text, or the number that it begins with where that is to be whole."""
    if not text:
        return default
    found = re.match(r"\s*[+-]?\d+", text) if isinstance(default, int) else None
    return int(found[0]) if found else text


class Schema:
    """The columns of ``TFRecordDataset``: names, dtypes and shapes.

    Args:
        schema_file: Path of a JSON file with ``columns``, or None to add them one by one.
    """

    def __init__(self, schema_file: str | None = None) -> None:
        self.columns: list[dict[str, Any]] = []
        self.dataset_type, self.num_rows = "", 0
        if schema_file is not None:
            self.from_json(json.loads(existing_file(schema_file).read_text()))

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column.

        Args:
            name: str.
            de_type: A dtype of MindSpore, or its name.
            shape: list of int; by default (n,), of as many values as there are.

        Raises:
            TypeError: If the dtype is none, the name no text or empty, or the shape no list.
        """
        if not isinstance(name, str) or not name:
            raise ArgumentTypeError(f"Expected non-empty string for column name, but got {name!r}.")
        check_kind("shape", shape, list, tuple, type(None))
        known = isinstance(de_type, (mstype.DType, str))
        if not known or (isinstance(de_type, str) and not hasattr(mstype, de_type)):
            raise ArgumentTypeError(f"de_type must be a dtype of MindSpore, but got {de_type}.")
        kind = getattr(mstype, de_type) if isinstance(de_type, str) else de_type
        text = kind is mstype.string
        column: dict[str, Any] = {
            "name": name,
            "type": np.str_ if text else mstype.dtype_to_nptype(kind),
        }
        self.columns.append(column if shape is None else {**column, "shape": list(shape)})

    def parse_columns(self, columns: Any) -> None:
        """Add columns: dicts of ``name``, ``type`` and ``shape``, or a dict of such by name."""
        if isinstance(columns, dict):
            columns = [{"name": name, **columns[name]} for name in sorted(columns)]
        check_kind("columns", columns, list)
        for column in columns:
            shape = [] if column.get("rank") == 0 else column.get("shape")
            self.add_column(column["name"], column["type"], shape)

    def to_json(self) -> str:
        """Return the columns as the text of a JSON file that ``schema_file`` reads."""
        columns = [
            {
                **column,
                "rank": len(column.get("shape", (0,))),
                "type": "string" if column["type"] is np.str_ else str(np.dtype(column["type"])),
            }
            for column in self.columns
        ]
        return json.dumps({"columns": columns or None}, indent=2, sort_keys=True)

    __str__ = to_json

    def from_json(self, json_obj: Any) -> None:
        """Add the columns of a JSON object with ``columns``."""
        self.dataset_type = json_obj.get("datasetType", "")
        self.num_rows = json_obj.get("numRows", 0)
        self.parse_columns(json_obj["columns"])


def _a_schema(given: Any) -> Schema | None:
    """Return a schema, that of a path for a text; raises ``TypeError`` for what is neither."""
    schema = Schema(given) if isinstance(given, str) else given
    check_kind("schema", schema, Schema, type(None))
    return schema


class TFRecordDataset(SourceDataset):
    """Rows of TFRecord files, of an ``Example`` each, one column for each feature.

    Args:
        schema: Schema, or the path of one; by default the first row tells, and columns are
            float32, int64, or the uint8 of bytes.
        columns_list: Names of the columns that are read; None for all.
        num_parallel_workers: How many files are read at a time: they give a row in turn.
        shard_equal_rows: Whether shards are as many rows, or each a part of the files.
        compression_type: ``"GZIP"``, ``"ZLIB"``, or None or "". What files hold is kept then.
    """

    @checked
    def __init__(
        self,
        dataset_files: Any,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: DatasetCache | None = None,
        compression_type: str | None = None,
    ) -> None:
        self._schema = _a_schema(schema)
        samples = num_samples or (self._schema and self._schema.num_rows)
        self._open(dataset_files, samples, num_parallel_workers, shuffle, num_shards, shard_id)
        if compression_type:
            check_valid("compression_type", compression_type, ("GZIP", "ZLIB"))
            if num_shards and num_shards > len(self._paths):
                raise (ArgumentValueError if num_samples else EngineError)(
                    f"There are {len(self._paths)} compressed files for {num_shards} shards."
                )
        self._unpack, self._unpacked = compression_type, dict[str, bytes]()
        if self._shards is not None and not shard_equal_rows:
            self._paths = self._paths[self._shards[1] :: self._shards[0]]
            self._shards = None
        self._wanted = columns_list

    def _file(self, path: str) -> BinaryIO:
        """Return an open file: of what is in it, kept, where it is compressed."""
        if not self._unpack:
            return open(path, "rb")
        if path not in self._unpacked:
            data = Path(path).read_bytes()
            try:
                # As in MindSpore, a file may not be compressed at all.
                if self._unpack == "ZLIB":
                    data = zlib.decompress(data)
                elif data.startswith(b"\x1f\x8b"):
                    data = gzip.decompress(data)
            except (OSError, EOFError, zlib.error) as error:
                raise EngineError(f"Invalid file, {path} is not {self._unpack}: {error}") from error
            self._unpacked[path] = data
        return BytesIO(self._unpacked[path])

    def _records_of(self, path: str) -> Iterator[tuple[str, int, int]]:
        with self._file(path) as file:
            size, place = file.seek(0, SEEK_END), 0
            file.seek(0)
            while place < size:
                # A length of 64 bits and its checksum, the data, and their checksum.
                head = file.read(12)
                length = struct.unpack("<Q", head[:8])[0] if len(head) == 12 else size
                if place + 16 + length > size:
                    raise EngineError(
                        "Invalid file. The following files either cannot be opened, or are not "
                        f"valid TFRecordDataset files: {path}"
                    )
                yield path, place + 12, length
                place += 16 + length
                file.seek(place)

    @cached_property
    def _columns(self) -> list[tuple[str, Any, list[int] | None]]:
        if self._schema is not None:
            every = [(c["name"], c["type"], c.get("shape")) for c in self._schema.columns]
        else:
            first = self._features(0) if self._all else {}
            every = [(name, None, None) for name in sorted(first)]
        by_name = {column[0]: column for column in every}
        wanted = list(by_name) if self._wanted is None else self._wanted
        absent = [name for name in wanted if name not in by_name]
        if absent:
            raise EngineError(
                f"Invalid columns_list, tfrecord file {self._paths[0]} has no columns {absent}; it "
                f"has {list(by_name)}."
            )
        return [by_name[name] for name in wanted]

    def get_col_names(self) -> list[str]:
        return [name for name, _, _ in self._columns]

    def _features(self, index: int) -> dict[str, np.ndarray]:
        path, place, length = self._all[index]
        with self._file(path) as file:
            file.seek(place)
            return _example(file.read(length))

    def _row_at(self, index: int) -> Row:
        features = self._features(index)
        row = []
        for name, kind, shape in self._columns:
            if name not in features:
                raise EngineError(f"Invalid data, column name: {name} is not in the row's columns.")
            try:
                value = _of_kind(features[name], kind)
                row.append(value if shape is None else value.reshape(shape))
            except ValueError as error:
                raise EngineError(f"Invalid data, column name: {name}: {error}") from error
        return tuple(row)


def _of_kind(value: np.ndarray, kind: Any) -> np.ndarray:
    """Return a feature as its column has it: bytes as texts, or end to end, all of one length."""
    if value.dtype.kind != "O":
        if kind is np.str_:
            raise ValueError(f"it has {value.dtype}, but the schema has texts")
        return value if kind is None else value.astype(kind)
    if kind is np.str_:
        return np.array([each.decode() for each in value])
    most = max(map(len, value), default=0)
    whole = np.frombuffer(b"".join(each.ljust(most) for each in value), np.uint8)
    return whole if kind is None else whole.astype(kind)


def _example(data: bytes) -> dict[str, np.ndarray]:
    """Return the features of a serialized ``tf.train.Example``.

    It is a message of one field, of entries with a name (1) and a Feature (2), which is a list of
    bytes (1), of floats (2) or of int64 (3).
    """
    found = {}
    for _, features in fields(data):
        for _, entry in fields(features):
            parts = dict(fields(entry))
            for kind, values in fields(parts.get(2, b"")):
                found[parts[1].decode()] = _values(kind, values)
    return found


def _values(kind: int, data: bytes) -> np.ndarray:
    if kind == 1:
        return np.array([value for _, value in fields(data)], object)
    if kind == 2:
        packed = b"".join(value for _, value in fields(data))
        return np.frombuffer(packed, "<f4").astype(np.float32)
    return np.array(int64s(data), np.int64)


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
