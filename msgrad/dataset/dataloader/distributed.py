"""``DistributedSampler``: each rank reads rows of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized

import numpy as np

from msgrad._core.checks import at_least, within
from msgrad._core.declared import checked
from msgrad._core.exports import public_names
from msgrad.communication import get_group_size, get_rank
from msgrad.dataset.dataloader.sampler import Sampler


class DistributedSampler(Sampler[int]):
    """Every ``num_replicas``-th row; all ranks have equally many.

    Args:
        dataset: Dataset, or anything that has a length.
        num_replicas: int, how many ranks share the rows; by default the ranks there are.
        rank: int, which of them this is, from 0; by default this process's.
        shuffle: Whether the rows are in random order, another one after ``set_epoch``.
        seed: int, 0 or more, of that order; the same on all ranks.
        drop_last: Whether rows that do not go round are left out; else the first come again.

    Raises:
        TypeError, ValueError: For arguments of other types, or a rank that there is not.
    """

    @checked
    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        replicas = get_group_size() if num_replicas is None else num_replicas
        place = get_rank() if rank is None else rank
        at_least("DistributedSampler", "num_replicas", replicas, 1)
        within("DistributedSampler", "rank", place, f"[0, {replicas})")
        self.dataset, self.num_replicas, self.rank = dataset, replicas, place
        self.shuffle, self.seed, self.drop_last, self.epoch = shuffle, seed, drop_last, 0
        each = len(dataset) / replicas
        self.num_samples = math.floor(each) if drop_last else math.ceil(each)
        self.total_samples = self.num_samples * replicas

    def __iter__(self) -> Iterator[int]:
        rows = np.arange(len(self.dataset))
        if self.shuffle:
            rows = np.random.default_rng(self.seed + self.epoch).permutation(len(self.dataset))
        # ``resize`` begins again where there are too few.
        return iter(np.resize(rows, self.total_samples)[self.rank :: self.num_replicas].tolist())

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Number the epoch, which the random order depends on."""
        self.epoch = epoch


__all__ = public_names(globals())
