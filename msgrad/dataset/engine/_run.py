"""One epoch of a pipeline: where in it a dataset stands, and its seed. No data."""

from __future__ import annotations

from dataclasses import dataclass

from msgrad._core.draws import Draws


@dataclass(frozen=True)
class Run:
    """One pass over one dataset of a pipeline.

    A shuffle depends on the seed and the number of the epoch, what is drawn for a row on the place
    in the pipeline too, and neither on anything that ran before: any epoch can be made again.

    Args:
        later: int, how much later the seeds of a dataset's sampler begin.
        draws: Whose numbers a sampler takes.
    """

    seed: int
    epoch: int = 0
    place: tuple[int, ...] = ()
    later: int = 0
    draws: type[Draws] = Draws

    @property
    def first(self) -> int:
        """Return the seed of a sampler's first epoch."""
        return self.seed + self.later

    def of(self, child: int = 0, epoch: int | None = None) -> Run:
        """Return the pass over an input of this dataset."""
        return Run(self.seed, self.epoch if epoch is None else epoch, (*self.place, child))

    def key(self, row: int) -> tuple[int, ...]:
        """Return what seeds the random numbers of one row."""
        return (self.seed, max(self.epoch, 0), *self.place, row)


# The pass that only counts rows, or looks at one: nothing is shuffled for that.
COUNTED = Run(0, epoch=-1)
