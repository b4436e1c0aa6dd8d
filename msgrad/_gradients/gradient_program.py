"""Recordings as compiled programs: the forward pass, the pullback, and both in one.

What a recording is, and when it becomes a program, is in ``recording.py``. A program is kept by
structure. As an operator (``gradient``) it can itself be recorded, so that a gradient inside a
gradient call becomes a part of that call's program.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.across import Across
from msgrad._core.deferred.recording import NotRecordable, Pending, Recorder, fetch, materialize
from msgrad._core.op import dispatch

_MAX_PROGRAMS = 256
_NEW_IN_A_ROW = 8
_REPLAYS_IN_A_ROW = 8
_CALLS_BETWEEN_TRIES = 32


class GradientProgram:
    """The compiled form of one structure.

    Args:
        recorder: A recording of it.
        outs: Where the values to differentiate come from, see ``Recorder.source``.
        aux: Which further results it gives.
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
        # Whether it must run on several ranks.
        self.collective = any(getattr(op, "collective", False) for op, _, _ in self._ops)
        compiled = Across if self.collective else jax.jit
        self.forward = compiled(self._forward)
        self.backward = compiled(self._backward)
        self._gradient = compiled(self._forward_and_backward)

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return ``(primals, inputs, cotangents) -> (outs, aux, gradients)``, as operators do."""
        del options
        return self._gradient

    def _evaluate(
        self, primals: Sequence[Any], inputs: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        leaves = [*primals, *inputs]
        results: list[Any] = []
        for op, options, wiring in self._ops:
            operands = [fetch(place, results, leaves) for place in wiring]
            results += jax.tree.leaves(op.compiled(options)(*operands))
        outs = [fetch(place, results, leaves) for place in self.outs if place is not None]
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

    def _backward(self, residuals: list[Any], cotangents: list[Any]) -> Any:
        return jax.tree.unflatten(self._tree, residuals)(cotangents)[0]

    def _forward_and_backward(
        self, primals: tuple[Any, ...], inputs: tuple[Any, ...], cotangents: tuple[Any, ...] | None
    ) -> Any:
        outs, pull, aux = self._linearized(primals, inputs)
        given = [jnp.ones_like(out) for out in outs] if cotangents is None else list(cotangents)
        return outs, aux, list(pull(given)[0])


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
        """
        program = self._program
        primals = [*map(materialize, primals)]
        inputs = tuple(map(materialize, self._inputs))
        outs, aux, residuals = program.forward(tuple(primals), inputs)

        def pull(cotangents: list[Any]) -> tuple[Any]:
            return (program.backward(residuals, program.differentiated(cotangents)),)

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
    return getattr(getattr(fn, "__func__", fn), "__code__", None) or type(fn)


class _Programs:
    """The compiled structures, the longest unused one dropped first."""

    def __init__(self) -> None:
        self._known: OrderedDict[Any, GradientProgram | None] = OrderedDict()
        # Structures of a function in a row that were never seen before.
        self._new = _ConsecutiveCounts()
        self._lock = threading.Lock()

    def find(
        self,
        fn: Any,
        key: Any,
        aux: frozenset[int],
        make: Callable[[frozenset[int]], GradientProgram],
    ) -> GradientProgram | None:
        """Return the program of a structure, None where it is not worth compiling (yet).

        A program may give more than is needed now: which results outlive the forward pass can
        change from call to call.
        """
        with self._lock:
            known = key in self._known
            program = self._known.get(key)
            if program is not None and not aux <= program.aux:
                program = make(aux | program.aux)
            new = 0 if known else self._new.get(fn) + 1
            self._new.set(fn, new)
            if program is None and (known or new <= _NEW_IN_A_ROW):
                program = make(aux)
            self._known[key] = program
            self._known.move_to_end(key)
            if len(self._known) > _MAX_PROGRAMS:
                self._known.popitem(last=False)
        return program

    def clear(self) -> None:
        """Forget every program."""
        with self._lock:
            self._known.clear()
            self._new.clear()

    def __len__(self) -> int:
        return sum(program is not None for program in self._known.values())


class _Replays(_ConsecutiveCounts):
    """Functions whose recordings must be replayed every time: recording them only costs time."""

    def are_usual(self, fn: Any) -> bool:
        """Whether to run a call of ``fn`` at once; now and then recording is tried again."""
        past = self.get(fn) - _REPLAYS_IN_A_ROW
        if past < 0:
            return False
        self.set(fn, _REPLAYS_IN_A_ROW + past + 1)
        return past % _CALLS_BETWEEN_TRIES != _CALLS_BETWEEN_TRIES - 1

    def note(self, fn: Any, replayed: bool) -> None:
        """Note how a recorded call of ``fn`` ended."""
        self.set(fn, self.get(fn) + 1 if replayed else 0)


_programs = _Programs()
replays = _Replays()
