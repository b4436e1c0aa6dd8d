"""Numbers one by one as MindSpore's C++ draws them, and orders that it makes of them.

Two generators of the C++ standard (Park and Miller 1988, Matsumoto and Nishimura 1998), and what
the library of GCC 7 makes of their numbers, which is not standardized. No library of Python has
that; NumPy has one of the generators. Whole arrays of them are in ``streams``.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from typing import Any

import numpy as np

_AT_ONCE = 1024


class Draws:
    """Numbers of ``std::mt19937``, and what GCC's distributions make of them.

    Args:
        seed: int, taken modulo 2**32.
    """

    _largest = 2**32 - 1

    def __init__(self, seed: int) -> None:
        self._next = self._drawn(seed).__next__

    @staticmethod
    def _drawn(seed: int) -> Iterator[int]:
        """Yield numbers, 0 to the largest."""
        generator = np.random.RandomState(seed % 2**32)
        while True:
            yield from generator.randint(0, 2**32, _AT_ONCE, np.uint32).tolist()

    def below(self, count: int) -> int:
        """Return one of 0 to ``count - 1``, all as likely (``uniform_int_distribution``)."""
        width = self._largest // count
        while (drawn := self._next()) >= count * width:
            pass
        return drawn // width

    def unit(self) -> float:
        """Return a float64 in [0, 1) (``generate_canonical``)."""
        low = self._next()
        return min((low + self._next() * 2**32) / 2**64, 1 - 2**-53)

    def shuffled(self, rows: MutableSequence[Any]) -> MutableSequence[Any]:
        """Return rows that are ordered at random, in place (``shuffle``)."""
        count, done = len(rows), 1
        if count * count <= self._largest:
            # One number says where two rows go; of an even number of rows, one goes alone before.
            while done < count:
                pair = done > 1 or count % 2
                place = self.below((done + 1) * (done + 2) if pair else 2)
                for at in divmod(place, done + 2) if pair else (place,):
                    rows[done], rows[at] = rows[at], rows[done]
                    done += 1
            return rows
        for done in range(1, count):
            at = self.below(done + 1)
            rows[done], rows[at] = rows[at], rows[done]
        return rows


class ShortDraws(Draws):
    """As Draws, of ``std::minstd_rand0``."""

    _largest = 2**31 - 3

    @staticmethod
    def _drawn(seed: int) -> Iterator[int]:
        made = seed % (2**31 - 1) or 1
        while True:
            made = made * 16807 % (2**31 - 1)
            yield made - 1
