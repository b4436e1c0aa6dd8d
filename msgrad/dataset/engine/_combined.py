"""Datasets of the rows of several: beside each other, or one after the other."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad.dataset._arguments import check_kind
from msgrad.dataset.engine._indexed import Indexed
from msgrad.dataset.engine._rows import COUNTED, Row, Run
from msgrad.dataset.engine.datasets import Dataset, TextBaseDataset
from msgrad.dataset.engine.samplers import DistributedSampler, RandomSampler, SequentialSampler


class ZipDataset(TextBaseDataset):
    """See ``Dataset.zip``."""

    def get_col_names(self) -> list[str]:
        names = [name for child in self._children for name in child.get_col_names()]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise EngineError(
                f"zip: the columns {sorted(twice)} come from several datasets; rename them first."
            )
        return names

    def get_batch_size(self) -> int:
        """Return that of the last dataset."""
        return self._children[-1].get_batch_size()

    def _epoch_size(self) -> int:
        """Return the number of rows of the shortest."""
        return min(child._epoch_size() for child in self._children)

    def _rows(self, run: Run) -> Iterator[Row]:
        each = [child._rows(run.of(i)) for i, child in enumerate(self._children)]
        for rows in builtins.zip(*each, strict=False):
            yield tuple(value for row in rows for value in row)


class ConcatDataset(TextBaseDataset):
    """See ``Dataset.concat``."""

    def __init__(self, *children: Dataset) -> None:
        super().__init__(*children)
        self._sampler: Any = None
        if len(children) < 2:
            raise EngineError("concat: the datasets to put after this one are not specified.")

    def get_col_names(self) -> list[str]:
        names = super().get_col_names()
        for child in self._children:
            if child.get_col_names() != names:
                raise EngineError(
                    f"concat: the columns {child.get_col_names()} are not {names}; rename or "
                    "project them first."
                )
        return names

    def _epoch_size(self) -> int:
        """Return the number of rows of all."""
        whole = sum(child._epoch_size() for child in self._children)
        if self._sampler is None:
            return whole
        return len(self._sampler.order(whole, COUNTED))

    def use_sampler(self, sampler: Any) -> None:
        """Choose among the rows of all; a RandomSampler mixes the datasets, not the rows of each.

        Differs from MindSpore: which dataset a RandomSampler takes the next row of is drawn from
        other numbers; shards of a MindDataset are every n-th row here too, not rows in one piece.

        Raises:
            TypeError: For other samplers than DistributedSampler and RandomSampler, and for batches
                with the first.
            ValueError: For a RandomSampler with ``num_samples`` or ``replacement``, or one that
                shuffles shards.
        """
        check_kind("sampler", sampler, DistributedSampler, RandomSampler)
        if isinstance(sampler, DistributedSampler) and sampler.shuffle:
            raise ArgumentValueError("The parameter shuffle of DistributedSampler must be False!")
        if isinstance(sampler, RandomSampler) and sampler.replacement:
            raise ArgumentValueError("The parameter replacement of RandomSampler must be False!")
        if isinstance(sampler, RandomSampler) and sampler.num_samples is not None:
            raise ArgumentValueError(
                "The parameter num_samples of RandomSampler is not support to be set!"
            )
        from msgrad.dataset.engine._batches import BatchDataset

        shards = isinstance(sampler, DistributedSampler)
        if shards and any(isinstance(child, BatchDataset) for child in self._children):
            raise ArgumentTypeError("concat: shards are of rows; use_sampler before batch.")
        self._sampler, self.dataset_size = copy.copy(sampler), None
        if shards:
            self._sampler.offset = 0  # then no shard starts over
            self._children = tuple(map(_in_order, self._children))

    def _rows(self, run: Run) -> Iterator[Row]:
        every = self._alike(run)
        if self._sampler is None:
            return every
        if isinstance(self._sampler, DistributedSampler):
            rows = list(every)
            return (rows[i] for i in self._sampler.order(len(rows), run))
        return self._mixed(run)

    def _mixed(self, run: Run) -> Iterator[Row]:
        each = [child._rows(run.of(number)) for number, child in enumerate(self._children)]
        sizes = [child._epoch_size() for child in self._children]
        owner = np.repeat(np.arange(len(each)), sizes)
        for place in self._sampler.order(len(owner), run):
            yield from islice(each[owner[place]], 1)

    def _alike(self, run: Run) -> Iterator[Row]:
        """Yield the rows of all.

        Raises:
            RuntimeError: If the first rows differ in a column's dtype or number of dimensions.
        """
        form: list[Any] = []
        for number, child in enumerate(self._children):
            rows = child._rows(run.of(number))
            for row in islice(rows, 1):
                own = [(value.dtype.type.__name__, value.ndim) for value in row]
                if form and own != form:
                    raise EngineError(
                        "concat: the dtypes and numbers of dimensions must be the same in all "
                        f"datasets, but are {form} and {own}."
                    )
                form = own
                yield row
            yield from rows


def _in_order(child: Dataset) -> Dataset:
    """Return a dataset, or a copy of one that mixes its rows: shards are of rows in order."""
    if not isinstance(child, Indexed) or not isinstance(child.sampler, RandomSampler):
        return child
    child = copy.copy(child)
    child.use_sampler(SequentialSampler())
    return child
