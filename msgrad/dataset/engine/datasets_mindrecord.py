"""``MindDataset``: rows of MindRecord files."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from msgrad._core.declared import checked
from msgrad._core.draws import ShortDraws
from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    UnsupportedError,
)
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import check_kind
from msgrad.dataset.config import _check_workers
from msgrad.dataset.engine._indexed import Indexed
from msgrad.dataset.engine._orders import Reorders
from msgrad.dataset.engine._rows import Row, Run
from msgrad.dataset.engine.cache_client import DatasetCache
from msgrad.dataset.engine.datasets import TextBaseDataset
from msgrad.dataset.engine.datasets_standard_format import Shuffle
from msgrad.dataset.engine.samplers import Sampler
from msgrad.mindrecord._format import SCALARS, MindRecordFile, files_of


class MindDataset(Indexed, TextBaseDataset):
    """Rows of MindRecord files, one column for each field; bytes are an array of one.

    Args:
        dataset_files: Path of a file, which is read with the others that it was written with, or a
            list of paths.
        columns_list: Names of the columns that are read; None for all, in the order of names.
        num_parallel_workers: Accepted for compatibility.
        shuffle: bool or Shuffle; of the latter ``PARTIAL`` is not there, and ``FILES``, which mixes
            the files, and ``INFILE``, which mixes the rows of each, are for all rows.
        num_shards, shard_id: int, to read every ``num_shards``-th row.
        sampler: Sampler, or iterable of row numbers.
        padded_sample: dict, a row that is appended ``num_padded`` times; needs ``columns_list``.
        num_padded: int.
        num_samples: int, how many rows at most, or None.
        cache: DatasetCache or None, which makes no difference.

    Raises:
        TypeError, ValueError, RuntimeError: For arguments that are not accepted.
    """

    @checked
    def __init__(
        self,
        dataset_files: Any,
        columns_list: list[str] | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        sampler: Any = None,
        padded_sample: dict[str, Any] | None = None,
        num_padded: int | None = None,
        num_samples: int | None = None,
        cache: DatasetCache | None = None,
    ) -> None:
        super().__init__()
        paths = dataset_files if isinstance(dataset_files, list) else [dataset_files]
        if not all(isinstance(path, str) for path in paths):
            raise ArgumentTypeError(f"path: {dataset_files} is not string or a list of strings.")
        _check_workers(num_parallel_workers)
        check_kind("shuffle", shuffle, bool, Shuffle, type(None))
        if shuffle in (Shuffle.FILES, Shuffle.INFILE) and num_samples:
            raise ArgumentValueError(f"num_samples does not go with {shuffle!r}.")
        in_parts = num_shards if shuffle is Shuffle.INFILE else (num_shards or 1) > 1
        by_file = shuffle in (Shuffle.FILES, Shuffle.INFILE)
        if shuffle is Shuffle.PARTIAL or (by_file and in_parts):
            raise UnsupportedError(f"MindDataset has no {shuffle!r} here; use Shuffle.GLOBAL.")
        needs = {"columns_list": columns_list, "num_padded": num_padded}
        for name in needs if padded_sample is not None else ():
            if needs[name] is None:
                raise EngineError(f"padded_sample is specified and requires {name} as well.")
        if padded_sample is None and num_padded is not None:
            raise EngineError("num_padded is specified but padded_sample is not.")
        self._order_by(
            None if shuffle is None else shuffle not in (False, Shuffle.FALSE),
            *(sampler, num_shards, shard_id, num_samples),
        )
        self._files = files_of(dataset_files)
        self._in_files = [Reorders() for _ in self._files] if shuffle is Shuffle.INFILE else []
        self._mixes_files = shuffle is Shuffle.FILES
        self._padding = padded_sample, num_padded or 0
        self._shards = num_shards
        schema = self._files[0].schema
        self._names = sorted(schema) if columns_list is None else columns_list
        absent = [name for name in self._names if name not in schema]
        if absent:
            raise EngineError(f"Invalid columns_list, the files have no columns {absent}.")

    @cached_property
    def _all(self) -> list[tuple[MindRecordFile, int]]:
        return [(file, row) for file in self._files for row in range(len(file))]

    def get_col_names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._names)

    def _order(self, run: Run) -> list[int]:
        run = replace(run, later=1, draws=ShortDraws, again=True)
        if self._mixes_files:
            return self._files_mixed(run)
        if not self._in_files:
            return super()._order(run)
        order: list[int] = []
        for file, orders in zip(self._files, self._in_files, strict=True):
            rows = list(range(len(order), len(order) + len(file)))
            order += orders.of(rows, run.first, run.epoch, run.draws)
        return [*order, *range(len(order), self._count())]

    def _files_mixed(self, run: Run) -> list[int]:
        """Return the rows, file by file; the next epoch cuts them where files ended at first."""
        ends = np.cumsum([0, *map(len, self._files)]).tolist()
        order = list(range(ends[-1]))
        for number in range(run.epoch + 1):
            files = list(range(len(self._files)))
            run.draws(run.first + number).shuffled(files)
            order = [order[row] for file in files for row in range(ends[file], ends[file + 1])]
        return [*order, *range(len(order), self._count())]

    def use_sampler(self, new_sampler: Sampler) -> None:
        """Replace the sampler; files and the rows of each are not mixed any more, either."""
        super().use_sampler(new_sampler)
        self._in_files, self._mixes_files = [], False

    def _count(self) -> int:
        count = len(self._all) + self._padding[1]
        if self._padding[1] and self._shards and count % self._shards:
            raise EngineError(f"{count} rows, with the padded ones, are not {self._shards} parts.")
        return count

    def _row_at(self, index: int) -> Row:
        if index >= len(self._all):
            found: dict[str, Any] = self._padding[0] or {}
        else:
            file, row = self._all[index]
            found = file.row(row)
        return tuple(self._column(name, found[name]) for name in self._names)

    def _column(self, name: str, value: Any) -> np.ndarray:
        kind = self._files[0].schema[name]["type"]
        if kind == "bytes" and isinstance(value, bytes):
            return np.array([value])
        return np.array(value, SCALARS[kind])


__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
