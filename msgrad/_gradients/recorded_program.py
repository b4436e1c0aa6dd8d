"""Recordings as programs: what all kinds of them share, and where they are kept.

What a recording is, and when it becomes a program, is in ``recording.py``. A program is kept by
structure. It is itself an operator, so that a gradient or a transform inside a recorded call
becomes a part of that call's program.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from types import FunctionType
from typing import Any

from msgrad._core.context import context
from msgrad._core.deferred.recording import (
    NotRecordable,
    Pending,
    Recorder,
    evaluated,
    fetch,
    materialize,
)
from msgrad._core.distributed.across import Across
from msgrad._core.effort import Structures, compiled
from msgrad._core.kept_programs import described

_MAX_PROGRAMS = 512
_NEW_IN_A_ROW = 8


class RecordedProgram:
    """The compiled form of one structure.

    Args:
        recorder: A recording of it.
        outs: Where its results come from, see ``Recorder.source``.
        aux: Which further results it gives.
        form: What tells programs of one recording apart.

    Attributes:
        structure: What it is but for the shapes of inputs.
        other_shapes: Whether its structure was compiled before with inputs of other shapes.
        collective: Whether it must run on several ranks.
    """

    def __init__(
        self,
        recorder: Recorder,
        outs: tuple[int | None, ...],
        aux: frozenset[int],
        *form: Hashable,
    ) -> None:
        self._ops = recorder.ops
        self.outs = outs
        self.aux = aux
        self.aux_order = sorted(aux)
        structure, shapes = recorder.structure()
        self.structure = (structure, outs, aux, *form)
        self._form = form
        self.other_shapes = structures.comes_again(self.structure, shapes)
        self.collective = any(getattr(op, "collective", False) for op, _, _ in self._ops)

    def _compiled(self, run: Callable[..., Any], what: Any = None) -> Callable[..., Any]:
        return Across(run) if self.collective else compiled(run, self.other_shapes, what)

    def described(self) -> str:
        """Return what it is, as a part of another one or by itself."""
        parts = type(self).__qualname__, self._ops, self.outs, self.aux, self._form
        return described(parts)

    def _evaluate(
        self, primals: Sequence[Any], inputs: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return the results, None for constants, and the further ones."""
        leaves = [*primals, *inputs]
        results = list(evaluated(self._ops, leaves, call_compiled))
        # None for a constant is no leaf, and keeps the places of the others.
        outs = [None if place is None else fetch(place, results, leaves) for place in self.outs]
        return outs, [results[place] for place in self.aux_order]


