"""Reading, writing and giving away many Parameters at once, which a step does in every call.

Where no scope stands between, their instance dicts are read and written: going through properties
and methods costs several times as much a Parameter, and a step of Adam has three for each weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any

import jax.numpy as jnp

from msgrad._core.context import context
from msgrad._core.donation import SOLE, copy_shared, giving_away
from msgrad._core.engine import needs_arguments_later
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor


def read_all(params: Sequence[Tensor]) -> list[Any]:
    """Give the raw arrays of Parameters or other Tensors."""
    if context.scope is not None:
        return [param._read() for param in params]
    # Not from their dicts, which a Tensor that was just made does not have yet.
    return [
        param._data if param._view is None and param._init is None else param._read()
        for param in params
    ]


def write_all(params: Sequence[Parameter], raws: Sequence[Any]) -> None:
    """Give Parameters, which have been read before, new raw arrays."""
    if context.scope is not None:
        for param, raw in zip(params, raws, strict=True):
            param._write(raw)
        return
    with giving_away:
        for param, raw in zip(params, raws, strict=True):
            place = vars(param)
            if "_home" in place or place.get("_view"):
                param._write(raw)
            else:
                place["_data"] = raw
                if "_version" in place:
                    place["_version"] += 1


def give_away(params: list[Any], state: dict[str, Any]) -> bool:
    """Prepare what a step reads for a program that writes into it.

    Arrays that not only their Parameters hold are replaced by copies.

    Args:
        params: The arrays of the weights.
        state: The arrays of the optimizer's state, by name: one or a list each.

    Returns:
        Whether the program may have them: not inside a gradient or a compiled call, and not where
        a step that failed is run again to look for the place.
    """
    if context.scope is not None or needs_arguments_later():
        return False
    for arrays in (params, *state.values()):
        if isinstance(arrays, list):
            copy_shared(arrays)
    for name in state:
        if not isinstance(state[name], list) and getrefcount(state[name]) > SOLE:
            state[name] = jnp.copy(state[name])
    return True
