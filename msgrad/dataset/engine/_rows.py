"""What datasets hand to one another: rows of arrays, and the pass of a pipeline that makes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.draws import Draws
from msgrad._core.errors import EngineError

Row = tuple[np.ndarray, ...]


def as_array(value: Any) -> np.ndarray:
    """Return what a source or a function made as a NumPy array.

    Raises:
        RuntimeError: For what none can hold: None, a complex number, objects other than dicts.
    """
    try:
        made = value.asnumpy() if is_tensor(value) else np.asarray(value)
    except ValueError as error:
        raise EngineError(f"Invalid data type: {error}") from error
    if made.dtype.kind in "cmMV" or (made.dtype.kind == "O" and not isinstance(opened(made), dict)):
        raise EngineError(
            f"Invalid data type: rows are made of NumPy arrays, numbers, str, bytes and dict, but "
            f"got {type(value).__name__}. Does a function forget to return?"
        )
    return made


def opened(value: Any) -> Any:
    """Return the dict that an array of none but it holds, in lists too, or else the value."""
    if isinstance(value, list):
        return [opened(one) for one in value]
    held = isinstance(value, np.ndarray) and value.dtype.kind == "O" and value.ndim == 0
    return value.item() if held else value


def called(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of the user's; what it raises is a ``RuntimeError``, as in MindSpore."""
    try:
        return function(*map(opened, arguments))
    except Exception as error:
        raise EngineError(
            "Exception thrown from user defined Python function in dataset: "
            f"{what}. {type(error).__name__}: {error}"
        ) from error


@dataclass(frozen=True)
class Run:
    """One pass over one dataset of a pipeline.

    A shuffle depends on the seed and the number of the epoch, and not on anything that ran before:
    any epoch can be made again. What transforms draw goes on from epoch to epoch.

    Args:
        later: int, how much later the seeds of a dataset's sampler begin.
        draws: Whose numbers a sampler takes.
        again: Whether it takes rows that may come twice from those of the epoch before.
        kept: What datasets keep from epoch to epoch, by their places.
        iterated: The iterator's epoch, of which a ``repeat`` makes several; None for ``epoch``.
    """

    seed: int
    epoch: int = 0
    place: tuple[int, ...] = ()
    later: int = 0
    draws: type[Draws] = Draws
    again: bool = False
    kept: dict[tuple[int, ...], Any] = field(default_factory=dict, compare=False)
    iterated: int | None = None

    @property
    def first(self) -> int:
        """Return the seed of a sampler's first epoch."""
        return self.seed + self.later

    def of(self, child: int = 0, epoch: int | None = None) -> Run:
        """Return the pass over an input of this dataset."""
        epoch = self.epoch if epoch is None else epoch
        place = (*self.place, child)
        return Run(self.seed, epoch, place, kept=self.kept, iterated=self.told_epoch)

    @property
    def told_epoch(self) -> int:
        """Return the epoch that functions of the user are told, from 0."""
        return max(self.epoch if self.iterated is None else self.iterated, 0)

    def key(self, row: int) -> tuple[int, ...]:
        """Return what seeds Python's and NumPy's generators for one row, in a worker process."""
        return (self.seed, max(self.epoch, 0), *self.place, row)


# The pass that only counts rows, or looks at one: nothing is shuffled for that.
COUNTED = Run(0, epoch=-1)
