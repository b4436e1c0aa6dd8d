"""``Compiled``: the programs of one function, and which of them a call runs.

A program belongs to a kind of arguments: the tree, shapes and dtypes of Tensors, the values of
Python constants, the identity of other objects. Where a call cannot be compiled it runs as plain
Python. Everything kept here is bounded.
"""

from __future__ import annotations

import inspect
import linecache
import os
import traceback
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import flax
import jax

from msgrad._compiled.execute import execute_on
from msgrad._compiled.given import compiling
from msgrad._compiled.kept import programs_on
from msgrad._compiled.program import NEEDS_VALUE, Program, record
from msgrad._compiled.signature import Call, Tokens, kind_of_tensors
from msgrad._core.context import context
from msgrad._core.scopes.discovery import StaleProgram, Uncompilable
from msgrad.common.mutable import check_dynamic, unwrapped

MAX_PROGRAMS = 64
# So many programs in a row for one kind of arguments, none of which ever ran again: what they bake
# in changes from call to call.
_MAX_FRUITLESS = 8
_MAX_REASONS = 32


@dataclass
class JitStats:
    """What a compiled function has done so far.

    Attributes:
        compiles: Programs traced and compiled.
        hits: Calls that ran a program that was there.
        fallbacks: Calls that could not be compiled: the reason of each kind of call, with the
            number of kinds.
    """

    compiles: int = 0
    hits: int = 0
    fallbacks: dict[str, int] = field(default_factory=dict)

    def note(self, reason: str) -> None:
        """Count a kind of call that cannot be compiled."""
        if reason in self.fallbacks or len(self.fallbacks) < _MAX_REASONS:
            self.fallbacks[reason] = self.fallbacks.get(reason, 0) + 1


class _Kinds:
    """The programs by kind of arguments, the longest unused one dropped first."""

    def __init__(self) -> None:
        self.programs: OrderedDict[Any, list[Program]] = OrderedDict()
        self.plain: OrderedDict[Any, None] = OrderedDict()
        # Compiled since a program last ran again.
        self.fruitless = 0

    def drop(self, token: Any) -> None:
        """Drop the programs of an object that is gone."""
        for kinds in (self.programs, self.plain):
            for key in [key for key in list(kinds) if token in key[-1]]:
                kinds.pop(key, None)


