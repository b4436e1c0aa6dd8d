"""Settings of MindSpore's executor, which has no counterpart: checked, and without effect."""

from __future__ import annotations

from typing import Any

from msgrad._core.declared import Word
from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out_all
from msgrad._core.settings import accepted


@accepted
def launch_blocking() -> None:
    """An error is raised at the call that caused it anyway."""


@accepted
def dispatch_threads_num(threads_num: int) -> None:
    """XLA has threads of its own."""


@accepted
def set_cpu_affinity(
    enable_affinity: bool | int,
    affinity_cpu_list: list[Any] | None = None,
    module_to_cpu_dict: dict[str, Any] | None = None,
    bind_file: Word | None = None,
) -> None:
    """Bind the process itself, with ``os.sched_setaffinity``."""


@accepted
def set_kernel_launch_group(thread_num: bool | int = 2, kernel_group_num: bool | int = 8) -> None:
    """XLA launches kernels by itself."""


@accepted
def set_kernel_launch_capture(
    enable_capture_graph: bool, op_capture_skip: list[Any] | None = None
) -> None:
    """XLA launches kernels by itself."""


# Of the memory and the cores of Ascend devices, which JAX manages itself.
_ROWS = {
    "JAX allocates; see the XLA_PYTHON_CLIENT variables": "MemPool PluggableAllocator use_mem_pool",
    "JAX decides what runs on which core": (
        "StreamLimitCtx get_device_limit get_stream_limit reset_stream_limit set_device_limit "
        "set_stream_limit"
    ),
    "compile the function with ms.jit": "memory_replay",
}
globals().update(left_out_all(__name__, "a part of Ascend devices", _ROWS))
__all__ = public_names(globals())
