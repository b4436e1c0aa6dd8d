"""The equations that stand for state and for predicates in a recorded program.

``LiftScope`` emits them, here they are read: ``as_function`` makes a program with the state as
arguments, ``branches.py`` joins what follows predicates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.core import ShapedArray
from jax.extend import core as jex

from msgrad._core.engine import ClosedJaxpr, bodies
from msgrad._core.errors import EngineError

_state = jex.Primitive("msgrad_state")
_state.def_abstract_eval(lambda *, shape, dtype, index: ShapedArray(shape, dtype))
# Marks the place where Python asked for the truth of a value; see ``LiftScope.decide``.
_predicate = jex.Primitive("msgrad_predicate")
_predicate.def_abstract_eval(lambda value: value)


def bind_state(aval: Any, index: int) -> Any:
    """Return the traced value of state number ``index``."""
    return _state.bind(shape=aval.shape, dtype=aval.dtype, index=index)


def bind_predicate(raw: Any) -> None:
    """Mark the place where Python asked for the truth of a value."""
    _predicate.bind(raw.reshape(()).astype(bool))


def is_state(eqn: Any) -> bool:
    """Whether an equation reads state."""
    return eqn.primitive is _state


def is_predicate(eqn: Any) -> bool:
    """Whether an equation marks a predicate."""
    return eqn.primitive is _predicate


def uses(jaxpr: Any, *names: str) -> bool:
    """Whether a primitive of one of these names is in a recorded program, at any depth."""
    return any(
        eqn.primitive.name in names or any(uses(sub, *names) for sub in bodies(eqn))
        for eqn in jaxpr.eqns
    )


def state_inside_control_flow(jaxpr: Any) -> bool:
    """Whether state is first read inside the body of another equation."""
    return any(uses(sub, _state.name) for eqn in jaxpr.eqns for sub in bodies(eqn))


def has_callback(jaxpr: Any) -> bool:
    """Whether a recorded program calls back into Python while it runs."""
    return uses(jaxpr, "pure_callback", "io_callback", "debug_callback")


def as_function(closed: Any) -> Any:
    """Return a recorded program as a function ``(*state, *inputs) -> list of outputs``.

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
    run = jex.jaxpr_as_fun(ClosedJaxpr(pure, closed.consts))
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
