"""``record_call``: a trace in which the Tensors that are given stand apart from those elsewhere.

A function may read a Tensor as an argument and as state: of a closure, a global, a Cell. The trace
knows them by identity, and the next call may be given another Tensor, so the arguments are traced
as copies that share nothing but the array.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from copy import copy
from operator import is_
from typing import Any

from msgrad._compiled.inputs import compiling
from msgrad._compiled.program import CompiledProgram
from msgrad._compiled.record import distinct, record


def record_call(
    function: Callable[..., Any], args: Any, kwargs: Any, tensors: list[Any], shared: list[Any]
) -> tuple[CompiledProgram, list[Any]]:
    """Trace a compiled call, as ``record`` does.

    Where the call writes a Tensor that it is given and also reads elsewhere, the program is for
    calls with the very same Tensors.

    Args:
        function, args, kwargs, tensors: As for ``record``.
        shared: Those of the Tensors that the function may find elsewhere too.
    """
    copies = {id(t): _copy(t) for t in shared}
    given, named = _with(copies, args), _with(copies, kwargs)
    before = _form((given, named))
    with compiling(given, named):
        program, escaped = record(function, given, named, _with(copies, tensors))
    if _form((given, named)) == before and program.fits(distinct(tensors)):
        return program, escaped
    program.undo()
    with compiling(args, kwargs):
        program, escaped = record(function, args, kwargs, tensors)
    program.only_for = [*map(weakref.ref, distinct(tensors))]
    return program, escaped


def _copy(tensor: Any) -> Any:
    new = object.__new__(type(tensor))
    raw = tensor._read()
    vars(new).update(vars(tensor), _data=raw)
    return new


def _with(copies: dict[int, Any], tree: Any) -> Any:
    """Return nested containers with the copies in them; what has none of them is itself."""
    if not isinstance(tree, (tuple, list, dict)):
        return copies.get(id(tree), tree)
    items = list(tree.values() if isinstance(tree, dict) else tree)
    replaced = [_with(copies, item) for item in items]
    if all(map(is_, items, replaced)):
        return tree
    if isinstance(tree, tuple):
        # Of its own class, as of a named one.
        new = tuple.__new__(type(tree), replaced)
        if hasattr(tree, "__dict__"):
            vars(new).update(vars(tree))
        return new
    new = copy(tree)
    if isinstance(new, dict):
        new.update(zip(tree, replaced, strict=True))
    else:
        new[:] = replaced
    return new


def _form(tree: Any) -> Any:
    """Return what differs where the call has changed a container that it was given."""
    if isinstance(tree, dict):
        return tuple(tree), *map(_form, tree.values())
    return tuple(map(_form, tree)) if isinstance(tree, (tuple, list)) else id(tree)
