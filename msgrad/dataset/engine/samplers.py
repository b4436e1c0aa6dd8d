"""Samplers: which rows of a random-access source are read, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names


class Sampler:
    """Base of samplers; a subclass of one's own defines ``__iter__``, which gives row numbers.

    Args:
        num_samples: int, how many rows at most, or None.
    """

    dataset_size: int = 0
    num_samples: int | None = None

    def __init__(self, num_samples: int | None = None) -> None:
        if isinstance(num_samples, int) and num_samples < 0:
            raise ArgumentValueError(f"num_samples must be 0 or more, but got {num_samples}.")
        self.num_samples = num_samples

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__.")

    def indices(self, size: int, generator: np.random.Generator) -> list[int]:
        """Return the row numbers of an epoch."""
        self.dataset_size = size
        return self._limited(np.array(list(self), np.int64))

    def _limited(self, order: np.ndarray) -> list[int]:
        return [int(i) for i in order[: self.num_samples]]


class SequentialSampler(Sampler):
    """Rows in order.

    Args:
        start_index: int, the first.
        num_samples: int, how many, or None.
    """

    @checked
    def __init__(
        self, start_index: int | bool | None = None, num_samples: int | None = None
    ) -> None:
        super().__init__(num_samples)
        self.start_index = start_index or 0

    def indices(self, size: int, generator: np.random.Generator) -> list[int]:
        """Return the row numbers of an epoch."""
        return self._limited(np.arange(self.start_index, size))


class RandomSampler(Sampler):
    """Rows in random order, anew in each epoch.

    Args:
        replacement: Whether a row may come twice.
        num_samples: int, how many, or None.
    """

    @checked
    def __init__(
        self, replacement: bool = False, num_samples: int | bool | None = None, **kwargs: Any
    ) -> None:
        super().__init__(num_samples)
        self.replacement = replacement

    def indices(self, size: int, generator: np.random.Generator) -> list[int]:
        """Return the row numbers of an epoch."""
        if self.replacement:
            return self._limited(generator.integers(0, size, self.num_samples or size))
        return self._limited(generator.permutation(size))


class SubsetSampler(Sampler):
    """The given rows, in the given order.

    Args:
        indices: Row numbers.
        num_samples: int, how many, or None.
    """

    def __init__(self, indices: Any, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self._chosen = np.atleast_1d(np.asarray(indices, np.int64))

    def indices(self, size: int, generator: np.random.Generator) -> list[int]:
        """Return the row numbers of an epoch."""
        outside = self._chosen[(self._chosen < 0) | (self._chosen >= size)]
        if outside.size:
            raise ArgumentValueError(
                f"A sampler asks for row {outside[0]} of a source with {size} rows."
            )
        return self._limited(self._chosen)


class SubsetRandomSampler(SubsetSampler):
    """The given rows, in random order."""

    def indices(self, size: int, generator: np.random.Generator) -> list[int]:
        """Return the row numbers of an epoch."""
        return self._limited(generator.permutation(super().indices(size, generator)))


class DistributedSampler(Sampler):
    """Every ``num_shards``-th row, in random order before that; short shards start over.

    Args:
        num_shards: int.
        shard_id: int, from 0.
        shuffle: Whether the order is random.
        num_samples: int, how many, or None.
        offset: Must be -1.
    """

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
            raise ArgumentValueError(
                f"shard_id must be in [0, num_shards), but got {shard_id} of {num_shards}."
            )
        self.num_shards, self.shard_id, self.shuffle = num_shards, shard_id, shuffle

    def indices(self, size: int, generator: np.random.Generator) -> list[int]:
        """Return the row numbers of an epoch."""
        order = generator.permutation(size) if self.shuffle else np.arange(size)
        each = -(-size // self.num_shards)
        return self._limited(
            np.resize(order, each * self.num_shards)[self.shard_id :: self.num_shards]
        )


__all__ = public_names(globals())
