"""``GlobalComm``: the state of communication, under MindSpore's inner path."""

from __future__ import annotations

from msgrad._core.groups import WORLD_GROUP


class GlobalComm:
    """What MindSpore knows about its communication library.

    Attributes:
        BACKEND: The library's name.
        WORLD_COMM_GROUP: Name of the group of all processes.
        INITED: Whether ``init`` was called.
    """

    BACKEND: str = "hccl"
    WORLD_COMM_GROUP: str = WORLD_GROUP
    INITED: bool = False


def _is_initialized() -> bool:
    """Whether ``init`` was called."""
    return GlobalComm.INITED


def _is_available() -> bool:
    """Return True: ranks are always to be had."""
    return True
