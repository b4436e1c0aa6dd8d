"""``no_init_parameters``: for networks whose weights are loaded right after they are built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgrad._core.exports import public_names


@contextmanager
def no_init_parameters() -> Iterator[None]:
    """Build networks without drawing their weights, in a ``with`` statement.

    Differs from MindSpore: the weights are drawn all the same, to be replaced by those loaded.
    """
    yield


__all__ = public_names(globals())
