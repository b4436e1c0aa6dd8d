"""How a ``map`` tells its callbacks of the rows that it makes; the callbacks are elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgrad._core.errors import MissingAttributeError
from msgrad.dataset.callback.ds_callback import CallbackParam, DSCallback
from msgrad.dataset.engine._rows import Row, called


class Told:
    """Calls the callbacks of one ``map`` in one iterator.

    Args:
        callbacks: Those to call.

    Raises:
        AttributeError: If one of them defines no event.
    """

    def __init__(self, callbacks: Sequence[DSCallback]) -> None:
        self._callbacks = [(one, one._events()) for one in callbacks]
        for one, events in self._callbacks:
            if not events:
                raise MissingAttributeError(
                    "Inheriting Callback class without overriding any methods, check the usage of "
                    f"user defined Callback: {type(one).__name__}."
                )
        # The epoch, the rows before it, those begun and made in it, and whether it is under way.
        self._epoch = self._before = self._begun = self._made = 0
        self._open = False
        self._tell("ds_begin", 0)

    def _tell(self, event: str, row: int) -> None:
        for one, events in self._callbacks:
            in_step = event.startswith("ds_step") and (row - 1) % one.step_size
            if event in events and not in_step:
                place = CallbackParam(self._epoch, row, self._before + row)
                called(f"callback {type(one).__name__} failed", getattr(one, event), place)

    def begun(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield what comes into the map, each told before."""
        if not self._open:
            self._open, self._epoch = True, self._epoch + 1
            self._tell("ds_epoch_begin", 0)
        for row in rows:
            self._begun += 1
            self._tell("ds_step_begin", self._begun)
            yield row

    def made(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield what comes out of the map, each told before."""
        for row in rows:
            self._made += 1
            self._tell("ds_step_end", self._made)
            yield row

    def end(self) -> None:
        """End the epoch: all passes of a ``repeat`` are one."""
        if self._open:
            self._tell("ds_epoch_end", self._made)
        self._open, self._before = False, self._before + self._begun
        self._begun = self._made = 0
