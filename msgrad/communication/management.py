"""``mindspore.communication.management``: this process is number 0 of 1.

Programs ask for their rank to choose their part of the data; running on several processes is left
to JAX.
"""

from __future__ import annotations

from typing import Any

from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    UnsupportedError,
)
from msgrad.ops.collective import WORLD_GROUP, check_one_process

__all__ = [
    "HCCL_WORLD_COMM_GROUP",
    "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP",
    "create_group",
    "destroy_group",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_process_group_ranks",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
]

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"

_BACKENDS = ("hccl", "nccl", "mccl")


class GlobalComm:
    """What MindSpore knows about its communication library.

    Attributes:
        BACKEND: The library's name.
        WORLD_COMM_GROUP: Name of the group of all processes.
        INITED: Whether ``init`` was called.
    """

    BACKEND = "hccl"
    WORLD_COMM_GROUP = WORLD_GROUP
    INITED: bool = False


def init(backend_name: str | None = None) -> None:
    """Begin to communicate, with nobody: this process is the only one.

    Args:
        backend_name: ``'hccl'``, ``'nccl'``, ``'mccl'`` or None.

    Raises:
        TypeError: If it is not a str.
        RuntimeError: For another name.
        NotImplementedError: Where JAX runs in several processes.

    Differs from MindSpore: it works without a launcher such as mpirun.
    """
    if backend_name is not None and not isinstance(backend_name, str):
        raise ArgumentTypeError(
            "For 'init', the argument 'backend_name' must be a string, but got the type : "
            f"{type(backend_name)}"
        )
    if backend_name is not None and backend_name not in _BACKENDS:
        raise EngineError(
            "For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', "
            f"but got 'backend_name' : {backend_name}"
        )
    check_one_process("mindspore.communication")
    GlobalComm.INITED = True


def release() -> None:
    """End communicating."""
    GlobalComm.INITED = False


def _group(name: str, group: Any, *, begun: bool = False) -> None:
    check_one_process(f"mindspore.communication.{name}")
    if begun and not GlobalComm.INITED:
        raise EngineError(
            "Distributed Communication has not been inited.You can't invoke this interface yet. "
            "Please call `init()` method first."
        )
    if not isinstance(group, str):
        raise ArgumentTypeError(
            f"For '{name}', the argument 'group' must be type of string, but got 'group' type : "
            f"{type(group)}."
        )


def get_rank(group: str = WORLD_GROUP) -> int:
    """Give the number of this process in a group: 0.

    Args:
        group: Name of the group.

    Raises:
        TypeError: If it is not a str.
    """
    _group("get_rank", group)
    return 0


def get_local_rank(group: str = WORLD_GROUP) -> int:
    """Give the number of this process on its machine: 0; see ``get_rank``."""
    _group("get_local_rank", group)
    return 0


def get_group_size(group: str = WORLD_GROUP) -> int:
    """Give how many processes a group has: 1; see ``get_rank``."""
    _group("get_group_size", group)
    return 1


def get_local_rank_size(group: str = WORLD_GROUP) -> int:
    """Give how many processes a group has on this machine: 1; see ``get_rank``."""
    _group("get_local_rank_size", group)
    return 1


def get_process_group_ranks(group: str = WORLD_GROUP) -> list[int]:
    """Give the numbers of the processes in a group: ``[0]``; see ``get_rank``."""
    _group("get_process_group_ranks", group, begun=True)
    return [0]


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """Give the number among all processes of one in a group.

    Args:
        group: Name of the group.
        group_rank_id: Its number in the group; 0.

    Raises:
        ValueError: For another number.
    """
    _group("get_world_rank_from_group_rank", group, begun=True)
    return _only(group_rank_id)


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """Give the number in a group of one of all processes; see the reverse."""
    _group("get_group_rank_from_world_rank", group, begun=True)
    return _only(world_rank_id)


def _only(rank: int) -> int:
    if rank != 0:
        raise ArgumentValueError(f"There is one process, number 0, but got {rank}.")
    return 0


def create_group(group: str, rank_ids: list[int], options: Any = None) -> None:
    """Make a group of processes.

    Args:
        group: Its name.
        rank_ids: The numbers of its processes; ``[0]``.
        options: Accepted for compatibility.

    Raises:
        RuntimeError: Before ``init``, as of the functions above that look into a group.
        NotImplementedError: For processes that do not exist.
    """
    _group("create_group", group, begun=True)
    if list(rank_ids) != [0]:
        raise UnsupportedError(
            f"create_group: there is one process, number 0, but got {rank_ids}; shard arrays over "
            "devices with jax.sharding instead."
        )


def destroy_group(group: str) -> None:
    """Forget a group of processes."""
    _group("destroy_group", group, begun=True)
