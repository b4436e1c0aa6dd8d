"""Scopes: which values substitute variables while a function runs under a JAX transform.

A scope maps Tensors (Parameters, inputs) to the traced values that substitute them, notes what is
written and what is made, and commits both when the forward pass ends. The objects themselves
are not touched meanwhile, so another thread, or an exception, finds everything as it was.
The model is Keras's stateless scope (``keras/src/backend/common/stateless_scope.py``).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from msgrad._core.context import context
from msgrad._core.deferred.recording import Pending, Recorder, materialize, materialize_numbers
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.engine.flax import place_of
from msgrad._core.ownership import outlived, write_together
from msgrad._core.protocols import ScopeLike


class Scope:
    """The overlay of one running forward pass; used as a context manager, nestable.

    Attributes:
        parent: The scope that was active when this one was entered.
        values: ``id -> (tensor, value)``; the tensor is held so that its id stays its own.
        written: ids in ``values`` that were assigned and are to be committed, in this order.
        made: weak references to every Tensor made meanwhile.
        float_gradients: ids of integer Tensors whose gradient MindSpore leaves in float32.
        carriers: ``id -> (tensor, carrier)`` of integer Tensors with a gradient, see
            ``integer_gradients``.
        forward: Whether the derivative is taken along a direction, so that nothing is pulled back.
        recorder: Where operator calls are recorded instead of run (see ``deferred``), or None.
    """

    __slots__ = (
        "carriers",
        "float_gradients",
        "forward",
        "made",
        "parent",
        "recorder",
        "values",
        "written",
    )

    def __init__(self) -> None:
        self.parent: ScopeLike | None = None
        self.values: dict[int, tuple[Any, Any]] = {}
        self.written: dict[int, None] = {}
        self.made: list[weakref.ref[Any]] = []
        self.carriers: dict[int, tuple[Any, Any]] = {}
        self.forward = False
        self.float_gradients: set[int] = set()
        self.recorder: Recorder | None = None

    def __enter__(self) -> Scope:
        self.parent = context.scope
        if self.parent is not None and self.parent.carriers:
            self.carriers.update(self.parent.carriers)
        # In one line: an interrupt between the two would leave the scope open for good.
        context.scope = self; return self  # fmt: skip  # noqa: E702

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        context.scope = self.parent
        if kind is not None:
            self.abandon()

    def substitute(self, tensor: Any, value: Any) -> None:
        """Make ``tensor`` read as ``value`` inside this scope."""
        self.values[id(tensor)] = (tensor, value)

    def lookup(self, tensor: Any) -> Any:
        """Return the value that substitutes ``tensor`` here or in a scope around, or None."""
        entry = self.values.get(id(tensor))
        if entry is not None:
            return entry[1]
        return None if self.parent is None else self.parent.lookup(tensor)

    def last_written(self, tensor: Any) -> Any:
        """Return what was written to ``tensor`` here or around, or None: no mere substitute."""
        if id(tensor) in self.written:
            return self.values[id(tensor)][1]
        return None if self.parent is None else self.parent.last_written(tensor)

    def write(self, tensor: Any, value: Any) -> None:
        """Record an assignment; it reaches the object when the call has succeeded."""
        self.values[id(tensor)] = (tensor, value)
        self.written[id(tensor)] = None

    def keep_for_made(self) -> None:
        """Count what was written to a Tensor that was made here as what it was made of."""
        for tensor in [ref() for ref in self.made] if self.written else ():
            if tensor is not None and id(tensor) in self.written:
                del self.written[id(tensor)]
                tensor._data = self.values.pop(id(tensor))[1]

    def escaped(self) -> tuple[list[Any], list[Any]]:
        """Return the Tensors that outlive the forward pass and their values, before it is left.

        Returns:
            The written Tensors followed by the made ones that are still alive and traced or
            pending, and their raw values in the same order.
        """
        tensors = [self.values[key][0] for key in self.written]
        values = [self.values[key][1] for key in self.written]
        seen = set(self.written)
        for ref in self.made:
            tensor = ref()
            if tensor is None or id(tensor) in seen:
                continue
            value = tensor._data
            if is_tracer(value) or type(value) is Pending:
                seen.add(id(tensor))
                tensors.append(tensor)
                values.append(value)
        return tensors, values

    def commit(self, tensors: list[Any], values: list[Any]) -> None:
        """Store the values of what escaped, in the scope that is active now."""
        outer = context.scope
        count = len(self.written)
        if outer is None:
            # What a Cell around has recorded, see ``ForwardRecorder``.
            values = [*map(materialize, values)]
        if outer is None and count:
            for tensor, value in zip(tensors[:count], values, strict=False):
                if is_tracer(value) and tensor._lasts:
                    self.abandon()
                    raise outlived(tensor._lasts)
            write_together([*map(place_of, tensors[:count])], values[:count])
        elif outer is not None and count:
            for tensor, value in zip(tensors[:count], values[:count], strict=True):
                tensor._commit(value)
            # What was made here has been made there, too, and keeps what was written to it.
            outer.made += [ref for ref in self.made if id(ref()) in self.written]
        for tensor, value in zip(tensors[count:], values[count:], strict=True):
            tensor._data = value
            if outer is not None and (is_tracer(value) or type(value) is Pending):
                outer.made.append(weakref.ref(tensor))
        self.made.clear()
        self.values.clear()
        self.carriers.clear()

    def abandon(self) -> None:
        """Leave no tracer behind after an exception; nothing written is committed."""
        outer = context.scope
        if self.recorder is not None:
            self.recorder.abandon()
        for key in self.written:
            tensor = self.values[key][0]
            if tensor._view is not None:
                # What it read as here is forgotten: it must look at its base again.
                tensor._view = (*tensor._view[:2], -1)
        for ref in self.made:
            tensor = ref()
            if tensor is None:
                continue
            try:
                tensor._data = concrete(materialize_numbers(tensor._data))
            except Exception:
                # Not in place of the error that is on its way; reading the Tensor raises as well.
                continue
            if outer is not None and is_tracer(tensor._data):
                outer.made.append(weakref.ref(tensor))
        self.made.clear()
        self.values.clear()
        self.carriers.clear()


def only_if(flag: Any, action: Callable[[], Any]) -> None:
    """Do ``action``, which changes state, if ``flag`` holds; it may be known later.

    In a compiled call Python cannot ask for the flag, so the action is traced in any case, and each
    value that it writes is chosen when the program runs.

    Args:
        flag: 0-d bool Tensor.
        action: Writes Parameters; its result is not used.
    """
    known = concrete(flag._read())
    if not is_tracer(known):
        if bool(known):
            action()
        return
    scope = Scope()
    with scope:
        action()
        tensors, values = scope.escaped()
    count = len(scope.written)
    chosen = [
        jnp.where(known.reshape(()), new, old._read())
        for new, old in zip(values[:count], tensors[:count], strict=True)
    ]
    scope.commit(tensors, [*chosen, *values[count:]])
