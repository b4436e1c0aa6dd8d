"""Who has an array: the Tensor that it stands in, or a program that will donate it; never both.

Whoever starts such a program takes the arrays out of the Tensors' instance dicts (their places)
first, and puts results there last; an ``Owner`` has them meanwhile. Each of the two is one call
for the interpreter, and so is the program: an interrupt falls between them, where the owner has
either the old arrays or the new ones, and whoever next finds a place empty has them put back.

References are counted when an array has left its place: by then nobody can take another, and who
has one already, a Tensor with the same value or a thread that copies it to NumPy, gets to keep it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat, starmap
from operator import itemgetter, methodcaller, setitem
from sys import getrefcount
from typing import Any

import jax.numpy as jnp

from msgrad._core.engine import is_tracer
from msgrad._core.errors import EngineError

# Held from taking to putting back, by whoever runs a program that writes.
lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
    )
# Threads that wait for the lock. It is not fair: a loop of steps would take it again at once.
_waiting: set[int] = set()
_PAUSE, _PAUSES = 20e-6, 200
_owners: set[Owner] = set()
# Those to be put back by whoever has the lock next.
_late: deque[Owner] = deque()
_has_run: weakref.WeakSet[Callable[..., Any]] = weakref.WeakSet()

_array_in = itemgetter("_data")
_taken_from = methodcaller("pop", "_data")
# References to an object that only one list holds, where ``map`` counts them.
SOLE = max(map(getrefcount, [object()]))
Place = dict[str, Any]


@contextlib.contextmanager
def _interrupted_later() -> Iterator[None]:
    """Have an interrupt of the main thread wait until the end."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda *given: came.append(given))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            handler(*came[0])


class Owner:
    """The arrays of some Tensors, while they are with a program.

    Args:
        places: The instance dicts that they stand in, under ``_data``, and are taken from.
        targets: Those that the first results of the program belong in, in their order.

    Attributes:
        held: The arrays; empty where they stand in their places.
        results: What the program has given, in a list, until it is in place; else empty.
        writes: How often the arrays were replaced without being put back.
    """

    def __init__(self, places: Sequence[Place], targets: Sequence[Place]) -> None:
        self.places = places
        self.targets = targets
        self.held: list[Any] = []
        self.results: list[list[Any]] = []
        self.writes = 0

    def take(self) -> None:
        """Take the arrays out of their places; of those that others have as well, copies.

        For a thread that has the lock.
        """
        if self.held or self.results:
            self.put_back()
        if _owners:
            evict(self.targets)
        self.enter()
        self.held.extend(map(_taken_from, self.places))
        held = self.held
        if max(map(getrefcount, held), default=0) > SOLE:
            for i in range(len(held)):
                if getrefcount(held[i]) > SOLE:
                    held[i] = jnp.copy(held[i])

    def run(self, program: Callable[..., Any], *arguments: Any) -> None:
        """Call a program with the arrays and more arguments; what it gives waits in ``results``.

        Raises:
            EngineError: If JAX only traces it, so that the arrays are still there.
        """
        if program in _has_run:
            self.results.extend(starmap(program, ((self.held, *arguments),)))
        else:
            # The first run ends in Python code of JAX, where an interrupt would lose the arrays.
            with _interrupted_later():
                self.results.extend(starmap(program, ((self.held, *arguments),)))
                _has_run.add(program)
        if self.targets and is_tracer(self.results[0][0]):
            self.results.clear()
            raise outlived()

    def commit(self, more: Sequence[tuple[Place, str, Any]] = (), resident: bool = False) -> None:
        """Put results where they belong, and more values by place and name.

        Args:
            more: Places, names and values.
            resident: Whether the arrays among the results stay here, instead of those before.
        """
        results = self.results[0]
        if resident and not more:
            # As it is in nearly every step: one call, too.
            kept = results[: len(self.targets)]
            vars(self).update(held=kept, writes=self.writes + 1, results=[])
            return
        targets = () if resident else self.targets
        rest: list[tuple[Place, str, Any]] = [
            *more,
            (vars(self), "held", results[: len(self.targets)] if resident else []),
            (vars(self), "writes", self.writes + 1 if resident else 0),
            (vars(self), "results", []),
        ]
        if targets:
            _count_writes(targets, self.writes + 1)
        places, names, values = zip(*rest, strict=True)
        _do(
            map(
                setitem,
                [*targets, *places],
                [*repeat("_data", len(targets)), *names],
                [*results[: len(targets)], *values],
            )
        )
        if not resident:
            self.leave()

    def enter(self) -> None:
        """From now on, who finds a place empty has the arrays put back by this."""
        _owners.add(self)

    def leave(self) -> None:
        """All arrays are in their places."""
        _owners.discard(self)

    def bring_here(self) -> None:
        """Have results stand in this process only: they do; see ``distributed``."""

    def put_back(self) -> None:
        """Put the arrays into their places: the new ones if there are any, else the old ones.

        After an interrupt, it may be called again.
        """
        with lock:
            if self.results:
                self.commit()
            else:
                _count_writes(self.places, self.writes)
                _do(map(dict.setdefault, self.places, repeat("_data"), self.held))
                self.held, self.writes = [], 0
                self.leave()

    def put_back_soon(self) -> None:
        """Do so when the lock is free: for a finalizer, whose thread may have other locks."""
        if lock.acquire(blocking=False):
            try:
                self.put_back()
            finally:
                lock.release()
        else:
            _late.append(self)


