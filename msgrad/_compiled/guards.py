"""``Guards``: what a trace has read of Cells and Parameters, and whether it still stands there.

A compiled call compares one number, the revision. Only when it has moved are those reads repeated
whose places were changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

from msgrad._core import context as _context
from msgrad._core.bridge import is_tensor
from msgrad._core.engine.flax import changes_of
from msgrad._core.scopes.discovery import (
    BOOKKEEPING,
    HOOKS,
    REGISTRIES,
    LiftScope,
    Snapshot,
    entries,
    found_at,
)
from msgrad._core.watched import Watched
from msgrad.common.parameter import Parameter

_PLAIN = (int, float, bool, str, bytes, complex, type(None))
# How to read, where, under which name, and what was read.
_Guard = tuple[Callable[[Any, Any], Any], Any, Any, Any]


class Guards:
    """What the trace of one program has read.

    Args:
        scope: The scope of the trace, which has ended.
        slots: The attributes of Cells that hold state, see ``CompiledProgram``.

    Attributes:
        failed: What was found changed, in words.
        revision: The one for which all was found unchanged.
    """

    def __init__(self, scope: LiftScope, slots: dict[str, list[tuple[int, Any, str]]]) -> None:
        self.failed = ""
        # Never one that was: the trace may have changed what it read.
        self.revision = -1
        self._guards: list[_Guard] = []
        self._by_place: dict[int, list[_Guard]] = {}
        seen: list[Any] = []
        for place, name, value in scope.reads.values():
            if name in BOOKKEEPING:
                continue
            self._add(found_at, place, name, value, place, *map(place.get, REGISTRIES))
            seen += value.values() if type(value) is Snapshot else (value,)
            if name in HOOKS and isinstance(value, dict):
                self._add(lambda hooks, _: tuple(hooks), value, "hooks", tuple(value), value)
        for _, place, name in slots["read"]:
            self._add(lambda at, name: is_tensor(at.get(name)), place, name, True, place)
        for cls in {type(cell) for cell in scope.cells.values()}:
            was = changes_of(cls)
            self._add(lambda cls, _: changes_of(cls), cls, cls.__name__, was, *cls.__mro__)
        state = {id(t) for t in scope.lifted}
        for tensor in filter(is_tensor, seen):
            if id(tensor) not in state:
                # Python may have looked at its shape.
                self._add(_form, tensor, "shape", _form(tensor, ""), tensor)
        for tensor in scope.lifted:
            if isinstance(tensor, Parameter):
                name = "requires_grad"
                self._add(getattr, tensor, name, tensor.requires_grad, tensor)
            # From the dict, since state may also be a variable of Flax.
            self._add(_hooks, vars(tensor), "hooks", _hooks(vars(tensor), ""))
        # What the trace itself has changed is done by the first call only.
        inside = [each for each in scope.inside.values() if _holds(*each)]
        self._inside = [each for each in inside if not isinstance(each[0], (Watched, tuple))]
        for container, was in inside:
            if isinstance(container, Watched):
                self._add(lambda c, _: tuple(entries(c)), container, "entries", was, container)
        # Places that held one Tensor, and may come to hold two.
        first: dict[int, Any] = {}
        twins = [(first[s[0]], s) for s in slots["read"] if first.setdefault(s[0], s) is not s]
        self._twins = [(*one[1:], *other[1:]) for one, other in twins]
        # Places where the next call finds a Tensor, and this one did not.
        self._empty = [(place, name) for _, place, name in slots["new"]]
        # Tensors whose numbers the program holds, with their arrays, and where they were found.
        self._baked = scope.baked
        self._baked_at = [row for row in scope.reads.values() if id(row[2]) in scope.baked]
        self._each_call = bool(self._inside or self._twins or self._empty or self._baked)

    def _add(
        self, read: Callable[[Any, Any], Any], place: Any, name: str, value: Any, *changed: Any
    ) -> None:
        """Note what was read, and whose changes can change it."""
        guard = (read, place, name, value)
        self._guards.append(guard)
        for each in changed:
            if each is not None:
                self._by_place.setdefault(id(each), []).append(guard)

    def hold(self) -> bool:
        """Whether nothing that was read has changed."""
        if self.revision == _context.revision and not self._each_call:
            return True
        for place, name in self._empty:
            if is_tensor(place.get(name)):
                self.failed = name
                return False
        for container, was in self._inside:
            if not _holds(container, was):
                self.failed = f"{type(container).__name__} of {len(was)} entries"
                return False
        for one, name, other, name_there in self._twins:
            if one.get(name) is not other.get(name_there):
                self.failed = name
                return False
        changed = {key for key, (t, array) in self._baked.items() if t._data is not array}
        for place, name, tensor in self._baked_at:
            if id(tensor) in changed or found_at(place, name) is not tensor:
                self.failed = name
                return False
        if changed:
            self.failed = "Tensor"
            return False
        if self.revision == _context.revision:
            return True
        revision, places = _context.changes_since(self.revision)
        guards = self._guards
        if places is not None:
            guards = [guard for place in places for guard in self._by_place.get(place, ())]
        for read, place, name, was in guards:
            now = read(place, name)
            if now is not was and not _alike(now, was):
                self.failed = name
                return False
        self.revision = revision
        return True


def _form(tensor: Any, _: str) -> tuple[Any, ...]:
    return tensor.shape, tensor.dtype, getattr(tensor, "requires_grad", None)


def _hooks(place: dict[str, Any], _: str) -> tuple[Any, ...]:
    return tuple(place.get("_hooks") or ())


def _holds(container: Any, was: tuple[Any, ...]) -> bool:
    """Whether a container still has the same entries."""
    now = entries(container)
    if len(now) != len(was):
        return False
    return all(map(is_, now, was)) or all(map(_equal, now, was))


def _alike(now: Any, was: Any) -> bool:
    """Whether two values of an attribute make the same program."""
    if is_tensor(now) and is_tensor(was):
        # Which one it is is looked up in each call (``_slots``), but Parameters are state for good.
        plain = not (isinstance(now, Parameter) or isinstance(was, Parameter))
        return plain and (now.shape, now.dtype) == (was.shape, was.dtype)
    if type(now) is Snapshot is type(was):
        pairs = zip(now.values(), was.values(), strict=False)
        return [*now] == [*was] and all(a is b or _alike(a, b) for a, b in pairs)
    return _equal(now, was)


def _equal(now: Any, was: Any) -> bool:
    """Whether two values are the same for good: the same object, or equal immutable values."""
    if now is was:
        return True
    if type(now) is not type(was):
        return False
    if isinstance(now, tuple):
        return len(now) == len(was) and all(map(_equal, now, was))
    if isinstance(now, (float, complex)):
        # 0.0 and -0.0 are other programs.
        return repr(now) == repr(was)
    return isinstance(now, _PLAIN) and now == was
