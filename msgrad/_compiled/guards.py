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
            self._add(_has_tensor, place, name, True, place)
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
        # What is looked at in each call: nothing tells when it changes.
        self._always: list[_Guard] = []
        # What the trace itself has changed is done by the first call only.
        for container, was in [each for each in scope.inside.values() if _holds(*each)]:
            if isinstance(container, Watched):
                self._add(lambda c, _: tuple(entries(c)), container, "entries", was, container)
            elif not isinstance(container, tuple):
                name = f"{type(container).__name__} of {len(was)} entries"
                self._always.append((lambda c, _, was=was: _holds(c, was), container, name, True))
        always = self._always.append
        # Places that held one Tensor, and may come to hold two.
        first: dict[int, Any] = {}
        twins = [(first[s[0]], s) for s in slots["read"] if first.setdefault(s[0], s) is not s]
        for (_, one, name), (_, place, other) in twins:
            always((lambda at, n, p=place, m=other: at.get(n) is p.get(m), one, name, True))
        # Places where the next call finds a Tensor, and this one did not.
        for _, place, name in slots["new"]:
            always((_has_tensor, place, name, False))
        # Tensors whose numbers the program holds, where they were found, and elsewhere.
        names: dict[int, str] = {}
        for place, name, tensor in scope.reads.values():
            if id(tensor) in scope.baked:
                names[id(tensor)] = name
                always((lambda at, n, t=tensor: found_at(at, n) is t, place, name, True))
        for tensor, array in scope.baked.values():
            always((lambda t, _: t._data, tensor, names.get(id(tensor), "Tensor"), array))

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
        if self.revision == _context.revision and not self._always:
            return True
        guards, revision = self._always, self.revision
        if revision != _context.revision:
            revision, places = _context.changes_since(revision)
            changed = self._guards
            if places is not None:
                changed = [guard for place in places for guard in self._by_place.get(place, ())]
            guards = [*guards, *changed]
        for read, place, name, was in guards:
            now = read(place, name)
            if now is not was and not _alike(now, was):
                self.failed = name
                return False
        self.revision = revision
        return True


def _form(tensor: Any, _: str) -> tuple[Any, ...]:
    return tensor.shape, tensor.dtype, getattr(tensor, "requires_grad", None)


def _has_tensor(place: dict[str, Any], name: str) -> bool:
    return is_tensor(place.get(name))


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
