"""Groups of processes, for ``mindspore.mint.distributed``: begun, named, counted."""

from __future__ import annotations

from typing import Any

from msgrad import communication
from msgrad._core.distributed.groups import add_group
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.communication import GlobalComm, management


def init_process_group(
    backend: str = "hccl",
    init_method: Any = None,
    timeout: Any = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
) -> None:
    """Begin to communicate with the processes of the job; all but the backend is accepted.

    Args:
        backend: ``'hccl'``, the only name that MindSpore takes.
        init_method: Where to meet.
        timeout: How long to wait.
        world_size: The number of processes, or -1 for what there are.
        rank: The number of this one.
        store: Where to meet.
        group_name: Not used.
        pg_options: Not used.
        device_id: Not used.
    """
    if backend != "hccl":
        raise ArgumentValueError(
            f"Only support hccl now, please setting backend to hccl or using default value, not "
            f"{backend!r}."
        )
    if world_size not in (-1, world.size):
        raise ArgumentValueError(
            f"the job has {world.size} processes, but world_size is {world_size}."
        )
    communication.init()


def destroy_process_group(group: str | None = None) -> None:
    """End communicating."""
    communication.release()


def is_available() -> bool:
    """Whether processes can communicate: the one can."""
    return True


def is_initialized() -> bool:
    """Whether ``init_process_group`` was called."""
    return GlobalComm.INITED


def new_group(
    ranks: list | None = None,
    timeout: Any = None,
    backend: Any = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: Any = None,
) -> str:
    """Return the name of a new group of processes, or "" where this one is not a member."""
    members = tuple(ranks or range(world.size))
    if world.rank not in members:
        return ""
    if len(members) == world.size:
        return GlobalComm.WORLD_COMM_GROUP
    name = "_".join(map(str, ("group", *members)))
    add_group(name, members)
    return name


def get_rank(group: str | None = None) -> int:
    """Return the number of this process in a group."""
    return management.get_rank(group or GlobalComm.WORLD_COMM_GROUP)


def get_world_size(group: str | None = None) -> int:
    """Return the number of processes in a group."""
    return management.get_group_size(group or GlobalComm.WORLD_COMM_GROUP)


def get_backend(group: str | None = None) -> str:
    """Return the name of the library."""
    return GlobalComm.BACKEND


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """Return the numbers of the processes in a group."""
    return management.get_process_group_ranks(group or GlobalComm.WORLD_COMM_GROUP)


def get_global_rank(group: str, group_rank: int) -> int:
    """Return the number of a process of a group among all."""
    return management.get_world_rank_from_group_rank(group, group_rank)


def get_group_rank(group: str, global_rank: int) -> int:
    """Return the number of a process in a group."""
    return management.get_group_rank_from_world_rank(global_rank, group)


__all__ = public_names(globals())
