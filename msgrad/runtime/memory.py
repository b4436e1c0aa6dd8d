"""The memory of a device, as JAX counts it; on the CPU it counts nothing: all are 0.

The functions here are of the current device; ``hal.memory`` has them for a kind of device.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax

from msgrad._core.checks import one_of
from msgrad._core.declared import Word, checked
from msgrad._core.errors import ArgumentValueError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad._core.settings import accepted

_SIZE = re.compile(r"\d+(\.\d*)?GB", re.ASCII)


def _current_device() -> Any:
    default: Any = jax.config.values["jax_default_device"]
    return default if isinstance(default, jax.Device) else jax.local_devices(backend=default)[0]


def _stats(device: Any) -> dict[str, Any]:
    """Return what is known of the memory of the device, in bytes.

    Returns:
        MindSpore's entries ``total_allocated_memory``, ``max_allocated_memory``,
        ``total_reserved_memory``, ``max_reserved_memory``, ``total_idle_memory`` and
        ``total_eager_free_memory``, with two pools of which JAX knows nothing.
    """
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


def _table(device: Any) -> str:
    """Return the numbers of ``memory_stats`` as a table to print."""
    rows = {name: value for name, value in _stats(device).items() if isinstance(value, int)}
    return "\n".join(f"{name:<24} {value:>20,} B" for name, value in rows.items())


def _refuse_reset(device: Any) -> None:
    """Forget the most bytes held so far.

    Raises:
        NotImplementedError: On a device whose memory JAX counts, since that count never restarts.
    """
    if device.memory_stats():
        raise UnsupportedError(
            "JAX does not restart the count of max_memory_allocated(); nearest: take "
            "memory_allocated() at the moments you compare, or measure in a process of its own."
        )


def _count(entry: str, what: str) -> Callable[[Any], int]:
    def count(device: Any) -> int:
        return _stats(device)[entry]

    count.__doc__ = f"Return {what}, in bytes; see ``memory_stats``."
    return count


# Name -> what it does with a device.
OF_A_DEVICE: dict[str, Callable[[Any], Any]] = {
    "memory_stats": _stats,
    "memory_summary": _table,
    "memory_allocated": _count("total_allocated_memory", "what arrays hold now"),
    "max_memory_allocated": _count("max_allocated_memory", "the most that arrays have held"),
    "memory_reserved": _count("total_reserved_memory", "what JAX has taken from the device"),
    "max_memory_reserved": _count("max_reserved_memory", "the most that JAX has taken"),
    "reset_peak_memory_stats": _refuse_reset,
}


def _current(name: str) -> Callable[[], Any]:
    def function() -> Any:
        return OF_A_DEVICE[name](_current_device())

    function.__name__ = function.__qualname__ = name
    function.__doc__ = OF_A_DEVICE[name].__doc__
    return function


memory_stats = _current("memory_stats")
memory_summary = _current("memory_summary")
memory_allocated = _current("memory_allocated")
max_memory_allocated = _current("max_memory_allocated")
memory_reserved = _current("memory_reserved")
max_memory_reserved = _current("max_memory_reserved")
reset_peak_memory_stats = _current("reset_peak_memory_stats")
reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats


@accepted
def empty_cache() -> None:
    """JAX reuses what it has, and gives nothing back."""


@checked
def set_memory(
    init_size: Word = "2GB",
    increase_size: Word = "2GB",
    max_size: Word = "1024GB",
    optimize_level: Word = "O0",
    huge_page_reserve_size: Word = "0GB",
) -> None:
    """Accepted for compatibility, without effect; JAX reads ``XLA_PYTHON_CLIENT_MEM_FRACTION``.

    Args:
        init_size, increase_size, max_size, huge_page_reserve_size: str, such as ``'10GB'``.
        optimize_level: ``'O0'`` or ``'O1'``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For text of another form.
    """
    for value in (init_size, increase_size, max_size, huge_page_reserve_size):
        if not _SIZE.fullmatch(value):
            raise ArgumentValueError(f"A size is a number followed by 'GB', but got '{value}'.")
    one_of("set_memory", "optimize_level", optimize_level, "O0", "O1")


__all__ = public_names(globals())
