"""Tracing a mutable program once: which state it reads and writes is found on the way.

While a program is traced for compilation, a ``LiftScope`` is the outermost scope. The first read of
a Tensor that existed before emits one equation ("state number i") instead of the Tensor's value, so
that nothing is baked in as a constant; afterwards the recorded program is made a function of the
state (``lifted.py``). One trace serves for discovery and for compilation, so Python runs once.
"""

from __future__ import annotations

import inspect
import threading
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import CodeType
from typing import Any

import numpy as np

from msgrad._core.bridge import is_tensor
from msgrad._core.context import bump_revision, context
from msgrad._core.deferred.recording import materialize, never_computed
from msgrad._core.engine import current_trace, in_trace, is_tracer, made_under, stands_on, trace_of
from msgrad._core.errors import ValueNeededError
from msgrad._core.scopes.lifted import bind_predicate, bind_state
from msgrad._core.scopes.scope import Scope
from msgrad._core.user_code import stack
from msgrad._core.watched import Watched

# More of them in one trace are a loop, rather than branches.
_MAX_PREDICATES = 8
# What msgrad itself keeps on a Cell for later; nothing is computed from it.
BOOKKEEPING = frozenset(
    (
        "_checked_step",
        "_program_cache",
        "_known_step",
        "_cell_names_checked",
        "_noted_writes",
        "_plan",
        "_stat_unset",
    )
)
# The attributes of a Cell that are changed in place.
REGISTRIES = ("_params", "_cells", "_buffers")
# What stands in Cells and can be changed without any of their methods; a program that read one
# looks at its entries in each call, so only at few.
CONTAINERS = (list, dict, set, tuple, OrderedDict, np.ndarray)
_MAX_INSIDE, _MAX_BYTES = 64, 1024
# Hooks: changing them bumps the revision.
HOOKS = ("_cell_forward_pre", "_cell_forward", "_cell_backward_pre", "_cell_backward")

ABSENT: Any = object()

_watched_classes: list[type[Any]] = []
_watching: set[LiftScope] = set()
_lock = threading.Lock()


def watch_attributes_of(cls: type[Any]) -> None:
    """Make traces note the attribute reads of a class; called for ``Cell`` and ``Watched``.

    Its ``__setattr__`` calls ``bump_revision`` for a value that can make another program.
    """
    _watched_classes.append(cls)


def _watch(scope: LiftScope, watches: bool) -> None:
    """Note attribute reads while a trace runs; else they cost what they always do.

    It may be called again after an interrupt.
    """
    with _lock:
        (_watching.add if watches else _watching.discard)(scope)
        for cls in _watched_classes:
            noted = vars(cls).get("__getattribute__") is _noted
            # Not by attribute: programs look at changes of a class.
            if _watching and not noted:
                type.__setattr__(cls, "__getattribute__", _noted)
            elif noted and not _watching:
                type.__delattr__(cls, "__getattribute__")


class Snapshot(dict[str, Any]):
    """A registry of a Cell as it was."""


def entries(container: Any) -> Any:
    """Return what changes when a list, dict, set or NumPy array is changed in place."""
    kind = type(container)
    if kind is tuple or isinstance(container, list):
        return container
    if kind is np.ndarray:
        return (container.tobytes(),) if container.nbytes <= _MAX_BYTES else ()
    return (*container, *container.values()) if isinstance(container, dict) else tuple(container)


def found_at(attributes: dict[str, Any], name: str) -> Any:
    """Return what a Cell with these attributes has under a name; a copy of a whole registry.

    Returns:
        The value; ``ABSENT`` where the name is found in the class, or nowhere.
    """
    value = attributes.get(name, ABSENT)
    if value is ABSENT:
        for kind in REGISTRIES:
            held = attributes.get(kind)
            if held and name in held:
                return held[name]
    return Snapshot(value) if name in REGISTRIES and value is not ABSENT else value


class Watching:
    """An object that is no Cell, whose attributes compiled programs see as those of a Cell."""

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        bump_revision(vars(self))

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        bump_revision(vars(self))


watch_attributes_of(Watching)


def _noted(cell: Any, name: str) -> Any:
    lift = context.lift
    if lift is not None:
        lift.read(cell, name)
    return object.__getattribute__(cell, name)


