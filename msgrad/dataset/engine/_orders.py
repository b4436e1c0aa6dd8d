"""Random orders: for the same seed those of MindSpore, row for row.

Its engine draws from three generators of the C++ standard: two of ``_core.draws``, and that of
Nishimura (2000).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from msgrad._core.draws import Draws, first_below

_WORDS, _FAR = 312, 156
_ODD, _UPPER, _LOWER = np.uint64(0xB5026F5AA96619E9), np.uint64(2**64 - 2**31), np.uint64(2**31 - 1)
# By how many bits a word is moved, of which bits of that it takes some, and whether to the left.
_TEMPER = (
    (29, 0x5555555555555555, False),
    (17, 0x71D67FFFEDA60000, True),
    (37, 0xFFF7EEE000000000, True),
    (43, 2**64 - 1, False),
)


class LongDraws:
    """Numbers of ``std::mt19937_64``, 0 to 2**64 - 1.

    Args:
        seed: int, 0 to 2**64 - 1.
    """

    def __init__(self, seed: int) -> None:
        words = [seed]
        for number in range(1, _WORDS):
            last = words[-1] ^ words[-1] >> 62
            words.append((6364136223846793005 * last + number) % 2**64)
        self._words, self._place = np.array(words, np.uint64), _WORDS
        self._made: list[int] = []

    def skip(self, count: int) -> None:
        """Leave out so many numbers."""
        blocks, self._place = divmod(self._place + count, _WORDS)
        for _ in range(blocks):
            self._twist()
        self._made = [] if blocks else self._made

    def __next__(self) -> int:
        if self._place == _WORDS:
            self._twist()
            self._place, self._made = 0, []
        if not self._made:
            made = self._words
            for by, mask, left in _TEMPER:
                made = made ^ (made << by if left else made >> by) & np.uint64(mask)
            self._made = made.tolist()
        self._place += 1
        return self._made[self._place - 1]

    def _twist(self) -> None:
        old, new = self._words, np.empty_like(self._words)
        new[:_FAR] = old[_FAR:] ^ _mixed(old[:_FAR], old[1 : _FAR + 1])
        new[_FAR:-1] = new[: _FAR - 1] ^ _mixed(old[_FAR:-1], old[_FAR + 1 :])
        new[-1:] = new[_FAR - 1 : _FAR] ^ _mixed(old[-1:], new[:1])
        self._words = new


def _mixed(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    both = upper & _UPPER | lower & _LOWER
    return both >> np.uint64(1) ^ (both & np.uint64(1)) * _ODD


class Reorders:
    """A list that each epoch shuffles again as the epoch before left it.

    Each epoch can be asked for; the last one is kept, since the next one is made of it.

    Args:
        grows: int, how much the seed grows with each epoch.
    """

    def __init__(self, grows: int = 1) -> None:
        self._grows = grows
        self._last: tuple[Any, int, list[int]] = (None, -1, [])

    def of(
        self,
        rows: list[int],
        seed: int,
        epoch: int,
        draws: type[Draws] = Draws,
        taken: int | None = None,
    ) -> list[int]:
        """Return the order of an epoch, from 0; before it, the rows as they are.

        Args:
            rows: What is ordered.
            seed: Of the first epoch.
            draws: Whose numbers.
            taken: How many of the list are the next one, some of them twice, each drawn with a seed
                of its own; None for all of them once.
        """
        if epoch < 0:
            return rows
        what, made, order = self._last
        if what != (rows, seed, draws) or made > epoch:
            made, order = -1, rows
        order = list(order)
        for number in range(made + 1, epoch + 1):
            first = seed + number * self._grows
            if taken is None:
                draws(first).shuffled(order)
            else:
                order = [order[place] for place in first_below(first, taken, len(order))]
        self._last = ((rows, seed, draws), epoch, order)
        return list(order)


class Buffer:
    """Rows through a buffer that is full of them: one at random leaves, the next one comes.

    The draws go on from epoch to epoch; where an epoch was not run to its end, what it would have
    drawn is left out.

    Args:
        size: int, how many rows the buffer holds.
        anew: Whether each epoch has an order of its own.
    """

    def __init__(self, size: int, anew: bool = True) -> None:
        self._size, self._anew = size, anew
        self._next: tuple[Any, LongDraws | None] = (None, None)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_next": (None, None)}

    def shuffled(self, rows: Iterator[Any], seed: int, epoch: int, count: Any) -> Iterator[Any]:
        """Yield the rows of an epoch, from 0; before it, as they come.

        Args:
            rows: In their order.
            seed: int.
            count: Gives how many rows an epoch has.
        """
        if epoch < 0:
            yield from rows
            return
        epoch = epoch if self._anew else 0
        found, draws = self._next
        if draws is None or found != (seed, epoch):
            draws = LongDraws(seed)
            draws.skip(epoch * count() if epoch else 0)
        draws, held = copy.copy(draws), []
        for row in rows:
            held.append(row)
            if len(held) > self._size:
                yield self._left(held, draws, held.pop())
        while held:
            yield self._left(held, draws)
        self._next = (seed, epoch + 1), draws

    @staticmethod
    def _left(held: list[Any], draws: LongDraws, *coming: Any) -> Any:
        """Take one out: the last one goes to its place, and what comes to the end."""
        place = next(draws) % len(held)
        held[place], row = held[-1], held[place]
        held[-1:] = coming
        return row
