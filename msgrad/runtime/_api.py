"""What ``mindspore.common.api`` has of the runtime."""

from __future__ import annotations

import gc

from msgrad._core.checks import above, of_type
from msgrad._core.context import context
from msgrad.runtime.event import synchronize


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Accepted for compatibility: Python's own limit counts, see ``sys.setrecursionlimit``.

    Args:
        recursion_limit: int, above 0.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is not above 0.
    """
    of_type("set_recursion_limit", "recursion_limit", recursion_limit, int)
    above("set_recursion_limit", "recursion_limit", recursion_limit, 0)


def ms_memory_recycle() -> None:
    """Free what cycles of Python objects still hold; JAX frees all other memory by itself."""
    gc.collect()


class _Executor:
    """What programs ask of MindSpore's executor of PYNATIVE_MODE."""

    def sync(self) -> None:
        """Wait for all work."""
        synchronize()

    def enable_grad(self) -> bool:
        """Whether operators give results with a gradient."""
        return not context.no_grad

    def set_enable_grad(self, flag: bool) -> None:
        """Have the operators that follow give results with a gradient, or without."""
        context.no_grad = not flag

    def grad_flag(self) -> bool:
        """Whether a derivative is being taken by MindSpore's own tape; JAX has none."""
        return False

    requires_grad = high_order = is_saved_tensor_hook_active = grad_flag

    def set_grad_flag(self, flag: bool) -> None:
        """Accepted for compatibility: a gradient function says itself what it differentiates."""

    def clear_res(self) -> None:
        """Accepted for compatibility: what a call recorded is freed when it ends."""

    def set_async_for_graph(self, flag: bool) -> None:
        """Accepted for compatibility: what is compiled runs beside Python always."""


_pynative_executor = _Executor()
