"""Deferred execution: operator calls of a gradient call, recorded to run as one compiled program.

Under an eager gradient JAX dispatches every operator by itself. So the forward pass of a gradient
call only records its operator calls; shapes and dtypes are known at once, errors are raised where
they belong. Python runs every time. At the end there are two ways on:

- Nobody looked at a value: forward pass and pullback become one compiled program, kept by
  structure: operators, static arguments, shapes, dtypes, wiring. Numbers in the recording are
  inputs.
- Somebody did (``print``, ``if``, a hook, a raw JAX function): what is recorded so far runs as a
  piece, and the recording goes on behind it (``_gradients/pieces.py``).

A structure is compiled when it is first seen, and cuts follow the user's code, so that a run
resumed from a checkpoint computes with the same programs as one that went on; where it comes again
with inputs of other shapes, with little effort at first (``effort.py``). A function whose structure
keeps changing otherwise is compiled only for what comes back. ``MSGRAD_EAGER=op`` and
``eager_mode("op")`` turn deferring off.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from sys import getrefcount
from typing import Any, Protocol

import jax
import numpy as np
from jax.core import ShapedArray

from msgrad._core.collecting import uncollected
from msgrad._core.distributed.across import traced_for_ranks
from msgrad._core.engine import (
    current_trace,
    in_trace,
    is_tracer,
    lacks_symbol,
    plain_evaluation,
    trace_of,
)
from msgrad._core.engine.flax import VariableBridge
from msgrad._core.errors import ArgumentValueError, EngineError
from msgrad._core.kept_shapes import shapes_of
from msgrad._core.protocols import OperatorLike

MAX_CALLS = 2048
_MAX_ROWS = 65536
_MODES = ("deferred", "op")
# References to a result that only its recorder holds, where they are counted: the list's and the
# argument's.
_SOLE = 2

Spec = tuple[tuple[int, ...], Any, bool]


def _checked(mode: str, source: str) -> str:
    if mode not in _MODES:
        raise ArgumentValueError(f"{source} must be one of {_MODES}, but got {mode!r}.")
    return mode


class _Switch(threading.local):
    mode: str = _checked(os.environ.get("MSGRAD_EAGER") or "deferred", "MSGRAD_EAGER")


_switch = _Switch()


@contextmanager
def eager_mode(mode: str) -> Iterator[None]:
    """Choose how gradient calls run that are not compiled as a whole, in this thread.

    Args:
        mode: ``"deferred"`` (the default: operator calls are recorded and run as one compiled
            program) or ``"op"`` (each runs at once; also by ``MSGRAD_EAGER=op`` in the
            environment).

    Raises:
        ValueError: For another mode.
    """
    outer, _switch.mode = _switch.mode, _checked(mode, "eager_mode: mode")
    try:
        yield
    finally:
        _switch.mode = outer


def deferring() -> bool:
    """Whether gradient calls of this thread record their operators."""
    return _switch.mode != "op"


class Source(Protocol):
    """Who knows what a ``Pending`` is."""

    def value_of(self, pending: Pending, /) -> Any:
        """Return the array or tracer that it is, or another ``Pending`` that has it."""

    def number_of(self, pending: Pending, /) -> Any:
        """Return the same for reading numbers only; it may lack the gradient."""


class Pending:
    """A value that is recorded and not computed yet; it has the attributes of an abstract array.

    Attributes:
        recorder: Who knows what it is, until it is known to all.
        place: Its number there: from 0 the results of the calls; -1, -2, ... are the primals.
        spec: Shape, dtype, and whether the dtype is weak.
        value: What it then is: a raw array or tracer, or a ``Pending`` of the gradient call around.
    """

    __slots__ = ("__weakref__", "place", "recorder", "spec", "value")

    def __init__(self, recorder: Source, place: int, spec: Spec) -> None:
        self.recorder: Source | None = recorder
        self.place = place
        self.spec = spec
        self.value: Any = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.spec[0]

    @property
    def dtype(self) -> Any:
        return self.spec[1]

    @property
    def weak_type(self) -> bool:
        return self.spec[2]

    @property
    def aval(self) -> ShapedArray:
        # A ShapeDtypeStruct would be narrowed to the 32 bits that are the default of the process.
        return ShapedArray(*self.spec[:2], weak_type=self.spec[2])

    @property
    def ndim(self) -> int:
        return len(self.spec[0])

    @property
    def size(self) -> int:
        return int(np.prod(self.spec[0], dtype=np.int64))

    def set_value(self, value: Any) -> None:
        self.value = value
        self.recorder = None


def materialize(raw: Any) -> Any:
    """Return the array or tracer that ``raw`` stands for; runs what is recorded if need be."""
    while type(raw) is Pending:
        raw = raw.value if raw.recorder is None else raw.recorder.value_of(raw)
    return raw


def to_trace(raw: Any) -> Any:
    """Return what JAX traces a function for: of what is recorded, its shape and dtype."""
    return raw.aval if type(raw) is Pending else raw


def never_computed_error() -> EngineError:
    """Return the error for a value whose recording has come to nothing."""
    return EngineError(
        "This Tensor was never computed: the gradient call or the compiled call that made it was "
        "interrupted, or failed. Make it again."
    )


def never_computed(tracer: Any) -> Pending:
    """Return what stands for a value that is never computed; reading it raises ``RuntimeError``."""
    recorder = Recorder(None, (), list)
    recorder.close()
    return Pending(recorder, 0, (tracer.shape, tracer.dtype, tracer.weak_type))


def materialize_numbers(raw: Any) -> Any:
    """Return the same for reading numbers only: what has run has them at any time."""
    while type(raw) is Pending:
        raw = raw.value if raw.recorder is None else raw.recorder.number_of(raw)
    return raw


def resolved(raw: Any) -> Any:
    """Return the same, but a ``Pending`` where it has no value yet."""
    while type(raw) is Pending and raw.recorder is None:
        raw = raw.value
    return raw


class NotRecordable(Exception):
    """A value that only the gradient's own trace can handle."""


