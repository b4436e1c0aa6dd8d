"""``record``: one trace of a function, or one for each path through it, made into a program.

What a trace finds out about state is in ``_core/scopes/discovery.py``; how the paths of an ``if``
on a Tensor are joined, in ``branches.py``.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterable, Iterator
from sys import getrefcount
from types import CodeType
from typing import Any

import jax

from msgrad._compiled.branches import Differing, Trace, Unrepeatable, check_convolutions, join_paths
from msgrad._compiled.inputs import compiling
from msgrad._compiled.number import Number
from msgrad._compiled.outcomes import raised, returned
from msgrad._compiled.printing import prints_recorded
from msgrad._compiled.program import CompiledProgram
from msgrad._compiled.reroll import reroll
from msgrad._compiled.rewriting import rewritten
from msgrad._compiled.spread import cut_inputs, layouts_in
from msgrad._core.bridge import is_tensor, tensors_in
from msgrad._core.context import context
from msgrad._core.deferred.recording import to_trace
from msgrad._core.distributed.across import axes
from msgrad._core.distributed.devices import spreads
from msgrad._core.engine import ClosedJaxpr, is_tracer
from msgrad._core.errors import ValueNeededError
from msgrad._core.ownership import SOLE
from msgrad._core.scopes.discovery import LiftScope, TooLong, Uncompilable
from msgrad._core.scopes.lifted import state_inside_control_flow
from msgrad.common.mutable import mapped
from msgrad.common.parameter import Parameter

NEEDS_VALUE = (
    ValueNeededError,
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


def distinct(tensors: list[Any]) -> list[Any]:
    """Return each Tensor once."""
    return list({id(t): t for t in tensors}.values()) if len(tensors) > 1 else tensors


def record(
    function: Callable[..., Any],
    args: Any,
    kwargs: Any,
    tensors: list[Any],
    outcomes: bool = False,
) -> tuple[CompiledProgram, list[Any]]:
    """Trace a call; no state has changed afterwards.

    Args:
        function: What is called.
        args, kwargs: Its arguments.
        tensors: The Tensors among them.
        outcomes: Whether its paths may raise, or return values of different structure.

    Returns:
        The program, and the new Tensors that outlive the call, for its first run.

    Raises:
        NEEDS_VALUE: Where one trace cannot stand for all calls of this signature.
        Exception: What ``function`` raises.
    """
    inputs = distinct(tensors)
    askers: dict[CodeType, dict[str, Any]] = {}

    def all_paths(apart: bool = False) -> Trace:
        def trace(decisions: tuple[bool, ...]) -> Trace:
            return _trace(function, args, kwargs, inputs, decisions, askers, apart)

        first = trace(())
        return join_paths(first, trace, inputs, apart) if first.scope.decisions else first

    def one_path() -> Trace:
        first = _trace(function, args, kwargs, inputs, (), askers)
        try:
            if first.scope.decisions:
                raise Uncompilable("there are more paths")
            check_convolutions(first.closed)
        except Uncompilable:
            first.scope.undo()
            raise
        return first

    try:
        found = all_paths()
    except Unrepeatable:
        raise
    except ValueNeededError as error:
        ways = [(one_path, True, False, True), (all_paths, False, False, True)]
        if error.purpose == "int()":
            ways.append((one_path, True, True, True))
        # With more paths than can be traced it would be of no use.
        could_help = isinstance(error, Differing) or type(error) is ValueNeededError
        if outcomes and askers and could_help:
            ways.append((lambda: all_paths(apart=True), False, False, False))
        found = _rewritten_trace(ways, askers)
        if found is None:
            raise error from None
    found.layouts = layouts_in(found.closed)
    found.closed = reroll(found.closed)
    _drop_outputs(found)
    program = CompiledProgram(found, inputs)
    scope = found.scope
    scope.values.clear()
    scope.made.clear()
    scope.constants.clear()
    scope.carriers.clear()
    return program, found.escaped[len(program.written) :]


def record_call(
    function: Callable[..., Any],
    args: Any,
    kwargs: Any,
    tensors: list[Any],
    shared: list[Any],
    outcomes: bool = False,
) -> tuple[CompiledProgram, list[Any]]:
    """Trace a compiled call, as ``record`` does, the Tensors given apart from those elsewhere.

    A function may read a Tensor as an argument and as state: of a closure, a global, a Cell. The
    trace knows them by identity, and the next call may be given another Tensor, so the arguments
    are traced as copies that share nothing but the array, and their containers as copies: as in
    MindSpore, what is written to a list that is given is not seen outside. What is written to a
    dict is, so such a call is not compiled.

    Where the call writes a Tensor that it is given and also reads elsewhere, the program is for
    calls with the very same Tensors.

    Args:
        function, args, kwargs, tensors, outcomes: As for ``record``.
        shared: Those of the Tensors that the function may find elsewhere too.
    """
    copies = {id(t): _copy(t) for t in shared}

    def apart(tree: Any) -> Any:
        return mapped(lambda value: copies.get(id(value), value), tree)

    given, named = apart((args, kwargs))
    program, escaped = _record_copies(function, given, named, apart(tensors), outcomes)
    if program.fits(distinct(tensors)):
        return program, escaped
    program.undo()
    copies.clear()
    given, named = apart((args, kwargs))
    program, escaped = _record_copies(function, given, named, tensors, outcomes)
    program.only_for = [*map(weakref.ref, distinct(tensors))]
    return program, escaped


def _record_copies(
    function: Callable[..., Any], args: Any, kwargs: Any, tensors: list[Any], outcomes: bool
) -> tuple[CompiledProgram, list[Any]]:
    before = [(each, list(each.items())) for each in _dicts_in((args, *kwargs.values()))]
    with compiling(args, kwargs):
        program, escaped = record(function, args, kwargs, tensors, outcomes)
    for each, items in before:
        if len(each) != len(items) or any(each.get(key) is not value for key, value in items):
            program.undo()
            raise Uncompilable("it writes to a dict that it is given")
    return program, escaped


def _copy(tensor: Any) -> Any:
    new = object.__new__(type(tensor))
    raw = tensor._peek()
    vars(new).update(vars(tensor), _data=raw)
    return new


def _dicts_in(tree: Any) -> Iterator[dict[Any, Any]]:
    if isinstance(tree, dict):
        yield tree
    if isinstance(tree, (tuple, list, dict)):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _dicts_in(item)


def _rewritten_trace(
    ways: Iterable[tuple[Callable[[], Trace], bool, bool, bool]],
    askers: dict[CodeType, dict[str, Any]],
) -> Trace | None:
    """Trace a call with what asks Tensors for their truth as calls.

    Args:
        ways: How to trace it, whether each ``if`` is to be a call, or those in loops only, whether
            a ``for`` over a ``range`` is to be a ``while``, and whether that is tried only where
            there are any calls.
        askers: The codes that asked, with their globals.
    """
    for trace, everything, counts, needs_calls in ways:
        tried = -1
        while tried < len(askers):
            tried = len(askers)
            with rewritten(askers, everything, counts) as any_are:
                try:
                    if any_are or not needs_calls:
                        return trace()
                except TooLong:
                    return None
                except Exception:
                    continue
    return None


def _trace(
    function: Callable[..., Any],
    args: Any,
    kwargs: Any,
    inputs: list[Any],
    decisions: tuple[bool, ...],
    askers: dict[CodeType, dict[str, Any]],
    raises: bool = False,
) -> Trace:
    """Trace a call, with given decisions for its predicates; note who asked for more.

    What it raises after a predicate is its output if ``raises`` is set.
    """
    scope = LiftScope(decisions, askers)
    output: Any = None
    escaped: list[Any] = []

    def pure(raws: list[Any]) -> Any:
        nonlocal output, escaped
        with scope, prints_recorded():
            raws = cut_inputs(raws) if spreads() else raws
            for tensor, raw in zip(inputs, raws, strict=True):
                scope.substitute(tensor, raw)
            try:
                output = returned(function(*args, **kwargs))
            except Exception as error:
                caught = raises and scope.decisions and scope.needed is None
                output = raised(error) if caught else None
                if output is None:
                    raise
            if scope.needed is not None:
                raise scope.needed
            outs = [t._read() for t in tensors_in(output)]
            context.forward = None
            scope.carriers.clear()
            if scope.changes_baked():
                raise Uncompilable("it changes a Tensor that it also needs as a number")
            # What the call itself made is not state: no further call would write to it.
            scope.keep_for_made()
            scope.leak = _leaked(scope, (output, args, kwargs))
            if scope.leak and scope.decisions:
                raise Uncompilable(scope.leak)
            kept = (v for _, place, _ in scope.attribute_dicts() for v in place.values())
            if scope.numbered and any(type(v) is Number for v in kept):
                raise Uncompilable("a number of a Tensor is kept as an attribute of a Cell")
            escaped, values = scope.escaped()
        return outs, values

    outer = context.scope
    try:
        # The scope keeps tracers until they are exchanged: no leak for JAX to look for.
        with jax.check_tracer_leaks(False):
            closed = jax.make_jaxpr(pure, axis_env=axes())([to_trace(t._peek()) for t in inputs])
    except NEEDS_VALUE:
        raise
    except Exception as error:
        if scope.needed is not None:
            raise scope.needed from error
        if not scope.decisions and not scope.numbered:
            raise
        if not scope.decisions:
            # Perhaps since a number was none of Python's.
            raise Uncompilable(f"with a number of a Tensor, {error}").with_traceback(
                error.__traceback__
            ) from error
        # Not on the path, perhaps, that the values of this call take.
        reason = f"a branch raises {type(error).__name__}"
        raise Differing(reason).with_traceback(error.__traceback__) from error
    finally:
        scope.leave(outer)
    if state_inside_control_flow(closed.jaxpr):
        scope.undo()
        raise Uncompilable(
            "state is first read inside a block that JAX traces on its own (jax.checkpoint, scan); "
            "read it before"
        )
    if any(is_tracer(c) for c in closed.consts):
        scope.undo()
        raise Uncompilable("it uses values of a JAX transform that runs around it")
    return Trace(scope, closed, output, escaped, _returned(output, inputs, escaped))


def _drop_outputs(found: Trace) -> None:
    """Drop from what outlives the call those Tensors that live on in its output only.

    A call makes new ones for its output: each would be one more result of every step.
    """
    outputs = {id(t) for t in tensors_in(found.output)}
    counts = [*map(getrefcount, found.escaped)]
    first = len(found.closed.jaxpr.outvars) - len(found.escaped)
    drop = {
        i
        for i in range(len(found.scope.written), len(counts))
        if counts[i] == SOLE + 1 and id(found.escaped[i]) in outputs
    }
    jaxpr = found.closed.jaxpr
    results = [v for i, v in enumerate(jaxpr.outvars) if i - first not in drop]
    found.escaped = [t for i, t in enumerate(found.escaped) if i not in drop]
    found.closed = ClosedJaxpr(jaxpr.replace(outvars=results), found.closed.consts)


def _returned(output: Any, inputs: list[Any], escaped: list[Any]) -> list[Any] | None:
    numbers = {id(t): i for i, t in enumerate(inputs)}
    written = set(map(id, escaped))

    def number(tensor: Any) -> Any:
        if isinstance(tensor, Parameter) and not is_tracer(tensor._data):
            # As in MindSpore, a Parameter is itself where it is all that is returned, and has not
            # been written; else a Tensor with the value that it has then.
            itself = tensor is output and id(tensor) not in written
            return numbers.get(id(tensor), tensor) if itself else None
        return numbers.get(id(tensor), tensor.kind if type(tensor) is Number else None)

    found = [number(t) for t in tensors_in(output)]
    return None if found == [None] * len(found) else found


def _leaked(scope: LiftScope, places: Any) -> str:
    """Return which new Tensor lives on where no further call could renew it, in words; or "".

    Args:
        scope: That of the trace.
        places: Where they may live on: the output, and the containers that are traced as inputs.
    """
    known = {id(t) for t in tensors_in(places)} | scope.values.keys()
    for cell in scope.cells.values():
        for place in (vars(cell), vars(cell).get("_params", {}), vars(cell).get("_buffers", {})):
            known.update(id(value) for value in place.values() if is_tensor(value))
    _detach_results(scope, known)
    shapes = _shapes_of_others(scope, known)
    if shapes:
        # Perhaps nothing but a reference cycle holds them, or the note of where something is to be
        # written back, with its index, which ends with the call.
        made = (ref() for ref in scope.made)
        for tensor in [t for t, _ in scope.values.values()] + [t for t in made if t is not None]:
            if is_tracer(tensor._data):
                tensor._picked = None
        del tensor, made
        gc.collect()
        shapes = _shapes_of_others(scope, known)
    if not shapes:
        return ""
    return (
        f"a Tensor of shape {shapes[0]} made in the call is kept in a list, a dict, an object or a "
        "global; return it, or keep it as an attribute of a Cell"
    )


def _detach_results(scope: LiftScope, known: set[int]) -> None:
    """Detach results from what they are views of, if that lives on in them alone."""
    for ref in scope.made:
        tensor = ref()
        if tensor is not None and tensor._view is not None and id(tensor) in known:
            base = tensor._view[0]
            if id(base) not in known and is_tracer(base._data):
                tensor._view = None


def _shapes_of_others(scope: LiftScope, known: set[int]) -> list[tuple[int, ...]]:
    made = (ref() for ref in scope.made)
    traced = (t for t in made if t is not None and is_tracer(t._data))
    return [t._data.shape for t in traced if id(t) not in known]
