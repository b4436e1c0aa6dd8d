"""The one thread-local context: the active scope and the execution mode; no other global state."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from msgrad._core.cotangent import Replaced
    from msgrad._core.scope import Scope
    from msgrad.common.dtype import DType

GRAPH_MODE = 0
PYNATIVE_MODE = 1


class Context(threading.local):
    """State that belongs to the running thread.

    Attributes:
        scope: The innermost scope of a gradient call that is running its forward pass.
        replaced: Cotangents that user code gave in another shape or dtype, during a pullback.
        mixed: The float dtype that operators compute in (``Cell.to_float``), or None.
        no_grad: Whether operators give results without a gradient.
        mode: ``GRAPH_MODE`` (0) or ``PYNATIVE_MODE`` (1), MindSpore's execution mode.
    """

    scope: Scope | None = None
    replaced: Replaced | None = None
    mode: int = PYNATIVE_MODE
    mixed: DType | None = None
    no_grad: bool = False


context = Context()
