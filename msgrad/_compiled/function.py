"""``CompiledFunction``: the programs of one function, and which of them a call runs.

A program belongs to a signature (``signature.py``). Where a call cannot be compiled it runs as
plain Python. Everything kept here is bounded.
"""

from __future__ import annotations

import inspect
import linecache
import traceback
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgrad._compiled.inputs import compiling
from msgrad._compiled.outcomes import Outcomes, as_compiled, settled
from msgrad._compiled.program import CompiledProgram, OnceDifferentiable
from msgrad._compiled.program_cache import cached_on
from msgrad._compiled.record import NEEDS_VALUE, record_call
from msgrad._compiled.signature import CallSignature, Tokens, without_shapes
from msgrad._core.bounded import Bounded
from msgrad._core.collecting import uncollected
from msgrad._core.compiles import Counts, counted, process_counts
from msgrad._core.context import context
from msgrad._core.effort import Structures
from msgrad._core.random import seeds_given
from msgrad._core.scopes.discovery import Uncompilable
from msgrad._core.scopes.lifted import StaleProgram
from msgrad._core.user_code import is_ours, user_level
from msgrad.common.mutable import check_dynamic, unwrapped

MAX_PROGRAMS = 64
# So many programs in a row for one signature, none of which ever ran again: what they bake in
# changes from call to call.
_MAX_CONSECUTIVE_MISSES = 8
_MAX_REASONS = 32


@dataclass
class JitStats:
    """What a compiled function has done so far.

    Attributes:
        compiles: Programs traced and compiled.
        hits: Calls that ran a program that was there.
        fallbacks: Calls that could not be compiled: the reason, with the number of signatures
            that it holds for.
        seconds: What XLA took for the programs, or loading them from the disk.
        cache_hits: Programs of XLA's that came from the disk.
        kinds: What the first of the programs are for: shapes and dtypes of Tensors, or which
            attribute of a Cell had changed.
    """

    compiles: int = 0
    hits: int = 0
    fallbacks: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    cache_hits: int = 0
    kinds: list[str] = field(default_factory=list)

    def note(self, reason: str) -> None:
        """Count a signature that cannot be compiled."""
        if reason in self.fallbacks or len(self.fallbacks) < _MAX_REASONS:
            self.fallbacks[reason] = self.fallbacks.get(reason, 0) + 1

    def note_kind(self, program: CompiledProgram, changed: str) -> None:
        """Note what a new program is for."""
        if len(self.kinds) < _MAX_REASONS:
            avals = ", ".join(map(str, program.recorded.in_avals))
            self.kinds.append(f"'{changed}' has changed" if changed else avals)

    def add(self, counts: Counts) -> None:
        """Add what was compiled in one call."""
        self.seconds += counts.seconds
        self.cache_hits += counts.cache_hits


class _ProgramTable:
    """The programs by signature, the longest unused one dropped first."""

    def __init__(self) -> None:
        self.programs: Bounded[Any, list[CompiledProgram]] = Bounded(MAX_PROGRAMS)
        self.plain: Bounded[Any, None] = Bounded(MAX_PROGRAMS)
        self.structures = Structures()
        # Compiled since a program last ran again.
        self.consecutive_misses = 0

    def drop(self, token: Any) -> None:
        """Drop the programs of an object that is gone."""
        for table in (self.programs, self.plain):
            for key in [key for key in list(table) if token in key[-1]]:
                table.pop(key, None)


