"""One epoch of a pipeline: where in it a dataset stands, and its random generator. No data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Run:
    """One pass over one dataset of a pipeline.

    A shuffle depends on the seed, the number of the epoch and the place in the pipeline, and on
    nothing that ran before: any epoch can be made again.
    """

    seed: int
    epoch: int = 0
    place: tuple[int, ...] = ()

    def of(self, child: int = 0, epoch: int | None = None) -> Run:
        """Return the pass over an input of this dataset."""
        return Run(self.seed, self.epoch if epoch is None else epoch, (*self.place, child))

    def key(self, row: int) -> tuple[int, ...]:
        """Return what seeds the random numbers of one row."""
        return (self.seed, self.epoch, *self.place, row)

    def generator(self) -> np.random.Generator:
        """Return the generator of this dataset in this epoch."""
        return np.random.default_rng([self.seed, self.epoch, *self.place])
