"""How a compiled program is spread over the devices of a process: its inputs, and its state.

What is cut inside of it, operators say by their strategies; the mesh is in
``_core/distributed/devices.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
from jax.extend import core as jex
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from msgrad._core.distributed.devices import (
    Cuts,
    along_first,
    mesh,
    parallel_settings,
    several,
    spreads,
)
from msgrad._core.engine import bodies
from msgrad._core.scopes.lifted import is_state, uses


def cut_inputs(raws: Sequence[Any]) -> list[Any]:
    """Return the traced inputs of a program, each cut as ``dataset_strategy`` says."""
    given = parallel_settings.get("dataset_strategy")
    grid = mesh()
    if isinstance(given, tuple):
        cuts = Cuts("dataset_strategy", grid)
        wanted = [cuts.sharding(s, raw.shape) for s, raw in zip(given, raws, strict=False)]
    elif given == "full_batch" or parallel_settings.get("full_batch"):
        wanted = []
    else:
        wanted = [along_first(grid, raw.shape) for raw in raws]
    wanted += [None] * (len(raws) - len(wanted))
    constrain = jax.lax.with_sharding_constraint
    return [constrain(raw, s) if s else raw for raw, s in zip(raws, wanted, strict=True)]


def layouts_in(closed: Any) -> dict[int, Any] | None:
    """Return how a traced program cuts its state, by number; None where it is not spread.

    What counts is the first strategy of an operator that takes it, or takes it in another dtype.
    """
    if not several():
        return None
    if not (spreads() or uses(closed.jaxpr, "sharding_constraint")):
        return None
    found: dict[int, Any] = {}
    _follow(closed.jaxpr, {}, found)
    return found


def _follow(jaxpr: Any, state: dict[Any, int | None], found: dict[int, Any]) -> None:
    """Follow the values that are state, by number, into constraints and through casts."""

    def numbers(values: Any) -> list[int | None]:
        return [state.get(v) if isinstance(v, jex.Var) else None for v in values]

    for eqn in jaxpr.eqns:
        if is_state(eqn):
            state[eqn.outvars[0]] = eqn.params["index"]
            continue
        taken = numbers(eqn.invars)
        number, inside = next(iter(taken), None), bodies(eqn)
        if taken == [None] * len(taken):
            continue
        if eqn.primitive.name == "sharding_constraint" and number is not None:
            found.setdefault(number, eqn.params["sharding"])
        elif eqn.primitive.name == "convert_element_type":
            state[eqn.outvars[0]] = number
        elif len(inside) == 1 and _shapes(inside[0].invars) == _shapes(eqn.invars):
            state.update(zip(inside[0].invars, taken, strict=True))
            _follow(inside[0], state, found)
            state.update(zip(eqn.outvars, numbers(inside[0].outvars), strict=False))


def _shapes(values: Any) -> list[Any]:
    return [v.aval.shape for v in values]


def state_shardings(tensors: Sequence[Any], layouts: dict[int, Any]) -> list[NamedSharding]:
    """Return where the state of a program is to stand.

    Args:
        tensors: The state: Parameters, and other Tensors.
        layouts: What its own strategies say, by number.

    By ``parameter_plan``, else where it stands spread already, else by ``layouts``. What an
    optimizer keeps of a Parameter, with its shape and a name that ends in its name, stands as that
    does; under ``enable_parallel_optimizer`` it is cut along its first dimension over all devices
    that are left. Everything else is whole on each.
    """
    grid = mesh()
    whole = NamedSharding(grid, PartitionSpec())
    own = [_own_sharding(t, grid) or layouts.get(i) for i, t in enumerate(tensors)]
    named = {getattr(t, "name", None): i for i, t in enumerate(tensors)}
    cuts_state = parallel_settings.get("enable_parallel_optimizer")
    for i, tensor in enumerate(tensors):
        weight = _kept_of(tensor, tensors, named) if own[i] is None else None
        if weight is not None:
            own[i] = own[weight]
            if cuts_state and tensors[weight].parallel_optimizer:
                own[i] = along_first(grid, tensor.shape, own[weight])
    return [sharding or whole for sharding in own]


def _own_sharding(tensor: Any, grid: Mesh) -> NamedSharding | None:
    planned = vars(tensor).get("_strategy")
    if planned is not None:
        return Cuts(f"parameter_plan of '{tensor.name}'", grid, last=True).sharding(
            planned, tensor.shape
        )
    stands = getattr(vars(tensor).get("_data"), "sharding", None)
    if not isinstance(stands, NamedSharding) or stands.mesh != grid:
        return None
    return None if stands.is_fully_replicated else stands


def _kept_of(tensor: Any, tensors: Sequence[Any], named: dict[Any, int]) -> int | None:
    """Return the number of the Parameter of which an optimizer keeps this, if it does."""
    name = getattr(tensor, "name", None) or ""
    while "." in name:
        name = name.partition(".")[2]
        if name in named and tensors[named[name]].shape == tensor.shape:
            return named[name]
    return None
