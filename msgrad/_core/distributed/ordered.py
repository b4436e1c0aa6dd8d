"""The collectives of a recorded program: whether there are any, and their order.

Ranks may have programs that differ: one looks at a result that another ignores, one sends where the
other receives. XLA drops what one rank does not need, and orders what is independent as suits that
program; then the ranks wait for each other, or take one sum for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core as jex

from msgrad._core.distributed.world import AXIS, world
from msgrad._core.engine import bodies

# A number that no rank has: what is selected by it never is, and XLA does not know.
NO_RANK = 1 << 30
# Whose bodies are part of the program around them, for XLA too.
_INLINED = {"jit", "closed_call", "custom_jvp_call", "custom_vjp_call"}


def uses_ranks(jaxpr: Any) -> bool:
    """Whether a collective of several ranks is in a recorded program, at any depth."""
    return world.size > 1 and any(map(_is_collective, jaxpr.eqns))


def _is_collective(eqn: Any) -> bool:
    names = (eqn.params.get("axes"), eqn.params.get("axis_name"))
    return any(name == AXIS or (isinstance(name, tuple) and AXIS in name) for name in names) or any(
        map(uses_ranks, bodies(eqn))
    )


def in_order(jaxpr: Any, consts: Sequence[Any], given: Sequence[Any], last: Any) -> Any:
    """Evaluate a program, with each collective needing the one before it.

    Args:
        jaxpr, consts: The program.
        given: Its arguments.
        last: One element of what the collective before it has given; None where there is none.

    Returns:
        The results, and ``last`` after it.
    """
    values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *given], strict=True))

    def read(atom: Any) -> Any:
        return atom.val if isinstance(atom, jex.Literal) else values[atom]

    for eqn in jaxpr.eqns:
        operands = [*map(read, eqn.invars)]
        if not operands or not _is_collective(eqn):
            found = _bound(eqn, operands)
        elif eqn.primitive.name in _INLINED:
            body = eqn.params.get("jaxpr") or eqn.params["call_jaxpr"]
            found, last = in_order(body.jaxpr, body.consts, operands, last)
        else:
            if last is not None:
                sizes = [jnp.size(operand) for operand in operands]
                first = sizes.index(max(sizes))
                operands[first] = _needing(operands[first], last)
            found = _bound(eqn, operands)
            last = next((_element(made) for made in found if made.size), last)
        values.update(zip(eqn.outvars, found, strict=True))
    return [*map(read, jaxpr.outvars)], last


def _element(x: Any) -> Any:
    """Return one element of what a collective gave, found by the number of the rank.

    Where a program needs a known element only, XLA has the collective be of that element alone.
    """
    place = (jax.lax.axis_index(AXIS) == NO_RANK).astype(jnp.int32)
    return jax.lax.dynamic_index_in_dim(x.reshape(-1), place, keepdims=False)


def _bound(eqn: Any, operands: list[Any]) -> list[Any]:
    with eqn.ctx.manager:
        found = eqn.primitive.bind(*operands, **eqn.primitive.get_bind_params(eqn.params))
    return found if eqn.primitive.multiple_results else [found]


def _needing(x: Any, other: Any) -> Any:
    """Return ``x`` in a form that needs an array of one element, in which it is never chosen."""
    never = jax.lax.axis_index(AXIS) == NO_RANK
    return jnp.where(never, (other.real if other.dtype.kind == "c" else other).astype(x.dtype), x)
