"""``execute``: running a recorded program on the state as it stands, and taking over what it gives.

Every step of a compiled training loop passes through here: nothing is done for each Parameter
that can be done once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from operator import itemgetter
from sys import getrefcount
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, map_tensors, tensors_in, wrap
from msgrad._core.context import bump_revision, context
from msgrad._core.engine import needs_arguments_later, place_of
from msgrad._core.resident import Residence, come_home, giving_away
from msgrad.autograd._program import Program, distinct

# References to an array that only its Tensor holds, where they are counted: the Tensor's, the
# list's and the argument's.
_SOLE = 3
# A program keeps its state after so many calls between which nobody looked at it, at first.
_CALM = 4
_CALMEST = 4096
_array_in = itemgetter("_data")


class _Layout:
    """Where the state of a program stands: the instance dicts of its Tensors.

    Attributes:
        given, read: Of the state that is donated, and of that which is only read.
        targets, unread: Of what the program writes, and of what it has not read before.
        moves: Whether these are other ones in every call.
        slow: Whether some state is more than what stands in the dict.
        outputs: How many Tensors the output has.
        single: Whether the output is one Tensor.
        home: The state, where it stays with the program.
    """

    def __init__(self, program: Program) -> None:
        for tensor in program.lifted:
            come_home(vars(tensor))
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
        self.unread: list[dict[str, Any]] = []
        self.home: Residence | None = None
        self._calm, self._patience = 0, _CALM

    def follow(self, program: Program, inputs: Sequence[Any], recorded_now: bool) -> None:
        """Find the state, where attributes of Cells and inputs are written: anew in each call."""
        places = self._places
        # After the trace itself the new Tensors stand there already, still without a value.
        for index, place, name in () if recorded_now else program.slots["read"]:
            program.lifted[index] = tensor = place[name]
            places[index] = place_of(tensor)
        self.given = [places[i] for i in program.donated]
        self.read = [places[i] for i in program.kept]
        self.targets = [place_of(t) for t in self.tensors(program, inputs)]
        read = {*map(id, self.given)}
        self.unread = [place for place in self.targets if id(place) not in read]

    def tensors(self, program: Program, inputs: Sequence[Any]) -> list[Any]:
        """Give the Tensors that the program writes."""
        return [
            inputs[t] if isinstance(t, int) else t if i is None else program.lifted[i]
            for t, i in zip(program.written, self._written, strict=True)
        ]

    def keep(self, program: Program, results: list[Any], others: list[Any]) -> None:
        """Let the state stay with the program, where it was let be for long enough.

        Args:
            program: It.
            results: What it has just given; nobody else has seen them, but for its output.
            others: What it was given besides the state.
        """
        self._calm += 1
        if self._calm < self._patience:
            return
        self._calm, self._patience = 0, min(2 * self._patience, _CALMEST)
        count = len(self.targets)
        # An array that stands for something else too must be looked at before it is given away.
        seen = [*map(id, results), *map(id, others)]
        if (
            not (self.slow or self.moves)
            and [*map(id, self.targets)] == [*map(id, self.given)]
            and len(set(seen)) == len(seen)
            and all(index >= count for index, _, _ in program.slots["write"])
        ):
            tensors = [program.lifted[i] for i in program.donated]
            self.home = Residence(tensors, results[:count])


def _arrays(places: list[dict[str, Any]]) -> list[Any]:
    try:
        return [*map(_array_in, places)]
    except KeyError:
        for place in places:
            come_home(place)
        return [*map(_array_in, places)]


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
        layout = program.layout = _Layout(program)
        layout.follow(program, inputs, survivors is not None)
    elif layout.moves:
        layout.follow(program, inputs, survivors is not None)
    keeps = nested or program.waits or not program.donated or needs_arguments_later()
    came: list[list[Any]] = []
    output: Any = None
    # Another thread must not read what this one is giving away.
    with nullcontext() if keeps else giving_away:
        home = layout.home
        if home is not None and (keeps or home.left):
            home.leave()
            home = layout.home = None
        if home is not None:
            given = home.arrays
            read = _arrays(layout.read)
            call = program.call
        else:
            if nested or layout.slow:
                state = program.lifted
                given = [state[i]._read() for i in program.donated]
                read = [state[i]._read() for i in program.kept]
            else:
                given = _arrays(layout.given)
                read = _arrays(layout.read)
            if keeps:
                call = _awaited(program.call_inside) if program.waits else program.call_inside
            else:
                call = program.call
                if max(map(getrefcount, given)) > _SOLE:
                    for i in range(len(given)):
                        if getrefcount(given[i]) > _SOLE:
                            given[i] = jnp.copy(given[i])
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
    return inputs[same] if isinstance(same, int) else same


def _take_over(
    program: Program,
    layout: _Layout,
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
        for place in layout.unread:
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
