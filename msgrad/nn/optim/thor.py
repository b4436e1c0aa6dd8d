"""``thor``, MindSpore's second-order optimizer, which msgrad leaves out."""

from __future__ import annotations

from typing import Any, NoReturn

from msgrad._core.errors import UnsupportedError

__all__ = ["thor"]


def thor(
    net: Any, learning_rate: Any, damping: Any, momentum: float, *args: Any, **kwargs: Any
) -> NoReturn:
    """Raise: it needs MindSpore's layers for second-order statistics and runs on no CPU.

    Raises:
        NotImplementedError: Always.
    """
    raise UnsupportedError(
        "msgrad.nn.thor is left out: its second-order statistics come from MindSpore's own layers "
        "for Ascend and GPU. Use nn.Lamb or nn.LARS for large batches, nn.Momentum otherwise, or "
        "an optax transformation by msgrad.interop.from_optax."
    )
