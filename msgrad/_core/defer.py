"""Deferred execution: operator calls of a gradient call, recorded to run as one compiled program.

Under an eager gradient JAX dispatches every operator by itself. So the forward pass of a gradient
call only records its operator calls; shapes and dtypes are known at once, errors are raised where
they belong. Python runs every time. At the end there are two ways on:

- Nobody looked at a value: the recording becomes a compiled program that gives the outputs and what
  the pullback needs, and a second one that pulls back. Both are kept by structure: operators,
  static arguments, shapes, dtypes, wiring. Numbers in the recording are inputs.
- Something needs a value or a tracer (``print``, ``if``, a hook, a raw JAX function): the recorded
  calls run one by one under the gradient's own trace, as do all further ones.

A structure is compiled when it is first seen, so that a run resumed from a checkpoint computes with
the same programs as one that went on; a function whose structure keeps changing is compiled only
for what comes back. ``MSGRAD_EAGER=op`` and ``eager_mode("op")`` turn deferring off.
"""

from __future__ import annotations

import itertools
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from msgrad._core.engine import current_trace, in_trace, is_tracer, plain_evaluation, trace_of
from msgrad._core.errors import ArgumentValueError

if TYPE_CHECKING:
    from msgrad._core.op import Operator

_MAX_CALLS = 2048
_MAX_ROWS = 65536
_MODES = ("deferred", "op")


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
    """Tell whether gradient calls of this thread record their operators."""
    return _switch.mode != "op"


class Pending:
    """A value that is recorded and not computed yet; it has the attributes of an abstract array.

    Attributes:
        recorder: Where it is recorded, until it has arrived.
        value: What it then is: a raw array or tracer, or a ``Pending`` of the gradient call around.
    """

    __slots__ = ("__weakref__", "dtype", "place", "recorder", "shape", "value", "weak_type")

    def __init__(self, recorder: Recorder, place: tuple[int, int], spec: tuple[Any, ...]) -> None:
        self.recorder: Recorder | None = recorder
        self.place = place
        self.shape, self.dtype, self.weak_type = spec
        self.value: Any = None

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def arrive(self, value: Any) -> None:
        """Take over the value."""
        self.value = value
        self.recorder = None


def arrived(raw: Any) -> Any:
    """Give the raw array or tracer that ``raw`` stands for, running what is recorded if need be."""
    while type(raw) is Pending:
        if raw.recorder is not None:
            raw.recorder.replay()
        raw = raw.value
    return raw


def _now(raw: Any) -> Any:
    """Give the same, but a ``Pending`` where the value has not arrived."""
    while type(raw) is Pending and raw.recorder is None:
        raw = raw.value
    return raw


class Foreign(Exception):
    """A value that only the gradient's own trace can handle."""


# Every recording walks through this tree, a row per call: (state, operator, static arguments,
# wiring, operand specs) -> (next state, output specs, output tree or None). So the last state
# stands for the whole structure.
_rows: dict[Any, tuple[int, list[tuple[Any, ...]], Any]] = {}
_states = itertools.count(1)


