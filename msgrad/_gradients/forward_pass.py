"""A Cell that runs without a gradient: its operators recorded, and run as few programs.

There is no scope: Cells read and write their state as ever, and what would see a recorded value
in a place where others look (a Parameter, another thread, a compiled call) has it computed first.
So only Tensors made in the call stand for recorded values, and none does once the call has ended.
Where a value is needed on the way, what is recorded so far runs, and the next piece begins. Pieces
follow the code of the Cell and are compiled when they are first seen, so that a resumed run
computes alike; an operator alone is called as ever.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from msgrad._core.context import context
from msgrad._core.deferred.recording import Pending, Recorder, deferring, evaluated, materialize
from msgrad._core.engine import current_trace, in_trace, in_transform
from msgrad._core.ownership import lock
from msgrad._gradients.recorded_program import call_compiled, programs
from msgrad._gradients.transforms import CountedBy, TransformedProgram, as_it_is

# So many operators run at once before what follows is recorded: a smaller Cell, or a shorter part
# between two values that are looked at, is as fast without.
_AT_ONCE = 6


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
        with self._lock:
            if not self.open:
                super().__init__(self.trace, (), list)
                self.made.clear()
            return super().record(op, options, operands)

    def _is_recorded(self, operands: tuple[Any, ...]) -> bool:
        return True

    def replay(self) -> None:
        """Run what is recorded; no Tensor stands for a recorded value any more."""
        if not self.open:
            return
        with self._lock:
            try:
                if self.ops:
                    with in_trace(self.trace):
                        self._run()
                    self._renew_tensors()
            finally:
                self.close()
                self.made.clear()
                self._at_once = _AT_ONCE
                self._pieces += 1

    def _run(self) -> None:
        waiting = self.waiting()
        leaves = [*map(materialize, self.leaves)]
        program = None if len(self.ops) == 1 else self._program(waiting)
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

        return programs.find(CountedBy(self._code, self._pieces), (self.state, as_it_is), aux, make)

    def _renew_tensors(self) -> None:
        with lock:
            for ref in self.made:
                tensor = ref()
                if tensor is not None and type(raw := tensor._data) is Pending:
                    tensor._data = materialize(raw)


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
