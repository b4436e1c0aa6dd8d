"""One epoch of a pipeline: where in it a dataset stands, and its seed. No data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgrad._core.draws import Draws


@dataclass(frozen=True)
class Run:
    """One pass over one dataset of a pipeline.

    A shuffle depends on the seed and the number of the epoch, and not on anything that ran before:
    any epoch can be made again. What transforms draw goes on from epoch to epoch.

    Args:
        later: int, how much later the seeds of a dataset's sampler begin.
        draws: Whose numbers a sampler takes.
        kept: What datasets keep from epoch to epoch, by their places.
    """

    seed: int
    epoch: int = 0
    place: tuple[int, ...] = ()
    later: int = 0
    draws: type[Draws] = Draws
    kept: dict[tuple[int, ...], Any] = field(default_factory=dict, compare=False)

    @property
    def first(self) -> int:
        """Return the seed of a sampler's first epoch."""
        return self.seed + self.later

    def of(self, child: int = 0, epoch: int | None = None) -> Run:
        """Return the pass over an input of this dataset."""
        epoch = self.epoch if epoch is None else epoch
        return Run(self.seed, epoch, (*self.place, child), kept=self.kept)

    def key(self, row: int) -> tuple[int, ...]:
        """Return what seeds Python's and NumPy's generators for one row, in a worker process."""
        return (self.seed, max(self.epoch, 0), *self.place, row)


# The pass that only counts rows, or looks at one: nothing is shuffled for that.
COUNTED = Run(0, epoch=-1)
