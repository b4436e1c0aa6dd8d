"""Where transforms draw from: the row they run for, or the seed outside of a pipeline.

A row's numbers depend on the seed, the epoch, the place in the pipeline and the row, so that they
are the same whoever makes the row, and in which order.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from msgrad.dataset.config import _shuffle_seed, _version


class _State(threading.local):
    key: tuple[int, ...] | None = None
    of_row: np.random.Generator | None = None
    alone: tuple[object, np.random.Generator] | None = None


_state = _State()


def generator() -> np.random.Generator:
    """Return the generator to draw from now."""
    if _state.key is not None:
        if _state.of_row is None:
            _state.of_row = np.random.default_rng(_state.key)
        return _state.of_row
    if _state.alone is None or _state.alone[0] != _version():
        _state.alone = (_version(), np.random.default_rng(_shuffle_seed()))
    return _state.alone[1]


@contextmanager
def drawing_for(key: tuple[int, ...]) -> Iterator[None]:
    """Draw from a generator of this key's own inside."""
    before = _state.key, _state.of_row
    _state.key, _state.of_row = key, None
    try:
        yield
    finally:
        _state.key, _state.of_row = before
