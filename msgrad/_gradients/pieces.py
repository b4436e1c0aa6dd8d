"""Recordings in pieces: a value that Python needs cuts a recording, and it goes on behind the cut.

    x = net(x)           recorded
    print(x)             cut: what is recorded runs as a program that gives what is still referred
                         to, and what its pullback needs; x has numbers
    loss = (x * w).sum() recorded; x is an input of this piece

At the end the pullbacks of the pieces run in reverse order (``Tape``). Cuts follow the user's code,
so the pieces of the next call are the same programs. A piece runs in the world around its gradient
call: inside another gradient call that records, it is recorded there.

What needs a tracer (a raw JAX function, a hook, a ``bprop``) gets one: what has run so far passes
the gate as one node of JAX's own derivative, and what JAX makes of it are inputs of later pieces.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax

from msgrad._core.context import context
from msgrad._core.deferred.recording import (
    NotRecordable,
    Pending,
    Recorder,
    evaluated,
    fetch,
    materialize,
    materialize_numbers,
    never_computed_error,
    resolved,
    run_eagerly,
)
from msgrad._core.engine import concrete, current_trace, in_trace, is_tracer, primal_of, trace_of
from msgrad._core.op import dispatch
from msgrad._core.promotion import is_inexact
from msgrad._gradients.gate import Gate, filled
from msgrad._gradients.piece_program import BACKWARD, FORWARD, PieceProgram
from msgrad._gradients.recorded_program import code_of, programs
from msgrad._gradients.tape import Tape
from msgrad._gradients.transforms import pulled


class Around:
    """The world around a gradient call, in which its pieces run."""

    def __init__(self) -> None:
        self._trace, self._scope = current_trace(), context.scope

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Return to it for a while."""
        inside, context.scope = context.scope, self._scope
        try:
            with in_trace(self._trace):
                yield
        finally:
            context.scope = inside


