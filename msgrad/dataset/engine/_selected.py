"""Datasets that pass on rows of another as they are: some of them, again, or in another order."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, islice
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad.dataset._arguments import a_list
from msgrad.dataset.config import _shuffle_seed
from msgrad.dataset.engine._indexed import Indexed
from msgrad.dataset.engine._orders import Buffer
from msgrad.dataset.engine._rows import Row, Run, called
from msgrad.dataset.engine.datasets import Dataset, TextBaseDataset
from msgrad.dataset.engine.samplers import Sampler


class FilterDataset(TextBaseDataset):
    """See ``Dataset.filter``."""

    def __init__(self, child: Dataset, predicate: Any, inputs: Any) -> None:
        super().__init__(child)
        self._given = None if inputs is None else a_list(inputs)
        self._predicate = lambda *values: bool(predicate(*values))

    @cached_property
    def _places(self) -> list[int]:
        child = self._children[0]
        return child._places_of(child.get_col_names() if self._given is None else self._given)

    def _epoch_size(self) -> int:
        """Return the number of rows kept; makes them to count them."""
        return sum(1 for _ in self._rows(Run(_shuffle_seed())))

    def _rows(self, run: Run) -> Iterator[Row]:
        for row in self._children[0]._rows(run.of()):
            if called("filter failed", self._predicate, *(row[i] for i in self._places)):
                yield row


class ShuffleDataset(TextBaseDataset):
    """See ``Dataset.shuffle``.

    Args:
        anew: Whether each epoch has an order of its own.
    """

    def __init__(self, child: Dataset, buffer_size: int, anew: bool = True) -> None:
        super().__init__(child)
        self._buffer = Buffer(buffer_size, anew)

    def _rows(self, run: Run) -> Iterator[Row]:
        child = self._children[0]
        return self._buffer.shuffled(child._rows(run.of()), run.seed, run.epoch, child._epoch_size)


class RepeatDataset(TextBaseDataset):
    """See ``Dataset.repeat``."""

    def __init__(self, child: Dataset, count: int | None) -> None:
        super().__init__(child)
        self._endless = count in (None, -1)
        self._count = 1 if count is None or count == -1 else count

    def get_repeat_count(self) -> int:
        """Return how often it repeats; -1 for endlessly."""
        return -1 if self._endless else self._count

    def _epoch_size(self) -> int:
        return self._count * self._children[0]._epoch_size()

    def _rows(self, run: Run) -> Iterator[Row]:
        first = run.epoch * self._count
        passes = (run.of(epoch=first + again) for again in range(self._count))
        return chain.from_iterable(self._children[0]._rows(each) for each in passes)


class _Slice(TextBaseDataset):
    def __init__(self, child: Dataset, start: int, count: int | None) -> None:
        super().__init__(child)
        self._start, self._count = start, count

    def _epoch_size(self) -> int:
        left = max(0, self._children[0]._epoch_size() - self._start)
        return left if self._count is None else min(left, self._count)

    def _rows(self, run: Run) -> Iterator[Row]:
        stop = None if self._count is None else self._start + self._count
        return islice(self._children[0]._rows(run.of()), self._start, stop)


class SkipDataset(_Slice):
    """See ``Dataset.skip``."""


class TakeDataset(_Slice):
    """See ``Dataset.take``."""


class _Part(Sampler):
    """Rows of one of the datasets of a split."""

    def __init__(self, start: int, count: int, randomize: bool) -> None:
        super().__init__()
        self._part, self._randomize = slice(start, start + count), randomize

    def indices(self, size: int, run: Run) -> Any:
        order = list(range(size))
        return (run.draws(run.seed).shuffled(order) if self._randomize else order)[self._part]


def _part(child: Dataset, start: int, count: int, randomize: bool) -> Dataset:
    """Return one of the datasets of a split.

    In each epoch it takes the same places of the rows, as in MindSpore: where those are shuffled
    before, other rows.
    """
    if isinstance(child, Indexed) and child._random_access:
        part = copy.copy(child)
        part.add_sampler(_Part(start, count, randomize))
        return part
    if randomize:
        child = ShuffleDataset(child, child.get_dataset_size(), anew=False)
    return _Slice(child, start, count)


def split(child: Dataset, sizes: Any, randomize: bool) -> tuple[Dataset, ...]:
    """See ``Dataset.split``."""
    whole = child.get_dataset_size()
    kind = type(sizes[0]) if sizes else None
    if kind not in (int, float) or any(type(size) is not kind for size in sizes):
        raise ArgumentValueError("sizes should be list of int or list of float, and not empty.")
    if min(sizes) <= 0 or (kind is float and max(sizes) > 1):
        raise ArgumentValueError(
            f"sizes is a list of int above 0, or of float in the range (0, 1], but got {sizes}."
        )
    counts = list(sizes)
    if kind is float:
        if abs(sum(sizes) - 1.0) > 1e-9:
            raise ArgumentValueError(
                "sizes is a list of float, but the percentages do not sum up to 1."
            )
        counts = [round(size * whole) for size in sizes]
        counts[0] += whole - sum(counts)
        if min(counts) <= 0:
            raise EngineError(f"The split {sizes} of {whole} rows leaves a part empty.")
    elif sum(counts) != whole:
        raise EngineError(f"Sum of split sizes {sum(counts)} is not equal to dataset size {whole}.")
    starts = np.cumsum([0, *counts[:-1]]).tolist()
    return tuple(
        _part(child, start, count, randomize)
        for start, count in builtins.zip(starts, counts, strict=True)
    )


class SyncWaitDataset(TextBaseDataset):
    """See ``Dataset.sync_wait``."""

    def __init__(self, child: Dataset, name: str, callback: Any) -> None:
        super().__init__(child)
        self._condition = {name: callback}

    def _conditions(self) -> dict[str, Any]:
        return {**super()._conditions(), **self._condition}
