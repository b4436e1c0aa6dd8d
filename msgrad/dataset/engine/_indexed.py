"""``Indexed``: datasets whose rows have numbers; which come, and when, says a sampler."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from msgrad._core.docstrings import Documented
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError
from msgrad.dataset.engine._rows import COUNTED, Row, Run
from msgrad.dataset.engine.datasets import Dataset
from msgrad.dataset.engine.samplers import (
    DistributedSampler,
    IterSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetSampler,
)


class Indexed(Documented, Dataset):
    """Base of datasets whose rows have numbers; a subclass defines ``_count`` and ``_row_at``."""

    _told = {
        "num_samples": "int, how many rows at most, or None.",
        "num_parallel_workers": "Accepted for compatibility: give workers to ``map``.",
        "shuffle": "Whether the rows come in random order; they do by default.",
        "sampler": "Sampler, or iterable of row numbers.",
        "num_shards": "int, to read every ``num_shards``-th row, or None.",
        "shard_id": "int, which of them come first, from 0.",
        "cache": "DatasetCache or None, which makes no difference.",
    }
    _raises = """Raises:
    TypeError, ValueError, RuntimeError: For arguments that are not accepted."""
    # What MindSpore raises where arguments about the order contradict each other.
    _conflict: type[Exception] = EngineError

    def _order_by(self, shuffle: Any, sampler: Any, shards: Any, shard: Any, samples: Any) -> None:
        """Read the arguments about which rows come.

        Raises:
            TypeError, ValueError, RuntimeError: For what does not go together.
        """
        if (shards is None) != (shard is None):
            raise self._conflict(
                "num_shards and shard_id need to be passed in together: num_shards is specified "
                "and currently requires shard_id as well."
            )
        own = isinstance(sampler, Sampler)
        strict = own or self._conflict is EngineError
        if own and samples is not None:
            raise ArgumentValueError(
                "Conflicting arguments during sampler assignments: num_samples belongs to the "
                f"sampler here, but got {samples}."
            )
        if sampler is not None and strict and (shuffle is not None or shards is not None):
            raise self._conflict(
                "sampler and shuffle cannot be specified at the same time, and sampler and "
                f"num_shards neither; got num_samples: {samples}, num_shards: {shards}, shard_id: "
                f"{shard}, shuffle: {shuffle}."
            )
        if samples is not None and samples < 0:
            raise ArgumentValueError(
                "num_samples exceeds the boundary between 0 and 9223372036854775807(INT64_MAX)!"
            )
        if shards is not None and not 0 <= shard < shards:
            late = shard < 0 < shards and self._conflict is ArgumentValueError
            raise (EngineError if late else ArgumentValueError)(
                f"Input shard_id is not within the required interval of [0, {shards - 1}], but got "
                f"{shard}."
            )
        replaced, samples = samples is not None, samples or None
        random = shuffle is not False
        if sampler is not None:
            self.sampler = as_sampler(sampler, samples)
        elif shards is not None:
            self.sampler = DistributedSampler(shards, shard, random, samples)
        else:
            # Of a part of the rows some come twice, as in MindSpore.
            self.sampler = (
                RandomSampler(replaced, samples)
                if random
                else SequentialSampler(num_samples=samples)
            )

    _random_access = True

    def add_sampler(self, new_sampler: Sampler) -> None:
        """Choose among the rows that the sampler so far gives."""
        new_sampler.add_child(self.sampler)
        self.sampler, self.dataset_size = new_sampler, None

    def use_sampler(self, new_sampler: Sampler) -> None:
        """Replace the sampler, but not its child; raises ``TypeError`` if it is none."""
        if not isinstance(new_sampler, Sampler):
            what = "can not be None" if new_sampler is None else "is not an instance of a sampler"
            raise ArgumentTypeError(f"Input sampler {what}.")
        child, self.sampler = self.sampler.get_child(), new_sampler
        self.dataset_size = None
        if child is not None:
            new_sampler.add_child(child)

    def _count(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must define _count.")

    def _row_at(self, index: int) -> Row:
        raise NotImplementedError(f"{type(self).__name__} must define _row_at.")

    def _labels(self) -> np.ndarray | None:
        """Return the class of each row, for PKSampler."""
        return None

    def _order(self, run: Run) -> list[int]:
        count = self._count()
        sampler, place = self.sampler, (*run.place, -1)
        if sampler.of_user():
            # As in MindSpore an iterator has a copy, which goes on from epoch to epoch.
            kept = run.kept if run.epoch >= 0 else {}
            if place not in kept:
                kept[place] = copy.deepcopy(sampler)
                if run.epoch >= 0:
                    sampler.count(count, run)
            sampler = kept[place]
        return sampler.order(count, run, self._labels)

    def _epoch_size(self) -> int:
        return len(self._order(COUNTED))

    def _rows(self, run: Run) -> Iterator[Row]:
        return map(self._row_at, self._order(run))


MappableDataset = Indexed


class VisionBaseDataset(Indexed):
    """The base of datasets of images."""


def as_sampler(given: Any, samples: int | None) -> Sampler:
    """Return a sampler: one as it is, or of row numbers, or of an object that gives them.

    Raises:
        TypeError: If it is none of them.
    """
    if isinstance(given, Sampler):
        return given
    if isinstance(given, (int, np.integer)):
        return SubsetSampler([int(given)], samples)
    if isinstance(given, (list, tuple, np.ndarray)):
        return SubsetSampler(list(given), samples)
    if isinstance(given, str) or not (hasattr(given, "__iter__") or hasattr(given, "__getitem__")):
        raise ArgumentTypeError(
            f"Unsupported sampler object of type ({type(given)}); give a Sampler, row numbers or "
            "an iterable of them."
        )
    iter(given)  # MindSpore looks whether it can; a sampler may count that
    return IterSampler(given, samples)
