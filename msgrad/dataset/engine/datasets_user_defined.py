"""``GeneratorDataset`` and ``NumpySlicesDataset``: rows from Python sources and NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from types import GeneratorType
from typing import Any

import numpy as np

from msgrad._core.declared import Word, checked
from msgrad._core.draws import Draws
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError, UnsupportedError
from msgrad.common import dtype as mstype
from msgrad.dataset._arguments import a_list, check_kind, check_row_size, one_of
from msgrad.dataset.config import _check_workers
from msgrad.dataset.engine._batches import joined
from msgrad.dataset.engine._indexed import Indexed
from msgrad.dataset.engine._rows import Row, Run, as_array, called
from msgrad.dataset.engine._workers import made_by_workers
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets import TextBaseDataset
from msgrad.dataset.engine.datasets_standard_format import Schema, _a_schema
from msgrad.dataset.engine.samplers import PKSampler, Sampler

__all__ = ["GeneratorDataset", "NumpySlicesDataset", "PaddedDataset", "RandomDataset"]


class GeneratorDataset(Indexed, TextBaseDataset):
    """Rows from a Python object.

    Args:
        source: An object with ``__getitem__`` and ``__len__``, an iterable, or a function that
            gives an iterator; each row a tuple or list of arrays, numbers, strings or dicts, or one
            of them by itself.
        column_names: str or list of str.
        column_types: list of dtypes of MindSpore that the columns must have, or None.
        schema: Schema, which names the columns instead and has their types, or None.
        num_parallel_workers: int, how many processes read a source that has ``__getitem__``; rows
            and their order do not depend on it.
        python_multiprocessing: Whether there are such processes at all.
        max_rowsize: Accepted for compatibility.
        shuffle: Whether the rows come in random order; by default they do where the source has
            ``__getitem__``. Other sources are never shuffled.
        batch_sampler: An iterable of lists of row numbers, each one batch; then there is no other
            sampler, order or part.
        collate_fn: Function of a list of values for each column, that gives each column's batch;
            by default they are stacked.

    Raises:
        TypeError, ValueError: For arguments that are not accepted.
        RuntimeError: While iterating, if a row has not the columns, or not their types.
    """

    _conflict = ArgumentValueError

    @checked
    def __init__(
        self,
        source: Any,
        column_names: Word | list[Word] | None = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: int | None = None,
        batch_sampler: Any = None,
        collate_fn: Any = None,
    ) -> None:
        super().__init__()
        check_kind("column_types", column_types, list, type(None))
        if not isinstance(schema, (str, Schema, type(None))):
            raise ArgumentValueError(
                f"schema should be a path to schema file or a schema object, but got {schema!r}."
            )
        schema = _a_schema(schema)
        self._types = column_types and [_type(one) for one in column_types]
        if schema is not None:
            column_names = [column["name"] for column in schema.columns]
            self._types = [column["type"] for column in schema.columns]
        if column_names is None:
            raise ArgumentValueError("Neither columns_names nor schema are provided.")
        if not column_names:
            raise ArgumentValueError("column_names must not be empty; name each column.")
        # What can be run through only once, as in MindSpore.
        source = list(source) if isinstance(source, zip) else source
        self._random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if hasattr(source, "__getitem__") and not hasattr(source, "__len__"):
            raise EngineError(
                "Attempt to construct a random access dataset, '__len__' method is required!"
            )
        check_row_size(max_rowsize)
        if not (callable(source) or self._random_access or hasattr(source, "__iter__")):
            raise ArgumentTypeError(
                "Input `source` function of GeneratorDataset should be callable, iterable or "
                "random accessible, commonly it should implement one of the method like yield, "
                "__getitem__ or __next__(__iter__)."
            )
        if isinstance(sampler, PKSampler):
            raise ArgumentValueError("GeneratorDataset doesn't support PKSampler.")
        if isinstance(sampler, int):
            raise ArgumentTypeError(
                "sampler should be either iterable or from mindspore.dataset.samplers."
            )
        if hasattr(sampler, "__iter__") and not isinstance(sampler, Sampler):
            iter(sampler)  # once more than other datasets, as in MindSpore
        self.source: Any = source
        self.column_names = a_list(column_names)
        self._num_samples = num_samples or None
        self._size: int | None = None
        self._workers = _check_workers(num_parallel_workers) if python_multiprocessing else 1
        self._batches, self._collate = batch_sampler, collate_fn
        if batch_sampler is not None or collate_fn is not None:
            self._check_batches(num_samples, shuffle, num_shards, shard_id, sampler)
        self._order_by(shuffle, sampler, num_shards, shard_id, num_samples)
        if not self._random_access and (sampler is not None or num_shards is not None):
            raise ArgumentValueError(
                "sampler is not supported if source does not have attribute '__getitem__'."
            )

    def _check_batches(self, *others: Any) -> None:
        if self._batches is None:
            raise ArgumentValueError("collate_fn can be specified only when batch_sampler is set.")
        if not (hasattr(self._batches, "__getitem__") or hasattr(self._batches, "__iter__")):
            raise ArgumentTypeError("batch_sampler should have __getitem__ or __iter__ method.")
        if any(other is not None for other in others):
            raise ArgumentValueError(
                "batch_sampler is mutually exclusive with num_samples, shuffle, num_shards, "
                "shard_id and sampler."
            )
        if not self._random_access:
            raise ArgumentValueError(
                "batch_sampler is not supported if source does not have attribute '__getitem__'."
            )
        if not (self._collate is None or callable(self._collate)):
            raise ArgumentTypeError("collate_fn should be callable.")

    def get_col_names(self) -> list[str]:
        return list(self.column_names)

    def get_batch_size(self) -> int:
        """Return 1; -1 with ``batch_sampler``."""
        return 1 if self._batches is None else -1

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        if not self._random_access or not 0 <= index < self._count():
            raise EngineError(
                f"Sample ID ({index}) is out of bound, or the source has no such rows."
            )
        return _values(self.source[index])

    def _epoch_size(self) -> int:
        """Return the number of rows; a source without ``__len__`` is read once to count them."""
        if self._batches is not None:
            return len(list(self._batches))
        if self._size is None:
            if self._random_access:
                return super()._epoch_size()
            if hasattr(self.source, "__len__"):
                whole = len(self.source)
                self._size = min(whole, self._num_samples or whole)
            else:
                self._size = sum(1 for _ in self._rows(Run(0)))
        return self._size

    def _count(self) -> int:
        if not (count := len(self.source)):
            raise EngineError("GeneratorDataset: data row of input source must not be 0, got: 0.")
        return count

    def _rows(self, run: Run) -> Iterator[Row]:
        if self._batches is not None:
            return self._joined(run)
        if self._random_access:
            return self._read(run, self._order(run))
        return (_a_row(one, self.column_names, self._types) for one in self._stream())

    def _read(self, run: Run, order: Iterable[int]) -> Iterator[Row]:
        # What goes to workers is the source and the columns.
        reader = partial(_row_of, self.source, self.column_names, self._types)
        items = ((run.key(i), turn, i) for turn, i in enumerate(order))
        return made_by_workers(reader, items, self._workers)

    def _joined(self, run: Run) -> Iterator[Row]:
        try:
            batches = [[int(i) for i in batch] for batch in self._batches]
        except TypeError as error:
            raise EngineError(f"batch_sampler must give lists of row numbers: {error}.") from error
        rows = self._read(run, [i for batch in batches for i in batch])
        for batch in batches:
            columns: list[Any] = [list(one) for one in zip(*islice(rows, len(batch)), strict=True)]
            if self._collate is not None:
                columns = list(_values(called("collate_fn failed", self._collate, *columns)))
                if any(one is None for one in columns) or len(columns) != len(self.column_names):
                    raise EngineError(
                        f"collate_fn must give a batch for each column of {self.column_names}, but "
                        f"gave {len(columns)} values."
                    )
            yield joined(columns, self.column_names, None)

    def _stream(self) -> Iterator[Any]:
        try:
            if isinstance(self.source, GeneratorType):
                # It gives its rows once; further passes, and whoever counts them, need them too.
                self.source = list(islice(self.source, self._num_samples))
            made: Any = self.source() if callable(self.source) else self.source
            count = 0
            for count, one in enumerate(islice(iter(made), self._num_samples), 1):  # noqa: B007
                yield one
        except Exception as error:
            raise _failed(error) from error
        told = len(made) if hasattr(made, "__len__") else count
        if count not in (told, self._num_samples):
            raise EngineError(
                f"The actual amount of data read from generator {count} is different from "
                f"generator.len {told}, you should adjust generator.len to make them match."
            )


def _row_of(source: Any, columns: list[str], types: Any, index: int) -> Row:
    try:
        made = source[index]
    except Exception as error:
        raise _failed(error) from error
    return _a_row(made, columns, types)


def _failed(error: Exception) -> EngineError:
    return EngineError(f"The 'source' of 'GeneratorDataset' raised {type(error).__name__}: {error}")


def _type(given: Any) -> Any:
    if not isinstance(given, mstype.DType):
        raise UnsupportedError(f"column_types must be dtypes of MindSpore, but got {given!r}.")
    return np.str_ if given is mstype.string else mstype.dtype_to_nptype(given)


def _values(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, (tuple, list, set)) else (given,)


def _a_row(given: Any, columns: list[str], types: list[Any] | None) -> Row:
    row = _values(given)
    if len(row) != len(columns):
        raise EngineError(
            "Invalid Python function, the 'source' of 'GeneratorDataset' should return same "
            f"number of NumPy arrays as specified in column_names, got {len(row)} for the "
            f"columns {columns}."
        )
    made = tuple(as_array(value) for value in row)
    if types and [one.dtype.type for one in made] != [np.dtype(one).type for one in types]:
        raise EngineError(
            "Invalid Python function, type of returned data in 'GeneratorDataset' should be same "
            f"with specified column_types, got {[one.dtype for one in made]} for {types}."
        )
    return made


class NumpySlicesDataset(GeneratorDataset):
    """Rows that are slices of arrays along their first axis.

    Args:
        data: An array or list, a tuple of them, or a dict of them by column.
        column_names: str or list of str; ``column_0``, ``column_1``, ... by default.
    """

    @checked
    def __init__(
        self,
        data: Any,
        column_names: str | list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        one_of("data", data, list, tuple, dict, np.ndarray)
        if isinstance(data, dict):
            names = list(data)
            arrays = [one if isinstance(one, np.ndarray) else list(one) for one in data.values()]
        else:
            columns = data if isinstance(data, tuple) else (data,)
            for i, column in enumerate(columns):
                one_of(f"data[{i}]", column, list, np.ndarray)
            arrays = list(columns)
            names = [f"column_{i}" for i in range(len(arrays))]
        if not arrays or len(arrays[0]) == 0:
            raise ArgumentValueError("NumpySlicesDataset: the data have no row.")
        if len({len(array) for array in arrays}) > 1:
            raise ArgumentValueError(
                "NumpySlicesDataset: the columns must be equally long, but are "
                f"{[len(array) for array in arrays]}."
            )
        given = names if column_names is None else a_list(column_names)
        if len(given) != len(arrays):
            raise ArgumentValueError(
                f"NumpySlicesDataset: {len(arrays)} columns need as many column_names, but got "
                f"{given}."
            )
        super().__init__(
            _Slices(arrays),
            given,
            num_samples=num_samples,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )


class PaddedDataset(GeneratorDataset):
    """Rows from dicts of arrays by column; for padding a dataset so that shards are equal.

    Args:
        padded_samples: list of dict, of the same keys.

    Raises:
        TypeError, ValueError: For arguments that are not accepted.
    """

    @checked
    def __init__(self, padded_samples: list[Any]) -> None:
        if not padded_samples:
            raise ArgumentValueError("padded_samples cannot be empty.")
        names = list(padded_samples[0])
        rows = [tuple(row[name] for name in names) for row in padded_samples]
        super().__init__(rows, names, shuffle=False)


class RandomDataset(TextBaseDataset):
    """Rows of random bytes: each value of a column has the same one, drawn anew for each row.

    Args:
        total_rows: int, how many rows; all of them are given, whatever the other arguments say.
        schema: Schema, or the path of one.
        columns_list: The columns that are given; all by default.

    Raises:
        TypeError: For arguments that are not accepted.
        RuntimeError: If a column is not in the schema, or of text.
        NotImplementedError: Without ``total_rows`` or ``schema``, which MindSpore then makes up.
    """

    @checked
    def __init__(
        self,
        total_rows: int | None = None,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        cache: DatasetCache | None = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        super().__init__()
        schema = _a_schema(schema)
        if not total_rows or schema is None:
            raise UnsupportedError("RandomDataset needs total_rows and schema; neither is drawn.")
        self._size = total_rows
        every = {column["name"]: column for column in schema.columns}
        self._columns = list(every) if columns_list is None else columns_list
        for name in self._columns:
            if name not in every or every[name]["type"] is np.str_:
                raise EngineError(f"RandomDataset: there is no column {name} of numbers.")
        self._kinds = [
            (np.dtype(every[name]["type"]), every[name].get("shape", [])) for name in self._columns
        ]

    def get_col_names(self) -> list[str]:
        return list(self._columns)

    def _epoch_size(self) -> int:
        return self._size

    def _rows(self, run: Run) -> Iterator[Row]:
        draws = Draws(run.seed)
        for _ in range(self._size):
            yield tuple(self._value(*kind, draws.below(256)) for kind in self._kinds)

    @staticmethod
    def _value(dtype: np.dtype, shape: list[int], byte: int) -> np.ndarray:
        byte = bool(byte) if dtype.kind == "b" else byte
        count = np.prod(shape, dtype=int)
        return np.full(dtype.itemsize * count, byte, np.uint8).view(dtype).reshape(shape)


class _Slices:
    """Random access to the rows of several arrays."""

    def __init__(self, arrays: list[Any]) -> None:
        self._arrays = arrays

    def __len__(self) -> int:
        return len(self._arrays[0])

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(array[index] for array in self._arrays)
