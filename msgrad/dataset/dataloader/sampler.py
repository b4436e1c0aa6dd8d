"""Samplers of a ``DataLoader``: iterables of row numbers, or of lists of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sized
from typing import Any, Generic, TypeVar

import numpy as np

from msgrad._core.checks import at_least
from msgrad._core.declared import checked
from msgrad._core.exports import public_names
from msgrad.dataset._arguments import check_kind

Index = TypeVar("Index", covariant=True)
LARGEST_SEED = np.iinfo(np.int64).max


class Sampler(Generic[Index]):
    """Base of samplers; a subclass defines ``__iter__``.

    Args:
        data_source: Accepted for compatibility.
    """

    def __init__(self, data_source: Any = None) -> None:
        pass


class SequentialSampler(Sampler[int]):
    """All rows, in their order.

    Args:
        data_source: Dataset, or anything that has a length.
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Rows in random order.

    Args:
        data_source: Dataset, or anything that has a length.
        replacement: Whether a row may come again before all have come.
        num_samples: int above 0, how many rows; None for as many as there are.
        generator: np.random.Generator; by default one that NumPy's global generator seeds.

    Raises:
        TypeError, ValueError: For arguments of other types, or ``num_samples`` below 1.
    """

    @checked
    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: np.random.Generator | None = None,
    ) -> None:
        if num_samples is not None:
            at_least("RandomSampler", "num_samples", num_samples, 1)
        check_kind("generator", generator, np.random.Generator, type(None))
        self.data_source, self.replacement = data_source, replacement
        self._num_samples, self.generator = num_samples, generator

    @property
    def num_samples(self) -> int:
        """How many rows come."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        rows, wanted = len(self.data_source), self.num_samples
        # NumPy's global generator seeds one where none is given: ``set_seed`` counts.
        generator = self.generator or np.random.default_rng(np.random.randint(0, LARGEST_SEED))
        if self.replacement:
            yield from generator.integers(0, rows, wanted).tolist()
            return
        for _ in range(wanted // rows):
            yield from generator.permutation(rows).tolist()
        yield from generator.permutation(rows).tolist()[: wanted % rows]

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of the row numbers that a sampler gives.

    Args:
        sampler: Sampler, or iterable of row numbers.
        batch_size: int above 0.
        drop_last: Whether a last list that is shorter is left out.

    Raises:
        TypeError, ValueError: For arguments of other types, or a size below 1.
    """

    @checked
    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        at_least("BatchSampler", "batch_size", batch_size, 1)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        rows = iter(self.sampler)
        while batch := list(itertools.islice(rows, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # pyright: ignore[reportArgumentType]
        return whole + (rest > 0 and not self.drop_last)


__all__ = public_names(globals())