class CompiledFunction:
    """A function with the programs that stand for it.

    Args:
        function: What is compiled.
        name: What warnings and ``jit_stats`` call it.
        all_plain: Whether everything in a call that cannot be compiled runs as plain Python, also
            Cells and gradient functions that GRAPH_MODE would compile on their own.
    """

    def __init__(
        self, function: Callable[..., Any], name: str | None = None, all_plain: bool = False
    ) -> None:
        self.function = function
        self.name = name or getattr(function, "__qualname__", type(function).__name__)
        self.stats = JitStats()
        self._all_plain = all_plain
        self._table = _ProgramTable()
        self._tokens = Tokens(self._table.drop)
        _all.add(self)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call, compiled where it can be."""
        if context.lift is not None:
            return self.function(*args, **kwargs)
        if context.scope is not None and context.scope.carriers:
            # An integer with a gradient, which no program hands on.
            return self._plainly(args, kwargs)
        if context.recorder is not None:
            # A program reads its state where it stands.
            context.recorder.replay()
        call = CallSignature(args, kwargs, self._tokens)
        key, table = call.key, self._table
        if call.owner is not None:
            table = cached_on(call.owner, self, _ProgramTable)
        known = table.programs.get(key) or []
        for program in known:
            if program.guards.hold() and program.fits(call.tensors):
                try:
                    result = program.run(call.tensors, call.raws)
                except StaleProgram:
                    known.remove(program)
                    break
                except OnceDifferentiable:
                    return self._plainly(args, kwargs)
                self.stats.hits += 1
                program.hits += 1
                table.consecutive_misses = 0
                if len(table.programs) > 1:
                    table.programs.move_to_end(key)
                return settled(result) if type(result) is Outcomes else result
        if not known and key in table.plain:
            return self._plainly(args, kwargs)
        with counted(self.stats.add), uncollected():
            try:
                return self._first_call(table, call, args, kwargs)
            except OnceDifferentiable:
                return self._plainly(args, kwargs)

    def _first_call(self, table: _ProgramTable, call: CallSignature, args: Any, kwargs: Any) -> Any:
        """Record and compile a call, and run it."""
        key = call.key
        known = table.programs.get(key, [])
        new = known[-_MAX_CONSECUTIVE_MISSES:]
        if len(new) == _MAX_CONSECUTIVE_MISSES and not any(p.hits for p in new):
            reason = (
                f"'{new[-1].guards.failed}' of a Cell changes from call to call; keep such a value "
                "in a Tensor or Parameter"
            )
            return self._give_up(table, key, reason, args, kwargs)
        if table.consecutive_misses >= MAX_PROGRAMS:
            reason = (
                f"the last {MAX_PROGRAMS} kinds of calls came once each; make numbers Tensors, and "
                "keep objects"
            )
            return self._give_up(table, key, reason, args, kwargs)
        check_dynamic(args, kwargs)
        function, given, named = call.traceable(self.function, args, kwargs)
        seeds = seeds_given()
        try:
            program, escaped = record_call(
                function, given, named, call.tensors, call.shared, outcomes=True
            )
        except Exception as error:
            seeds_given(seeds)
            # An operator may take a number that is one of Python only.
            if not (isinstance(error, NEEDS_VALUE) or call.numbers):
                raise as_compiled(error) from error.__cause__
            return self._give_up(table, key, where(error), args, kwargs)
        form, shapes = without_shapes(key)
        if table.structures.comes_again(form, shapes):
            program.runs_as(program.flat, cheaply=True)
        program.as_operator.structure = hash((id(table), form))
        result = program.run(call.tensors, call.raws, escaped)
        if program.single_use:
            self._stop_compiling(table, key, program.single_use)
        else:
            self.stats.compiles += 1
            self.stats.note_kind(program, known[-1].guards.failed if known else "")
            table.consecutive_misses += 1
            known.append(program)
            del known[:-MAX_PROGRAMS]
            table.programs[key] = known
        return settled(result) if type(result) is Outcomes else result

    def _give_up(self, table: _ProgramTable, key: Any, reason: str, args: Any, kwargs: Any) -> Any:
        """Run a call as plain Python, and all further ones of its signature."""
        self._stop_compiling(table, key, reason)
        return self._plainly(args, kwargs)

    def _stop_compiling(self, table: _ProgramTable, key: Any, reason: str) -> None:
        """Compile no more calls of a signature."""
        table.programs.pop(key, None)
        table.plain[key] = None
        first = reason not in self.stats.fallbacks
        self.stats.note(reason)
        if first:
            warnings.warn(
                f"{self.name} runs as plain Python for this kind of arguments: {reason}",
                stacklevel=user_level(inspect.currentframe()),
            )

    def _plainly(self, args: Any, kwargs: Any) -> Any:
        outer, context.plain = context.plain, context.plain or self._all_plain
        try:
            with compiling(args, kwargs):
                return self.function(*map(unwrapped, args), **kwargs)
        except Exception as error:
            raise as_compiled(error) from error.__cause__
        finally:
            context.plain = outer


_all: weakref.WeakSet[CompiledFunction] = weakref.WeakSet()


def jit_stats() -> dict[str, JitStats]:
    """Return what every compiled function, Cell and gradient function has done, by its name.

    Functions of one name are numbered; one that is gone is not listed. ``<process>`` is all that
    was compiled since msgrad was imported, also for eager calls: ``compiles`` counts the programs
    of XLA there.
    """
    whole = JitStats(compiles=process_counts.programs)
    whole.add(process_counts)
    found = {"<process>": whole}
    for each in list(_all):
        name, number = each.name, 2
        while name in found:
            name = f"{each.name} ({number})"
            number += 1
        found[name] = each.stats
    return found


def where(error: BaseException) -> str:
    """Return what stood in the way, and where in the user's code."""
    text = str(error).splitlines()[0]
    # Not extract_tb: JAX makes tracebacks anew, with the instruction at which the frame is now.
    stack = traceback.walk_tb(error.__traceback__)
    places = [(frame.f_code.co_filename, number) for frame, number in stack][::-1]
    if isinstance(error, Uncompilable) and error.stack:
        places = error.stack
    for filename, number in places:
        if not is_ours(filename):
            return f"{text} ({filename}:{number}: {linecache.getline(filename, number).strip()})"
    return text
