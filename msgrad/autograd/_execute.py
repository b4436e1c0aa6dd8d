"""``execute``: running a recorded program on the state as it stands, and taking over what it gives.

Every step of a compiled training loop passes through here: nothing is done for each Parameter
that can be done once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from sys import getrefcount
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, wrap
from msgrad._core.context import bump_revision, context
from msgrad._core.engine import debugs_nans, in_transform, place_of
from msgrad.autograd._program import Program, distinct

# References to an array that only its Tensor holds, where they are counted: the Tensor's, the
# list's and the argument's.
_SOLE = 3
_giving_away = threading.RLock()


class _Layout:
    """Where the state of a program stands: the instance dicts of its Tensors.

    Attributes:
        given, read: Of the state that is donated, and of that which is only read.
        targets: Of what the program writes.
        moves: Whether these are other ones in every call.
        slow: Whether some state is more than what stands in the dict.
        outputs: How many Tensors the output has.
        single: Whether the output is one Tensor.
    """

    def __init__(self, program: Program) -> None:
        self._places = [place_of(t) for t in program.lifted]
        self.slow = program.has_views or any("_data" not in place for place in self._places)
        self.outputs = len(list(tensors_in(program.output)))
        self.single = is_tensor(program.output) and program.returned is None
        numbers = {id(t): i for i, t in enumerate(program.lifted)}
        # A Tensor that the trace itself made and wrote has no number.
        self._written = [
            None if isinstance(t, int) else numbers.get(id(t)) for t in program.written
        ]
        self.moves = bool(program.slots["read"]) or any(isinstance(t, int) for t in program.written)
        self.given: list[dict[str, Any]] = []
        self.read: list[dict[str, Any]] = []
        self.targets: list[dict[str, Any]] = []

    def follow(self, program: Program, inputs: list[Any], recorded_now: bool) -> None:
        """Find the state, where attributes of Cells and inputs are written: anew in each call."""
        places = self._places
        # After the trace itself the new Tensors stand there already, still without a value.
        for index, place, name in () if recorded_now else program.slots["read"]:
            program.lifted[index] = tensor = place[name]
            places[index] = place_of(tensor)
        self.given = [places[i] for i in program.donated]
        self.read = [places[i] for i in program.kept]
        self.targets = [place_of(t) for t in self.tensors(program, inputs)]

    def tensors(self, program: Program, inputs: list[Any]) -> list[Any]:
        """Give the Tensors that the program writes."""
        return [
            inputs[t] if isinstance(t, int) else t if i is None else program.lifted[i]
            for t, i in zip(program.written, self._written, strict=True)
        ]


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
    return execute_on(program, distinct(tensors), survivors)


def execute_on(program: Program, inputs: list[Any], survivors: list[Any] | None = None) -> Any:
    """As ``execute``, of Tensors that are distinct."""
    for check, times in program.checks:
        check(times)
    nested = context.scope is not None
    keeps = nested or program.waits or in_transform() or debugs_nans()
    if keeps or not program.donated:
        return _run(program, inputs, survivors, nested, program.call_inside)
    # Another thread must not read what this one is giving away.
    with _giving_away:
        return _run(program, inputs, survivors, nested, program.call)


def _run(
    program: Program,
    inputs: list[Any],
    survivors: list[Any] | None,
    nested: bool,
    call: Callable[..., Any],
) -> Any:
    layout = program.layout
    if layout is None:
        layout = program.layout = _Layout(program)
        layout.follow(program, inputs, survivors is not None)
    elif layout.moves:
        layout.follow(program, inputs, survivors is not None)
    if nested or layout.slow:
        state = program.lifted
        given = [state[i]._read() for i in program.donated]
        read = [state[i]._read() for i in program.kept]
    else:
        given = [place["_data"] for place in layout.given]
        read = [place["_data"] for place in layout.read]
    raws = [t._read() for t in inputs]
    if call is not program.call_inside and max(map(getrefcount, given)) > _SOLE:
        for i in range(len(given)):
            if getrefcount(given[i]) > _SOLE:
                given[i] = jnp.copy(given[i])
    came: list[list[Any]] = []
    output: Any = None
    try:
        if program.waits:
            call = _awaited(call)
        # One call for the interpreter: an interrupt that arrives meanwhile is raised after it, when
        # the results that stand for the donated state are in the list.
        came.extend(map(call, (given,), (read,), (raws,)))
    finally:
        if came:
            try:
                output = _take_over(program, layout, inputs, came[0], survivors, nested)
            except KeyboardInterrupt:
                # All of it or nothing: the donated state is gone.
                _take_over(program, layout, inputs, came[0], survivors, nested)
                raise
        elif survivors is not None:
            program.undo()
    return output


def _awaited(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: jax.block_until_ready(call(*args))


def _output(raw: Any, same: Any, inputs: list[Any]) -> Any:
    if same is None:
        return wrap(raw)
    return inputs[same] if isinstance(same, int) else same


def _take_over(
    program: Program,
    layout: _Layout,
    inputs: list[Any],
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
    else:
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
