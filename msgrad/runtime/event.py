"""``Event``: points in the work of a device, here moments at which all work was done."""

from __future__ import annotations

import time
from typing import Any

import jax

from msgrad._core.checks import a_bool
from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.exports import public_names


def synchronize() -> None:
    """Wait until all arrays have their values, and all callbacks have run."""
    jax.block_until_ready([array for array in jax.live_arrays() if not array.is_deleted()])
    jax.effects_barrier()


def _check_kind(call: str, name: str, value: Any, kind: type) -> None:
    """Check that an argument is a Stream, or an Event; raises ``TypeError`` if not."""
    if not isinstance(value, kind):
        raise ArgumentTypeError(
            f"For '{call}', the argument '{name}' should be {kind.__name__}, but got {type(value)}."
        )


class _Work:
    """What events and streams have in common: all work is waited for."""

    def synchronize(self) -> None:
        """Wait for all work."""
        synchronize()

    def query(self) -> bool:
        """Whether the work before this is done: waits for it, then True."""
        synchronize()
        return True


class Event(_Work):
    """A point in the work of a device, to wait for or to measure time with.

    Args:
        enable_timing: Whether ``elapsed_time`` is going to be asked.
        blocking: Accepted for compatibility.

    Raises:
        TypeError: If one is not a bool.

    Differs from MindSpore: with ``enable_timing``, ``record`` waits for all work that was begun.
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False) -> None:
        self._timing = a_bool("Event", "enable_timing", enable_timing)
        self._blocking = a_bool("Event", "blocking", blocking)
        self._recorded = False
        self._moment = 0.0

    def record(self, stream: Any = None) -> None:
        """Take the present moment as the event's.

        Args:
            stream: A Stream, or None.

        Raises:
            TypeError: If it is something else.
        """
        self._check("record", stream)
        if self._timing:
            synchronize()
            self._moment = time.perf_counter()
        self._recorded = True

    def wait(self, stream: Any = None) -> None:
        """Make later work wait for the event, as it does anyway.

        Args:
            stream: A Stream, or None.

        Raises:
            TypeError: If it is something else.
        """
        self._check("wait", stream)

    def elapsed_time(self, end_event: Event) -> float:
        """Return the milliseconds from this event to another one.

        Raises:
            TypeError: If it is not an Event.
            RuntimeError: If one of them has no ``enable_timing`` or was not recorded.
        """
        _check_kind("elapsed_time", "end_event", end_event, Event)
        for event in (self, end_event):
            if not event._timing or not event._recorded:
                raise EngineError(
                    "elapsed_time needs two events made with enable_timing=True and recorded, but "
                    f"got {event!r}."
                )
        return (end_event._moment - self._moment) * 1e3

    def _check(self, call: str, stream: Any) -> None:
        from msgrad.runtime.stream import Stream

        if stream is not None:
            _check_kind(call, "stream", stream, Stream)

    def __repr__(self) -> str:
        return (
            f"Event(enable_timing={int(self._timing)}, blocking:{int(self._blocking)}, "
            f"is_created:{int(self._recorded)}, event:0)"
        )


__all__ = public_names(globals())
