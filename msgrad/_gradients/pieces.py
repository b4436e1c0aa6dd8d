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
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
from jax.core import ShapedArray
from jax.extend.core import Literal

from msgrad._core.across import axes
from msgrad._core.context import context
from msgrad._core.deferred.recording import (
    AFTER_A_CUT,
    NotRecordable,
    Pending,
    Recorder,
    evaluated,
    materialize,
    materialize_numbers,
    never_computed_error,
    resolved,
    run_eagerly,
)
from msgrad._core.engine import (
    concrete,
    current_trace,
    in_trace,
    is_tracer,
    plain_evaluation,
    primal_of,
    trace_of,
)
from msgrad._core.op import dispatch
from msgrad._core.promotion import is_inexact
from msgrad._gradients.gate import Gate, add_at, zeros
from msgrad._gradients.gradient_program import BACKWARD, FORWARD, GradientProgram
from msgrad._gradients.recorded_program import call_compiled, code_of, programs

# Takes a cotangent, or None, for each result of a piece, and whether inputs that none of them
# reaches are to get None; returns one for each of the inputs.
Pull = Callable[[list[Any], bool], Sequence[Any]]
_NOTHING: frozenset[int] = frozenset()
Entry = tuple[list[int], list[int | None], Pull]


class Counts:
    """How often recordings were cut: for reports.

    Attributes:
        pieces: How many pieces ran.
        compiled: How many of them for the first time.
    """

    pieces = 0
    compiled = 0


counts = Counts()


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


