"""The memory functions of ``runtime``, here with the kind of device as an argument."""

from __future__ import annotations

from typing import Any

from msgrad.hal.device import devices_of
from msgrad.runtime.memory import (
    current_device,
    empty_cache,
    refuse_reset,
    stats_of,
    table_of,
)

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
]


def _device(target: str | None) -> Any:
    return current_device() if target is None else devices_of(target)[0]


def memory_stats(device_target: str | None = None) -> dict[str, Any]:
    """Give what is known of the memory of a device, in bytes; see ``runtime.memory_stats``.

    Args:
        device_target: The kind, of which the first is taken; None for the current device.

    Raises:
        TypeError, ValueError: If there is no such device.
    """
    return stats_of(_device(device_target))


def memory_allocated(device_target: str | None = None) -> int:
    """Give the bytes that arrays hold now; see ``memory_stats``."""
    return memory_stats(device_target)["total_allocated_memory"]


def max_memory_allocated(device_target: str | None = None) -> int:
    """Give the most bytes that arrays have held at a time; see ``memory_stats``."""
    return memory_stats(device_target)["max_allocated_memory"]


def memory_reserved(device_target: str | None = None) -> int:
    """Give the bytes that JAX has taken from the device; see ``memory_stats``."""
    return memory_stats(device_target)["total_reserved_memory"]


def max_memory_reserved(device_target: str | None = None) -> int:
    """Give the most bytes that JAX has taken at a time; see ``memory_stats``."""
    return memory_stats(device_target)["max_reserved_memory"]


def memory_summary(device_target: str | None = None) -> str:
    """Give the numbers of ``memory_stats`` as a table to print."""
    return table_of(memory_stats(device_target))


def reset_peak_memory_stats(device_target: str | None = None) -> None:
    """Forget the most bytes held so far.

    Raises:
        TypeError, ValueError: If there is no such device.
        NotImplementedError: On a device whose memory JAX counts, since that count never restarts.
    """
    refuse_reset(_device(device_target))


reset_max_memory_allocated = reset_peak_memory_stats
reset_max_memory_reserved = reset_peak_memory_stats
