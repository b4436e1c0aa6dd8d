"""Python's garbage collector, kept away from where many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the garbage collector: what an import or a trace makes stays.

    A full collection looks at all that JAX has ever made, for a quarter of a second, and every
    fourth new shape of a small transformer brought one about: a tenth of what it took. Where much
    was made, it counts as old at once, until there is too much of it.
    """
    paused = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if paused:
            _made.note(gc.get_count()[0])
            gc.enable()


# A trace of a small transformer makes 14,000 that stay.
_MANY, _FULL = 5_000, 300_000


class _Made:
    """How many objects were made since all of them were looked at."""

    # That many the import of msgrad makes, which all stay.
    count = -_FULL

    def note(self, more: int) -> None:
        # What somebody has put aside stays there.
        if more < _MANY or gc.get_freeze_count():
            return
        self.count += more
        if self.count > _FULL:
            self.count = 0
            gc.collect()
        else:
            # Puts all objects aside, then among those that are old, and looks at none.
            gc.freeze()
            gc.unfreeze()


_made = _Made()
