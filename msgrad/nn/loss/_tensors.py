"""The check that all inputs of a loss are Tensors."""

from __future__ import annotations

from typing import Any

from msgrad.nn.cell import check_tensor


def check_tensors(owner: str, **values: Any) -> None:
    """Raise ``TypeError`` unless all values are Tensors."""
    for name, value in values.items():
        check_tensor(owner, name, value)