# Every recording walks through a tree. It starts with the shapes and dtypes of its primals; then
# comes a row per call: (state, operator, static arguments, wiring, specs of operands that are new)
# -> (next state, call, output specs, output tree or None). So the last state stands for all of it.
RecordedOp = tuple[OperatorLike, tuple[Any, ...], Any]
Row = tuple[int, RecordedOp, list[Spec], Any]
_starts: dict[tuple[Spec, ...], int] = {}
_rows: dict[Any, Row] = {}
_states = itertools.count(1)


def _is_recorded(operands: tuple[Any, ...]) -> bool:
    """Whether an operand is traced or recorded; a call of constants may as well run now."""
    for operand in operands:
        if type(operand) is Pending:
            return True
        if isinstance(operand, tuple):
            if _is_recorded(operand):
                return True
        elif is_tracer(operand):
            return True
    return False


class Recorder:
    """The operator calls of one forward pass, in order; used by the thread that made it.

    Args:
        trace: The trace of the gradient, under which recorded calls run when they must.
        primals: What is differentiated: raw arrays, or ``Pending`` of a gradient call around.
        enter: Gives the traced values of the primals, if they are needed.

    Attributes:
        open: Whether calls are still recorded.
        state: What the calls so far are: operators, static arguments, wiring, shapes and dtypes.
        substitutes: For each primal what stands for it.
        ops: The calls as ``(operator, static arguments, wiring)``. A wiring has for each operand
            the number of a result, ``~i`` for the primal or further leaf ``i``, None, or a tuple.
        leaves: The values that came from outside beside the primals: arrays, numbers.
        variables: What is differentiated, where that is known.
    """

    def __init__(
        self, trace: Any, primals: Sequence[Any], enter: Callable[[list[Any]], list[Any]]
    ) -> None:
        self.trace = trace
        self.open = True
        self.primals = primals
        specs = tuple([(p.shape, p.dtype, p.weak_type) for p in primals])
        self.substitutes = [Pending(self, ~index, spec) for index, spec in enumerate(specs)]
        self.begin(specs)
        self.variables: Sequence[Any] = ()
        self._enter = enter

    def begin(self, specs: tuple[Spec, ...] = ()) -> None:
        """Have no calls recorded, of primals of these shapes and dtypes."""
        self.state = _starts.get(specs) or _add_start(specs)
        self.ops: list[RecordedOp] = []
        self.leaves: list[Any] = []
        self._places: dict[int, int] = {}
        self._made: list[Pending] = []

    @property
    def whole(self) -> bool:
        """Whether all calls so far are still recorded, and nothing was computed."""
        return self.open

    def record(self, op: OperatorLike, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
        """Record a call and give its results, or None where it must run now."""
        if not self.open or current_trace() is not self.trace or not self._is_recorded(operands):
            return None
        if len(self.ops) >= MAX_CALLS:
            self.flush()
            return self.record(op, options, operands)
        count = len(self.leaves)
        new: list[Any] = []
        wired: list[Any] = []
        try:
            for operand in operands:
                recorded = type(operand) is Pending and operand.recorder is self
                wired.append(operand.place if recorded else self._wire(operand, new))
            static = (options, *map(type, options)) if options else ()
            wiring = tuple(wired)
            key = (
                (self.state, op, static, wiring, *new) if new else (self.state, op, static, wiring)
            )
            row = _rows.get(key) or _add_row(key, options, operands)
        except NotRecordable:
            self._forget(count)
            self.flush()
            return None
        except BaseException:
            # No key knows these leaves.
            self._forget(count)
            raise
        self.state, call, specs, tree = row
        self.ops.append(call)
        made = self._made
        if tree is None:
            pending = Pending(self, len(made), specs[0])
            made.append(pending)
            return pending
        several = [Pending(self, number, spec) for number, spec in enumerate(specs, len(made))]
        made += several
        return jax.tree.unflatten(tree, several)

    _is_recorded = staticmethod(_is_recorded)

    def _wire(self, operand: Any, new: list[Any]) -> Any:
        """Return where an operand comes from; what nobody has seen of one is added to ``new``."""
        if type(operand) is Pending:
            operand = resolved(operand)
            if type(operand) is Pending and operand.recorder is self:
                return operand.place
        if isinstance(operand, tuple):
            return tuple([self._wire(item, new) for item in operand])
        if operand is None:
            return None
        place = self._places.get(id(operand))
        return self._leaf(operand, new) if place is None else place

    def _leaf(self, value: Any, new: list[Any]) -> int:
        place = ~(len(self.substitutes) + len(self.leaves))
        if isinstance(value, jax.Array) or type(value) is Pending:
            spec = (value.shape, value.dtype, value.weak_type)
            new.append((*spec, True) if self.moves(value) else spec)
            self._places[id(value)] = place
        elif isinstance(value, np.ndarray):
            value = value.copy()
            new.append((value.shape, value.dtype, False))
        else:
            new.append(type(value))
        self.leaves.append(value)
        return place

    def _forget(self, count: int) -> None:
        """Drop the leaves behind the first ones."""
        for value in self.leaves[count:]:
            self._places.pop(id(value), None)
        del self.leaves[count:]

    def moves(self, value: Any) -> bool:
        """Whether a value from outside of the recording is differentiated as well.

        Raises:
            NotRecordable: If it cannot be recorded.
        """
        if is_tracer(value) and trace_of(value) is self.trace:
            raise NotRecordable
        return False

    def source(self, value: Any) -> int | None:
        """Return where a needed value comes from: as in a wiring, or None for a constant.

        Raises:
            NotRecordable: If it was made under the gradient's trace, past the recording.
        """
        value = resolved(value)
        if type(value) is Pending:
            return value.place if value.recorder is self else None
        if is_tracer(value) and trace_of(value) is self.trace:
            raise NotRecordable
        return None

    def structure(self) -> tuple[Hashable, Hashable]:
        """Return what the calls are without numbers that may stem from shapes, and the shapes.

        Those of weights do not change from call to call and count among the former.
        """
        ops = [(getattr(op, "structure", op), _form(options), w) for op, options, w in self.ops]
        are_weights = [isinstance(v, VariableBridge) for v in self.variables]
        if len(are_weights) != len(self.primals):
            are_weights = [False] * len(self.primals)
        fixed = [(v.shape, str(v.dtype)) for v in self.variables if isinstance(v, VariableBridge)]
        inputs = [p for p, weight in zip(self.primals, are_weights, strict=True) if not weight]
        shapes = [getattr(value, "shape", None) for value in (*inputs, *self.leaves)]
        return (*ops, *fixed), tuple(shapes)

    def waiting(self) -> list[Pending]:
        """Return the results that are still referred to elsewhere."""
        made = self._made
        # One reference is the list's own, one is made for the count.
        return [made[i] for i, count in enumerate(map(getrefcount, made)) if count > _SOLE]

    def value_of(self, pending: Pending) -> Any:
        """Return the array or tracer that a result is, or a ``Pending`` that has it."""
        self.flush()
        if pending.recorder is self:
            raise never_computed_error()
        return pending

    def number_of(self, pending: Pending) -> Any:
        """Return the same for reading numbers only: primals have them at any time."""
        if pending.place < 0 and self.open:
            return self.primals[~pending.place]
        return self.value_of(pending)

    def flush(self) -> None:
        """Give what is recorded its values; here, for good."""
        self.replay()

    def finish(self, results: list[Any], kept: list[Any]) -> Any:
        """Run what is left, so that results and further values that are needed are known.

        Returns:
            What stands for a transform that has been done by that; None where there is none.
        """
        self.replay()

    def abandon(self) -> None:
        """Take notice that the call has failed."""

    def replay(self) -> None:
        """Run what is recorded, call by call, under the gradient's trace; record no more."""
        if not self.open:
            return
        self.open = False
        try:
            with in_trace(self.trace):
                leaves = self._enter([materialize(primal) for primal in self.primals])
                for pending, value in zip(self.substitutes, leaves, strict=True):
                    pending.set_value(value)
                leaves += [materialize(leaf) for leaf in self.leaves]
                values = evaluated(self.ops, leaves, run_eagerly)
                for pending, value in zip(self._made, values, strict=True):
                    pending.set_value(value)
        finally:
            self.close()

    def close(self) -> None:
        """Record no more and forget what is recorded."""
        self.open = False
        self.ops, self.leaves, self.primals, self.substitutes = [], [], (), []
        self._places, self._made, self.variables = {}, [], ()


def _form(option: Any) -> Hashable:
    """Return an option of an operator without the numbers in it."""
    if isinstance(option, tuple):
        return tuple([_form(item) for item in option])
    if isinstance(option, slice):
        return _form((option.start, option.stop, option.step))
    return type(option) if type(option) is int else option


def _add_start(specs: tuple[Spec, ...]) -> int:
    if len(_starts) >= _MAX_ROWS:
        _starts.clear()
    return _starts.setdefault(specs, next(_states))


def _add_row(key: Any, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Row:
    _, op, _, wiring, *_ = key

    def traced() -> tuple[list[Spec], Any]:
        call = op.compiled(options)
        # What stands before a jitted function would be traced around it.
        shaped = jax.eval_shape(getattr(call, "jitted", call), *map(_abstract, operands))
        leaves, tree = jax.tree.flatten(shaped)
        single = isinstance(shaped, jax.ShapeDtypeStruct)
        return [(s.shape, s.dtype, s.weak_type) for s in leaves], None if single else tree

    with plain_evaluation(), traced_for_ranks(), uncollected():
        specs, tree = shapes_of((op, options), tuple(map(_described, operands)), traced)
    if len(_rows) >= _MAX_ROWS:
        _rows.clear()
    row = (next(_states), (op, options, wiring), specs, tree)
    return _rows.setdefault(key, row)


def _described(operand: Any) -> Any:
    """Return what the shapes of results hang on, alike in every process."""
    if isinstance(operand, tuple):
        return tuple([_described(item) for item in operand])
    kind, dtype = type(operand).__name__, str(getattr(operand, "dtype", None))
    return kind, dtype, getattr(operand, "shape", None), getattr(operand, "weak_type", None)


def _abstract(operand: Any) -> Any:
    if isinstance(operand, tuple):
        return tuple([_abstract(item) for item in operand])
    if type(operand) is Pending:
        return operand.aval
    if isinstance(operand, jax.Array):
        return ShapedArray(operand.shape, operand.dtype, weak_type=operand.weak_type)
    return operand


def fetch(place: Any, results: Sequence[Any], leaves: Sequence[Any]) -> Any:
    """Return the operand that a wiring stands for."""
    if type(place) is int:
        return results[place] if place >= 0 else leaves[~place]
    if place is None:
        return None
    return tuple([fetch(item, results, leaves) for item in place])


def evaluated(
    ops: Sequence[RecordedOp], leaves: Sequence[Any], run: Callable[..., Any]
) -> Iterator[Any]:
    """Yield the results of recorded calls, which ``run`` runs one after the other."""
    results: list[Any] = []
    for op, options, wiring in ops:
        operands = tuple([fetch(place, results, leaves) for place in wiring])
        for value in jax.tree.leaves(run(op, options, operands)):
            results.append(value)
            yield value


def run_eagerly(op: OperatorLike, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
    """Run one operator on raw arrays while a gradient call runs."""
    call = op.compiled(options)
    if _is_recorded(operands):
        return call(*operands)
    try:
        with plain_evaluation():
            return call(*operands)
    except Exception as error:
        if not lacks_symbol(error):
            raise
    return call(*operands)
