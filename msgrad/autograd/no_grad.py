"""``_no_grad``: a block in which results carry no gradient."""

from __future__ import annotations

from typing import Any

from msgrad._core.context import context


class _no_grad:
    """Context manager: the operators inside give results without a gradient."""

    def __enter__(self) -> _no_grad:
        self._outer = context.no_grad
        context.no_grad = True
        return self

    def __exit__(self, *exception: Any) -> None:
        context.no_grad = self._outer