_do = deque[None](maxlen=0).extend


def _count_writes(places: Iterable[Place], writes: int) -> None:
    for place in places:
        if "_version" in place:
            place["_version"] += writes


def wait_for_turn() -> None:
    """To be called before the lock is taken: threads that wait already come first."""
    if _waiting and not lock._is_owned():  # pyright: ignore[reportAttributeAccessIssue]
        before = {*_waiting} - {threading.get_ident()}
        for _ in range(_PAUSES):
            if before.isdisjoint(_waiting):
                break
            time.sleep(_PAUSE)
    _waiting.add(threading.get_ident())


def is_my_turn() -> None:
    """To be called when it has been taken."""
    _waiting.discard(threading.get_ident())
    while _late:
        _late.popleft().put_back()


def evict(places: Iterable[Place]) -> None:
    """Have arrays put into their places, where programs have them; for who has the lock."""
    for place in places:
        if "_data" not in place:
            for owner in tuple(_owners):
                if any(place is each for each in owner.places):
                    owner.put_back()


def array_at(place: Place) -> Any:
    """Return the array of a Tensor, with whomever it is; None where it has none."""
    wait_for_turn()
    with lock:
        is_my_turn()
        evict((place,))
        return place.get("_data")


def read_together(places: Sequence[Place]) -> list[Any]:
    """Return the arrays of some Tensors between two steps."""
    try:
        # One call for the interpreter: no other thread runs meanwhile.
        return [*map(_array_in, places)]
    except KeyError:
        wait_for_turn()
        with lock:
            is_my_turn()
            evict(places)
            return [*map(_array_in, places)]


def outlived(what: str = "the state of a compiled call") -> EngineError:
    """Return the error for a write in a transform of JAX's own, which would leave a tracer."""
    return EngineError(
        f"{what} would be written in a transform that JAX runs (jax.jit, jax.lax.scan, ...): its "
        "value there is gone afterwards, so it is left as it was. Pass the state through, "
        "step, state = msgrad.interop.functionalize(step, *example), or use mindspore.jit, "
        "mindspore.grad and mindspore.vmap in their place; after net.set_train(False), layers "
        "write nothing."
    )


def write_together(places: Sequence[Place], arrays: Iterable[Any]) -> None:
    """Put arrays into their places between two steps: all of them, or none."""
    wait_for_turn()
    with lock:
        is_my_turn()
        evict(places)
        _count_writes(places, 1)
        _do(map(setitem, places, repeat("_data"), arrays))
