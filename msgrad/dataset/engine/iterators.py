"""Iterators over a dataset, that start over with each epoch; the rows come from the dataset."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from msgrad._core.errors import EngineError
from msgrad._core.former import warn_of
from msgrad.common.tensor import Tensor
from msgrad.dataset.config import _shuffle_seed
from msgrad.dataset.engine._rows import Run
from msgrad.dataset.engine._told import Told

__all__ = ["DictIterator", "TupleIterator"]


class TupleIterator:
    """Gives each row as a list; ``StopIteration`` ends an epoch, and the next one follows.

    Made by ``Dataset.create_tuple_iterator``. After the last epoch it raises ``RuntimeError``.
    """

    _container: type = list

    def __init__(
        self, dataset: Any, columns: list[str] | None, num_epochs: int, output_numpy: bool | None
    ) -> None:
        # What is said of the rows, as where they are from, comes only if its column is renamed.
        shown = [name for name in dataset.get_col_names() if not name.startswith("_meta-")]
        self._names = shown if columns is None else columns
        self._picked = dataset._places_of(self._names)
        self._dataset = dataset
        self._left = num_epochs
        self._numpy = output_numpy
        self._seed = _shuffle_seed()
        self._kept: dict[tuple[int, ...], Any] = {}
        start = dataset.get_init_step()
        size = dataset.get_dataset_size() if start else 1
        self._epoch, self._skipped = divmod(start, size or 1)
        if num_epochs > 0:
            if self._epoch >= num_epochs:
                raise EngineError(
                    f"The initial step {start} is not before the end of {num_epochs} epochs of "
                    f"{size} steps."
                )
            self._left = num_epochs - self._epoch
        self._rows: Iterator[tuple[np.ndarray, ...]] | None = None

    def __iter__(self) -> TupleIterator:
        return self

    def __next__(self) -> Any:
        if self._rows is None:
            if self._left == 0:
                raise EngineError(
                    "The iterator has come to the end of its last epoch; create another one, or "
                    "give num_epochs the number of times that it is run through."
                )
            rows = self._dataset._rows(Run(self._seed, self._epoch, kept=self._kept))
            self._rows = islice(rows, self._skipped, None)
            self._skipped = 0
        row = next(self._rows, None)
        if row is None:
            self._rows = None
            for kept in self._kept.values():
                if isinstance(kept, Told):
                    kept.end()
            self._epoch += 1
            self._left -= 1
            raise StopIteration
        return self._give([self._convert(row[i]) for i in self._picked])

    def _get_next(self) -> Any:
        """Return the next row, or an empty one where an epoch ends."""
        return next(self, self._container())

    def get_next(self) -> Any:
        """Return the next row, as MindSpore 1.0 does."""
        warn_of("get_next()", "next(...)")
        return self._get_next()

    def get_col_names(self) -> list[str]:
        """Return the names of the dataset's columns."""
        return self._dataset.get_col_names()

    def stop(self) -> None:
        """Close the iterator: no row comes after it."""
        self._rows, self._left = None, 0

    release = stop

    def _give(self, values: list[Any]) -> Any:
        return values

    def _convert(self, value: np.ndarray) -> Any:
        if value.dtype.kind == "O":
            return self._converted(value.item())
        return value if self._numpy or value.dtype.kind in "US" else Tensor(value)

    def _converted(self, value: Any) -> Any:
        """Return what a dict of a row holds, its numbers and strings as ``_convert`` does."""
        if isinstance(value, dict):
            return {key: self._converted(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(map(self._converted, value))
        kept = value is None or isinstance(value, Tensor)
        return value if kept else self._convert(np.asarray(value))


class DictIterator(TupleIterator):
    """Gives each row as a dict by column; made by ``Dataset.create_dict_iterator``."""

    _container = dict

    def _give(self, values: list[Any]) -> dict[str, Any]:
        return dict(zip(self._names, values, strict=True))
