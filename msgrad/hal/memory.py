"""The memory functions of ``runtime``, here with the kind of device as an argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad._core.exports import public_names
from msgrad.hal.device import _devices_of
from msgrad.runtime import memory
from msgrad.runtime.memory import empty_cache as empty_cache

_ARGUMENT = """

Args:
    device_target: The kind of device, of which the first is taken; None for the current one.

Raises:
    TypeError, ValueError: If there is no such device.
"""


def _of(name: str) -> Callable[..., Any]:
    def function(device_target: str | None = None) -> Any:
        if device_target is None:
            return getattr(memory, name)()
        return memory.OF_A_DEVICE[name](_devices_of(device_target)[0])

    summary = str(memory.OF_A_DEVICE[name].__doc__).partition("\n")[0]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary}\n\nSee ``runtime.{name}``.{_ARGUMENT}"
    return function


memory_stats = _of("memory_stats")
memory_summary = _of("memory_summary")
memory_allocated = _of("memory_allocated")
max_memory_allocated = _of("max_memory_allocated")
memory_reserved = _of("memory_reserved")
max_memory_reserved = _of("max_memory_reserved")
reset_peak_memory_stats = _of("reset_peak_memory_stats")
reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats

__all__ = public_names(globals(), "empty_cache")
