"""Tracing a mutable program once: which state it reads and writes is found on the way.

While a program is traced for compilation, a ``LiftScope`` is the outermost scope. The first read of
a Tensor that existed before emits one equation ("state number i") instead of the Tensor's value, so
that nothing is baked in as a constant; afterwards ``as_function`` gives the recorded program with
the state as arguments. One trace serves for discovery and for compilation, so Python runs once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.core import ShapedArray
from jax.extend import core as jex

from msgrad._core.context import context
from msgrad._core.engine import is_tracer
from msgrad._core.errors import EngineError
from msgrad._core.scope import Scope

_state = jex.Primitive("msgrad_state")
_state.def_abstract_eval(lambda *, shape, dtype, index: ShapedArray(shape, dtype))


class LiftScope(Scope):
    """The scope of a trace for compilation.

    Attributes:
        lifted: The Tensors read or written that existed before, in the order of their first use.
        cells: Cells that were called, each with what a compiled program bakes in of it.
        replaced: ``(cell, attribute)`` -> the Tensor that stood there before it was assigned.
    """

    __slots__ = ("_born", "cells", "lifted", "replaced")

    def __init__(self) -> None:
        super().__init__()
        self.lifted: list[Any] = []
        self.cells: dict[int, Any] = {}
        self.replaced: dict[tuple[int, str], tuple[Any, Any]] = {}
        self._born: set[int] = set()

    def __enter__(self) -> LiftScope:
        super().__enter__()
        context.lift = self
        context.forward = None
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        context.lift = None
        # It holds values of this trace, which must not outlive it.
        context.forward = None
        super().__exit__(kind, *rest)

    def lookup(self, tensor: Any) -> Any:
        """Give the traced value of ``tensor``, lifting it at its first read."""
        entry = self.values.get(id(tensor))
        if entry is not None:
            return entry[1]
        if self._made_here(tensor):
            return None
        raw = tensor._data if self.parent is None else self._outer(tensor)
        value = _state.bind(shape=raw.shape, dtype=raw.dtype, index=len(self.lifted))
        self.lifted.append(tensor)
        self.values[id(tensor)] = (tensor, value)
        return value

    def _outer(self, tensor: Any) -> Any:
        assert self.parent is not None
        found = self.parent.lookup(tensor)
        return tensor._data if found is None else found

    def assigned(self, cell: Any, name: str) -> None:
        """Note that a Cell's attribute is about to be given a Tensor."""
        self.cells[id(cell)] = cell
        self.replaced.setdefault((id(cell), name), (cell, vars(cell).get(name)))

    def write(self, tensor: Any, value: Any) -> None:
        """Record an assignment; the state it replaces becomes state of the compiled program."""
        if id(tensor) not in self.values and not self._made_here(tensor):
            self.lookup(tensor)
        super().write(tensor, value)

    def _made_here(self, tensor: Any) -> bool:
        # Made in a scope inside this one, a Tensor with a traced value is not in ``made``.
        if self.parent is None and is_tracer(tensor._data):
            return True
        if len(self._born) != len(self.made):
            self._born = {id(t) for ref in self.made if (t := ref()) is not None}
        return id(tensor) in self._born


def state_inside_control_flow(jaxpr: Any) -> bool:
    """Tell whether state is first read inside the body of another equation."""
    return any(_reads(sub) for eqn in jaxpr.eqns for sub in _bodies(eqn))


def _reads(jaxpr: Any) -> bool:
    return any(
        eqn.primitive is _state or any(_reads(sub) for sub in _bodies(eqn)) for eqn in jaxpr.eqns
    )


def _bodies(eqn: Any) -> list[Any]:
    bodies = []
    for value in eqn.params.values():
        for item in value if isinstance(value, (tuple, list)) else (value,):
            inner = getattr(item, "jaxpr", item)
            if hasattr(inner, "eqns"):
                bodies.append(inner)
    return bodies


def as_function(closed: Any) -> Any:
    """Give a recorded program as a function ``(*state, *inputs) -> list of outputs``.

    Args:
        closed: What ``jax.make_jaxpr`` gave inside a ``LiftScope``; the equations that read state
            become its first arguments, in the order of ``LiftScope.lifted``.

    Raises:
        StaleProgram: By the function, if arguments have other shapes or dtypes than recorded.
    """
    jaxpr = closed.jaxpr
    reads = sorted(
        (eqn for eqn in jaxpr.eqns if eqn.primitive is _state), key=lambda e: e.params["index"]
    )
    state = [eqn.outvars[0] for eqn in reads]
    rest = [eqn for eqn in jaxpr.eqns if eqn.primitive is not _state]
    pure = jaxpr.replace(invars=[*state, *jaxpr.invars], eqns=rest)
    run = jex.jaxpr_as_fun(jex.ClosedJaxpr(pure, closed.consts))
    avals = [var.aval for var in pure.invars]

    def checked(*values: Any) -> list[Any]:
        for aval, value in zip(avals, values, strict=True):
            if aval.shape != np.shape(value) or aval.dtype != value.dtype:
                raise StaleProgram(
                    f"a value of shape {aval.shape}, dtype {aval.dtype} was recorded, but it is "
                    f"now {np.shape(value)}, {value.dtype}."
                )
        return run(*values)

    return checked


class StaleProgram(EngineError):
    """A recorded program no longer fits the state; it must be recorded again."""
