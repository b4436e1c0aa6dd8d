"""The memory of the current device, as JAX counts it; on the CPU it counts nothing: all are 0."""

from __future__ import annotations

import gc
import re
from typing import Any

import jax

from msgrad._core.errors import ArgumentValueError, UnsupportedError
from msgrad.runtime.executor import check

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "ms_memory_recycle",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "set_memory",
]

_SIZE = re.compile(r"\d+(\.\d*)?GB", re.ASCII)


def current_device() -> Any:
    """Give the device that new arrays are made on."""
    default: Any = jax.config.values["jax_default_device"]
    return default if isinstance(default, jax.Device) else jax.local_devices(backend=default)[0]


def memory_stats() -> dict[str, Any]:
    """Give what is known of the memory of the current device, in bytes.

    Returns:
        MindSpore's entries ``total_allocated_memory``, ``max_allocated_memory``,
        ``total_reserved_memory``, ``max_reserved_memory``, ``total_idle_memory`` and
        ``total_eager_free_memory``, with two pools of which JAX knows nothing.
    """
    return stats_of(current_device())


def stats_of(device: Any) -> dict[str, Any]:
    """Give the same for any device."""
    counted = device.memory_stats() or {}
    allocated, most = counted.get("bytes_in_use", 0), counted.get("peak_bytes_in_use", 0)
    reserved = counted.get("pool_bytes", allocated)
    return {
        "total_reserved_memory": reserved,
        "total_allocated_memory": allocated,
        "total_idle_memory": reserved - allocated,
        "total_eager_free_memory": 0,
        "max_reserved_memory": counted.get("peak_pool_bytes", most),
        "max_allocated_memory": most,
        "common_mem_pool_stats": {"block_unit_size": 0, "block_counts": 0, "blocks_info": {}},
        "persistent_mem_pool_stats": {"block_counts": 0, "block_unit_size": 0, "blocks_info": {}},
    }


def memory_allocated() -> int:
    """Give the bytes that arrays hold now."""
    return memory_stats()["total_allocated_memory"]


def max_memory_allocated() -> int:
    """Give the most bytes that arrays have held at a time, since the process began."""
    return memory_stats()["max_allocated_memory"]


def memory_reserved() -> int:
    """Give the bytes that JAX has taken from the device."""
    return memory_stats()["total_reserved_memory"]


def max_memory_reserved() -> int:
    """Give the most bytes that JAX has taken from the device at a time."""
    return memory_stats()["max_reserved_memory"]


def memory_summary() -> str:
    """Give the numbers of ``memory_stats`` as a table to print."""
    return table_of(memory_stats())


def table_of(stats: dict[str, Any]) -> str:
    """Give the bytes among ``stats`` as a table, a line each."""
    rows = {name: value for name, value in stats.items() if isinstance(value, int)}
    return "\n".join(f"{name:<24} {value:>20,} B" for name, value in rows.items())


def empty_cache() -> None:
    """Accepted for compatibility: JAX reuses what it has, and gives nothing back."""


def ms_memory_recycle() -> None:
    """Free what cycles of Python objects still hold; JAX frees all other memory by itself."""
    gc.collect()


def reset_peak_memory_stats() -> None:
    """Forget the most bytes held so far.

    Raises:
        NotImplementedError: On a device whose memory JAX counts, since that count never restarts.
    """
    refuse_reset(current_device())


reset_max_memory_allocated = reset_peak_memory_stats
reset_max_memory_reserved = reset_peak_memory_stats


def refuse_reset(device: Any) -> None:
    """Raise where there is a count that would have to restart.

    Raises:
        NotImplementedError: See above.
    """
    if device.memory_stats():
        raise UnsupportedError(
            "JAX does not restart the count of max_memory_allocated(); nearest: take "
            "memory_allocated() at the moments you compare, or measure in a process of its own."
        )


def set_memory(
    init_size: str = "2GB",
    increase_size: str = "2GB",
    max_size: str = "1024GB",
    optimize_level: str = "O0",
    huge_page_reserve_size: str = "0GB",
) -> None:
    """Accepted for compatibility, without effect; JAX reads ``XLA_PYTHON_CLIENT_MEM_FRACTION``.

    Args:
        init_size, increase_size, max_size, huge_page_reserve_size: str, such as ``'10GB'``.
        optimize_level: ``'O0'`` or ``'O1'``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For text of another form.
    """
    sizes = {
        "init_size": init_size,
        "increase_size": increase_size,
        "max_size": max_size,
        "huge_page_reserve_size": huge_page_reserve_size,
    }
    for name, value in {**sizes, "optimize_level": optimize_level}.items():
        check(name, value, str)
    for name, value in sizes.items():
        if not _SIZE.fullmatch(value):
            raise ArgumentValueError(
                f"The '{value}' is illegal, '{name}' must be a number followed by 'GB', as '10GB'."
            )
    if optimize_level not in ("O0", "O1"):
        raise ArgumentValueError(
            f"The optimize_level must be one of ['O0', 'O1'], but got {optimize_level}."
        )
