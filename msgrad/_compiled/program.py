"""``Program``: one recorded and compiled form of a function; ``record`` makes one.

How it runs is in ``execute.py``; which arguments it belongs to, and what happens where there can be
none, in ``function.py``; what a trace finds out about state, in ``_core/scopes/discovery.py``.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
from jax.extend import core as jex

from msgrad._compiled.branches import Trace, every_way
from msgrad._compiled.number import Number
from msgrad._compiled.reads import Reads
from msgrad._core import context as _context
from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, wrap, wrap_arrays
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.errors import ValueNeededError
from msgrad._core.scopes.discovery import (
    ABSENT,
    BOOKKEEPING,
    REGISTRIES,
    LiftScope,
    Uncompilable,
    as_function,
    has_callback,
    state_inside_control_flow,
)
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import can_be_taken

NEEDS_VALUE = (
    ValueNeededError,
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


class Program:
    """One compiled form of a function, for one kind of arguments.

    Attributes:
        lifted: The Tensors that it reads as state.
        donated, kept: Which of them it writes and may have the arrays of, and which it only reads.
        written: What it writes: Tensors, or the numbers of inputs.
        slots: Tensors that are attributes of Cells, see ``_slots``.
        output: What the function returned, with empty Tensors.
        recorded: What was traced.
        pure: The function ``(*state, *inputs) -> results``; ``result_avals`` are of its results.
        call, call_inside: The same as ``_flat`` has it, compiled; the first donates its state.
        assigned: Attributes of Cells that it sets to something that is no Tensor, with the value.
        once: Why it stands for the call that recorded it only, in words; else empty.
        returned: For each Tensor of the output that is an input or a Parameter itself, the number
            of the input, or the Parameter; for what is a Python number its type; None for others,
            or at all where there is none.
        checks: What is to be called before each run, and with which number.
        waits: Whether it must have succeeded before state may change.
        hits: How often it has run without being compiled for it.
    """

    def __init__(self, scope: LiftScope, closed: Any, output: Any, survivors: list[Any]) -> None:
        written = [scope.values[key][0] for key in scope.written]
        writes = {id(t) for t in written if can_be_taken(type(t))}
        self.output = output
        self.lifted = scope.lifted
        self.donated = [i for i, t in enumerate(scope.lifted) if id(t) in writes]
        self.kept = [i for i, t in enumerate(scope.lifted) if id(t) not in writes]
        self.written = written
        self.slots = _slots(scope, survivors)
        self._new = self.slots["new"]
        self._reads = Reads(scope, self.slots["read"])
        self.hits = 0
        self._undo = scope.undo
        # What ``_execute`` prepares when it runs first.
        self.layout: Any = None

        self.once = scope.elsewhere
        self.returned: list[Any] | None = None
        self.checks = list(Counter(scope.checks).items())
        self.assigned = _assigned(scope)

        self.recorded = closed
        self.pure = as_function(closed)
        self.result_avals = closed.out_avals
        # A callback may raise when the state it was to replace has been given away.
        self.waits = has_callback(closed.jaxpr)
        run = _flat(self.pure, self.donated, self.kept, len(survivors))
        self.call = jax.jit(run, donate_argnums=0)
        self.call_inside = jax.jit(run)

    def fits(self) -> bool:
        """Tell whether what it was compiled for still holds."""
        for _, place, name in self._new:
            if is_tensor(place.get(name)):
                self._reads.changed = name
                return False
        reads = self._reads
        if reads.revision == _context.revision and not reads.looks_inside:
            return True
        return reads.hold()

    @property
    def changed(self) -> str:
        """What was found changed when it last did not fit."""
        return self._reads.changed

    def undo(self) -> None:
        """Give Cells back the attributes they had before the trace, which is not to count."""
        self._undo()

    def forget_trace(self) -> None:
        """Let go of what only ``undo`` needs."""
        self._undo = _nothing


def _nothing() -> None:
    return None


def _flat(
    pure: Callable[..., Any], donated: list[int], kept: list[int], survivors: int
) -> Callable[..., Any]:
    """Give ``pure`` as a function of three lists; it refers to no Tensor and no Cell.

    Its results begin with the survivors, so that no output of the shape of a weight comes first and
    takes over the memory of that weight.
    """
    order = [*donated, *kept]

    def run(given: list[Any], read: list[Any], inputs: list[Any]) -> list[Any]:
        state: list[Any] = [None] * len(order)
        for index, value in zip(order, [*given, *read], strict=True):
            state[index] = value
        results = pure(*state, *inputs)
        outputs = len(results) - survivors
        return [*results[outputs:], *results[:outputs]]

    return run


def _assigned(scope: LiftScope) -> list[tuple[dict[str, Any], str, Any]]:
    """Find the attributes that the trace has set to something that is no Tensor."""
    found = []
    for key, cell in scope.cells.items():
        before = scope.before[key]
        for name, value in vars(cell).items():
            if name in BOOKKEEPING or name in REGISTRIES or is_tensor(value):
                continue
            if value is not before.get(name, ABSENT):
                found.append((vars(cell), name, value))
    return found


def _slots(scope: LiftScope, survivors: list[Any]) -> dict[str, list[tuple[int, Any, str]]]:
    """Find which lifted Tensors and which survivors are attributes of Cells: index and place.

    A Tensor kept on a Cell is replaced by another object in every call, so it is the place, not
    the object, that is state. Under ``new`` are places that the call may have found empty, as in
    ``if self.hidden is None``: the next call is another program.
    """
    lifted = {id(t): i for i, t in enumerate(scope.lifted)}
    survived = {id(t): i for i, t in enumerate(survivors)}
    slots: dict[str, list[tuple[int, Any, str]]] = {"read": [], "write": [], "new": []}
    reads = scope.reads
    for key, cell in scope.cells.items():
        before = scope.before[key]
        places = [(vars(cell), before)]
        if "_buffers" in vars(cell):
            places.append((vars(cell)["_buffers"], before.get("_buffers", {})))
        for place, was in places:
            for name, value in place.items():
                if not is_tensor(value) or isinstance(value, Parameter):
                    continue
                old = was.get(name)
                # The trace may have found the Tensor on another way.
                read = value is not old or (key, name) in reads or (key, "_buffers") in reads
                if id(old) in lifted and read:
                    slots["read"].append((lifted[id(old)], place, name))
                if value is not old and id(value) in survived:
                    slots["write"].append((survived[id(value)], place, name))
                    if not is_tensor(old) and (name in was or (key, name) in scope.missed):
                        slots["new"].append((survived[id(value)], place, name))
    return slots


def distinct(tensors: list[Any]) -> list[Any]:
    """Give each Tensor once."""
    return list({id(t): t for t in tensors}.values()) if len(tensors) > 1 else tensors


def record(
    function: Callable[..., Any], args: Any, kwargs: Any, tensors: list[Any]
) -> tuple[Program, list[Any]]:
    """Trace a call; no state has changed afterwards.

    Args:
        function: What is called.
        args, kwargs: Its arguments.
        tensors: The Tensors among them.

    Returns:
        The program, and the new Tensors that outlive the call, for ``execute``.

    Raises:
        NEEDS_VALUE: Where one trace cannot stand for all calls of this kind.
        Exception: What ``function`` raises.
    """
    inputs = distinct(tensors)
    found = _trace(function, args, kwargs, inputs, ())
    if found.scope.answers:
        found = every_way(
            found, lambda answers: _trace(function, args, kwargs, inputs, answers), inputs
        )
    scope, survivors = found.scope, found.survivors
    _sort_as_given(found)
    # Placeholders: the traced values must not outlive the trace.
    output = map_tensors(lambda _: wrap(None), found.output)
    program = Program(scope, found.closed, output, survivors)
    program.returned = found.returned
    written_inputs = {id(t) for t in inputs} & {id(t) for t in program.written}
    program.written = [
        next(i for i, t in enumerate(inputs) if t is w) if id(w) in written_inputs else w
        for w in program.written
    ]
    scope.values.clear()
    scope.made.clear()
    scope.carriers.clear()
    return program, survivors[len(program.written) :]


def _sort_as_given(found: Trace) -> None:
    """Let what is written come in the order in which it is donated: JAX pairs arrays of one shape
    in turn, and a pair that is not the same state would have to be copied.
    """
    scope, jaxpr = found.scope, found.closed.jaxpr
    ranks = {id(t): i for i, t in enumerate(scope.lifted)}
    keys = list(scope.written)
    order = sorted(range(len(keys)), key=lambda i: ranks.get(keys[i], len(ranks)))
    first = len(jaxpr.outvars) - len(found.survivors)
    results = list(jaxpr.outvars)
    results[first : first + len(order)] = [results[first + i] for i in order]
    found.survivors[: len(order)] = [found.survivors[i] for i in order]
    scope.written = dict.fromkeys(keys[i] for i in order)
    found.closed = jex.ClosedJaxpr(jaxpr.replace(outvars=results), found.closed.consts)


def _returned(output: Any, inputs: list[Any]) -> list[Any] | None:
    numbers = {id(t): i for i, t in enumerate(inputs)}

    def number(tensor: Any) -> Any:
        return tensor.kind if type(tensor) is Number else None

    found = [
        numbers.get(id(t), t if isinstance(t, Parameter) and not is_tracer(t._data) else number(t))
        for t in tensors_in(output)
    ]
    return None if found == [None] * len(found) else found


def _trace(
    function: Callable[..., Any],
    args: Any,
    kwargs: Any,
    inputs: list[Any],
    answers: tuple[bool, ...],
) -> Trace:
    """Trace a call, with given answers to what it asks Tensors for."""
    scope = LiftScope(answers)
    output: Any = None
    survivors: list[Any] = []

    def pure(raws: list[Any]) -> Any:
        nonlocal output, survivors
        with scope:
            for tensor, raw in zip(inputs, raws, strict=True):
                scope.stand_in(tensor, raw)
            output = wrap_arrays(function(*args, **kwargs))
            if scope.needed is not None:
                raise scope.needed
            outs = [t._read() for t in tensors_in(output)]
            context.forward = None
            scope.carriers.clear()
            scope.elsewhere = _kept_elsewhere(scope, output)
            if scope.elsewhere and scope.answers:
                raise Uncompilable(scope.elsewhere)
            survivors, values = scope.survivors()
        return outs, values

    try:
        closed = jax.make_jaxpr(pure)([t._read() for t in inputs])
    except NEEDS_VALUE:
        raise
    except Exception as error:
        if scope.needed is not None:
            raise scope.needed from error
        if not scope.answers:
            raise
        # Not on the way, perhaps, that the values of this call go.
        reason = f"a branch raises {type(error).__name__}"
        raise Uncompilable(reason).with_traceback(error.__traceback__) from error
    if state_inside_control_flow(closed.jaxpr):
        scope.undo()
        raise Uncompilable(
            "state is first read inside a block that JAX traces on its own (jax.checkpoint, scan); "
            "read it before"
        )
    if any(is_tracer(c) for c in closed.consts):
        scope.undo()
        raise Uncompilable("it uses values of a JAX transform that runs around it")
    return Trace(scope, closed, output, survivors, _returned(output, inputs))


def _kept_elsewhere(scope: LiftScope, output: Any) -> str:
    """Say which new Tensor lives on where a compiled call could not renew it, if there is one."""
    known = {id(t) for t in tensors_in(output)} | scope.values.keys()
    for cell in scope.cells.values():
        for place in (vars(cell), vars(cell).get("_params", {}), vars(cell).get("_buffers", {})):
            known.update(id(value) for value in place.values() if is_tensor(value))
    for attempt in (0, 1):
        unknown = [
            t
            for ref in scope.made
            if (t := ref()) is not None and is_tracer(t._data) and id(t) not in known
        ]
        if not unknown:
            return ""
        if attempt == 0:
            # Perhaps nothing but a reference cycle holds it.
            unknown.clear()
            gc.collect()
    return (
        f"a Tensor of shape {unknown[0]._data.shape} made in the call is kept in a list, a dict, "
        "an object or a global; return it, or keep it as an attribute of a Cell"
    )
