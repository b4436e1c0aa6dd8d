"""Data sets as they are distributed, written into MindRecord files: ``CsvToMR`` and its like."""

from __future__ import annotations

import csv
import gzip
import io
import pickle
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.mindrecord._format import MindRecordException
from msgrad.mindrecord.filewriter import FileWriter

# What pandas, by which MindSpore reads, takes for no value.
_NOTHING = {"", "#N/A", "#NA", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
_AT_ONCE = 1000
# What arrays are made of in a pickle.
_NUMPY = ("_reconstruct", "_frombuffer", "scalar")


class _Converter:
    """Base of what writes a data set into MindRecord files."""

    def run(self) -> int:
        """Write the files; returns 0, ``SUCCESS``."""
        raise NotImplementedError

    def transform(self) -> None:
        """Write the files, as ``run`` does."""
        self.run()


def _written(
    writer: FileWriter,
    schema: dict[str, Any],
    rows: Iterator[dict[str, Any]],
    index: list[str] | None = None,
) -> None:
    writer.add_schema(schema)
    if index:
        writer.add_index(index)
    # Of no rows at all it says so itself.
    writer.write_raw_data(list(islice(rows, _AT_ONCE)))
    while held := list(islice(rows, _AT_ONCE)):
        writer.write_raw_data(held)
    writer.commit()


def _a_path(path: Any) -> Path:
    if not isinstance(path, str):
        raise MindRecordException(f"Invalid parameter value. File path: {path} is not string.")
    if not path:
        raise MindRecordException(
            "Invalid parameter value. File path is not allowed None or empty!"
        )
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
        for image, label in zip(*map(self._read, (part, part), _FILES), strict=True):
            yield {"label": int(label), "data": _jpeg(image)}

    def _read(self, part: str, what: str) -> np.ndarray:
        from msgrad.dataset.engine.datasets_vision import _idx_array

        path = self.source / f"{part}-{what}-ubyte.gz"
        return _idx_array(gzip.decompress(path.read_bytes()), path)


def _jpeg(image: np.ndarray) -> bytes:
    """Return an image, (H, W) or (H, W, blue green red), as a JPEG file."""
    from msgrad.dataset.vision._arrays import opencv

    return opencv().imencode(".jpeg", image)[1].tobytes()


class _Unpickler(pickle.Unpickler):
    """Reads arrays, numbers, texts and containers; a file that asks for anything else fails."""

    _ALLOWED: ClassVar = {
        *((f"numpy.{core}.multiarray", n) for core in ("core", "_core") for n in _NUMPY),
        *(("numpy", name) for name in ("ndarray", "dtype")),
        ("_codecs", "encode"),
    }

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) not in self._ALLOWED:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is forbidden here.")
        return super().find_class(module_name, global_name)


class Cifar10ToMR(_Converter):
    """CIFAR-10, of its Python version: ``data``, images as JPEG, ``id`` and ``label``, int64.

    Args:
        source: Path of the folder with ``data_batch_1`` to ``data_batch_5`` and ``test_batch``.
        destination: Path of the file of the images for training; that of those for tests has
            ``_test`` behind it.

    ``run`` and ``transform`` take ``fields``, a list of the numbers that get an index.

    Raises:
        MindRecordException: For arguments that are not accepted; in ``run``, for no such file.
        OSError, RuntimeError: In ``run``, if the folder is not there, or a file is another.

    Differs from MindSpore: the files are read in the order of their names.
    """

    _PARTS: ClassVar = {"": "data_batch_*", "_test": "test_batch"}
    _LABELS: ClassVar = {"label": b"labels"}

    def __init__(self, source: str, destination: str) -> None:
        self.source, self._place = _a_path(source), str(_a_path(destination))
        self.writers = {part: FileWriter(f"{self._place}{part}") for part in self._PARTS}

    def run(self, fields: list[str] | None = None) -> int:
        if not self.source.is_dir():
            raise FileNotFoundError(f"No such file or directory: '{self.source}'")
        schema = {name: {"type": "int64"} for name in ("id", *self._LABELS)}
        for part, pattern in self._PARTS.items():
            rows = self._rows(pattern)
            _written(self.writers[part], schema | {"data": {"type": "bytes"}}, rows, fields)
        return 0

    def transform(self, fields: list[str] | None = None) -> None:
        """Write the files, as ``run`` does."""
        self.run(fields)

    def _rows(self, pattern: str) -> Iterator[dict[str, Any]]:
        paths = sorted(self.source.glob(pattern))
        if not paths:
            raise MindRecordException(f"[PathNotExistsError]: Invalid path. {pattern}")
        number = 0
        for path in paths:
            try:
                held = _Unpickler(io.BytesIO(path.read_bytes()), encoding="bytes").load()
                images = held[b"data"].reshape(-1, 3, 32, 32)
                labels = [held[key] for key in self._LABELS.values()]
            except (pickle.UnpicklingError, KeyError, AttributeError, ValueError) as error:
                raise EngineError(f"{path} is no file of {type(self).__name__}: {error}") from error
            for image, *row in zip(images, *labels, strict=True):
                # Red, green, blue are the first axis; files are written of the other order.
                encoded = _jpeg(np.ascontiguousarray(image[::-1].transpose(1, 2, 0)))
                values = zip(self._LABELS, map(int, row), strict=True)
                yield {"id": number, "data": encoded, **dict(values)}
                number += 1


