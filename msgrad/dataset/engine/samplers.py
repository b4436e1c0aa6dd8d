"""Samplers: which rows of a source that has numbered rows are read, and in which order."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from msgrad._core.declared import Word, checked
from msgrad._core.docstrings import Documented
from msgrad._core.draws import Draws, ShortDraws
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset._arguments import check_kind
from msgrad.dataset.config import get_seed
from msgrad.dataset.engine._orders import Reorders
from msgrad.dataset.engine._rows import Run, called


class Sampler(Documented):
    """Base of samplers; a subclass of one's own defines ``__iter__``, which gives row numbers.

    Args:
        num_samples: int, how many rows at most, or None.
    """

    dataset_size: int = 0
    num_samples: int | None = None
    child_sampler: Sampler | None = None

    def __init__(self, num_samples: int | None = None) -> None:
        check_kind("num_samples", num_samples, int, bool, type(None))
        if num_samples is not None and num_samples < 0:
            raise ArgumentValueError(f"num_samples must be 0 or more, but got {num_samples}.")
        self.num_samples = num_samples

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__.")

    def indices(self, size: int, run: Run) -> Any:
        """Return the row numbers of an epoch; of more than num_samples ``order`` takes the first.

        Code of a user is not asked for more than that.
        """
        self.dataset_size = size
        most = self.num_samples or None
        return called("sampler failed", lambda: [int(np.asarray(i)) for i in islice(self, most)])

    def count(self, size: int, run: Run) -> None:
        """Go once through the row numbers that code of a user gives, as MindSpore's iterators do
        where nothing says how many there are: what it draws from goes on from there.
        """
        if self.child_sampler is not None:
            self.child_sampler.count(size, run)
        if self._own() and self.num_samples is None and not self._has_length():
            copy.deepcopy(self).indices(size, run)

    def _own(self) -> bool:
        """Whether code of a user gives the rows of this sampler itself."""
        return type(self).indices is Sampler.indices

    def _has_length(self) -> bool:
        return hasattr(self, "__len__")

    def order(
        self, size: int, run: Run, labels: Callable[[], np.ndarray | None] | None = None
    ) -> list[int]:
        """Return the row numbers of an epoch, of what a child sampler leaves.

        Args:
            size: The number of rows.
            run: The seed, and which epoch it is.
            labels: Gives the class of each row.
        """
        below = None
        if self.child_sampler is not None:
            below = self.child_sampler.order(size, run, labels)
            size = len(below)
        if isinstance(self, PKSampler):
            self.labels = labels() if labels is not None else None
        own = [int(i) for i in self.indices(size, run)][: self.num_samples or None]
        outside = [i for i in own if not 0 <= i < size]
        if outside:
            raise EngineError(
                f"Sample ID ({outside[0]}) is out of bound, expected range [0, {size - 1}]."
            )
        return own if below is None else [below[i] for i in own]

    def of_user(self) -> bool:
        """Whether code of a user, which may keep something between epochs, gives the rows."""
        child = self.child_sampler
        return self._own() or (child is not None and child.of_user())

    def add_child(self, sampler: Sampler) -> None:
        """Choose among the rows that another sampler gives."""
        if self.child_sampler is not None:
            raise EngineError("Cannot add child sampler, this sampler already has a child.")
        self.child_sampler = sampler

    def get_child(self) -> Sampler | None:
        """Return the sampler whose rows this one chooses among."""
        return self.child_sampler

    def get_num_samples(self) -> int | None:
        """Return how many rows there are at most, or None where the dataset says."""
        if not self._own():
            return self.num_samples
        return _fewer(self.num_samples, sum(1 for _ in self))


def _fewer(most: int | None, count: int) -> int:
    return count if most is None else min(most, count)


class IterSampler(Sampler):
    """The row numbers that an iterable gives.

    Args:
        sampler: The iterable.
    """

    def __init__(self, sampler: Any, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        # Whoever counts the rows needs them too.
        self.sampler = list(sampler) if isinstance(sampler, Iterator) else sampler

    def __iter__(self) -> Iterator[int]:
        return iter(self.sampler)

    def _has_length(self) -> bool:
        return hasattr(self.sampler, "__len__")


class SequentialSampler(Sampler):
    """Rows in order.

    Args:
        start_index: int, the first.
    """

    @checked
    def __init__(
        self, start_index: int | bool | None = None, num_samples: int | None = None
    ) -> None:
        super().__init__(num_samples)
        self.start_index = start_index or 0

    def indices(self, size: int, run: Run) -> Any:
        if self.start_index >= size > 0:
            raise EngineError(
                f"start_index must be less than the number of rows, {size}, but got "
                f"{self.start_index}."
            )
        return range(self.start_index, size)


class RandomSampler(Sampler):
    """Rows in random order, anew in each epoch.

    Args:
        replacement: Whether a row may come twice.
    """

    @checked
    def __init__(
        self, replacement: bool = False, num_samples: int | bool | None = None, **kwargs: Any
    ) -> None:
        super().__init__(num_samples)
        self.replacement, self._orders = replacement, Reorders()

    def indices(self, size: int, run: Run) -> Any:
        rows, count = list(range(size)), self.num_samples or size
        if self.replacement and run.again:
            return self._orders.of(rows, run.first, max(run.epoch, 0), taken=count)
        if self.replacement:
            draws = run.draws(run.first + run.epoch)
            return [draws.below(size) for _ in range(min(count, size))]
        return self._orders.of(rows, run.first, run.epoch, run.draws)


class SubsetSampler(Sampler):
    """The given rows, in the given order.

    Args:
        indices: Row numbers.
    """

    def __init__(self, indices: Any, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self._chosen = (
            indices if isinstance(indices, (list, tuple)) else list(np.atleast_1d(indices))
        )
        for i, one in enumerate(self._chosen):
            check_kind(f"indices[{i}]", one, int, np.integer)

    def indices(self, size: int, run: Run) -> Any:
        return self._chosen

    def get_num_samples(self) -> int | None:
        return _fewer(self.num_samples, len(self._chosen))


class SubsetRandomSampler(SubsetSampler):
    """The given rows, in random order."""

    def __init__(self, indices: Any, num_samples: int | None = None) -> None:
        super().__init__(indices, num_samples)
        self._orders = Reorders(grows=0)

    def indices(self, size: int, run: Run) -> Any:
        rows = list(self._chosen)[: self.num_samples or None]
        if run.draws is ShortDraws:
            return ShortDraws(run.first).shuffled(rows)
        return self._orders.of(rows, run.seed, run.epoch)


class WeightedRandomSampler(Sampler):
    """Rows drawn with given weights.

    Args:
        weights: list of float, one for each row, not all 0.
        num_samples: int, how many, not more than there are rows; as many by default.
        replacement: Whether a row may come twice.
    """

    def __init__(
        self, weights: Any, num_samples: int | None = None, replacement: bool = True
    ) -> None:
        super().__init__(num_samples)
        values = weights if isinstance(weights, list) else [weights]
        for i, one in enumerate(values):
            check_kind(f"weights[{i}]", one, int, float, np.number)
        check_kind("replacement", replacement, bool)
        self.weights, self.replacement = np.asarray(values, np.float64), replacement

    def indices(self, size: int, run: Run) -> Any:
        weights, count = self.weights, min(self.num_samples or size, size)
        possible = np.count_nonzero(weights)
        if weights.min(initial=0) < 0 or not possible or len(weights) > size:
            raise EngineError(
                "WeightedRandomSampler: the weights must be 0 or more, not all 0, and not more "
                f"than the {size} rows, but are {weights}."
            )
        if not self.replacement and count > possible:
            raise EngineError(
                f"WeightedRandomSampler: {count} rows cannot be drawn of {possible} with a weight, "
                "if none may come twice."
            )
        draws = Draws(run.seed)  # The same rows in each epoch, as there.
        if not self.replacement:
            # Efraimidis and Spirakis 2006: the smallest of exponential numbers with these rates.
            with np.errstate(divide="ignore"):
                waits = -np.log1p([-draws.unit() for _ in weights]) / weights
            return np.argsort(waits, kind="stable")[:count]
        ends = np.cumsum(weights / np.cumsum(weights)[-1])
        ends[-1] = 1
        return np.searchsorted(ends, [draws.unit() for _ in range(count)])


class PKSampler(Sampler):
    """``num_val`` rows of each class, drawn at random, class by class.

    Args:
        num_val: int, how many of each class.
        num_class: int, how many classes; None for all.
        shuffle: Whether the classes come in random order.
        class_column: Accepted for compatibility: a dataset knows its classes.
    """

    labels: np.ndarray | None = None

    @checked
    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: Word = "label",
        num_samples: int | None = None,
    ) -> None:
        super().__init__(num_samples)
        if num_class is not None:
            raise NotImplementedError("Not supported to specify num_class for PKSampler.")
        self.num_val, self.shuffle, self.class_column = num_val, shuffle, class_column

    def indices(self, size: int, run: Run) -> Any:
        if self.labels is None:
            raise ArgumentValueError("PKSampler needs a dataset that knows the class of each row.")
        if self.num_val < 1:
            raise EngineError(f"PKSampler: num_val must be 1 or more, but got {self.num_val}.")
        draws, classes = (
            Draws(run.seed),
            [np.flatnonzero(self.labels == i) for i in np.unique(self.labels)],
        )
        if self.shuffle:
            draws.shuffled(classes)
        draws = Draws(run.seed + run.epoch) if run.epoch else draws
        return [rows[draws.below(len(rows))] for rows in classes for _ in range(self.num_val)]


class DistributedSampler(Sampler):
    """Every ``num_shards``-th row, in random order before that; short shards start over.

    Args:
        num_shards: int.
        shard_id: int, from 0.
        shuffle: Whether the order is random.
        offset: int, the shard that begins with the first row, and then none starts over; -1 for
            neither.
    """

    @checked
    def __init__(
        self,
        num_shards: int,
        shard_id: int,
        shuffle: bool = True,
        num_samples: int | None = None,
        offset: int = -1,
    ) -> None:
        super().__init__(num_samples)
        if not 0 <= shard_id < num_shards:
            raise EngineError(
                f"DistributedSampler: shard_id must be in [0, num_shards), but got {shard_id} of "
                f"{num_shards}."
            )
        if offset > num_shards:
            raise EngineError(
                f"DistributedSampler: offset must be no more than num_shards({num_shards}), but "
                f"got: {offset}."
            )
        self.num_shards, self.shard_id, self.shuffle = num_shards, shard_id, shuffle
        self.offset, self._orders, self.seed = offset, Reorders(), get_seed()

    def indices(self, size: int, run: Run) -> Any:
        order = list(range(size))
        if self.shuffle:
            # Without a seed too all processes have one order: each takes its part of it.
            first = self.seed + 1
            if run.draws is ShortDraws:
                order = list(ShortDraws(first + run.epoch).shuffled(order))
            else:
                order = self._orders.of(order, first, run.epoch)
        if self.offset != -1:
            return order[(self.shard_id - self.offset) % self.num_shards :: self.num_shards]
        each = -(-size // self.num_shards)
        return np.resize(order, each * self.num_shards)[self.shard_id :: self.num_shards]


BuiltinSampler = Sampler

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
