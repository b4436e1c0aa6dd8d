"""``Layout``: where the state of a program stands, and when it stays with the program."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from msgrad._core.bridge import is_tensor, tensors_in
from msgrad._core.donation import Residence, come_home, giving_away
from msgrad._core.engine import place_of
from msgrad.autograd._program import Program
from msgrad.common.tensor import Tensor

# Calls after which state stays with the program, at first: twice as many after each time that
# somebody looked at it.
_CALM = 4
_CALMEST = 4096
_array_in = itemgetter("_data")


class Layout:
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
        self._end: Any = None

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
        tensors = [program.lifted[i] for i in program.donated]
        # An array that stands for something else too must be looked at before it is given away.
        seen = [*map(id, results), *map(id, others)]
        if (
            not (self.slow or self.moves)
            and [*map(id, self.targets)] == [*map(id, self.given)]
            and len(set(seen)) == len(seen)
            and all(index >= count for index, _, _ in program.slots["write"])
            and all(_finds_what_is_missing(type(t)) for t in tensors)
        ):
            self.home = Residence(tensors, results[:count])
            # One of the Tensors that lives on would keep the arrays of all others.
            if self._end is not None:
                self._end.detach()
            self._end = weakref.finalize(self, self.home.leave)
            self._end.atexit = False


def _finds_what_is_missing(kind: type[Any]) -> bool:
    """Tell whether reading ``_data`` where it is missing ends in msgrad's own method."""
    return kind.__getattr__ is Tensor.__getattr__ and (
        kind.__getattribute__ is Tensor.__getattribute__
    )


def arrays_in(places: list[dict[str, Any]]) -> list[Any]:
    """Give the arrays that stand in the instance dicts of Tensors."""
    try:
        return [*map(_array_in, places)]
    except KeyError:
        with giving_away:
            for place in places:
                come_home(place)
            return [*map(_array_in, places)]
