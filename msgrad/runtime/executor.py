"""Settings of MindSpore's executor, which has no counterpart: checked, and without effect."""

from __future__ import annotations

from typing import Any

from msgrad._core.declared import Word
from msgrad._core.exports import public_names
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


__all__ = public_names(globals())
