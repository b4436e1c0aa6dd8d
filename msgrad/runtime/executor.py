"""Settings of MindSpore's executor, which has no counterpart: checked, and without effect."""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.runtime.event import wait_for_all

__all__ = [
    "dispatch_threads_num",
    "launch_blocking",
    "set_cpu_affinity",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
    "set_recursion_limit",
]


def launch_blocking() -> None:
    """Accepted for compatibility: an error is raised at the call that caused it anyway."""


def dispatch_threads_num(threads_num: int) -> None:
    """Accepted for compatibility: XLA has threads of its own.

    Raises:
        TypeError: If it is not an int.
    """
    check("threads_num", threads_num, int)


def set_cpu_affinity(
    enable_affinity: bool,
    affinity_cpu_list: list[str] | None = None,
    module_to_cpu_dict: dict[str, Any] | None = None,
    bind_file: str | None = None,
) -> None:
    """Accepted for compatibility; bind the process itself, with ``os.sched_setaffinity``.

    Raises:
        TypeError: For arguments of other types.
    """
    check("enable_affinity", enable_affinity, (bool, int))
    check("affinity_cpu_list", affinity_cpu_list, (list, type(None)))
    check("module_to_cpu_dict", module_to_cpu_dict, (dict, type(None)))
    check("bind_file", bind_file, (str, type(None)))


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """Accepted for compatibility: XLA launches kernels by itself.

    Raises:
        TypeError: For arguments of other types.
    """
    check("thread_num", thread_num, int)
    check("kernel_group_num", kernel_group_num, int)


def set_kernel_launch_capture(
    enable_capture_graph: bool, op_capture_skip: list[str] | None = None
) -> None:
    """Accepted for compatibility: XLA launches kernels by itself.

    Raises:
        TypeError: For arguments of other types.
    """
    check("enable_capture_graph", enable_capture_graph, bool)
    check("op_capture_skip", op_capture_skip, (list, type(None)))


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Accepted for compatibility: Python's own limit counts, see ``sys.setrecursionlimit``.

    Args:
        recursion_limit: int, above 0.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is not above 0.
    """
    if not isinstance(recursion_limit, int):
        raise ArgumentTypeError(
            f"The input value must be int, but got '{type(recursion_limit).__name__}'"
        )
    if isinstance(recursion_limit, bool) or recursion_limit <= 0:
        kind = ArgumentTypeError if isinstance(recursion_limit, bool) else ArgumentValueError
        raise kind(
            f"The input value must be int and must > 0, but got '{recursion_limit}' with type "
            f"'{type(recursion_limit).__name__}'."
        )


class _Executor:
    """What programs ask of MindSpore's executor of PYNATIVE_MODE."""

    def sync(self) -> None:
        """Wait for all work; see ``synchronize``."""
        wait_for_all()


_pynative_executor = _Executor()


def check(name: str, value: Any, kind: Any) -> None:
    """Check the type of an argument.

    Raises:
        TypeError: For another one.
    """
    if not isinstance(value, kind):
        raise ArgumentTypeError(f"The parameter '{name}' must be {kind}, but got {type(value)}")
