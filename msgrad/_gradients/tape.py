"""What has run of a gradient call that was cut, and how it is pulled back."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.deferred.recording import Pending, materialize
from msgrad._core.engine import in_trace
from msgrad._gradients.gate import Gate, add_at

# Takes a cotangent, or None, for each result of a piece, and whether inputs that none of them
# reaches are to get None; returns one for each of the inputs.
Pull = Callable[[list[Any], bool], Sequence[Any]]
Entry = tuple[list[int], list[int | None], Pull]


class Tape:
    """What has run of a gradient call, to be pulled back; it knows the values of what is live.

    The values of the primals are at the places -1, -2, ..., those of live results, and of tracers
    that pieces have used, at 0, 1, ...

    Attributes:
        traced: Whether something has passed the gate.
    """

    def __init__(self, gate: Gate, trace: Any) -> None:
        self.traced = False
        self._gate = gate
        self._trace = trace
        self._thread = threading.get_ident()
        self._entries: list[Entry] = []
        self._live: list[weakref.ref[Pending]] = []
        self._tracers: dict[int, tuple[Any, int]] = {}
        self._places = 0

    def own(self, pending: Pending, value: Any, place: int | None = None) -> int:
        """Take over a Pending with its value, as the world around has it; return its place."""
        if place is None:
            place, self._places = self._places, self._places + 1
        pending.value, pending.place, pending.recorder = value, place, self
        self._live.append(weakref.ref(pending))
        return place

    def place_of(self, tracer: Any) -> int:
        """Return the place of a tracer that a piece uses."""
        if id(tracer) not in self._tracers:
            self._tracers[id(tracer)] = tracer, self._places
            self._places += 1
        return self._tracers[id(tracer)][1]

    def note(self, inputs: list[int], outputs: list[int | None], pull: Pull) -> None:
        """Note a piece that has run: where its inputs and its results are."""
        self._entries.append((inputs, outputs, pull))

    def number_of(self, pending: Pending) -> Any:
        return pending.value

    def value_of(self, pending: Pending) -> Any:
        """Return the value as a differentiated one."""
        if threading.get_ident() != self._thread:
            return pending.value
        if pending.place < 0:
            self._enter([pending], [], [])
        else:
            live = [p for p in self._owned() if p.place >= 0]
            entries, self._entries = self._entries, []
            tracers, self._tracers = [*self._tracers.values()], {}
            self._enter(live, entries, tracers)
        return pending.value

    def _owned(self) -> list[Pending]:
        """Return what is owned and still referred to."""
        found = [p for ref in self._live if (p := ref()) is not None and p.recorder is self]
        self._live = [*map(weakref.ref, found)]
        return found

    def _enter(
        self, live: list[Pending], entries: list[Entry], tracers: list[tuple[Any, int]]
    ) -> None:
        self.traced = True
        places = [pending.place for pending in live]

        def pull(cotangents: list[Any]) -> tuple[dict[int, Any], list[Any]]:
            found = pulled_back(entries, zip(places, cotangents, strict=True), bool(tracers))
            return found, [found.pop(place, None) for _, place in tracers]

        values = [materialize(pending.value) for pending in live]
        with in_trace(self._trace):
            traced = self._gate.through(values, [tracer for tracer, _ in tracers], pull)
        for pending, value in zip(live, traced, strict=True):
            pending.set_value(value)

    def close(
        self, exact: bool = False
    ) -> Callable[[Sequence[tuple[int | None, Any]]], dict[int, Any]]:
        """Make all values known to all; return the function that pulls back.

        Args:
            exact: As for ``pulled_back``.

        Returns:
            Takes places with their cotangents and returns those of the primals, by place.
        """
        entries, self._entries = self._entries, []
        for pending in self._owned():
            pending.set_value(pending.value)
        self._live, self._tracers = [], {}
        return lambda given: pulled_back(entries, given, exact)


def pulled_back(entries: Sequence[Entry], given: Any, exact: bool) -> dict[int, Any]:
    """Pull cotangents back through pieces.

    Args:
        entries: The pieces.
        given: Places with their cotangents, or None.
        exact: Whether it matters where nothing arrives: a rule of the user's does not run then,
            while it may make something of zeros, and a Parameter does not count as used.

    Returns:
        What arrives where they begin, by place.
    """
    found: dict[int, Any] = {}
    for place, cotangent in given:
        if cotangent is not None:
            add_at(found, place, cotangent)
    for inputs, outputs, pull in reversed(entries):
        cotangents = [None if place is None else found.pop(place, None) for place in outputs]
        if any(cotangent is not None for cotangent in cotangents):
            for place, cotangent in zip(inputs, pull(cotangents, exact), strict=True):
                if cotangent is not None:
                    add_at(found, place, cotangent)
    return found
