"""``record_call``: a trace in which the Tensors that are given stand apart from those elsewhere.

A function may read a Tensor as an argument and as state: of a closure, a global, a Cell. The trace
knows them by identity, and the next call may be given another Tensor, so the arguments are traced
as copies that share nothing but the array, and their containers as copies: as in MindSpore, what is
written to a list that is given is not seen outside. What is written to a dict is, so such a call is
not compiled.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

from msgrad._compiled.inputs import compiling
from msgrad._compiled.program import CompiledProgram
from msgrad._compiled.record import distinct, record
from msgrad._core.scopes.discovery import Uncompilable
from msgrad.common.mutable import mapped


def record_call(
    function: Callable[..., Any],
    args: Any,
    kwargs: Any,
    tensors: list[Any],
    shared: list[Any],
    outcomes: bool = False,
) -> tuple[CompiledProgram, list[Any]]:
    """Trace a compiled call, as ``record`` does.

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
    program, escaped = _record(function, given, named, apart(tensors), outcomes)
    if program.fits(distinct(tensors)):
        return program, escaped
    program.undo()
    copies.clear()
    given, named = apart((args, kwargs))
    program, escaped = _record(function, given, named, tensors, outcomes)
    program.only_for = [*map(weakref.ref, distinct(tensors))]
    return program, escaped


def _record(
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
