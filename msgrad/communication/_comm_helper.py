"""``GlobalComm``: the state of communication, under MindSpore's inner path."""

from __future__ import annotations

from msgrad._core.checks import of_type
from msgrad._core.distributed.groups import WORLD_GROUP, forget_group, groups
from msgrad._core.errors import ArgumentValueError


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


class Backend(str):
    """The name of a communication library; those of MindSpore stand for JAX's own here.

    Raises:
        TypeError, ValueError: If ``name`` is none of them.
    """

    UNDEFINED, HCCL, NCCL, MCCL = "undefined", "hccl", "nccl", "mccl"

    def __new__(cls, name: str) -> str:  # pyright: ignore[reportInconsistentConstructor]
        of_type("Backend", "name", name, str)
        found = getattr(cls, name.upper(), cls.UNDEFINED)
        if found == cls.UNDEFINED:
            raise ArgumentValueError(
                f"For 'Backend', the class variable 'name' {name} is not supported, please use "
                "hccl or nccl."
            )
        return found


def _is_initialized() -> bool:
    """Whether ``init`` was called."""
    return GlobalComm.INITED


def _is_available() -> bool:
    """Return True: ranks are always to be had."""
    return True


_get_group_map, _remove_group_info = groups, forget_group
