"""``auto_parallel_context()``: the settings of ``set_auto_parallel_context`` as an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad._core.errors import MissingAttributeError
from msgrad.context import get_auto_parallel_context, set_auto_parallel_context


class _AutoParallelContext:
    """Has ``get_<keyword>()`` and ``set_<keyword>(value)`` for each keyword of the context."""

    def get_device_num_is_set(self) -> bool:
        """Whether ``device_num`` counts: it does not, in one process."""
        return False

    def set_all_reduce_fusion_split_indices(self, indices: list[int], group: str = "") -> None:
        """Accepted for compatibility: which gradients are sent together."""

    def set_all_reduce_fusion_split_sizes(self, sizes: list[int], group: str = "") -> None:
        """Accepted for compatibility: how many gradients are sent together."""

    def set_enable_all_reduce_fusion(self, enable: bool) -> None:
        """Accepted for compatibility: whether gradients are sent together."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb, _, key = name.partition("_")
        if verb == "get":
            return lambda: get_auto_parallel_context(key)
        if verb == "set":
            return lambda value: set_auto_parallel_context(**{key: value})
        raise MissingAttributeError(
            f"auto_parallel_context() has no '{name}'; it has get_<keyword> and set_<keyword>."
        )


_the_context = _AutoParallelContext()


def auto_parallel_context() -> _AutoParallelContext:
    """Return the one object of this kind."""
    return _the_context