class Compiled:
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
        self._kinds = _Kinds()
        self._tokens = Tokens(self._kinds.drop)
        _all.add(self)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call, compiled where it can be."""
        if context.lift is not None:
            return self.function(*args, **kwargs)
        found = None if kwargs else kind_of_tensors(args)
        if found is not None:
            key, raws = found
            tensors, kinds = args, self._kinds
        else:
            call = Call(args, kwargs, self._tokens)
            key, tensors, raws = call.kind, call.tensors, call.raws
            kinds = self._kinds if call.owner is None else programs_on(call.owner, self, _Kinds)
        known = kinds.programs.get(key)
        if known is None:
            if key in kinds.plain:
                return self._plainly(args, kwargs)
        else:
            for program in known:
                if program.fits():
                    try:
                        result = execute_on(program, tensors, raws)
                    except StaleProgram:
                        known.remove(program)
                        break
                    self.stats.hits += 1
                    program.hits += 1
                    kinds.fruitless = 0
                    if len(kinds.programs) > 1:
                        kinds.programs.move_to_end(key)
                    return result
        return self._first_call(kinds, key, args, kwargs)

    def _first_call(self, kinds: _Kinds, key: Any, args: Any, kwargs: Any) -> Any:
        known = kinds.programs.get(key, [])
        new = known[-_MAX_FRUITLESS:]
        if len(new) == _MAX_FRUITLESS and not any(p.hits for p in new):
            reason = (
                f"'{new[-1].changed}' of a Cell changes from call to call; keep such a value in a "
                "Tensor or Parameter"
            )
            return self._give_up(kinds, key, reason, args, kwargs)
        if kinds.fruitless >= MAX_PROGRAMS:
            reason = (
                f"the last {MAX_PROGRAMS} kinds of calls came once each; make numbers Tensors, and "
                "keep objects"
            )
            return self._give_up(kinds, key, reason, args, kwargs)
        check_dynamic(args, kwargs)
        call = Call(args, kwargs, self._tokens)
        function, given, named = call.traceable(self.function, args, kwargs)
        try:
            with compiling(given, named):
                program, survivors = record(function, given, named, call.tensors)
        except NEEDS_VALUE as error:
            return self._give_up(kinds, key, where(error), args, kwargs)
        except Exception as error:
            if not call.has_numbers:
                raise
            # An operator may take a number that is one of Python only.
            return self._give_up(kinds, key, where(error), args, kwargs)
        result = execute_on(program, call.tensors, call.raws, survivors)
        program.forget_trace()
        if program.once:
            self._let_be(kinds, key, program.once)
            return result
        self.stats.compiles += 1
        kinds.fruitless += 1
        known.append(program)
        del known[:-MAX_PROGRAMS]
        kinds.programs[key] = known
        if len(kinds.programs) > MAX_PROGRAMS:
            kinds.programs.popitem(last=False)
        return result

    def _give_up(self, kinds: _Kinds, key: Any, reason: str, args: Any, kwargs: Any) -> Any:
        """Run a call as plain Python, and all further ones of its kind."""
        self._let_be(kinds, key, reason)
        return self._plainly(args, kwargs)

    def _let_be(self, kinds: _Kinds, key: Any, reason: str) -> None:
        """Compile no more calls of a kind."""
        kinds.programs.pop(key, None)
        kinds.plain[key] = None
        if len(kinds.plain) > MAX_PROGRAMS:
            kinds.plain.popitem(last=False)
        first = reason not in self.stats.fallbacks
        self.stats.note(reason)
        if first:
            warnings.warn(
                f"{self.name} runs as plain Python for this kind of arguments: {reason}",
                stacklevel=_stack_level(),
            )

    def _plainly(self, args: Any, kwargs: Any) -> Any:
        outer, context.plain = context.plain, context.plain or self._all_plain
        try:
            with compiling(args, kwargs):
                return self.function(*map(unwrapped, args), **kwargs)
        finally:
            context.plain = outer


_all: weakref.WeakSet[Compiled] = weakref.WeakSet()


def jit_stats() -> dict[str, JitStats]:
    """Give what every compiled function, Cell and gradient function has done, by its name.

    Functions of one name are numbered; one that is gone is not listed.
    """
    found: dict[str, JitStats] = {}
    for each in list(_all):
        name, number = each.name, 2
        while name in found:
            name = f"{each.name} ({number})"
            number += 1
        found[name] = each.stats
    return found


_LIBRARIES = tuple(str(Path(module.__file__ or "").parent) + os.sep for module in (jax, flax))
_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_PROGRAMS = str(Path(__file__).parents[1] / "porting" / "programs") + os.sep


def _is_ours(filename: str) -> bool:
    """Tell whether a line of code is not the user's."""
    if filename.startswith(_PACKAGE):
        return not filename.startswith(_PROGRAMS)
    return filename.startswith((*_LIBRARIES, "<frozen"))


def where(error: BaseException) -> str:
    """Say what stood in the way and where in the user's code."""
    text = str(error).splitlines()[0]
    # Not extract_tb: JAX makes tracebacks anew, with the instruction at which the frame is now.
    stack = traceback.walk_tb(error.__traceback__)
    places = [(frame.f_code.co_filename, number) for frame, number in stack][::-1]
    if isinstance(error, Uncompilable) and error.asked:
        places = error.asked
    for filename, number in places:
        if not _is_ours(filename):
            return f"{text} ({filename}:{number}: {linecache.getline(filename, number).strip()})"
    return text


def _stack_level() -> int:
    """Give the level of the user's frame, for a warning of the caller."""
    level, frame = 0, inspect.currentframe()
    while frame is not None and _is_ours(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level