class PieceProgram(GradientProgram):
    """The compiled form of one structure that is a piece.

    Args:
        recorder: A recording of it.
        live: Which results it gives.
        moving: Which of the primals and leaves are differentiated.
        count: How many primals and leaves there are.
    """

    def __init__(
        self, recorder: Recorder, live: frozenset[int], moving: Sequence[int], count: int
    ) -> None:
        super().__init__(recorder, (), live)
        self.moving = moving
        # Primals that the piece does not use are no inputs of it.
        first = len(recorder.primals)
        self.still = [i for i in range(first, count) if i not in set(moving)]
        self._count = count
        # Per result whether it is differentiated.
        self.moves: list[bool] = []
        # Per input the results that its gradient comes from.
        self._reach: list[frozenset[int]] | None = None
        self._run = call_compiled
        self.compiles = True

    def eagerly(self) -> PieceProgram:
        """Make it run operator by operator, for once."""
        self.compiles, self._run = False, run_eagerly
        self.forward, self.backward = self._forward, self._backward
        return self

    def _forward(self, moving: tuple[Any, ...], still: tuple[Any, ...]) -> Any:
        def run(moving: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            leaves: list[Any] = [None] * self._count
            for places, values in ((self.moving, moving), (self.still, still)):
                for place, value in zip(places, values, strict=True):
                    leaves[place] = value
            results = list(evaluated(self._ops, leaves, self._run))
            live, trace = [results[place] for place in self.aux_order], current_trace()
            self.moves = [
                is_tracer(v) and trace_of(v) is trace and is_inexact(v.dtype) for v in live
            ]
            outs = [v for v, moves in zip(live, self.moves, strict=True) if moves]
            return outs, [v for v, moves in zip(live, self.moves, strict=True) if not moves]

        outs, pull, rest = jax.vjp(run, moving, has_aux=True)
        residuals, self._tree = jax.tree.flatten(pull)
        self._specs = [(out.shape, out.dtype) for out in outs]
        return outs, rest, residuals

    def _backward(self, residuals: Sequence[Any], cotangents: Sequence[Any]) -> Any:
        given = [
            jnp.zeros(*spec) if cotangent is None else cotangent
            for cotangent, spec in zip(cotangents, self._specs, strict=True)
        ]
        return super()._backward(residuals, given)

    def reached(
        self, gradients: Sequence[Any], cotangents: Sequence[Any], residuals: Sequence[Any]
    ) -> list[Any]:
        """Return what the pullback gave, but None where no cotangent leads, as JAX has it."""
        if self._reach is None:
            # As in a recording: a ShapeDtypeStruct would be narrowed to 32 bits.
            specs = [ShapedArray(r.shape, r.dtype, weak_type=r.weak_type) for r in residuals]
            given = [ShapedArray(*spec) for spec in self._specs]
            with plain_evaluation():
                closed = jax.make_jaxpr(super()._backward, axis_env=axes())(specs, given)
            each = [frozenset([number]) for number in range(len(given))]
            self._reach = _dependences(closed.jaxpr, [_NOTHING] * len(specs) + each)
        there = {i for i, cotangent in enumerate(cotangents) if cotangent is not None}
        return [
            g if there & reach else None for g, reach in zip(gradients, self._reach, strict=True)
        ]


def _dependences(jaxpr: Any, given: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Return what the outputs of a program depend on.

    Args:
        jaxpr: The program.
        given: What each of its inputs depends on.
    """
    found = dict(zip(jaxpr.invars, given, strict=True))

    def of(atom: Any) -> frozenset[int]:
        return _NOTHING if isinstance(atom, Literal) else found.get(atom, _NOTHING)

    for eqn in jaxpr.eqns:
        used = [*map(of, eqn.invars)]
        if eqn.primitive.name == "jit":
            made = _dependences(eqn.params["jaxpr"].jaxpr, used)
        else:
            made = [_NOTHING.union(*used)] * len(eqn.outvars)
        found.update(zip(eqn.outvars, made, strict=True))
    return [*map(of, jaxpr.outvars)]


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
        """Return the value."""
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
            others = [found.pop(place, None) for _, place in tracers]
            return {~place: c for place, c in found.items() if place < 0}, others

        values = [materialize(pending.value) for pending in live]
        with in_trace(self._trace):
            traced = self._gate.through(values, [tracer for tracer, _ in tracers], pull)
        for pending, value in zip(live, traced, strict=True):
            pending.set_value(value)

    def close(self) -> Callable[[Sequence[tuple[int | None, Any]]], dict[int, Any]]:
        """Make all values known to all; return the function that pulls back.

        Returns:
            Takes places with their cotangents and returns those of the primals, by number.
        """
        entries, self._entries = self._entries, []
        for pending in self._owned():
            pending.set_value(pending.value)
        self._live, self._tracers = [], {}

        def pull(given: Any) -> dict[int, Any]:
            found = pulled_back(entries, given, False)
            return {~place: c for place, c in found.items() if place < 0}

        return pull


def pulled_back(entries: Sequence[Entry], given: Any, exact: bool) -> dict[int, Any]:
    """Pull cotangents back through pieces.

    Args:
        entries: The pieces.
        given: Places with their cotangents, or None.
        exact: Whether it matters where nothing arrives: a rule of the user's does not run then,
            while it may make something of zeros.

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


class PieceRecorder(Recorder):
    """The operator calls of a gradient call, which run in pieces where values are needed.

    Args:
        fn: The differentiated function, by whose code new structures are counted.
        primals: What is differentiated: raw arrays, or ``Pending`` of a gradient call around.
        gate: Where what needs a tracer becomes differentiated.
        around: Where the pieces run.

    Attributes:
    """

    def __init__(self, fn: Any, primals: Sequence[Any], gate: Gate, around: Around) -> None:
        super().__init__(current_trace(), primals, list)
        # What stands for the function in counts: a Cell must not be kept.
        self._fn = SimpleNamespace(__code__=code_of(fn))
        self._around = around
        self._gate = gate
        # There is one once something is cut or traced.
        self._tape: Any = None
        self._thread = threading.get_ident()
        self._lock = threading.RLock()
        self._past: int | None = None
        self._new = False
        self._all = self.substitutes

    @property
    def whole(self) -> bool:
        """Whether nothing was cut or traced so far."""
        return self._tape is None

    def _on_tape(self) -> Tape:
        if self._tape is None:
            self._tape = Tape(self._gate, self.trace)
        return self._tape

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
        if pending.place < 0 and self.open:
            return self.primals[~pending.place]
        if threading.get_ident() == self._thread:
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
        """Run what is recorded as a piece; what is still referred to has a value from then on."""
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
        counts.pieces += 1
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
            self._past = programs.new.get(self._fn)
        key = ("piece", self.state)
        first = len(self.primals)

        def make(more: frozenset[int]) -> PieceProgram:
            used = _primals_in([wiring for _, _, wiring in self.ops], first)
            moving = [
                i for i, p in enumerate(places) if p is not None and (i in used or i >= first)
            ]
            return PieceProgram(self, more, moving, len(places))

        self._new = self._new or key not in programs
        found: Any = programs.find(self._fn, key, live, make, self._past)
        if found is None:
            return make(live).eagerly()
        counts.compiled += not found.moves
        return found

    def _forget_piece(self) -> None:
        for pending, primal in zip(self.substitutes, self.primals, strict=True):
            if pending.recorder is self:
                self._on_tape().own(pending, primal, pending.place)
        self.ops, self.leaves, self.primals, self.substitutes = [], [], (), []
        self._places, self._made = {}, []
        self.state = AFTER_A_CUT

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
        self.flush()
        self._forget_piece()
        if self._past is not None:
            programs.new.set(self._fn, self._past + 1 if self._new else 0)
        if self._on_tape().traced:
            return None
        sources = [self._source(value) for value in results]
        values = [self._source(value)[1] for value in kept]
        pull_back = self._tape.close()
        specs = [p.spec for p in self._all]

        def pull(cotangents: list[Any]) -> tuple[list[Any]]:
            given = zip(sources, cotangents, strict=True)
            found = pull_back([(place, c) for (place, _), c in given if place is not None])
            return ([found[i] if i in found else zeros(*spec[:2]) for i, spec in enumerate(specs)],)

        return [value for _, value in sources], pull, values

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


def _primals_in(wiring: Any, count: int) -> set[int]:
    """Return the numbers of the primals, the first of all leaves, that a wiring refers to."""
    if isinstance(wiring, (tuple, list)):
        return set().union(*(_primals_in(place, count) for place in wiring))
    return {~wiring} if wiring is not None and -count <= wiring < 0 else set()
