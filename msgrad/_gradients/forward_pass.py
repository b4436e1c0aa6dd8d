"""A Cell that runs without a gradient: its operators recorded, and run as few programs.

There is no scope: Cells read and write their state as ever, and what would see a recorded value
in a place where others look (another thread, a compiled call) has it computed first. Tensors made
in the call stand for recorded values. A Parameter that is written does not: its place is empty
until the recording has run, as if a program had its array (``ownership.py``). No Tensor stands for
a recorded value once the call has ended. Where a value is needed on the way, what is recorded so
far runs, and the next piece begins. Pieces follow the code of the Cell and are compiled when they
are first seen, so that a resumed run computes alike; an operator alone is called as ever.

Locks are taken in one order: that of ownership, then a recorder's, of which a thread has one at a
time. So nothing that may wait for the former runs under the latter alone.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from msgrad._core.context import context
from msgrad._core.deferred.recording import (
    MAX_CALLS,
    Pending,
    Recorder,
    deferring,
    evaluated,
    materialize,
    resolved,
)
from msgrad._core.engine import current_trace, in_trace, in_transform
from msgrad._core.ownership import Owner, Place, evict, is_my_turn, lock, wait_for_turn
from msgrad._gradients.recorded_program import TransformedProgram, call_compiled, programs
from msgrad._gradients.transforms import as_it_is

# So many operators run at once before what follows is recorded: a smaller Cell, or a shorter part
# between two values that are looked at, is as fast without.
_AT_ONCE = 6
_INTEGER = np.dtype(np.int32)


class _Written(Owner):
    """The arrays of what a recording writes, until it has run.

    Args:
        recorder: The recording.
    """

    def __init__(self, recorder: ForwardRecorder) -> None:
        super().__init__([], [])
        self._recorder = recorder
        self._writes: list[tuple[Place, Any, Pending]] = []

    def __bool__(self) -> bool:
        return bool(self._writes)

    def value_at(self, place: Place) -> Pending | None:
        """Return what was written there, None for nothing."""
        return next((value for each, _, value in self._writes if each is place), None)

    def write(self, place: Place, value: Pending) -> None:
        """Take the array out of a place, where a recorded value is to stand; with the lock."""
        for number, (each, before, _) in enumerate(self._writes):
            if each is place:
                self._writes[number] = (place, before, value)
                return
        self._writes.append((place, place["_data"], value))
        self.places = [place for place, *_ in self._writes]
        self.enter()
        del place["_data"]

    def put_back(self) -> None:
        """Have the recording run, and put what it gave in place; what was there, if it failed."""
        self._recorder.replay()

    def settle(self) -> None:
        """Fill the places; with the lock. After an interrupt, it may be called again."""
        for place, before, value in self._writes:
            place.setdefault("_data", before if value.recorder is not None else materialize(value))
        self.leave()
        self.places, self._writes = [], []


class ForwardRecorder(Recorder):
    """The operator calls of a Cell of which nothing is differentiated, since values were needed.

    Args:
        code: By what new structures are counted.

    Attributes:
        made: Weak references to the Tensors made since.
    """

    open = False
    ops: Any = ()

    def __init__(self, code: Any) -> None:
        self.trace = current_trace()
        self.made: list[weakref.ref[Any]] = []
        self._written = _Written(self)
        self._thread = threading.get_ident()
        self._code = code
        self._pieces = 0
        self._at_once = _AT_ONCE
        # Another thread may come by one of the Tensors.
        self._lock = threading.RLock()

    def record(self, op: Any, options: tuple[Any, ...], operands: tuple[Any, ...]) -> Any:
        """Record a call and give its results, or None where it must run now."""
        if self._at_once:
            self._at_once -= 1
            return None
        if len(self.ops) >= MAX_CALLS:
            self.replay()
        for operand in operands:
            kind = type(operand)
            if kind is tuple or (kind is Pending and operand.recorder is not self):
                operands = tuple(map(self._own, operands))
                break
        with self._lock:
            if not self.open:
                super().__init__(self.trace, (), list)
                self.made.clear()
            return super().record(op, options, operands)

    def _own(self, operand: Any) -> Any:
        """Return an operand; what another thread has recorded has its value first."""
        kind = type(operand)
        if kind is Pending and operand.recorder is not self:
            return materialize(operand)
        return tuple(map(self._own, operand)) if kind is tuple else operand

    @staticmethod
    def _is_recorded(operands: tuple[Any, ...]) -> bool:
        """Whether to wait: integers alone are labels and indices, whose bounds are looked at."""
        return any(map(_waits, operands))

    def write(self, place: Place, value: Pending) -> bool:
        """Note that a recorded value is written to a Parameter; for who has the lock.

        Returns:
            Whether it is: it may have been computed meanwhile.
        """
        if self._written.value_at(place) is None:
            evict((place,))
        with self._lock:
            value = resolved(value)
            if type(value) is not Pending or value.recorder is not self:
                return False
            self._written.write(place, value)
            return True

    def written(self, place: Place) -> Pending | None:
        """Return what was written to a Parameter and is not there yet, None for nothing."""
        return self._written.value_at(place) if self._written else None

    def replay(self) -> None:
        """Run what is recorded; no Tensor stands for a recorded value any more."""
        if not self._written:
            with self._lock:
                # The thread that records may have written one meanwhile.
                made = None if self._written else self._replay()
            if made is not None:
                self._renew_tensors(made)
                return
        wait_for_turn()
        with lock:
            is_my_turn()
            try:
                with self._lock:
                    made = self._replay()
                self._renew_tensors(made)
            finally:
                self._written.settle()

    def _replay(self) -> list[weakref.ref[Any]]:
        """Run what is recorded, and return what may stand for it."""
        if not self.open:
            return []
        try:
            if self.ops:
                with in_trace(self.trace):
                    self._run()
                return self.made
            return []
        finally:
            self.close()
            self.made = []
            self._at_once = _AT_ONCE
            self._pieces += 1

    def _run(self) -> None:
        waiting = self.waiting()
        leaves = [*map(materialize, self.leaves)]
        # Where another thread looks, the recording has been cut by chance: no program for that.
        alone = len(self.ops) == 1 or threading.get_ident() != self._thread
        program = None if alone else self._program(waiting)
        if program is None:
            by_place: Any = list(evaluated(self.ops, leaves, call_compiled))
        else:
            _, found, _ = program.compiled(())((), leaves)
            by_place = dict(zip(program.aux_order, found, strict=True))
        for pending in waiting:
            pending.set_value(by_place[pending.place])

    def _program(self, waiting: Sequence[Pending]) -> Any:
        aux = frozenset([pending.place for pending in waiting])

        def make(more: frozenset[int]) -> Any:
            return TransformedProgram(self, (), more, as_it_is)

        return programs.find((self._code, self._pieces), (self.state, as_it_is), aux, make)

    def _renew_tensors(self, made: list[weakref.ref[Any]]) -> None:
        if not made:
            return
        with lock:
            for ref in made:
                tensor = ref()
                if tensor is not None and type(raw := tensor._data) is Pending:
                    tensor._data = materialize(raw)


def _waits(operand: Any) -> bool:
    if type(operand) is tuple:
        return any(map(_waits, operand))
    return type(operand) is Pending or getattr(operand, "dtype", _INTEGER).kind not in "iu"


def records_forward() -> bool:
    """Whether the operators of an outermost Cell call made here are recorded."""
    return (
        context.recorder is None
        and context.scope is None
        and context.inputs is None
        and not context.plain
        and deferring()
        and not in_transform()
    )


def run_recorded(call: Callable[..., Any], code: Any, *args: Any) -> Any:
    """Run the call of a Cell and record its operators.

    Args:
        call: Runs it, with ``args``.
        code: What the Cell has in common with those that compute alike.
    """
    recorder = ForwardRecorder(code)
    context.recorder = recorder
    try:
        result = call(*args)
    except BaseException:
        context.recorder = None
        # Not in place of the error that is on its way; reading such a Tensor raises as well.
        with contextlib.suppress(Exception):
            recorder.replay()
        raise
    context.recorder = None
    recorder.replay()
    return result
