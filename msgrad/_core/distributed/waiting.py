"""How long this rank has waited for a collective, and when it is to give up.

A collective that another rank does not call, as under ``if get_rank() == 0:``, is never done. Each
rank tells when it ends; one that waits meanwhile fails then, and names it. Otherwise it fails after
``MSGRAD_COLLECTIVE_TIMEOUT`` seconds (1800; 0 for never).
"""

from __future__ import annotations

import atexit
import json
import os
import threading
import time
from typing import Any

from msgrad._core.distributed.world import leave, world
from msgrad._core.engine import coordination

_LIMIT = float(os.environ.get("MSGRAD_COLLECTIVE_TIMEOUT") or 1800)
_LOOK_SECONDS = 1.0
# How long a rank waits before it asks whether another has ended.
_ASK_SECONDS = 4.0
_ENDED, _CALLS = "msgrad/ended/", "msgrad/calls/"


class Waiting:
    """The call of a program with collectives that this rank has made last.

    Attributes:
        ranks: Who make it.
        calls: How many there were, by who makes them.
    """

    def __init__(self) -> None:
        self.ranks: tuple[int, ...] = ()
        self.calls: dict[tuple[int, ...], int] = {}
        self._since = 0.0
        self._result: Any = None

    def begin(self, ranks: tuple[int, ...]) -> None:
        self._result = None
        self._since = time.monotonic()
        self.ranks = ranks
        self.calls[ranks] = self.calls.get(ranks, 0) + 1

    def told(self) -> str:
        """Return the numbers of calls as they are told to others."""
        return json.dumps([[*map(list, self.calls)], [*self.calls.values()]])

    def started(self, result: Any) -> None:
        """Note one of its results, which nobody else is given.

        It is kept until the next call: the caller may have dropped its own, and wait elsewhere, in
        a program that needs what this one gives.
        """
        self._result = result

    def seconds(self) -> float:
        """Return for how long it has not been done; 0 where it is."""
        if not self.calls:
            return 0.0
        since, result = self._since, self._result
        try:
            if result is not None and result.is_ready():
                return 0.0
        except RuntimeError:
            # It has failed: who waits for it is told so.
            return 0.0
        return time.monotonic() - since


def _said(prefix: str) -> dict[int, int]:
    """Return how many calls like the last one ranks have said to have made, by their numbers."""
    made = {}
    for key, value in coordination().key_value_dir_get(prefix):
        groups, counts = json.loads(value)
        own = dict(zip(map(tuple, groups), counts, strict=True))
        made[int(key.rpartition("/")[2])] = own.get(waiting.ranks, 0)
    return {rank: count for rank, count in made.items() if rank in waiting.ranks}


def _watch() -> None:
    told = time.monotonic()
    while True:
        time.sleep(_LOOK_SECONDS)
        seconds = waiting.seconds()
        try:
            if _LIMIT and time.monotonic() - told > _LIMIT / 10:
                told = time.monotonic()
                coordination().key_value_set(f"{_CALLS}{world.rank}", waiting.told(), True)
            if seconds > _ASK_SECONDS:
                _give_up_on(_said(_ENDED), seconds)
                if 0 < _LIMIT < seconds:
                    _give_up(_said(_CALLS), seconds)
        except Exception:
            # The connection is gone, perhaps; who waits hears of it otherwise.
            continue


def _give_up_on(ended: dict[int, int], seconds: float) -> None:
    own = waiting.calls[waiting.ranks]
    for rank, calls in ended.items():
        if calls >= own:
            # It has made this one, too: perhaps it compiles here.
            continue
        leave(
            f"msgrad: rank {world.rank} of {world.size} failed: it has waited {seconds:.0f} s in "
            f"call {own} of a program with collectives, but rank {rank} has ended after "
            f"{calls}; every rank must make the same calls, also under 'if get_rank() == 0'"
        )


def _give_up(calls: dict[int, int], seconds: float) -> None:
    known = ", ".join(f"rank {rank}: {count}" for rank, count in sorted(calls.items()))
    leave(
        f"msgrad: rank {world.rank} of {world.size} failed: it has waited {seconds:.0f} s in call "
        f"{waiting.calls[waiting.ranks]} of a program with collectives (the limit is "
        f"MSGRAD_COLLECTIVE_TIMEOUT); calls that ranks last told of: {known or 'none'}"
    )


def _tell_end() -> None:
    try:
        coordination().key_value_set(f"{_ENDED}{world.rank}", waiting.told(), True)
    except Exception:
        # Who has lost the others has nobody to tell.
        return


waiting = Waiting()
if world.size > 1:
    atexit.register(_tell_end)
    threading.Thread(target=_watch, daemon=True, name="msgrad-waiting").start()
