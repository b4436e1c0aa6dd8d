"""``jit``: a MindSpore function or Cell as one ``jax.jit`` program that finds its own state.

A call is traced once (``_core/lift.py``): Parameters, optimizer moments, counters, the random state
and Tensors kept on Cells become inputs and outputs of the program; what it writes is donated.
Wrappers never pass through ``jax.jit``: it sees flat lists of raw arrays.
"""

from __future__ import annotations

import functools
import inspect
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core import context as _context
from msgrad._core.bridge import is_tensor, map_tensors, static, tensors_in, wrap, wrap_arrays
from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.errors import EngineError
from msgrad._core.lift import LiftScope, StaleProgram, as_function, state_inside_control_flow
from msgrad.common.parameter import Parameter

_MAX_PROGRAMS = 64
# References to an array that only its Tensor holds, where they are counted: the Tensor's, the
# list's and the argument's.
_SOLE = 3
_NEEDS_VALUE = (
    EngineError,
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
)


@dataclass
class JitStats:
    """What a compiled function has done so far.

    Attributes:
        compiles: Programs traced and compiled.
        hits: Calls that ran a program that was there.
        fallbacks: Calls that ran as plain Python, each kind of call with its reason.
    """

    compiles: int = 0
    hits: int = 0
    fallbacks: dict[str, int] = field(default_factory=dict)


class _Program:
    """One compiled form of a function, for one kind of arguments."""

    def __init__(self, scope: LiftScope, closed: Any, output: Any, made: list[Any]) -> None:
        written = [scope.values[key][0] for key in scope.written]
        writes = {id(t) for t in written}
        self.output = output
        self.lifted = scope.lifted
        self.donated = [i for i, t in enumerate(scope.lifted) if id(t) in writes]
        self.kept = [i for i, t in enumerate(scope.lifted) if id(t) not in writes]
        self.written = written
        self.cells = [(cell, cell.training, cell._mixed) for cell in scope.cells.values()]
        self.has_views = any(t._view is not None for t in scope.lifted)
        self.frozen = [(t, t.requires_grad) for t in scope.lifted if isinstance(t, Parameter)]
        self.slots = _slots(scope, made)
        self.registries = [
            (cell, kind, dict(vars(cell)[kind]))
            for cell in scope.cells.values()
            for kind in ("_params", "_cells")
        ]
        self.revision = _context.revision

        program = as_function(closed)

        def run(donated: list[Any], kept: list[Any], inputs: list[Any]) -> list[Any]:
            state: list[Any] = [None] * len(self.lifted)
            for index, value in zip(self.donated, donated, strict=True):
                state[index] = value
            for index, value in zip(self.kept, kept, strict=True):
                state[index] = value
            return program(*state, *inputs)

        self.call = jax.jit(run, donate_argnums=0)
        self.call_inside = jax.jit(run)

    def fits(self) -> bool:
        """Tell whether the modes it was compiled for still hold."""
        if self.revision == _context.revision:
            return True
        same = all(c.training is t and c._mixed is m for c, t, m in self.cells)
        same = same and all(p.requires_grad is flag for p, flag in self.frozen)
        same = same and all(_unchanged(vars(c)[kind], was) for c, kind, was in self.registries)
        if same:
            self.revision = _context.revision
        return same


def _unchanged(registry: dict[str, Any], was: dict[str, Any]) -> bool:
    """Tell whether a Cell holds the same objects under the same names."""
    return registry.keys() == was.keys() and all(registry[name] is was[name] for name in was)


def _slots(scope: LiftScope, made: list[Any]) -> dict[str, list[tuple[int, Any, str]]]:
    """Find which lifted and which new Tensors are attributes of Cells.

    A Tensor kept on a Cell is replaced by another object in every call, so it is the place, not
    the object, that is state.
    """
    before = {key: value for key, (_, value) in scope.replaced.items()}
    lifted = {id(t): i for i, t in enumerate(scope.lifted)}
    born = {id(t): i for i, t in enumerate(made)}
    slots: dict[str, list[tuple[int, Any, str]]] = {"read": [], "write": []}
    for cell in scope.cells.values():
        for name, value in vars(cell).items():
            if not is_tensor(value) or isinstance(value, Parameter):
                continue
            old = before.get((id(cell), name), value)
            if id(old) in lifted:
                slots["read"].append((lifted[id(old)], cell, name))
            if id(value) in born:
                slots["write"].append((born[id(value)], cell, name))
    return slots


