"""Streams: JAX queues work by itself, so there is one for each device; and waiting for all work."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from msgrad._core.errors import ArgumentTypeError, EngineError
from msgrad._core.exports import public_names
from msgrad.context import get_context
from msgrad.runtime.event import Event, _check_kind, _Work


class Stream(_Work):
    """The one queue of work of the current device.

    Args:
        priority: int; accepted for compatibility.
        kwargs: Accepted for compatibility.

    Raises:
        TypeError: If the priority is not an int.

    Differs from MindSpore: all streams of a device are the same one; JAX orders the work and
    overlaps what may overlap.
    """

    def __init__(self, priority: int = 0, **kwargs: Any) -> None:
        if not isinstance(priority, int):
            raise ArgumentTypeError(
                "For 'Stream', the type of 'priority' must be 'int', but got "
                f"'{type(priority).__name__}'."
            )
        self.device_name: str = get_context("device_target")
        self.device_id: int = get_context("device_id")
        self.id = self.stream_id = 0

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event, a new one unless given, and return it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Make later work wait for an event, as it does anyway.

        Raises:
            TypeError: If it is not an Event.
        """
        _check_kind("wait_event", "event", event, Event)

    def wait_stream(self, stream: Stream) -> None:
        """Make later work wait for a stream, as it does anyway.

        Raises:
            TypeError: If it is not a Stream.
        """
        _check_kind("wait_stream", "stream", stream, Stream)

    def __eq__(self, other: Any) -> bool:
        _check_kind("__eq__", "other", other, Stream)
        return (self.device_name, self.device_id) == (other.device_name, other.device_id)

    def __hash__(self) -> int:
        return hash((self.device_name, self.device_id))

    def __repr__(self) -> str:
        return (
            f"Stream(device_name={self.device_name}, device_id:{self.device_id}, "
            f"stream id:{self.id})"
        )


class StreamCtx(nullcontext[None]):
    """A ``with`` block whose work goes to a stream: to the device's only one, as all work.

    Args:
        ctx_stream: Stream, or None.

    Raises:
        TypeError: For anything else.
        RuntimeError: For a stream of another device than the current one.
    """

    def __init__(self, ctx_stream: Stream | None) -> None:
        super().__init__()
        if ctx_stream is None:
            return
        _check_kind("StreamCtx", "ctx_stream", ctx_stream, Stream)
        if ctx_stream != Stream():
            raise EngineError(
                f"{ctx_stream} is not of the current device; choose the device with "
                "mindspore.set_device instead."
            )


def current_stream() -> Stream:
    """Return the stream of the current device."""
    return Stream()


default_stream = communication_stream = current_stream


def set_cur_stream(stream: Stream) -> None:
    """Choose a stream: there is only one.

    Raises:
        TypeError: If it is not a Stream.
        RuntimeError: For a stream of another device than the current one.
    """
    _check_kind("set_cur_stream", "stream", stream, Stream)
    StreamCtx(stream)


__all__ = public_names(globals())
