"""``GeneratorDataset`` and ``NumpySlicesDataset``: rows from Python sources and NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from types import GeneratorType
from typing import Any

import numpy as np

from msgrad._core.declared import Word, checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError, UnsupportedError
from msgrad.dataset._arguments import one_of
from msgrad.dataset.engine._indexed import Indexed, check_workers
from msgrad.dataset.engine._run import Run
from msgrad.dataset.engine._workers import made_by_workers
from msgrad.dataset.engine.datasets import Row, a_list, as_array
from msgrad.dataset.engine.samplers import PKSampler

__all__ = ["GeneratorDataset", "NumpySlicesDataset", "PaddedDataset"]


class GeneratorDataset(Indexed):
    """Rows from a Python object.

    Args:
        source: An object with ``__getitem__`` and ``__len__``, an iterable, or a function that
            gives an iterator; each row a tuple or list of arrays, numbers, strings or dicts, or one
            of them by itself.
        column_names: str or list of str.
        column_types: Must be None.
        schema: Must be None.
        num_parallel_workers: int, how many processes read a source that has ``__getitem__``; rows
            and their order do not depend on it.
        python_multiprocessing: Whether there are such processes at all.
        max_rowsize: Accepted for compatibility.
        shuffle: Whether the rows come in random order; by default they do where the source has
            ``__getitem__``. Other sources are never shuffled.
        batch_sampler, collate_fn: Must be None.
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
        max_rowsize: Any = None,
        batch_sampler: Any = None,
        collate_fn: Any = None,
    ) -> None:
        super().__init__()
        if any(one is not None for one in (column_types, schema, batch_sampler, collate_fn)):
            raise UnsupportedError(
                "GeneratorDataset has no column_types, schema, batch_sampler and collate_fn; use "
                "column_names, map and batch."
            )
        if column_names is None:
            raise ArgumentValueError("Neither columns_names nor schema are provided.")
        if not column_names:
            raise ArgumentValueError("column_names must not be empty; name each column.")
        self._random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
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
        self._source: Any = source
        self._columns = a_list(column_names)
        self._num_samples = num_samples or None
        self._size: int | None = None
        self._workers = check_workers(num_parallel_workers) if python_multiprocessing else 1
        self._order_by(shuffle, sampler, num_shards, shard_id, num_samples)
        if not self._random_access and (sampler is not None or num_shards is not None):
            raise ArgumentValueError(
                "sampler is not supported if source does not have attribute '__getitem__'."
            )

    def get_col_names(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        if not self._random_access or not 0 <= index < self._count():
            raise EngineError(
                f"Sample ID ({index}) is out of bound, or the source has no such rows."
            )
        return _values(self._source[index])

    def _epoch_size(self) -> int:
        """Return the number of rows; a source without ``__len__`` is read once to count them."""
        if self._size is None:
            if self._random_access:
                return super()._epoch_size()
            if hasattr(self._source, "__len__"):
                whole = len(self._source)
                self._size = min(whole, self._num_samples or whole)
            else:
                self._size = sum(1 for _ in self._rows(Run(0)))
        return self._size

    def _count(self) -> int:
        return len(self._source)

    def _rows(self, run: Run) -> Iterator[Row]:
        if self._random_access:
            order = ((run.key(i), i) for i in self._order(run))
            # What goes to workers is the source and the columns.
            return made_by_workers(_Reader(self._source, self._columns), order, self._workers)
        return (_a_row(one, self._columns) for one in self._stream())

    def _stream(self) -> Iterator[Any]:
        try:
            if isinstance(self._source, GeneratorType):
                # It gives its rows once; further passes, and whoever counts them, need them too.
                self._source = list(islice(self._source, self._num_samples))
            made: Any = self._source() if callable(self._source) else self._source
            yield from islice(iter(made), self._num_samples)
        except Exception as error:
            raise _failed(error) from error


class _Reader:
    """Reads a row of a source."""

    def __init__(self, source: Any, columns: list[str]) -> None:
        self._source, self._columns = source, columns

    def __call__(self, index: int) -> Row:
        try:
            made = self._source[index]
        except Exception as error:
            raise _failed(error) from error
        return _a_row(made, self._columns)


def _failed(error: Exception) -> EngineError:
    return EngineError(f"The 'source' of 'GeneratorDataset' raised {type(error).__name__}: {error}")


def _values(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, (tuple, list, set)) else (given,)


def _a_row(given: Any, columns: list[str]) -> Row:
    row = _values(given)
    if len(row) != len(columns):
        raise EngineError(
            "Invalid Python function, the 'source' of 'GeneratorDataset' should return same "
            f"number of NumPy arrays as specified in column_names, got {len(row)} for the "
            f"columns {columns}."
        )
    return tuple(as_array(value) for value in row)


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
            names, arrays = list(data), [_column(value) for value in data.values()]
        else:
            columns = data if isinstance(data, tuple) else (data,)
            arrays = [_column(value) for value in columns]
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


def _column(values: Any) -> Any:
    """Return an array, or a list of several where they differ in shape."""
    try:
        return np.asarray(values)
    except ValueError:
        return [np.asarray(value) for value in values]


class _Slices:
    """Random access to the rows of several arrays."""

    def __init__(self, arrays: list[Any]) -> None:
        self._arrays = arrays

    def __len__(self) -> int:
        return len(self._arrays[0])

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(array[index] for array in self._arrays)
