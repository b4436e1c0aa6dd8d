"""``run_while``, ``run_if``: loops of the user's whose condition is a traced Tensor.

``rewriting.py`` has made a function of each condition and body; what they assign stands in the
cells of their closures. A body is traced as a function of these names and of the state it writes,
until their forms are the same before and after, and becomes ``lax.while_loop``; an ``if`` becomes
``lax.cond``. Where Python only is asked, Python loops. What no loop can carry (another
shape in each turn, a list that grows, an attribute that is set) raises: the call then runs as it
would have without the rewriting.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from types import FunctionType, ModuleType
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend import core as jex

from msgrad._compiled.carried import (
    UNBOUND,
    Form,
    Unlike,
    are_same,
    as_leaf,
    is_carried,
    joint,
    leaves_in,
    leaves_replaced,
    parts_of,
    raws_of,
    strong,
    zeros,
)
from msgrad._compiled.jumps import VALUE
from msgrad._compiled.loop_gradient import while_loop
from msgrad._compiled.surroundings import names_in
from msgrad._core.bridge import is_tensor
from msgrad._core.context import context
from msgrad._core.engine import (
    concrete,
    current_trace,
    derivatives_around,
    is_tracer,
    only_derivatives_around,
)
from msgrad._core.engine.flax import ModuleBridge
from msgrad._core.scopes.discovery import BOOKKEEPING, REGISTRIES, TooLong, Uncompilable, entries
from msgrad._core.scopes.lifted import has_callback
from msgrad._core.scopes.scope import Scope
from msgrad._core.user_code import is_ours
from msgrad.common.tensor import Tensor

# What is no object of the program, or is looked at otherwise.
_NO_OBJECTS = (Tensor, ModuleBridge, ModuleType, FunctionType, type)
# Values whose form changes in a first turn (0, to which a Tensor is added) take one turn each.
_MAX_FIRST_TURNS = 2
_MAX_FORMS = 6
# Each takes some 10 ms to trace and to compile, and as plain Python 25 us.
_MAX_BRANCHES = 256


class _BlockScope(Scope):
    """The scope of a block that JAX traces on its own, with its trace."""

    def __enter__(self) -> _BlockScope:
        self.trace = current_trace()
        super().__enter__()
        return self


def run_while(
    test: Callable[[], Any],
    body: Callable[[], Any],
    names: tuple[str, ...],
    after: tuple[str, ...],
    filled: tuple[str, ...] = (),
) -> None:
    """Run a ``while``.

    Args:
        test: Its condition.
        body: Its block.
        names: What the block assigns.
        after: Those of them that are read elsewhere.
        filled: What it only assigns elements of.
    """
    first_turns = 0
    while True:
        answer = test()
        if is_traced(answer) and first_turns <= _MAX_FIRST_TURNS:
            try:
                _while_loop(test, _Names(body, names, after, filled))
            except Uncompilable as error:
                _note(error)
                raise
            except Unlike:
                first_turns += 1
            else:
                return
        if not answer:
            return
        body()


def run_if(
    answer: Any,
    then: Callable[[], Any],
    otherwise: Callable[[], Any],
    names: tuple[str, ...],
    after: tuple[str, ...],
    filled: tuple[str, ...] = (),
) -> None:
    """Run an ``if``: both blocks of one whose condition is traced."""
    if is_traced(answer):
        try:
            _cond(answer, *(_Names(block, names, after, filled) for block in (then, otherwise)))
        except Uncompilable as error:
            _note(error)
            raise
        except Unlike:
            pass
        else:
            return
    (then if answer else otherwise)()


def _note(error: Uncompilable) -> None:
    """Make the trace fail with an error also where the program catches it."""
    assert context.lift is not None
    context.lift.needed = context.lift.needed or error


def is_traced(value: Any) -> bool:
    """Whether Python cannot know the truth of a value, and a block can be traced here."""
    return (
        context.lift is not None
        and _traces_blocks()
        and is_tensor(value)
        and value.size == 1
        and is_tracer(concrete(value._read()))
    )


def _traces_blocks() -> bool:
    """Whether a block may be traced here: in the compiled function, a block of it, or in a gradient
    call right in one of them.
    """
    scope: Any = context.scope
    if type(scope) is _BlockScope or scope is context.lift:
        return True
    around = scope.parent
    one = type(around) is _BlockScope or around is context.lift
    return (
        one
        and not scope.carriers
        and only_derivatives_around(around.trace)
        and derivatives_around(around.trace) == 1
    )


def prints_once() -> bool:
    """Whether a callback here would run once for each time that Python comes here."""
    scope: Any = context.scope
    while scope is not None and not (type(scope) is _BlockScope or scope is context.lift):
        scope = scope.parent
    # A hook on saved tensors is in no scope: it is traced with the derivative.
    around: Any = scope or context.lift
    return only_derivatives_around(around.trace)


def truth(value: Any) -> Any:
    raw = strong(value) if is_tensor(value) else jnp.asarray(bool(value))
    return raw.reshape(()).astype(bool)


class _Names:
    """A block, and the variables that it assigns."""

    def __init__(
        self,
        block: Callable[[], Any],
        names: tuple[str, ...],
        after: tuple[str, ...],
        filled: tuple[str, ...] = (),
    ) -> None:
        assert isinstance(block, FunctionType)
        self.block = block
        cells = dict(zip(block.__code__.co_freevars, block.__closure__ or (), strict=True))
        names += tuple(n for n in filled if n in cells and is_carried(_content(cells[n])))
        after += filled
        self._cells = [cells[name] for name in names]
        self._after = [name in after for name in names]
        self.flagged = [name == VALUE for name in names]

    def get(self) -> list[Any]:
        """Return the values, ``UNBOUND`` for what has none."""
        return [*map(_content, self._cells)]

    def set(self, values: list[Any]) -> None:
        for cell, value in zip(self._cells, values, strict=True):
            if value is not UNBOUND:
                cell.cell_contents = value
            elif _content(cell) is not UNBOUND:
                del cell.cell_contents

    def reached(self) -> list[Any]:
        """Return what the block can change besides its names: globals, containers and attributes
        of objects that it, or a function or method of the program that it calls, refers to.
        """
        found: list[Any] = []
        waiting, seen = [self.block], set()
        own = {id(cell) for cell in self._cells}
        while waiting:
            function = waiting.pop()
            known = function is not self.block and is_ours(function.__code__.co_filename)
            if id(function) in seen or known:
                continue
            seen.add(id(function))
            names = names_in(function.__code__)
            values = [function.__globals__[n] for n in names if n in function.__globals__]
            for cell in function.__closure__ or ():
                if id(cell) not in own and _content(cell) is not UNBOUND:
                    values.append(cell.cell_contents)
            for value in values:
                if hasattr(type(value), "__next__"):
                    raise Uncompilable("a loop on Tensors may take items from an iterator")
                waiting += [value] if isinstance(value, FunctionType) else _methods(value, names)
                attributes = getattr(value, "__dict__", None)
                if type(value) in (list, dict, set):
                    found += entries(value)
                elif type(attributes) is dict and not isinstance(value, _NO_OBJECTS):
                    found += attributes.values()
            found += values
        return found

    def shares(self, values: list[Any]) -> bool:
        """Whether a list or dict is the value of two names, or can be reached otherwise."""
        lift: Any = context.lift
        lists = [id(value) for value in values if is_carried(value)]
        others = {*map(id, self.reached()), *lift.contents}
        return len({*lists}) < len(lists) or not others.isdisjoint(lists)

    def drop(self, values: list[Any], others: list[Any]) -> list[Any]:
        """Return values without those that had none on another way, and are not read again."""
        return [
            UNBOUND if other is UNBOUND and not read else value
            for value, other, read in zip(values, others, self._after, strict=True)
        ]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return UNBOUND


@dataclass
class _Traced:
    """A block as a function of the leaves of names and of state.

    Attributes:
        closed: Results are the leaves of ``after``, then what is ``written``.
        after: The values of the names.
        written: The state that it was given, and what more it has written.
        filled: For each name whether it has a list or dict with other elements now; None where it
            has another object.
    """

    closed: Any
    after: list[Any]
    written: list[Any]
    filled: list[bool | None]

    def __call__(self, *raws: Any) -> list[Any]:
        return self.run(self.closed.consts, raws)

    def run(self, constants: Sequence[Any], raws: Sequence[Any]) -> list[Any]:
        """Run it with values for the constants of ``closed``."""
        # The cast drops JAX's weak types.
        results = jex.jaxpr_as_fun(self.closed.replace(consts=[*constants]))(*raws)
        return [lax.convert_element_type(raw, raw.dtype) for raw in results]


def _trace(names: _Names, values: list[Any], written: list[Any], result: Any = None) -> _Traced:
    """Trace a block.

    Args:
        names: The block.
        values: What the names are before it.
        written: State that it is given.
        result: What is called instead; the truth of what it gives is the only result.
    """
    lift = context.lift
    assert lift is not None
    after: list[Any] = []
    now_written: list[Any] = []
    filled: list[bool | None] = []
    given = leaves_in(values)

    def pure(raws: list[Any]) -> list[Any]:
        nonlocal after, now_written, filled
        rest = iter(raws)
        scope = _BlockScope()
        with scope, lift.within_block(), _unchanged(names, lift):
            own = leaves_replaced(values, rest)
            mine = {id(t) for t in leaves_in(own)}
            names.set(own)
            parts = [(*parts_of(value),) for value in own]
            for tensor, raw in zip(written, rest, strict=True):
                scope.substitute(tensor, raw)
            answer = (result or names.block)()
            found = names.get()
            same = [are_same((*parts_of(v),), was) for v, was in zip(own, parts, strict=True)]
            stays = [*map(operator.is_, found, own)]
            filled = [not one if stay else None for one, stay in zip(same, stays, strict=True)]
            if not all(map(operator.or_, same, stays)) or (True in filled and names.shares(before)):
                raise Uncompilable("a loop on Tensors fills a list that is known elsewhere, too")
            after = names.drop(found, values)
            after = [*map(as_leaf, after, values)]
            names.set(after)
            made = {id(t): t for ref in scope.made if (t := ref()) is not None}
            changed = [scope.values[key][0] for key in scope.written if key not in made]
            # One that two names have, or a view, would be another one in a loop.
            alias = any(id(t) in scope.written or t._view is not None for t in given)
            if mine & scope.written.keys() or (changed and (result or alias)):
                raise Uncompilable("a loop on Tensors writes into one that it also assigns")
            now_written = list({id(t): t for t in [*written, *changed]}.values())
            outs = [strong(t) for t in leaves_in(after)]
            outs += [scope.values[id(t)][1] for t in now_written]
            kept = mine | {id(t) for t in leaves_in(after)} | {id(answer)}
            del made, own, changed, parts, found
            _check_dead(scope, kept)
            outs = [truth(answer)] if result else outs
            # They refer to values of this trace.
            after = leaves_replaced(after, iter([Form(t) for t in leaves_in(after)]), formed=True)
            scope.carriers.clear()
            context.forward = None
        return outs

    before = names.get()
    try:
        closed = jax.make_jaxpr(pure)([strong(t) for t in given] + [t._read() for t in written])
    finally:
        names.set(before)
    return _Traced(closed, after, now_written, filled)


def _while_loop(test: Callable[[], Any], names: _Names) -> None:
    """Run a loop as ``lax.while_loop``.

    Raises:
        Unlike: If a turn would have to come first; nothing has changed.
    """
    assert context.lift is not None
    branches = context.lift.branches
    values, written = names.get(), []
    before = values
    for _ in range(_MAX_FORMS):
        body = _trace(names, values, written)
        given = zip(values, body.after, names.flagged, strict=True)
        joined = [joint(zeros(w) if flag and v is UNBOUND else v, w) for v, w, flag in given]
        same = [*map(id, joined)] == [*map(id, values)] and len(body.written) == len(written)
        values, written = joined, body.written
        if same:
            break
    else:
        raise Unlike
    condition = _trace(names, values, written, test)
    if has_callback(body.closed.jaxpr) and derivatives_around():
        raise Uncompilable("a loop on Tensors prints, and its backward pass runs it again")
    context.lift.branches = branches
    start = [strong(t) for t in leaves_in(values)] + [t._read() for t in written]
    start = [lax.convert_element_type(raw, raw.dtype) for raw in start]
    forms = [[(each.shape, each.dtype) for each in them] for them in (start, body.closed.out_avals)]
    if forms[0] != forms[1]:
        raise Unlike
    constants = condition.closed.consts, body.closed.consts
    results = while_loop(condition.run, body.run, constants, start)
    _assign(names, values, written, results, before, [body])


def _cond(answer: Any, then: _Names, otherwise: _Names) -> None:
    """Run both blocks of an ``if`` as ``lax.cond``."""
    assert context.lift is not None
    context.lift.branches += 1
    if context.lift.branches > _MAX_BRANCHES:
        raise TooLong(f"its loops ask Tensors for their truth more than {_MAX_BRANCHES} times")
    values, written = then.get(), []
    while True:
        blocks = [_trace(names, values, written) for names in (then, otherwise)]
        found = {id(t): t for block in blocks for t in block.written}
        if len(found) == len(written):
            break
        written = list(found.values())
    one, other = (block.after for block in blocks)
    one, other = then.drop(one, other), then.drop(other, one)
    # What a function gives stands behind a flag: where there is none yet, anything can stand.
    pairs = [
        (w if v is UNBOUND else v, v if w is UNBOUND else w) if flagged else (v, w)
        for v, w, flagged in zip(one, other, then.flagged, strict=True)
    ]
    joined = [joint(v, w) for v, w in pairs]
    start = [strong(t) for t in leaves_in(values)] + [t._read() for t in written]

    def run(block: _Traced) -> Callable[..., list[Any]]:
        def with_numbers(*raws: Any) -> list[Any]:
            leaves = iter(block(*raws))
            found = [raws_of(v, as_, leaves) for v, as_ in zip(block.after, joined, strict=True)]
            return [*chain(*found), *leaves]

        return with_numbers

    try:
        results = lax.cond(truth(answer), run(blocks[0]), run(blocks[1]), *start)
    except TypeError:
        # Of other shapes or dtypes.
        raise Unlike from None
    _assign(then, joined, written, results, values, blocks)


def _assign(
    names: _Names,
    values: list[Any],
    written: list[Any],
    results: list[Any],
    before: list[Any],
    blocks: list[_Traced],
) -> None:
    rest = iter(results)
    found = leaves_replaced(values, rest)
    for i, was in enumerate(before):
        filled = {block.filled[i] for block in blocks}
        if {True, None} <= filled:
            raise Uncompilable("a branch fills a list, and the other one assigns another one")
        if None in filled or not is_carried(was):
            continue
        if True in filled:
            was.update(found[i]) if type(was) is dict else was.__setitem__(slice(None), found[i])
        found[i] = was
    names.set(found)
    for tensor, raw in zip(written, rest, strict=True):
        tensor._version += 1
        tensor._store(raw)


def _check_dead(scope: Scope, kept: set[int]) -> None:
    """Raise if a Tensor that was made in a block lives on where no loop can carry it."""

    def leaked() -> bool:
        made = (ref() for ref in scope.made)
        return any(t is not None and id(t) not in kept and is_tracer(t._data) for t in made)

    if leaked():
        gc.collect()
        if leaked():
            raise Uncompilable("a loop on Tensors keeps one in a list, a dict or an object")


@contextmanager
def _unchanged(names: _Names, lift: Any) -> Iterator[None]:
    """Raise if what runs inside changes attributes of Cells, or what else it can reach."""
    before = {key: _attributes(vars(cell)) for key, cell in lift.cells.items()}
    contents = {key: tuple(entries(found)) for key, (found, _) in lift.contents.items()}
    reached = names.reached()
    yield
    same = are_same(reached, names.reached()) and all(
        are_same(contents.get(key, tuple(entries(was))), tuple(entries(found)))
        for key, (found, was) in lift.contents.items()
    )
    for key, cell in lift.cells.items():
        was = before.get(key) or _attributes(lift.before[key])
        same = same and (key in lift.newborn or are_same(was, _attributes(vars(cell))))
    if not same:
        raise Uncompilable("a loop on Tensors changes an attribute, a list, a dict or an object")


def _attributes(attributes: dict[str, Any]) -> list[Any]:
    found = []
    for name, value in attributes.items():
        if name not in BOOKKEEPING:
            found += [*value, *value.values()] if name in REGISTRIES else [value]
    return found


def _methods(value: Any, names: set[str]) -> list[Any]:
    """Return the methods of an object with these names, and ``construct`` of the Cells in it."""
    methods = [getattr(type(value), name, None) for name in names]
    if isinstance(value, ModuleBridge):
        cells = (cell for _, cell in value.cells_and_names())  # pyright: ignore[reportAttributeAccessIssue]
        methods += [getattr(type(cell), "construct", None) for cell in cells]
    return [method for method in methods if isinstance(method, FunctionType)]
