"""Recordings as programs: what all kinds of them share, and where they are kept.

What a recording is, and when it becomes a program, is in ``recording.py``. A program is kept by
structure. It is itself an operator, so that a gradient or a transform inside a recorded call
becomes a part of that call's program.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from types import FunctionType
from typing import Any

from msgrad._compiled.reroll import rerolled
from msgrad._compiled.scans import MIN_TURNS
from msgrad._core.bounded import Bounded
from msgrad._core.context import context
from msgrad._core.deferred.recording import (
    NotRecordable,
    Pending,
    Recorder,
    evaluated,
    fetch,
    materialize,
)
from msgrad._core.distributed.across import Across, transformed_error
from msgrad._core.effort import Structures, compiled
from msgrad._core.kept_programs import described
from msgrad._core.op import dispatch
from msgrad._gradients.transforms import as_it_is, pulled

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


class TransformedProgram(RecordedProgram):
    """The compiled form of one structure under one transform.

    Args:
        recorder, outs, aux: See ``RecordedProgram``.
        transform: Takes an ``Evaluate``, ``form``, then the operands: values for the primals, what
            came from outside, more. Returns the results, the further ones, and what else it gives.
        form: What stands for the transform beside its code; hashable.

    Raises:
        NotImplementedError: If the recording has collectives, which only a gradient knows.
    """

    name = "transform"

    def __init__(
        self,
        recorder: Recorder,
        outs: tuple[int | None, ...],
        aux: frozenset[int],
        transform: Callable[..., Any],
        *form: Hashable,
    ) -> None:
        super().__init__(recorder, outs, aux, transform, form)
        if self.collective and transform not in (as_it_is, pulled):
            raise transformed_error()

        def run(*operands: Any) -> Any:
            return transform(self._evaluate, *form, *operands)

        often = max(Counter(op for op, _, _ in self._ops).values(), default=0) >= MIN_TURNS
        loops = transform is pulled and often and not self.collective
        call = rerolled(run) if loops else run
        # What a line on the terminal and reports know it by.
        call.__name__ = f"_{transform.__name__}"
        self._call = self._compiled(call, self)

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the transform as a function of raw arrays, as operators do."""
        return self._call

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
    """One call of a ``TransformedProgram``: its inputs, and who waits for its results.

    Args:
        program: What it calls.
        recorder: The recording, which is closed by this.
        results: Its results: ``Pending``, traced primals or constants.
        kept: Further values that are needed, each with where it comes from.
        waiting: The ``Pending`` values that are still referred to.

    Attributes:
        primals: The values that the recording began with.
        constant: For each result whether it is a constant, on which the transform has no effect.
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
        self.primals = recorder.primals
        self._inputs = tuple(recorder.leaves)
        self._waiting = waiting
        self._substitutes = recorder.substitutes
        self._results = results
        self._kept = kept
        self.constant = [place is None for place in program.outs]
        recorder.close()

    def run(self, primals: Sequence[Any], *operands: Any) -> tuple[list[Any], list[Any], Any]:
        """Run the program, and set the values that are waited for.

        Args:
            primals: What the transform takes for the primals; may be ``Pending``.
            operands: What else it takes, behind what came from outside.

        Returns:
            The results, the further values that are needed, and what else the transform gives.
            Inside a call that records, all of this is recorded.
        """
        program = self._program
        outs, aux, more = dispatch(program, (), (tuple(primals), self._inputs, *operands))
        by_place = dict(zip(program.aux_order, aux, strict=True))
        results = []
        for place, value, constant in zip(program.outs, outs, self._results, strict=True):
            results.append(materialize(constant) if place is None else value)
            if place is not None:
                by_place[place] = value
        for pending in self._waiting:
            pending.set_value(by_place[pending.place])
        for pending, primal in zip(self._substitutes, primals, strict=True):
            pending.set_value(primal)
        kept = []
        for value, place in self._kept:
            if place is not None:
                value = by_place[place] if place >= 0 else primals[~place]
            kept.append(value)
        return results, kept, more


def bind(
    fn: Any,
    recorder: Recorder,
    results: list[Any],
    kept: list[Any],
    transform: Callable[..., Any],
    *form: Hashable,
) -> BoundCall | None:
    """Return a finished recording as one call of a program; None where it must be replayed.

    Args:
        fn: The function by whose code new structures are counted.
        recorder: The recording.
        results: The results of the function: ``Pending``, traced primals or constants.
        kept: Further values that are needed.
        transform, form: See ``TransformedProgram``.
    """
    if not recorder.whole or not recorder.ops:
        return None
    try:
        outs = tuple([recorder.source(value) for value in results])
        sourced = [(value, recorder.source(value)) for value in kept]
    except NotRecordable:
        return None
    waiting = recorder.waiting()
    aux = frozenset([pending.place for pending in waiting]).difference(outs)

    def make(more: frozenset[int]) -> TransformedProgram:
        return TransformedProgram(recorder, outs, more, transform, *form)

    key = (recorder.state, outs, transform, *form)
    program = programs.find((code_of(fn), transform), key, aux, make)
    return None if program is None else BoundCall(program, recorder, results, sourced, waiting)


def code_of(fn: Any) -> Any:
    """Return by what new structures of a function are counted together."""
    # All gradient functions have the same code; what they are of tells them apart.
    while type(fn) is FunctionType and "_transforms" in vars(fn):
        fn = vars(fn)["_transforms"]
    return getattr(getattr(fn, "__func__", fn), "__code__", None) or type(fn)


class Programs:
    """The compiled structures."""

    def __init__(self) -> None:
        self._known: Bounded[Any, RecordedProgram | None] = Bounded(_MAX_PROGRAMS)
        # Structures in a row that were never seen before, by what they are counted by.
        self._new: Bounded[Hashable, int] = Bounded(_MAX_PROGRAMS)
        self._lock = threading.Lock()

    def new(self, counted: Hashable) -> int:
        """Return how many structures in a row were never seen before."""
        return self._new.get(counted, 0)

    def count(self, counted: Hashable, new: int) -> None:
        """Take over how many there were."""
        with self._lock:
            self._new.pop(counted, None)
            if new:
                self._new[counted] = new

    def find(
        self,
        counted: Hashable,
        key: Any,
        aux: frozenset[int],
        make: Callable[[frozenset[int]], RecordedProgram],
        past: int | None = None,
    ) -> RecordedProgram | None:
        """Return the program of a structure, None where it is not worth compiling (yet).

        A program may give more than is needed now: which results outlive the forward pass can
        change from call to call. A call with several structures counts as one: it says what the
        count was before it, and sets it at its end. New shapes are always worth it: operator
        by operator, each of them would be compiled for them.
        """
        with self._lock:
            known = key in self._known
            program = self._known.get(key)
            if program is not None and not aux <= program.aux:
                program = make(aux | program.aux)
            made = make(aux) if program is None else None
            repeats = known or (made is not None and made.other_shapes) or context.deterministic
            new = 0 if repeats else (self.new(counted) if past is None else past) + 1
            if made is not None and (repeats or new <= _NEW_IN_A_ROW):
                program = made
            self._known[key] = program
        if past is None:
            self.count(counted, new)
        return program

    def __contains__(self, key: Any) -> bool:
        return key in self._known

    def clear(self) -> None:
        """Forget every program."""
        with self._lock:
            self._known.clear()
            self._new.clear()
            structures.clear()

    def __len__(self) -> int:
        return sum(program is not None for program in self._known.values())


structures = Structures()
programs = Programs()