class Cifar100ToMR(Cifar10ToMR):
    """CIFAR-100, of its Python version: ``data``, ``id``, ``fine_label`` and ``coarse_label``.

    Args:
        source: Path of the folder with ``train`` and ``test``.
    """

    _PARTS: ClassVar = {"": "train", "_test": "test"}
    _LABELS: ClassVar = {"fine_label": b"fine_labels", "coarse_label": b"coarse_labels"}


class TFRecordToMR(_Converter):
    """Features of the examples of a TFRecord file.

    Args:
        source: Path of the file.
        destination: Path of the MindRecord file.
        feature_dict: Name of a feature -> ``tf.io.FixedLenFeature``, of which ``shape`` (of one
            dimension at most; () for texts and bytes), ``dtype`` and ``default_value`` are read.
            A name that no field can have has ``_`` for each other character.
        bytes_fields: The features of ``tf.string`` that are bytes; others are texts.

    Raises:
        ValueError, MindRecordException: For arguments that are not accepted; in ``run``, if a
            feature is not there, and has no default.

    Differs from MindSpore: TensorFlow is not needed.
    """

    def __init__(
        self,
        source: str,
        destination: str,
        feature_dict: dict[str, Any],
        bytes_fields: list[str] | None = None,
    ) -> None:
        for name, path in (("source", source), ("destination", destination)):
            if not isinstance(path, str):
                raise ArgumentValueError(f"Parameter {name} must be string.")
        if not isinstance(feature_dict, dict):
            raise ArgumentValueError("Parameter feature_dict is None or not dict.")
        binary = [] if bytes_fields is None else bytes_fields
        if not isinstance(binary, list) or not all(isinstance(name, str) for name in binary):
            raise ArgumentValueError(f"Parameter bytes_fields: {binary} must be list(str).")
        self.source, self.writer, self._features = source, FileWriter(destination), feature_dict
        self._schema = {_cast(name): _field(name, f) for name, f in feature_dict.items()}
        for name in binary:
            if self._schema.get(_cast(name)) != {"type": "string"}:
                raise ArgumentValueError(
                    f"Parameter bytes_fields: {name} should be tf.string in feature_dict."
                )
            self._schema[_cast(name)] = {"type": "bytes"}

    def run(self) -> None:  # type: ignore[override]
        """Write the file."""
        _written(self.writer, self._schema, self.tfrecord_iterator())

    def tfrecord_iterator(self) -> Iterator[dict[str, Any]]:
        """Yield each row, a dict."""
        from msgrad.dataset.engine.datasets_standard_format import TFRecordDataset

        records = TFRecordDataset(self.source, shuffle=False)
        for i in range(records.get_dataset_size()):
            features = records._features(i)
            yield {_cast(name): self._value(name, features.get(name)) for name in self._features}

    def _value(self, name: str, found: np.ndarray | None) -> Any:
        field, wanted = self._schema[_cast(name)], self._features[name]
        if found is None:
            if wanted.default_value is None:
                raise ArgumentValueError(f"Feature: {name} is required but could not be found.")
            found = np.asarray(wanted.default_value).reshape(-1)
        if field["type"] in ("bytes", "string"):
            return found[0] if field["type"] == "bytes" else found[0].decode()
        array = found.astype(_type_name(wanted.dtype)).astype(field["type"])
        return array.reshape(field["shape"]) if "shape" in field else array.reshape(())[()]


def _cast(name: str) -> str:
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def _type_name(dtype: Any) -> str:
    return getattr(dtype, "name", None) or np.dtype(dtype).name


def _field(name: str, feature: Any) -> dict[str, Any]:
    """Return the field of a schema for a ``FixedLenFeature``."""
    if not all(hasattr(feature, part) for part in ("shape", "dtype", "default_value")):
        raise ArgumentValueError(f"Parameter feature_dict: {name} only support FixedLenFeature.")
    shape, kind = [*feature.shape], _type_name(feature.dtype)
    if len(shape) > 1:
        raise ArgumentValueError(f"Parameter len(feature_dict[{name}].shape) should be 1.")
    if kind == "string" and shape:
        raise ArgumentValueError(
            f"Parameter feature_dict[{name}].dtype is tf.string which shape[0] is not None. It is "
            "not supported."
        )
    # The type of a schema that holds all values of one, as 16 and 32 bits hold those of fewer.
    wide = {"float16": "float32", "uint32": "int64"}
    wide |= dict.fromkeys(("bool", "int8", "int16", "uint8", "uint16"), "int32")
    kind = wide.get(kind, kind)
    return {"type": kind, "shape": shape} if shape else {"type": kind}


_FILES = ("images-idx3", "labels-idx1")
