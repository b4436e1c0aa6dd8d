"""``execute``: running a recorded program on the state as it stands, and taking over what it gives.

Every step of a compiled training loop passes through here: nothing is done for each Parameter
that can be done once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import jax

from msgrad._core.bridge import map_tensors, wrap
from msgrad._core.context import bump_revision, context
from msgrad._core.donation import come_home, copy_shared, giving_away
from msgrad._core.engine import needs_arguments_later
from msgrad.autograd._layout import Layout, arrays_in
from msgrad.autograd._number import Number, to_python
from msgrad.autograd._program import Program, distinct


def execute(program: Program, tensors: list[Any], survivors: list[Any] | None = None) -> Any:
    """Run a program.

    Args:
        program: It.
        tensors: The Tensors among the arguments.
        survivors: In the call that recorded it, what ``record`` gave.

    Returns:
        What the function returns. If the program fails, no state has changed; unless memory gives
        out while it runs, since XLA has been given the state by then.
    """
    inputs = distinct(tensors)
    return execute_on(program, inputs, [t._read() for t in inputs], survivors)


def execute_on(
    program: Program, inputs: Sequence[Any], raws: list[Any], survivors: list[Any] | None = None
) -> Any:
    """As ``execute``, of Tensors that are distinct, with their arrays."""
    for check, times in program.checks:
        check(times)
    nested = context.scope is not None
    layout = program.layout
    if layout is None:
        layout = program.layout = Layout(program)
        layout.follow(program, inputs, survivors is not None)
    elif layout.moves:
        layout.follow(program, inputs, survivors is not None)
    keeps = nested or program.waits or not program.donated or needs_arguments_later()
    came: list[list[Any]] = []
    output: Any = None
    # Another thread must not read what this one is giving away. A callback may wait for one.
    free = program.waits or not program.donated
    with nullcontext() if free else giving_away:
        home = layout.home
        if home is not None and (keeps or home.left):
            home.leave()
            home = layout.home = None
        if home is not None:
            given = home.arrays
            read = arrays_in(layout.read)
            call = program.call
        else:
            if nested or layout.slow:
                state = program.lifted
                given = [state[i]._read() for i in program.donated]
                read = [state[i]._read() for i in program.kept]
            else:
                given = arrays_in(layout.given)
                read = arrays_in(layout.read)
            if keeps:
                call = _awaited(program.call_inside) if program.waits else program.call_inside
            else:
                call = program.call
                copy_shared(given)
        try:
            # One call for the interpreter: an interrupt that arrives meanwhile is raised after it,
            # when the results that stand for the donated state are in the list.
            came.extend(map(call, (given,), (read,), (raws,)))
        finally:
            if came:
                try:
                    output = _take_over(program, layout, inputs, came[0], survivors, nested)
                except KeyboardInterrupt:
                    # All of it or nothing: the donated state is gone.
                    _take_over(program, layout, inputs, came[0], survivors, nested)
                    raise
                if home is None and not keeps:
                    layout.keep(program, came[0], [*read, *raws])
            elif survivors is not None:
                program.undo()
    return output


def _awaited(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: jax.block_until_ready(call(*args))


def _output(raw: Any, same: Any, inputs: Sequence[Any]) -> Any:
    if same is None:
        return wrap(raw)
    if isinstance(same, type):
        return to_python(raw, same)
    found = inputs[same] if isinstance(same, int) else same
    return found.given if type(found) is Number else found


def _take_over(
    program: Program,
    layout: Layout,
    inputs: Sequence[Any],
    results: list[Any],
    survivors: list[Any] | None,
    nested: bool,
) -> Any:
    """Write the results to where they belong; gives the output."""
    survived = results
    if layout.single:
        output = wrap(results[-1])
    else:
        rest = iter(results[len(results) - layout.outputs :])
        returned = program.returned
        if returned is None:
            output = map_tensors(lambda _: wrap(next(rest)), program.output)
        else:
            same = iter(returned)
            output = map_tensors(lambda _: _output(next(rest), next(same), inputs), program.output)
    if nested:
        for tensor, raw in zip(layout.tensors(program, inputs), survived, strict=False):
            tensor._version += 1
            tensor._store(raw)
    elif layout.home is not None and not layout.home.left:
        layout.home.arrays = survived[: len(layout.targets)]
        layout.home.writes += 1
    else:
        with giving_away:
            for place in layout.targets if program.waits else layout.unread:
                come_home(place)
            for place, raw in zip(layout.targets, survived, strict=False):
                place["_data"] = raw
                if "_version" in place:
                    place["_version"] += 1
    slots = program.slots
    if survivors is not None:
        for tensor, raw in zip(survivors, survived[len(program.written) :], strict=False):
            tensor._data = raw
    else:
        for place, name, value in program.assigned:
            place[name] = value
    for index, place, name in slots["write"]:
        place[name] = wrap(survived[index])
    if program.assigned or slots["new"]:
        bump_revision()
    return output