class PieceRecorder(Recorder):
    """The operator calls of a gradient call, which run in pieces where values are needed.

    Args:
        fn: The differentiated function, by whose code new structures are counted.
        primals: What is differentiated: raw arrays, or ``Pending`` of a gradient call around.
        gate: Where what needs a tracer becomes differentiated.
        around: Where the pieces run.
    """

    def __init__(self, fn: Any, primals: Sequence[Any], gate: Gate, around: Around) -> None:
        super().__init__(current_trace(), primals, list)
        self._counted = code_of(fn), pulled
        self._around = around
        self._gate = gate
        # There is one once something is cut or traced.
        self._tape: Any = None
        self._thread = threading.get_ident()
        self._lock = threading.RLock()
        self._past: int | None = None
        self._new = False
        self._all = self.substitutes
        # How many further primals there are, which came later.
        self._later = 0

    @property
    def whole(self) -> bool:
        """Whether nothing was cut or traced so far."""
        return self.open and self._tape is None

    def _on_tape(self) -> Tape:
        if self._tape is None:
            self._tape = Tape(self._gate, self.trace)
        return self._tape

    def one_more(self, primal: Any) -> Pending:
        """Return what stands for a primal that is known only now."""
        pending = Pending(self, 0, (primal.shape, primal.dtype, primal.weak_type))
        self._on_tape().own(pending, primal, ~(len(self._all) + self._later))
        self._later += 1
        return pending

    def moves(self, value: Any) -> bool:
        """Whether a value from outside of the recording is differentiated as well.

        Raises:
            NotRecordable: If it cannot be recorded: an integer that JAX believes to move.
        """
        if type(value) is Pending:
            return value.recorder is self._tape
        if is_tracer(value) and trace_of(value) is self.trace:
            if not is_inexact(value.dtype):
                raise NotRecordable
            return True
        return False

    def value_of(self, pending: Pending) -> Any:
        """Return what has the value, as a differentiated one."""
        if threading.get_ident() != self._thread:
            return concrete(materialize_numbers(pending))
        if pending.place < 0 and self.open:
            self._on_tape().own(pending, self.primals[~pending.place], pending.place)
        return super().value_of(pending) if pending.recorder is self else pending

    def number_of(self, pending: Pending) -> Any:
        """Return what has the numbers."""
        if threading.get_ident() == self._thread or (pending.place < 0 and self.open):
            return super().number_of(pending)
        with self._lock:
            # The thread that records may have cut meanwhile.
            if pending.recorder is not self:
                return pending
            if not self.open:
                raise never_computed_error()
            return self._numbers(pending.place + 1)[pending.place]

    def _numbers(self, count: int) -> list[Any]:
        """Compute the first results operator by operator, without any derivative."""
        leaves = [concrete(materialize_numbers(leaf)) for leaf in [*self.primals, *self.leaves]]
        with self._around():
            results = evaluated([*self.ops], leaves, run_eagerly)
            return [next(results) for _ in range(count)]

    def flush(self) -> None:
        """Cut here, as a value is needed: what is still referred to has one from then on."""
        self._cut()

    def _cut(self) -> None:
        with self._lock:
            if not self.open or not self.ops:
                return
            try:
                self._run_piece()
            except BaseException:
                self._forget_piece()
                self.close()
                raise
            self._forget_piece()

    def _run_piece(self) -> None:
        waiting = self.waiting()
        tape = self._on_tape()
        sources = [(~i, primal) for i, primal in enumerate(self.primals)]
        sources += [self._source(leaf) for leaf in self.leaves]
        program = self._program(frozenset([p.place for p in waiting]), [p for p, _ in sources])
        moving: Any = tuple([sources[i][1] for i in program.moving])
        still: Any = tuple([sources[i][1] for i in program.still])
        forward, backward = program.forward, program.backward
        with self._around():
            if program.compiles:
                outs, rest, residuals = dispatch(program, FORWARD, (moving, still))
            else:
                moving, still = (tuple(map(materialize, values)) for values in (moving, still))
                outs, rest, residuals = forward(moving, still)

        def pull(cotangents: list[Any], exact: bool) -> Sequence[Any]:
            if program.compiles:
                found = dispatch(program, BACKWARD, (tuple(residuals), tuple(cotangents)))
            else:
                given = [c if c is None else materialize(c) for c in cotangents]
                found = backward(residuals, given)
            return program.reached(found, cotangents, residuals) if exact else found

        by_place: dict[int, tuple[bool, Any]] = {}
        values, constants = iter(outs), iter(rest)
        for place, moves in zip(program.aux_order, program.moves, strict=True):
            by_place[place] = moves, next(values if moves else constants)
        taken: dict[int, int] = {}
        for pending in waiting:
            place = pending.place
            moves, value = by_place[place]
            if moves:
                taken[place] = tape.own(pending, value)
            else:
                pending.set_value(value)
        if taken:
            outputs = [taken.get(place) for place, (moves, _) in by_place.items() if moves]
            tape.note([sources[i][0] for i in program.moving], outputs, pull)

    def taken_back(self, raw: Any) -> Callable[[Any], None] | None:
        """Forget the calls of this piece from the first on that uses a value.

        Returns:
            What records them anew, with another value in its place; None where there are none.
        """
        raw = resolved(raw)
        own = type(raw) is Pending and raw.recorder is self
        place = raw.place if own else self._places.get(id(raw))
        uses = (i for i, call in enumerate(self.ops) if _is_in(place, call[2]))
        first = None if place is None else next(uses, None)
        if place is None or first is None or current_trace() is not self.trace:
            return None
        calls, made, given = self.ops, self._made, [*self.substitutes, *self.leaves]
        results = iter(made)

        def record(calls: Sequence[Any]) -> None:
            for op, options, wiring in calls:
                operands = tuple([fetch(place, made, given) for place in wiring])
                found = self.record(op, options, operands)
                if found is None:
                    found = run_eagerly(op, options, jax.tree.map(materialize, operands))
                for raw in jax.tree.leaves(found):
                    next(results).set_value(raw)

        def again(value: Any) -> None:
            if place < 0:
                given[~place] = value
            else:
                made[place].set_value(value)
            record(calls[first:])

        with self._lock:
            self.begin(tuple([pending.spec for pending in self.substitutes]))
            record(calls[:first])
        return again

    def _source(self, leaf: Any) -> tuple[Any, Any]:
        """Return the place of a leaf on the tape, or None for a constant, and its value."""
        leaf = resolved(leaf)
        if type(leaf) is Pending and leaf.recorder is self._tape:
            return leaf.place, leaf.value
        if is_tracer(leaf) and trace_of(leaf) is self.trace:
            return self._tape.place_of(leaf), primal_of(leaf)
        return None, leaf

    def _program(self, live: frozenset[int], places: list[int | None]) -> Any:
        if self._past is None:
            self._past = programs.new(self._counted)
        key = ("piece", self.state)
        first = len(self.primals)

        def make(more: frozenset[int]) -> PieceProgram:
            used = _primals_in([wiring for _, _, wiring in self.ops], first)
            moving = [
                i for i, p in enumerate(places) if p is not None and (i in used or i >= first)
            ]
            return PieceProgram(self, more, moving, len(places))

        self._new = self._new or key not in programs
        found: Any = programs.find(self._counted, key, live, make, self._past)
        return make(live).eagerly() if found is None else found

    def _forget_piece(self) -> None:
        for pending, primal in zip(self.substitutes, self.primals, strict=True):
            if pending.recorder is self:
                self._on_tape().own(pending, primal, pending.place)
        self.primals, self.substitutes = (), []
        self.begin()

    def finish(
        self, results: list[Any], kept: list[Any]
    ) -> tuple[list[Any], Callable[..., Any], list[Any]] | None:
        """Run what is left.

        Args:
            results: The values to differentiate.
            kept: Further values that are needed.

        Returns:
            As ``jax.vjp(..., has_aux=True)``: the results, the pullback, the further values. None
            where something was traced: then the results, made traced as well, are JAX's matter.
        """
        # Not by ``flush``: nobody asked for a value (``report`` counts those).
        self._cut()
        self._forget_piece()
        if self._past is not None:
            programs.count(self._counted, self._past + 1 if self._new else 0)
        if self._on_tape().traced:
            return None
        places, outs = zip(*map(self._source, results), strict=True) if results else ((), ())
        values = [self._source(value)[1] for value in kept]
        pull_back = self._tape.close(exact=self._later > 0)
        specs = [p.spec for p in self._all]

        def pull(cotangents: list[Any]) -> tuple[list[Any]]:
            given = zip(places, cotangents, strict=True)
            found = pull_back([(place, c) for place, c in given if place is not None])
            return (filled(found, specs),)

        return list(outs), pull, values

    def abandon(self) -> None:
        """Give what is still referred to its numbers: the call has failed."""
        if not self.open:
            return
        waiting = self.waiting()
        try:
            if waiting:
                results = self._numbers(1 + max(pending.place for pending in waiting))
                for pending in waiting:
                    pending.set_value(results[pending.place])
        except Exception:
            # Not in place of the error that is on its way; reading the Tensor raises as well.
            pass
        finally:
            self._forget_piece()
            self.close()

    def close(self) -> None:
        """Record no more and forget what is recorded."""
        if self._tape is not None:
            self._tape.close()
        super().close()


def _is_in(place: int | None, wiring: Any) -> bool:
    """Whether a wiring refers to a result or primal."""
    if isinstance(wiring, (tuple, list)):
        return any(_is_in(place, item) for item in wiring)
    return wiring == place


def _primals_in(wiring: Any, count: int) -> set[int]:
    """Return the numbers of the primals, the first of all leaves, that a wiring refers to."""
    if isinstance(wiring, (tuple, list)):
        return set().union(*(_primals_in(place, count) for place in wiring))
    return {~wiring} if wiring is not None and -count <= wiring < 0 else set()
