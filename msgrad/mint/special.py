"""``mindspore.mint.special``: the same functions as in ``mint`` and its ``nn.functional``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgrad.mint._rows import rows
from msgrad.mint.functions import sinc as sinc  # pyright: ignore[reportAttributeAccessIssue]
from msgrad.mint.nn._functions import log_softmax as log_softmax

_FOUND = rows("erfc exp2 expm1 log1p round", __name__)
globals().update(_FOUND)
__all__ = [*_FOUND, "log_softmax", "sinc"]  # pyright: ignore[reportUnsupportedDunderAll]

if TYPE_CHECKING:
    # What is made from rows.
    def __getattr__(name: str) -> Any: ...
