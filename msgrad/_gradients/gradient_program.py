"""Recordings as compiled programs: the forward pass, the pullback, and both in one.

What a recording is, and when it becomes a program, is in ``recording.py``. A program is kept by
structure. As an operator (``gradient``) it can itself be recorded, so that a gradient inside a
gradient call becomes a part of that call's program.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._compiled.reroll import rerolled
from msgrad._compiled.scans import MIN_TURNS
from msgrad._core.across import Across, needing
from msgrad._core.context import context
from msgrad._core.deferred.recording import (
    NotRecordable,
    Pending,
    Recorder,
    evaluated,
    fetch,
    materialize,
)
from msgrad._core.effort import Structures, compiled
from msgrad._core.op import dispatch

_MAX_PROGRAMS = 512
_NEW_IN_A_ROW = 8
FORWARD, BACKWARD = ("forward",), ("backward",)


class GradientProgram:
    """The compiled form of one structure.

    Args:
        recorder: A recording of it.
        outs: Where the values to differentiate come from, see ``Recorder.source``.
        aux: Which further results it gives.

    Attributes:
        structure: What it is but for the shapes of inputs.
        other_shapes: Whether its structure was compiled before with inputs of other shapes.
    """

    name = "gradient"

    def __init__(
        self, recorder: Recorder, outs: tuple[int | None, ...], aux: frozenset[int]
    ) -> None:
        self._ops = recorder.ops
        self.outs = outs
        self.aux = aux
        self.aux_order = sorted(aux)
        self._tree: Any = None
        structure, shapes = recorder.structure()
        self.structure = (structure, outs, aux)
        self.other_shapes = structures.comes_again(self.structure, shapes)
        often = max(Counter(op for op, _, _ in self._ops).values(), default=0) >= MIN_TURNS
        run = self._forward_and_backward
        # Whether it must run on several ranks.
        self.collective = any(getattr(op, "collective", False) for op, _, _ in self._ops)
        if self.collective:
            self.forward, self.backward = Across(self._forward), Across(self._backward)
            self._gradient = Across(run)
        else:
            self.forward = compiled(self._forward, self.other_shapes)
            self.backward = compiled(self._backward, self.other_shapes)
            self._gradient = compiled(rerolled(run) if often else run, self.other_shapes)

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return one of the three functions, as operators do.

        Args:
            options: Empty for ``(primals, inputs, cotangents) -> (outs, aux, gradients)``,
                ``FORWARD`` for ``(primals, inputs) -> (outs, aux, residuals)``, ``BACKWARD`` for
                ``(residuals, cotangents) -> gradients``.
        """
        if not options:
            return self._gradient
        return self.forward if options == FORWARD else self.backward

    def _evaluate(
        self, primals: Sequence[Any], inputs: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        leaves, between = [*primals, *inputs], []

        def call(op: Any, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
            done = call_compiled(op, options, operands)
            if self.collective and isinstance(done, jax.Array) and getattr(op, "collective", False):
                between.append(done)
            return done

        results = list(evaluated(self._ops, leaves, call))
        outs = [fetch(place, results, leaves) for place in self.outs if place is not None]
        if between and outs:
            outs[0] = needing(outs[0], between)
        return outs, [results[place] for place in self.aux_order]

    def differentiated(self, values: Sequence[Any]) -> list[Any]:
        """Take those of one value per result whose result is not a constant."""
        return [v for v, place in zip(values, self.outs, strict=True) if place is not None]

    def _linearized(self, primals: tuple[Any, ...], inputs: tuple[Any, ...]) -> Any:
        return jax.vjp(lambda p: self._evaluate(p, inputs), primals, has_aux=True)

    def _forward(self, primals: tuple[Any, ...], inputs: tuple[Any, ...]) -> Any:
        outs, pull, aux = self._linearized(primals, inputs)
        residuals, self._tree = jax.tree.flatten(pull)
        return outs, aux, residuals

    def _backward(self, residuals: Sequence[Any], cotangents: Sequence[Any]) -> Any:
        return jax.tree.unflatten(self._tree, residuals)(list(cotangents))[0]

    def _forward_and_backward(
        self, primals: tuple[Any, ...], inputs: tuple[Any, ...], cotangents: tuple[Any, ...] | None
    ) -> Any:
        outs, pull, aux = self._linearized(primals, inputs)
        given = [jnp.ones_like(out) for out in outs] if cotangents is None else list(cotangents)
        return outs, aux, list(pull(given)[0])


def call_compiled(op: Any, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
    """Run one recorded call inside of a program that is being traced."""
    return op.compiled(options)(*operands)


class BoundGradient:
    """One call of a ``GradientProgram``: its inputs, and who waits for its results.

    Args:
        program: What it calls.
        recorder: The recording, which is closed by this.
        results: The values to differentiate.
        kept: Further values that are needed, each with where it comes from.
        waiting: The ``Pending`` values that are still referred to.
    """

    def __init__(
        self,
        program: GradientProgram,
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

    def run(self, primals: list[Any]) -> tuple[list[Any], Callable[..., Any], list[Any]]:
        """Run the forward pass at the values of the primals.

        Returns:
            As ``jax.vjp(..., has_aux=True)``: the results, the pullback, the further values.
            Inside a gradient call that records, both passes are recorded.
        """
        program: Any = self._program
        outs, aux, residuals = dispatch(program, FORWARD, (tuple(primals), self._inputs))

        def pull(cotangents: list[Any]) -> tuple[Any]:
            given = tuple(program.differentiated(cotangents))
            return (dispatch(program, BACKWARD, (tuple(residuals), given)),)

        results, kept = self._values(primals, outs, aux)
        return results, pull, kept

    def run_with_gradient(
        self, primals: list[Any], cotangents: Sequence[Any] | None
    ) -> tuple[list[Any], list[Any]]:
        """Run the forward pass and pull back, as one program.

        Args:
            primals: Their values.
            cotangents: One cotangent per result; None for ones everywhere.

        Returns:
            The further values, and one gradient per primal. Inside a gradient call that records,
            all of this is recorded.
        """
        program: Any = self._program
        chosen = None if cotangents is None else tuple(program.differentiated(cotangents))
        outs, aux, gradients = dispatch(program, (), (tuple(primals), self._inputs, chosen))
        return self._values(primals, outs, aux)[1], gradients

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


def bind_gradient(
    fn: Any, recorder: Recorder, results: list[Any], kept: list[Any]
) -> BoundGradient | None:
    """Return a finished recording as one call; None where it must be replayed.

    Args:
        fn: The differentiated function, by whose code new structures are counted.
        recorder: The recording.
        results: The values to differentiate: ``Pending``, traced primals or constants.
        kept: Further values that are needed.
    """
    if not recorder.open or not recorder.ops:
        return None
    try:
        outs = tuple([recorder.source(value) for value in results])
        sourced = [(value, recorder.source(value)) for value in kept]
    except NotRecordable:
        return None
    key = (recorder.state, outs)
    waiting = recorder.waiting()
    aux = frozenset([pending.place for pending in waiting]).difference(outs)
    program = _programs.find(fn, key, aux, lambda more: GradientProgram(recorder, outs, more))
    return None if program is None else BoundGradient(program, recorder, results, sourced, waiting)


class _ConsecutiveCounts:
    """How often something has happened in a row, by the code of a function; bounded."""

    def __init__(self) -> None:
        self._counts: OrderedDict[Any, int] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, fn: Any) -> int:
        """Return the count of a function."""
        return self._counts.get(_code_of(fn), 0)

    def set(self, fn: Any, count: int) -> None:
        """Take over the count of a function; the longest unchanged one is dropped first."""
        code = _code_of(fn)
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


def _code_of(fn: Any) -> Any:
    # All gradient functions have the same code; what they are of tells them apart.
    while type(fn) is FunctionType and "_transforms" in vars(fn):
        fn = vars(fn)["_transforms"]
    return getattr(getattr(fn, "__func__", fn), "__code__", None) or type(fn)


class _Programs:
    """The compiled structures, the longest unused one dropped first."""

    def __init__(self) -> None:
        self._known: OrderedDict[Any, GradientProgram | None] = OrderedDict()
        # Structures of a function in a row that were never seen before.
        self.new = _ConsecutiveCounts()
        self._lock = threading.Lock()

    def find(
        self,
        fn: Any,
        key: Any,
        aux: frozenset[int],
        make: Callable[[frozenset[int]], GradientProgram],
        past: int | None = None,
    ) -> GradientProgram | None:
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
_programs = _Programs()
