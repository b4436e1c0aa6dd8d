"""Reading and writing many Parameters at once, and a step that takes their arrays.

Where no scope stands between, their instance dicts are read: going through properties and methods
costs several times as much a Parameter, and a step of Adam has three for each weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.context import context
from msgrad._core.engine import graft, needs_arguments_later
from msgrad._core.ownership import Owner
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor, can_be_taken


def read_all(params: Sequence[Tensor]) -> list[Any]:
    """Return the raw arrays of Parameters or other Tensors."""
    if context.in_call:
        return [param._read() for param in params]
    # Not from their dicts, which a Tensor that was just made does not have yet.
    return [
        param._data if param._view is None and param._init is None else param._read()
        for param in params
    ]


def write_all(params: Sequence[Parameter], raws: Sequence[Any]) -> None:
    """Write new raw arrays to Parameters; what a step within a gradient gives is constant there."""
    differentiated = context.scope is not context.lift
    if context.lift is not None and not differentiated:
        # The compiled call itself may be differentiated. One equation for all is cheap to trace.
        raws = graft(list(raws), [param._peek() for param in params])
    for param, raw in zip(params, raws, strict=True):
        if differentiated:
            param._assign(raw)
        else:
            param._write(raw)


def can_take(params: Sequence[Parameter]) -> bool:
    """Whether a program may write into the arrays of Parameters that have been read before.

    Not inside a gradient or a compiled call, and not where a step that failed is run again to look
    for the place.
    """
    return (
        context.scope is None
        and not needs_arguments_later()
        and all(map(can_be_taken, {*map(type, params)}))
        and not any(param._view for param in params)
    )


def run_in_place(
    program: Callable[..., list[Any]],
    given: Sequence[Parameter],
    written: Sequence[Parameter],
    arguments: Sequence[Any],
) -> None:
    """Run a step of an optimizer, for a thread that has the lock: it happens or it does not.

    Args:
        program: Takes a list of the arrays of ``given``, which it may write into, and the
            arguments, and gives a list of those of ``written``.
        given: Parameters.
        written: The same and perhaps more.
        arguments: The other arguments.
    """
    owner = Owner([*map(vars, given)], [*map(vars, written)])
    try:
        owner.take()
        owner.run(program, *arguments)
    finally:
        owner.put_back()
