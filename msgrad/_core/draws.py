"""Numbers one by one as MindSpore's C++ draws them, and orders that it makes of them.

Two generators of the C++ standard (Park and Miller 1988, Matsumoto and Nishimura 1998), and what
the library of GCC 7 makes of their numbers, which is not standardized. No library of Python has
that; NumPy has one of the generators. Whole arrays of them are in ``streams``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, MutableSequence, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

_AT_ONCE = 1024
Place = tuple[int, tuple[np.float32, ...]]


class Draws:
    """Numbers of ``std::mt19937``, and what GCC's distributions make of them.

    Args:
        seed: int, taken modulo 2**32.
    """

    _largest = 2**32 - 1

    def __init__(self, seed: int) -> None:
        self._seed: int = seed
        self._source: Any = None
        self._made = 0
        self._words: Iterator[int] = iter(())
        # Of a normal distribution that is kept from row to row.
        self.spare: list[np.float32] = []

    def _next(self) -> int:
        """Return the next number, 0 to the largest."""
        for word in self._words:
            return word
        more = self._more()
        self._made += len(more)
        self._words = iter(more)
        return next(self._words)

    @property
    def place(self) -> Place:
        """Which number comes next, from 0, and the spare ones; set, it goes on from there."""
        return self._made - operator.length_hint(self._words), tuple(self.spare)

    @place.setter
    def place(self, place: Place) -> None:
        if place == self.place:
            return
        number, spare = place
        self._source, self.spare = np.random.RandomState(self._seed % 2**32), list(spare)
        whole, rest = divmod(number, _AT_ONCE)
        for _ in range(whole):
            _words_of(self._source)
        words = _words_of(self._source)
        self._made, self._words = (whole + 1) * _AT_ONCE, iter(words[rest:])

    def _more(self) -> Sequence[int]:
        """Return the numbers that come next."""
        # A transform that is called by hand begins anew each time: the first numbers are kept.
        if self._source is None:
            self._source = 0
            return _first_words(self._seed % 2**32)
        if isinstance(self._source, int):
            self._source = np.random.RandomState(self._seed % 2**32)
            _words_of(self._source)
        return _words_of(self._source)

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

    def single(self, low: float = 0.0, high: float = 1.0) -> np.float32:
        """Return a float32 in [low, high) (``uniform_real_distribution``)."""
        part = min(np.float32(self._next()) / np.float32(2**32), np.float32(1 - 2**-24))
        begin = np.float32(low)
        return part * (np.float32(high) - begin) + begin

    def normal(self, spare: list[np.float32]) -> np.float32:
        """Return a float32 of the normal distribution.

        Args:
            spare: Two are made at once, the second one waits here for the next call.
        """
        if spare:
            return spare.pop()
        one, two = np.float32(1), np.float32(2)
        while True:
            x = two * self.single() - one
            y = two * self.single() - one
            far = x * x + y * y
            if 0 < far <= 1:
                break
        factor = np.sqrt(-two * np.log(far) / far)
        spare.append(x * factor)
        return y * factor

    def gamma(self, alpha: float, spare: list[np.float32]) -> np.float32:
        """Return a float32 of a gamma distribution, by Marsaglia and Tsang's method (2000).

        Args:
            spare: As for ``normal``, by which it is made.
        """
        one, own = np.float32(1), np.float32(alpha)
        raised = own + one if own < 1 else own
        shape = raised - one / np.float32(3)
        slope = one / np.sqrt(np.float32(9) * shape)
        while True:
            while (root := one + slope * (n := self.normal(spare))) <= 0:
                pass
            cube, u = root * root * root, self.single()
            if float(u) <= 1 - 0.0331 * float(n) ** 4:
                break
            rest = 1 - float(cube) + float(np.log(cube))
            if float(np.log(u)) <= 0.5 * float(n) ** 2 + float(shape) * rest:
                break
        if own == raised:
            return shape * cube
        while not (u := self.single()):
            pass
        return u ** (one / own) * shape * cube

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

    def sample(self, rows: Sequence[Any], count: int) -> list[Any]:
        """Return some of the rows, in their order (``sample``)."""
        left, lacking, taken = len(rows), min(count, len(rows)), []
        places: list[int] = []
        for row in rows:
            if not lacking:
                break
            if not places:
                # One number for two rows, as above.
                places = [self.below(left)] if left < 2 else self._two_below(left)
            if places.pop(0) < lacking:
                taken.append(row)
                lacking -= 1
            left -= 1
        return taken

    def _two_below(self, count: int) -> list[int]:
        return list(divmod(self.below(count * (count - 1)), count - 1))


def first_below(seed: int, seeds: int, count: int) -> list[int]:
    """Return ``Draws(each).below(count)`` of as many seeds, counted up from one.

    All at once, as far as each generator's first number needs its state: the words 0, 1 and 397.
    """
    each = (np.arange(seed, seed + seeds) % 2**32).astype(np.uint32)
    words = [each]
    for i in range(1, 398):
        last = words[-1]
        words = [*words[:2], (last ^ last >> 30) * np.uint32(1812433253) + np.uint32(i)]
    upper, lower, far = words
    drawn = far ^ (upper & 2**31 | lower & 2**31 - 1) >> 1 ^ (lower & 1) * np.uint32(0x9908B0DF)
    drawn ^= drawn >> 11
    drawn ^= drawn << 7 & 0x9D2C5680
    drawn ^= drawn << 15 & 0xEFC60000
    drawn ^= drawn >> 18
    width = Draws._largest // count
    again = np.flatnonzero(drawn >= count * width)
    found = (drawn // width).tolist()
    for i in again.tolist():
        found[i] = Draws(seed + i).below(count)
    return found


def _words_of(source: np.random.RandomState) -> list[int]:
    return source.randint(0, 2**32, _AT_ONCE, np.uint32).tolist()


@lru_cache(maxsize=64)
def _first_words(seed: int) -> list[int]:
    return _words_of(np.random.RandomState(seed))


class ShortDraws(Draws):
    """As Draws, of ``std::minstd_rand0`` (Park and Miller 1988)."""

    _largest = 2**31 - 3

    def _more(self) -> Sequence[int]:
        before = self._source or self._seed % (2**31 - 1) or 1
        self._source = before * 16807 % (2**31 - 1)
        return (self._source - 1,)