class LiftScope(Scope):
    """The scope of a trace for compilation.

    Attributes:
        lifted: The Tensors read or written that existed before, in the order of their first use.
        checks: Functions that raise where the compiled program cannot; called before each run with
            how often they stand here.
        contents: Lists, dicts and sets that are attributes of those Cells, with what was in them.
        inside: Containers that the trace read from Cells, by id, with their ``entries``.
        leak: What new Tensor was left where no further call could renew it, in words.
        cells: Cells that were called, read or assigned to, by id.
        before: By the id of a Cell, its attributes when that first happened.
        missed: ``(id of a Cell, name)`` of the attributes that were asked for and not there.
        decisions: What ``decide`` has returned.
        askers: The codes that were running then, or when text of a value was needed, with their
            globals.
        predicate_stacks: Where it was asked: file and line of each frame, the innermost first.
        newborn: Cells that were made meanwhile, by id.
        needed: The first error of ``value_needed`` that was not ``handled``.
        reads: ``(id of a Cell, name) -> (its attributes, name, value)`` of the attributes that were
            read, with what ``found_at`` gave at the first time.
        trace: JAX's trace.
        branches: How many an ``if`` that has become a call has made, outside of a ``while``.
        baked: By id, Tensors whose value Python was given, with the array: see ``value_of``.
        constants: By id, traced values of what was made of Python's, with the values.
        drawn: How often an operator has drawn random numbers so far.
        numbered: Whether Python was given a number that stands for a Tensor's.
        history: What was written to, with the values before, one after the other.
        forwards: By id, Cells called outside of gradients; if once, with the arguments and where
            in ``history`` that began and ended.
    """

    # Of a Tensor; None where it is none. Set by ``_compiled/number.py``.
    number: Callable[[LiftScope, Any], Any]

    def __init__(self, decisions: tuple[bool, ...], askers: dict[CodeType, dict[str, Any]]) -> None:
        super().__init__()
        self.askers = askers
        self.drawn: Counter[Any] = Counter()
        self._given = decisions
        self.decisions: list[bool] = []
        self.predicate_stacks: list[list[tuple[str, int]]] = []
        self.trace: Any = None
        self.branches = 0
        self.numbered = False
        self.history: list[tuple[Callable[[], Any], Any]] = []
        self.forwards: dict[int, tuple[Any, Any]] = {}
        self.baked: dict[int, tuple[Any, Any]] = {}
        self.constants: dict[int, tuple[Any, np.ndarray]] = {}
        self.needed: ValueNeededError | None = None
        self.newborn: dict[int, Any] = {}
        self.lifted: list[Any] = []
        self.checks: list[Callable[[int], None]] = []
        self.contents: dict[int, tuple[Any, Any]] = {}
        self.inside: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self.leak = ""
        self.cells: dict[int, Any] = {}
        self.before: dict[int, dict[str, Any]] = {}
        self.missed: set[tuple[int, str]] = set()
        self.reads: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}
        self._born: dict[int, weakref.ref[Any]] = {}
        self._counted: dict[int, tuple[Any, int]] = {}
        self._in_block = False

    def __enter__(self) -> LiftScope:
        super().__enter__()
        context.lift = self
        self.trace = current_trace()
        context.forward = None
        _watch(self, True)
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        context.lift = None
        # They hold values of this trace, which must not outlive it.
        context.forward = None
        self.history.clear()
        self.forwards.clear()
        super().__exit__(kind, *rest)
        _watch(self, False)

    def leave(self, outer: Any) -> None:
        """Leave the scope for ``outer`` if an interrupt came before it was left."""
        if context.scope is not outer or self in _watching:
            self.__exit__(KeyboardInterrupt)

    def lookup(self, tensor: Any) -> Any:
        """Return the traced value of ``tensor``, lifting it at its first read."""
        entry = self.values.get(id(tensor))
        if entry is not None:
            return entry[1]
        if self._made_here(tensor):
            return None
        raw = materialize(tensor._data) if self.parent is None else self._outer(tensor)
        if is_tensor(tensor) and tensor.const_arg and not is_tracer(raw):
            # Its value is a part of the key.
            return None
        with in_trace(self.trace) if self._in_block else nullcontext():
            value = bind_state(raw, len(self.lifted))
        self.lifted.append(tensor)
        self.values[id(tensor)] = (tensor, value)
        return value

    def value_of(self, tensor: Any, traced: Any) -> Any:
        """Return the values that Python needs, as of ``ops.range(self.start, Tensor(len(x)), 1)``.

        Of state, the program then stands for that array only, as for a number in its place.

        Args:
            tensor: A Tensor, no Parameter.
            traced: Its value as it is read now; returned where it is neither state nor constant.
        """
        if id(traced) in self.constants:
            return self.constants[id(traced)][1]
        # An argument has another value in the next call.
        if not any(tensor is one for one in self.lifted):
            return traced
        held, (_, lifted) = tensor._data, self.values[id(tensor)]
        if lifted is not traced or id(tensor) in self.written or is_tracer(held):
            return traced
        self.baked[id(tensor)] = tensor, held
        return held

    def note_constant(self, raw: Any, values: np.ndarray) -> None:
        """Note of what values a Tensor is made in the trace."""
        if values.nbytes <= _MAX_BYTES:
            self.constants[id(raw)] = raw, values.copy()

    def changes_baked(self) -> bool:
        """Whether the trace has changed what Python was given the value of."""
        return any(key in self.written for key in self.baked) or any(
            id(value) in self.baked and place.get(name) is not value
            for _, place, before in self.attribute_dicts()
            for name, value in before.items()
        )

    def last_written(self, tensor: Any) -> Any:
        """Return the traced value: all state of the program is an input of it."""
        return self.lookup(tensor)

    def note_askers(self) -> None:
        """Note the codes that are running: another form of them may do without the value."""
        self.askers.update((f.f_code, f.f_globals) for f in stack(inspect.currentframe()))

    def decide(self, raw: Any) -> bool | None:
        """Answer for the truth of a traced value: as given in advance, then with yes.

        Returns:
            None where the value is not one of this trace, and the answer could not be told later.

        Raises:
            ValueNeededError: After too many predicates.
        """
        self.note_askers()
        if not is_tracer(raw) or trace_of(raw) is not self.trace or not stands_on(self.trace):
            return None
        number = len(self.decisions)
        if number == _MAX_PREDICATES:
            raise value_needed(
                f"more than {_MAX_PREDICATES} times a Tensor is asked for its truth, as in a loop"
            )
        frames = stack(inspect.currentframe())
        self.predicate_stacks.append([(f.f_code.co_filename, f.f_lineno) for f in frames])
        with in_trace(self.trace):
            bind_predicate(raw)
        self.decisions.append(self._given[number] if number < len(self._given) else True)
        return self.decisions[number]

    @contextmanager
    def within_block(self) -> Iterator[None]:
        """Trace a block of equations; state that is first read there is read before it."""
        outer, self._in_block = self._in_block, True
        # The block may be traced again, and draws from the same streams then.
        drawn = self.drawn.copy()
        try:
            yield
        finally:
            self._in_block, self.drawn = outer, drawn

    def _outer(self, tensor: Any) -> Any:
        assert self.parent is not None
        found = self.parent.lookup(tensor)
        return tensor._data if found is None else found

    def note(self, cell: Any) -> None:
        """Note a Cell that is about to run, to be read or to be changed."""
        if id(cell) in self.cells:
            return
        attributes = object.__getattribute__(cell, "__dict__")
        # A Cell may be read before its constructor has got to that of Cell.
        if not attributes if isinstance(cell, Watching) else "_auto_prefix" not in attributes:
            self.newborn[id(cell)] = cell
        self.cells[id(cell)] = cell
        self.before[id(cell)] = {
            name: type(value)(value) if name in REGISTRIES else value
            for name, value in attributes.items()
        }
        for value in attributes.values():
            if type(value) in (list, dict, set) and id(value) not in self.contents:
                self.contents[id(value)] = (value, value.copy())

    def read(self, cell: Any, name: str) -> None:
        """Note that an attribute of a Cell is about to be read."""
        key = (id(cell), name)
        if key in self.reads or name.startswith("__"):
            return
        self.note(cell)
        if id(cell) in self.newborn:
            return
        attributes = object.__getattribute__(cell, "__dict__")
        value = found_at(self.before[id(cell)], name)
        # What the trace itself has put there is no matter of what was there.
        if name in REGISTRIES or value is found_at(attributes, name):
            self.reads[key] = (attributes, name, value)
            if name not in HOOKS:
                self._look_into(value)

    def _look_into(self, value: Any) -> None:
        """Note what is in a container that is an attribute of a Cell, and in those within it."""
        container = isinstance(value, Watched) or type(value) in CONTAINERS
        if not container or id(value) in self.inside:
            return
        inside = tuple(entries(value))
        few = len(inside) <= _MAX_INSIDE and len(self.inside) < _MAX_INSIDE
        if few or isinstance(value, Watched):
            self.inside[id(value)] = (value, inside)
            for item in inside:
                self._look_into(item)

    def undo(self) -> None:
        """Return the Cells back the attributes they had, when the trace comes to nothing.

        They may hold values of the trace, and what runs instead of it must not count twice.
        """
        for key, cell in self.cells.items():
            if key in self.newborn:
                continue
            attributes, before = vars(cell), self.before[key]
            for name in attributes.keys() - before.keys():
                del attributes[name]
            for name, value in before.items():
                if name in REGISTRIES and name in attributes:
                    # Programs refer to the registry itself.
                    attributes[name].clear()
                    attributes[name].update(value)
                else:
                    attributes[name] = value
        for container, content in self.contents.values():
            container.clear()
            container.extend(content) if type(container) is list else container.update(content)
        bump_revision()

    def escaped(self) -> tuple[list[Any], list[Any]]:
        """As ``Scope.escaped``; also what was there before and is an attribute only now.

        What is written comes as it is donated: JAX pairs arrays of one shape in turn, and a pair
        that is not the same state would have to be copied.
        """
        ranks = {id(t): i for i, t in enumerate(self.lifted)}
        order = sorted(self.written, key=lambda key: ranks.get(key, len(ranks)))
        self.written = dict.fromkeys(order)
        tensors, values = super().escaped()
        seen = {id(t) for t in tensors}
        for _, place, before in self.attribute_dicts():
            for name, value in place.items():
                if is_tensor(value) and value is not before.get(name) and id(value) not in seen:
                    seen.add(id(value))
                    tensors.append(value)
                    values.append(value._read())
        return tensors, values

    def attribute_dicts(self) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
        """Yield the dicts in which Cells keep Tensors: id of the Cell, dict, what it was before."""
        for key, cell in self.cells.items():
            before = self.before[key]
            yield key, vars(cell), before
            if "_buffers" in vars(cell):
                yield key, vars(cell)["_buffers"], before.get("_buffers", {})

    def abandon(self) -> None:
        """Leave no tracer behind after an exception, and give the Cells back their attributes."""
        for ref in self.made:
            tensor = ref()
            value = None if tensor is None else tensor._data
            if tensor is not None and is_tracer(value) and trace_of(value) is self.trace:
                tensor._data = never_computed(value)
        super().abandon()
        self.undo()

    def write(self, tensor: Any, value: Any) -> None:
        """Record an assignment; the state it replaces becomes state of the compiled program."""
        if id(tensor) not in self.values and not self._made_here(tensor):
            self.lookup(tensor)
        if id(tensor) in self.values:
            # Tensors are not held: what the call makes must not seem to outlive it.
            ref = weakref.ref(tensor) if is_tensor(tensor) else lambda: tensor
            self.history.append((ref, self.values[id(tensor)][1]))
        super().write(tensor, value)

    def _made_here(self, tensor: Any) -> bool:
        # Made in a scope inside this one, a Tensor with a traced value is not in ``made``.
        raw = tensor._data
        if is_tracer(raw) and (self.parent is None or made_under(raw, self.trace)):
            return True
        scope = context.scope
        while scope is not None:
            # A constant that is made in a scope inside this one is none of the state either.
            known, counted = self._counted.get(id(scope), (None, 0))
            for ref in scope.made[counted if known is scope else 0 :]:
                made = ref()
                if made is not None:
                    self._born[id(made)] = ref
            self._counted[id(scope)] = scope, len(scope.made)
            scope = None if scope is self else scope.parent
        born = self._born.get(id(tensor))
        return born is not None and born() is tensor


def value_needed(text: str, purpose: str = "") -> ValueNeededError:
    """Return the error for a value that Python cannot have; the running trace is to fail.

    The program may catch it (``try: x = float(loss)``, ``except Exception: x = 0``), and what it
    does then must not be recorded.
    """
    error = ValueNeededError(text)
    error.purpose = purpose
    if context.lift is not None and context.lift.needed is None:
        context.lift.needed = error
    return error


def handled(error: BaseException) -> None:
    """Continue the running trace after an error of ``value_needed``: another path was found."""
    if context.lift is not None and context.lift.needed is error:
        context.lift.needed = None


class Uncompilable(ValueNeededError):
    """The call does something that no recorded program can stand for.

    Attributes:
        stack: Where a Tensor was asked for its truth, if that is at fault; see ``LiftScope``.
    """

    stack: list[tuple[str, int]] | None = None


class TooLong(Uncompilable):
    """Tracing would take longer than many calls as plain Python."""