def jit(
    function: Any = None,
    *,
    capture_mode: str = "ast",
    jit_level: str = "O0",
    dynamic: int = 0,
    fullgraph: bool = False,
    backend: str = "",
    **options: Any,
) -> Any:
    """Compile a function, method or Cell; also a decorator, with or without arguments.

    Args:
        function: What to compile; anything that cannot be called is given back as it is.
        capture_mode: Accepted for compatibility, as are the other options.
        jit_level: See above.
        dynamic: See above.
        fullgraph: See above.
        backend: See above.
        options: See above.

    Returns:
        A function of the same name and arguments (a Cell is compiled in place and given back). It
        has ``stats``, a ``JitStats``.

    Differs from MindSpore: the Python of the function runs when a kind of call is first seen, not
    a transformed source. Where it needs a value (an ``if`` on a Tensor, printing one), calls of
    this kind run as plain Python, with one warning that says where.
    """
    if function is None:
        return functools.partial(
            jit,
            capture_mode=capture_mode,
            jit_level=jit_level,
            dynamic=dynamic,
            fullgraph=fullgraph,
            backend=backend,
            **options,
        )
    if not callable(function):
        return function
    if hasattr(function, "construct") and not inspect.isclass(function):
        object.__setattr__(function, "construct", compiled(function.construct))
        return function
    return compiled(function)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give the compiled form of a function; see ``jit``."""
    programs: dict[Any, list[_Program]] = {}
    plain: set[Any] = set()
    stats = JitStats()

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if context.lift is not None:
            return function(*args, **kwargs)
        tensors = list(tensors_in((args, kwargs)))
        key = _key(args, kwargs, tensors)
        if key is None or key in plain:
            return function(*args, **kwargs)
        known = programs.setdefault(key, [])
        for program in known:
            if program.fits():
                try:
                    result = _execute(program, tensors)
                except StaleProgram:
                    known.remove(program)
                    break
                stats.hits += 1
                return result
        try:
            program, survivors = _record(function, args, kwargs, tensors)
        except _NEEDS_VALUE as error:
            plain.add(key)
            reason = _where(error)
            stats.fallbacks[reason] = stats.fallbacks.get(reason, 0) + 1
            warnings.warn(
                f"{getattr(function, '__qualname__', function)} runs as plain Python for this kind "
                f"of arguments: {reason}",
                stacklevel=2,
            )
            return function(*args, **kwargs)
        stats.compiles += 1
        known.append(program)
        if len(known) > _MAX_PROGRAMS:
            known.pop(0)
        return _execute(program, tensors, survivors)

    call.stats = stats  # pyright: ignore[reportAttributeAccessIssue]
    return call


def _key(args: Any, kwargs: Any, tensors: list[Any]) -> Any:
    """Give what a program is compiled for, or None where an argument cannot be part of it."""
    places = {id(t): i for i, t in reversed(list(enumerate(tensors)))}

    def describe(value: Any) -> Any:
        if is_tensor(value):
            raw = value._read()
            return (places[id(value)], raw.shape, raw.dtype, isinstance(value, Parameter))
        if isinstance(value, (tuple, list)):
            return (type(value), tuple(describe(v) for v in value))
        if isinstance(value, dict):
            return (dict, tuple((k, describe(v)) for k, v in value.items()))
        value = static(value)
        return (type(value), value)

    key = (describe(args), describe(kwargs), context.mixed)
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _distinct(tensors: list[Any]) -> list[Any]:
    return list({id(t): t for t in tensors}.values())


def _record(
    function: Callable[..., Any], args: Any, kwargs: Any, tensors: list[Any]
) -> tuple[_Program, list[Any]]:
    """Trace a call; no state has changed afterwards."""
    scope = LiftScope()
    inputs = _distinct(tensors)
    output: Any = None
    made: list[Any] = []

    def pure(raws: list[Any]) -> Any:
        nonlocal output, made
        with scope:
            for tensor, raw in zip(inputs, raws, strict=True):
                scope.stand_in(tensor, raw)
            output = wrap_arrays(function(*args, **kwargs))
            outs = [t._read() for t in tensors_in(output)]
            survivors, values = scope.survivors()
            made = survivors[len(scope.written) :]
        return outs, values[: len(scope.written)], values[len(scope.written) :]

    closed = jax.make_jaxpr(pure)([t._read() for t in inputs])
    if state_inside_control_flow(closed.jaxpr):
        raise EngineError(
            "state is first read inside a block that JAX traces on its own (jax.checkpoint, scan); "
            "read it before"
        )
    # Placeholders: the traced values must not outlive the trace.
    program = _Program(scope, closed, map_tensors(lambda _: wrap(None), output), made)
    written_inputs = {id(t) for t in inputs} & {id(t) for t in program.written}
    program.written = [
        next(i for i, t in enumerate(inputs) if t is w) if id(w) in written_inputs else w
        for w in program.written
    ]
    scope.values.clear()
    scope.made.clear()
    scope.carriers.clear()
    return program, made


def _execute(program: _Program, tensors: list[Any], survivors: list[Any] | None = None) -> Any:
    inputs = _distinct(tensors)
    nested = context.scope is not None
    lifted = program.lifted
    if survivors is None:
        # After the trace itself the new Tensors stand there already, still without a value.
        for index, cell, name in program.slots["read"]:
            lifted[index] = vars(cell)[name]
    if nested or program.has_views:
        state = [t._read() for t in lifted]
    else:
        # Straight from the instance dicts: properties and methods would cost 2 us a variable.
        state = [vars(t)["_data"] for t in lifted]
    kept = [state[i] for i in program.kept]
    donated = [state[i] for i in program.donated]
    del state
    if nested or any(is_tracer(v) for v in donated):
        results = program.call_inside(donated, kept, [t._read() for t in inputs])
    else:
        for i in range(len(donated)):
            if sys.getrefcount(donated[i]) > _SOLE:
                donated[i] = jnp.copy(donated[i])
        results = program.call(donated, kept, [t._read() for t in inputs])
    rest = iter(results)
    output = map_tensors(lambda _: wrap(next(rest)), program.output)
    for target in program.written:
        tensor = inputs[target] if isinstance(target, int) else target
        place = vars(tensor)
        place["_version"] = tensor._version + 1
        if nested:
            tensor._store(next(rest))
        else:
            place["_data"] = next(rest)
    made = list(rest)
    if survivors is not None:
        for tensor, raw in zip(survivors, made, strict=True):
            tensor._data = raw
    for index, cell, name in program.slots["write"]:
        vars(cell)[name] = wrap(made[index])
    return output


def _where(error: BaseException) -> str:
    """Say what stood in the way and where in the user's code."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = frame.filename.replace("\\", "/")
        if not any(part in path for part in ("/msgrad/", "/jax/", "/flax/", "<frozen")):
            return f"{str(error).splitlines()[0]} ({frame.filename}:{frame.lineno}: {frame.line})"
    return str(error).splitlines()[0]
