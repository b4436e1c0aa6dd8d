"""Data sets as they are distributed, written into MindRecord files: ``CsvToMR`` and its like."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.mindrecord._format import MindRecordException
from msgrad.mindrecord.filewriter import FileWriter

# What pandas, by which MindSpore reads, takes for no value.
_NOTHING = {"", "#N/A", "#NA", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
_AT_ONCE = 1000


class _Converter:
    """Base of what writes a data set into MindRecord files."""

    def run(self) -> int:
        """Write the files; returns 0, ``SUCCESS``."""
        raise NotImplementedError

    def transform(self) -> None:
        """Write the files, as ``run`` does."""
        self.run()


def _written(writer: FileWriter, schema: dict[str, Any], rows: Iterator[dict[str, Any]]) -> None:
    writer.add_schema(schema)
    held: list[dict[str, Any]] = []
    for row in rows:
        held.append(row)
        if len(held) == _AT_ONCE:
            writer.write_raw_data(held)
            held = []
    if held or writer._shards is None:
        writer.write_raw_data(held)
    writer.commit()


def _a_path(path: Any) -> Path:
    if not isinstance(path, str):
        raise MindRecordException(f"Invalid parameter value. File path: {path} is not string.")
    return Path(path)


class CsvToMR(_Converter):
    """Rows of a file of values separated by commas, whose first line names the columns.

    A column of whole numbers is int64, one of other numbers float64, others are strings. Rows in
    which a string is missing are left out.

    Args:
        source: Path of the file.
        destination: Path of the MindRecord file.
        columns_list: The columns that are written; all by default.
        partition_number: int, over how many files the rows are spread.

    Raises:
        ValueError, MindRecordException: For arguments that are not accepted.
        OSError, RuntimeError: In ``run``, if the file or a column is not there, or nothing is
            written.

    Differs from MindSpore: columns of numbers only may be of both kinds.
    """

    def __init__(
        self,
        source: str,
        destination: str,
        columns_list: list[str] | None = None,
        partition_number: int = 1,
    ) -> None:
        for name, path in (("source", source), ("destination", destination)):
            if not isinstance(path, str):
                raise ArgumentValueError(f"The parameter {name} must be str, but got {path!r}.")
        wanted = [] if columns_list is None else columns_list
        if not isinstance(wanted, list) or not all(isinstance(name, str) for name in wanted):
            raise ArgumentValueError("The parameter columns_list must be list of str.")
        self.source, self.columns_list = source, wanted
        self.writer = FileWriter(destination, partition_number)

    def run(self) -> int:
        with open(self.source, newline="", encoding="utf-8") as file:
            names, *rows = list(csv.reader(file)) or [[]]
        if not names:
            raise ArgumentValueError(f"No columns to parse from {self.source}.")
        for name in self.columns_list:
            if name not in names:
                raise EngineError(
                    f"The parameter columns_list is illegal, column {name} does not exist."
                )
        texts = {
            name: [row[i] if i < len(row) else "" for row in rows if row]
            for i, name in enumerate(names)
            if name in self.columns_list or not self.columns_list
        }
        columns = {name: _typed(values) for name, values in texts.items()}
        every = zip(*(values for _, values in columns.values()), strict=True)
        made = (dict(zip(columns, values, strict=True)) for values in every)
        _written(self.writer, {name: {"type": kind} for name, (kind, _) in columns.items()}, made)
        return 0


def _typed(texts: list[str]) -> tuple[str, list[Any]]:
    """Return the type of a column, and its values."""
    if all(re.fullmatch(r"\s*[+-]?\d{1,18}\s*", text) for text in texts):
        return "int64", [np.int64(int(text)) for text in texts]
    try:
        return "float64", [np.float64("nan" if t in _NOTHING else t) for t in texts]
    except ValueError:
        return "string", [None if text in _NOTHING else text for text in texts]


class ImageNetToMR(_Converter):
    """Image files in a folder for each class: ``file_name``, ``image`` and ``label``, int32.

    Args:
        map_file: Path of a file with the name of a folder and its label on each line.
        image_dir: Path of the folder of the folders.
        destination: Path of the MindRecord file.
        partition_number: int, over how many files the rows are spread.

    Raises:
        MindRecordException: For arguments that are not accepted; in ``run``, if a folder is not
            there.
        OSError: In ``run``, if the map is not there.
    """

    def __init__(
        self, map_file: str, image_dir: str, destination: str, partition_number: int = 1
    ) -> None:
        self.map_file, self.image_dir = _a_path(map_file), _a_path(image_dir)
        self.writer = FileWriter(destination, partition_number)

    def run(self) -> int:
        lines = self.map_file.read_text(encoding="utf-8").splitlines()
        if not self.image_dir.is_dir():
            raise MindRecordException(f"Invalid path. not valid image dir in {self.image_dir}.")
        schema = {"label": "int32", "image": "bytes", "file_name": "string"}
        rows = self._rows([line.split() for line in lines if line.strip()])
        _written(self.writer, {name: {"type": kind} for name, kind in schema.items()}, rows)
        return 0

    def _rows(self, classes: list[list[str]]) -> Iterator[dict[str, Any]]:
        for name, label, *_ in classes:
            for path in sorted((self.image_dir / name).iterdir()):
                yield {"label": int(label), "image": path.read_bytes(), "file_name": str(path)}


class MnistToMR(_Converter):
    """MNIST, of the files with ``.gz``: ``data``, images as JPEG, and ``label``, int64.

    Args:
        source: Path of the folder.
        destination: Path, to which ``_train.mindrecord`` and ``_test.mindrecord`` are put.
        partition_number: int, over how many files the rows of each are spread.

    Raises:
        MindRecordException: For arguments that are not accepted.
        OSError: In ``run``, if a file is not there.
    """

    def __init__(self, source: str, destination: str, partition_number: int = 1) -> None:
        self.source, place = _a_path(source), str(_a_path(destination))
        self.writers = {
            name: FileWriter(f"{place}_{part}.mindrecord", partition_number)
            for name, part in (("train", "train"), ("t10k", "test"))
        }

    def run(self) -> int:
        schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
        for name, writer in self.writers.items():
            _written(writer, schema, self._rows(name))
        return 0

    def _rows(self, part: str) -> Iterator[dict[str, Any]]:
        from msgrad.dataset.vision._arrays import opencv

        encode = opencv().imencode
        for image, label in zip(*map(self._read, (part, part), _FILES), strict=True):
            yield {"label": int(label), "data": encode(".jpeg", image)[1].tobytes()}

    def _read(self, part: str, what: str) -> np.ndarray:
        from msgrad.dataset.engine.datasets_vision import _idx_array

        path = self.source / f"{part}-{what}-ubyte.gz"
        return _idx_array(gzip.decompress(path.read_bytes()), path)


_FILES = ("images-idx3", "labels-idx1")