class Recorder:
    """The operator calls of one forward pass, in order; used by the thread that made it.

    Args:
        trace: The trace of the gradient, under which recorded calls run when they must.
        primals: The traced values that are differentiated.

    Attributes:
        open: Whether calls are still recorded.
        state: What the calls so far are: operators, static arguments, wiring, shapes and dtypes.
        calls: Them as ``(operator, static arguments, wiring)``. A wiring holds per operand the
            number of a leaf, a pair (call, output), or a tuple of these headed by None.
        leaves: The values that came from outside: arrays, traced primals, numbers.
        primal_of: Per leaf, which primal it is, or None.
    """

    def __init__(self, trace: Any, primals: Sequence[Any]) -> None:
        self.trace = trace
        self.open = True
        self.state = 0
        self.calls: list[tuple[Operator, tuple[Any, ...], Any]] = []
        self.leaves: list[Any] = []
        self.primal_of: list[int | None] = []
        self.primals = primals
        self._primal_index = {id(p): index for index, p in enumerate(primals)}
        self._specs: list[Any] = []
        self._places: dict[int, int] = {}
        self._made: list[list[weakref.ref[Pending]]] = []

    def record(self, op: Operator, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
        """Record a call and give its results, or None where it must run now."""
        if not self.open or current_trace() is not self.trace or not _moves(operands):
            return None
        if len(self.calls) >= _MAX_CALLS:
            self.replay()
            return None
        try:
            wired = [self._wire(operand) for operand in operands]
        except Foreign:
            self.replay()
            return None
        static = (options, *map(type, options)) if options else ()
        wiring = tuple([place for place, _ in wired])
        key = (self.state, op, static, wiring, tuple([spec for _, spec in wired]))
        found = _rows.get(key) or _add_row(key, options, operands)
        self.state, specs, tree = found
        row = len(self.calls)
        made = [Pending(self, (row, index), spec) for index, spec in enumerate(specs)]
        self.calls.append((op, options, wiring))
        self._made.append([weakref.ref(p) for p in made])
        return made[0] if tree is None else jax.tree.unflatten(tree, made)

    def _wire(self, operand: Any) -> tuple[Any, Any]:
        """Give where an operand comes from, and its shape, dtype and weak type."""
        if type(operand) is Pending:
            operand = _now(operand)
            if type(operand) is Pending and operand.recorder is self:
                return operand.place, (operand.shape, operand.dtype, operand.weak_type)
        if isinstance(operand, tuple):
            wired = [self._wire(item) for item in operand]
            return (None, *[place for place, _ in wired]), tuple([spec for _, spec in wired])
        if operand is None:
            return None, None
        place = self._places.get(id(operand))
        if place is None:
            place = self._leaf(operand)
        return place, self._specs[place]

    def _leaf(self, value: Any) -> int:
        place = len(self.leaves)
        primal = None
        if isinstance(value, jax.Array) or type(value) is Pending:
            primal = self._primal_index.get(id(value))
            if primal is None and is_tracer(value) and trace_of(value) is self.trace:
                raise Foreign
            spec: Any = (value.shape, value.dtype, value.weak_type, primal)
            self._places[id(value)] = place
        elif isinstance(value, np.ndarray):
            value = value.copy()
            spec = (value.shape, value.dtype, False, None)
        else:
            spec = type(value)
        self.leaves.append(value)
        self.primal_of.append(primal)
        self._specs.append(spec)
        return place

    def source(self, value: Any) -> Any:
        """Give where a needed value comes from: ``(call, output)``, a primal's index, or None.

        Raises:
            Foreign: If it was made under the gradient's trace, past the recording.
        """
        value = _now(value)
        if type(value) is Pending:
            return value.place if value.recorder is self else None
        index = self._primal_index.get(id(value))
        if index is None and is_tracer(value) and trace_of(value) is self.trace:
            raise Foreign
        return index

    def waiting(self) -> dict[tuple[int, int], Pending]:
        """Give the ``Pending`` values that are still referred to, by their place."""
        alive = [ref() for refs in self._made for ref in refs]
        return {pending.place: pending for pending in alive if pending is not None}

    def replay(self) -> None:
        """Run what is recorded, call by call, under the gradient's trace; record no more."""
        if not self.open:
            return
        self.open = False
        results: list[list[Any]] = []
        try:
            with in_trace(self.trace):
                leaves = [arrived(leaf) for leaf in self.leaves]
                for (op, options, wiring), made in zip(self.calls, self._made, strict=True):
                    operands = tuple([fetch(place, results, leaves) for place in wiring])
                    outputs = jax.tree.leaves(run_now(op, options, operands))
                    results.append(outputs)
                    for ref, value in zip(made, outputs, strict=True):
                        pending = ref()
                        if pending is not None:
                            pending.arrive(value)
        finally:
            self.close()

    def close(self) -> None:
        """Record no more and forget what is recorded."""
        self.open = False
        self.calls, self.leaves, self.primal_of, self.primals = [], [], [], ()
        self._specs, self._places, self._primal_index, self._made = [], {}, {}, []


def _moves(operands: tuple[Any, ...]) -> bool:
    """Tell whether an operand is traced or recorded; a call of constants may as well run now."""
    for operand in operands:
        if isinstance(operand, tuple):
            if _moves(operand):
                return True
        elif type(operand) is Pending or is_tracer(operand):
            return True
    return False


def _add_row(key: Any, options: Any, operands: Any) -> tuple[int, list[tuple[Any, ...]], Any]:
    with plain_evaluation():
        shaped = jax.eval_shape(key[1].compiled(options), *map(_abstract, operands))
    leaves, tree = jax.tree.flatten(shaped)
    single = isinstance(shaped, jax.ShapeDtypeStruct)
    specs = [(s.shape, s.dtype, s.weak_type) for s in leaves]
    if len(_rows) >= _MAX_ROWS:
        _rows.clear()
    return _rows.setdefault(key, (next(_states), specs, None if single else tree))


def _abstract(operand: Any) -> Any:
    if isinstance(operand, tuple):
        return tuple([_abstract(item) for item in operand])
    if isinstance(operand, (Pending, jax.Array)):
        return jax.ShapeDtypeStruct(operand.shape, operand.dtype, weak_type=operand.weak_type)
    return operand


def fetch(place: Any, results: list[list[Any]], leaves: Sequence[Any]) -> Any:
    """Give the operand that a wiring stands for."""
    if type(place) is int:
        return leaves[place]
    if place is None:
        return None
    if place[0] is None:
        return tuple([fetch(item, results, leaves) for item in place[1:]])
    return results[place[0]][place[1]]


def run_now(op: Operator, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
    """Run one operator on raw arrays while a gradient call runs."""
    call = op.compiled(options)
    if _moves(operands):
        return call(*operands)
    with plain_evaluation():
        return call(*operands)