def call_compiled(op: Any, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
    """Run one recorded call inside of a program that is being traced."""
    return op.compiled(options)(*operands)


class BoundCall:
    """One call of a ``RecordedProgram``: its inputs, and who waits for its results.

    Args:
        program: What it calls.
        recorder: The recording, which is closed by this.
        results: Its results: ``Pending``, traced primals or constants.
        kept: Further values that are needed, each with where it comes from.
        waiting: The ``Pending`` values that are still referred to.
    """

    def __init__(
        self,
        program: Any,
        recorder: Recorder,
        results: list[Any],
        kept: list[tuple[Any, Any]],
        waiting: list[Pending],
    ) -> None:
        self._program = program
        self._inputs = tuple(recorder.leaves)
        self._waiting = waiting
        self._substitutes = recorder.substitutes
        self._results = results
        self._kept = kept
        recorder.close()

    def _values(
        self, primals: list[Any], outs: list[Any], aux: list[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return results and further values, and set those that are waited for."""
        program = self._program
        by_place = dict(zip(program.aux_order, aux, strict=True))
        rest = iter(outs)
        results = []
        for place, constant in zip(program.outs, self._results, strict=True):
            results.append(materialize(constant) if place is None else next(rest))
            if place is not None:
                by_place[place] = results[-1]
        for pending in self._waiting:
            pending.set_value(by_place[pending.place])
        for pending, primal in zip(self._substitutes, primals, strict=True):
            pending.set_value(primal)
        kept = []
        for value, place in self._kept:
            if place is not None:
                value = by_place[place] if place >= 0 else primals[~place]
            kept.append(value)
        return results, kept


def bind(
    kind: type[Any],
    counted: Any,
    recorder: Recorder,
    results: list[Any],
    kept: list[Any],
    make: Callable[[Recorder, tuple[int | None, ...], frozenset[int]], RecordedProgram],
    *form: Hashable,
) -> Any:
    """Return a finished recording as one call; None where it must be replayed.

    Args:
        kind: The ``BoundCall`` to return.
        counted: The function by whose code new structures are counted.
        recorder: The recording.
        results: The results of the function: ``Pending``, traced primals or constants.
        kept: Further values that are needed.
        make: Makes the program.
        form: By what the program is found again beside the recording.
    """
    if not recorder.open or not recorder.ops:
        return None
    try:
        outs = tuple([recorder.source(value) for value in results])
        sourced = [(value, recorder.source(value)) for value in kept]
    except NotRecordable:
        return None
    waiting = recorder.waiting()
    aux = frozenset([pending.place for pending in waiting]).difference(outs)
    made = functools.partial(make, recorder, outs)
    program = programs.find(counted, (recorder.state, outs, *form), aux, made)
    return None if program is None else kind(program, recorder, results, sourced, waiting)


class _ConsecutiveCounts:
    """How often something has happened in a row, by the code of a function; bounded."""

    def __init__(self) -> None:
        self._counts: OrderedDict[Any, int] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, fn: Any) -> int:
        """Return the count of a function."""
        return self._counts.get(code_of(fn), 0)

    def set(self, fn: Any, count: int) -> None:
        """Take over the count of a function; the longest unchanged one is dropped first."""
        code = code_of(fn)
        with self._lock:
            self._counts.pop(code, None)
            if count:
                self._counts[code] = count
            if len(self._counts) > _MAX_PROGRAMS:
                self._counts.popitem(last=False)

    def clear(self) -> None:
        """Forget all counts."""
        with self._lock:
            self._counts.clear()


def code_of(fn: Any) -> Any:
    """Return by what the calls of a function are counted together."""
    # All gradient functions have the same code; what they are of tells them apart.
    while type(fn) is FunctionType and "_transforms" in vars(fn):
        fn = vars(fn)["_transforms"]
    return getattr(getattr(fn, "__func__", fn), "__code__", None) or type(fn)


class Programs:
    """The compiled structures, the longest unused one dropped first."""

    def __init__(self) -> None:
        self._known: OrderedDict[Any, RecordedProgram | None] = OrderedDict()
        # Structures of a function in a row that were never seen before.
        self.new = _ConsecutiveCounts()
        self._lock = threading.Lock()

    def find(
        self,
        fn: Any,
        key: Any,
        aux: frozenset[int],
        make: Callable[[frozenset[int]], RecordedProgram],
        past: int | None = None,
    ) -> RecordedProgram | None:
        """Return the program of a structure, None where it is not worth compiling (yet).

        A program may give more than is needed now: which results outlive the forward pass can
        change from call to call. A call with several structures counts as one: it says what the
        count was before it, and ``new`` is set at its end. New shapes are always worth it: operator
        by operator, each of them would be compiled for them.
        """
        with self._lock:
            known = key in self._known
            program = self._known.get(key)
            if program is not None and not aux <= program.aux:
                program = make(aux | program.aux)
            made = make(aux) if program is None else None
            repeats = known or (made is not None and made.other_shapes) or context.deterministic
            new = 0 if repeats else (self.new.get(fn) if past is None else past) + 1
            if past is None:
                self.new.set(fn, new)
            if made is not None and (repeats or new <= _NEW_IN_A_ROW):
                program = made
            self._known[key] = program
            self._known.move_to_end(key)
            if len(self._known) > _MAX_PROGRAMS:
                self._known.popitem(last=False)
        return program

    def __contains__(self, key: Any) -> bool:
        return key in self._known

    def clear(self) -> None:
        """Forget every program."""
        with self._lock:
            self._known.clear()
            self.new.clear()
            structures.clear()

    def __len__(self) -> int:
        return sum(program is not None for program in self._known.values())


structures = Structures()
programs = Programs()
