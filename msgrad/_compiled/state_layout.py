"""``Layout``: where the state of a program stands, and when it stays with the program.

Where nobody looks at the state between two steps, its arrays go from one call to the next as the
list that JAX gave: nothing is done for each weight then. Whoever looks has them put back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgrad._compiled.program import Program
from msgrad._core.bridge import is_tensor, tensors_in, wrap
from msgrad._core.context import bump_revision
from msgrad._core.engine import place_of
from msgrad._core.ownership import Owner, Place, evict, read_together

# Steps after which state stays with the program, at first: twice as many after each time.
_FIRST_BACKOFF = 4
_LONGEST_BACKOFF = 4096


class Layout(Owner):
    """Where the state of a program stands: the instance dicts of its Tensors.

    Attributes:
        read: Of the state that is only read; ``places`` is of that which is donated, ``targets``
            of what is written.
        views: The Tensors among the former that show elements of others.
        moves: Whether these are other ones in every call.
        slow: Whether what is written is more than what stands in the dict.
        pure: Whether the program changes nothing at all.
        outputs: How many Tensors the output has.
        single: Whether the output is one Tensor.
    """

    def __init__(self, program: Program) -> None:
        super().__init__([], [])
        self._all = [place_of(t) for t in program.lifted]
        evict(self._all)
        self.slow = any(program.lifted[i]._view is not None for i in program.donated) or any(
            "_data" not in place for place in self._all
        )
        self.outputs = len(list(tensors_in(program.output)))
        self.single = is_tensor(program.output) and program.returned is None
        numbers = {id(t): i for i, t in enumerate(program.lifted)}
        # A Tensor that the trace itself made and wrote has no number.
        self._written = [
            None if isinstance(t, int) else numbers.get(id(t)) for t in program.written
        ]
        slots = program.slots
        self.moves = bool(slots["read"]) or any(isinstance(t, int) for t in program.written)
        self.pure = not (program.written or slots["write"] or program.assigned)
        self.read: list[Place] = []
        self.views: list[Any] = []
        self._unobserved, self._backoff = 0, _FIRST_BACKOFF

    def follow(self, program: Program, inputs: Sequence[Any], recorded_now: bool) -> None:
        """Find the state, where attributes of Cells and inputs are written: anew in each call."""
        # After the trace itself the new Tensors stand there already, still without a value.
        for index, place, name in () if recorded_now else program.slots["read"]:
            program.lifted[index] = tensor = place[name]
            self._all[index] = place_of(tensor)
        self.places = [self._all[i] for i in program.donated]
        self.read = [self._all[i] for i in program.kept]
        self.views = [t for i in program.kept if (t := program.lifted[i])._view is not None]
        self.targets = [place_of(t) for t in self.tensors(program, inputs)]

    def refresh(self) -> None:
        """Let the Tensors that are read show what those have that they are views of."""
        for view in self.views:
            view._read()

    def tensors(self, program: Program, inputs: Sequence[Any]) -> list[Any]:
        """The Tensors that the program writes."""
        return [
            inputs[t] if isinstance(t, int) else t if i is None else program.lifted[i]
            for t, i in zip(program.written, self._written, strict=True)
        ]

    def step(self, program: Program, raws: list[Any], new: Sequence[Any] | None) -> list[Any]:
        """Run a program on its state, and put everything that it gives where it belongs.

        Args:
            program: It.
            raws: The arrays of its inputs.
            new: In the call that recorded it, the new Tensors that outlive it.

        Returns:
            Its results. If it raises, nothing has changed.
        """
        self.refresh()
        resident = bool(self.held) and not self.results
        try:
            if not resident:
                self.take()
            read = read_together(self.read)
            self.run(program.call, read, raws)
        finally:
            if self.results:
                results = self.results[0]
                stays = resident or self._may_stay(program, results, [*read, *raws])
                try:
                    self.finish(program, new, stays)
                except KeyboardInterrupt:
                    # The step has happened: all of it.
                    self.finish(program, new, stays)
                    raise
            else:
                if not resident:
                    self.put_back()
                if new is not None:
                    program.undo()
        return results

    def finish(self, program: Program, new: Sequence[Any] | None, stays: bool = False) -> None:
        """Put what waits in ``results``, and what the program sets, where it belongs."""
        if self.results:
            self.commit(*self.more(program, self.results[0], new), stays=stays)

    def more(
        self, program: Program, results: list[Any], new: Sequence[Any] | None
    ) -> list[tuple[Place, str, Any]]:
        """What a program sets besides its state: attributes of Cells, new Tensors' arrays."""
        if new is None:
            more = list(program.assigned)
        else:
            # Attributes of Cells are set already.
            count = len(program.written)
            more = [(vars(t), "_data", results[count + i]) for i, t in enumerate(new)]
        more += [(place, name, wrap(results[i])) for i, place, name in program.slots["write"]]
        for place in (*(p for p, *_ in program.assigned), *(p for _, p, _ in program.slots["new"])):
            bump_revision(place)
        return more

    def _may_stay(self, program: Program, results: list[Any], others: Sequence[Any]) -> bool:
        """Whether the state stays with the program from now on.

        Args:
            program: It.
            results: What it has just given; nobody else has seen them, but for its output.
            others: What it was given besides the state.
        """
        self._unobserved += 1
        if self._unobserved < self._backoff:
            return False
        self._unobserved, self._backoff = 0, min(2 * self._backoff, _LONGEST_BACKOFF)
        count = len(self.targets)
        # An array that stands for something else too must be looked at before it is given away.
        seen = [*map(id, results), *map(id, others)]
        return (
            not self.moves
            and [*map(id, self.targets)] == [*map(id, self.places)]
            and len(set(seen)) == len(seen)
            and all(index >= count for index, _, _ in program.slots["write"])
        )
