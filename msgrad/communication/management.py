"""``mindspore.communication.management``: this process among those of the job, and their groups.

The processes are connected when msgrad is imported; ``init`` only begins to count. They, and their
groups, are in ``_core/distributed``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from msgrad import context as context
from msgrad._core.distributed.across import connect
from msgrad._core.distributed.groups import (
    WORLD_GROUP,
    WORLD_GROUPS,
    add_group,
    forget_group,
    ranks_of,
)
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, EngineError, UnsupportedError
from msgrad._core.exports import public_names
from msgrad.communication._comm_helper import GlobalComm

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"


def init(backend_name: str | None = None) -> None:
    """Begin to communicate with the other processes of the job.

    They are those that the launcher has started (``python -m msgrad launch``, ``srun``,
    ``mpirun``); without one, this process is the only one.

    Args:
        backend_name: ``'hccl'``, ``'nccl'``, ``'mccl'`` or None.

    Raises:
        TypeError: If it is not a str.
        RuntimeError: For another name.

    Differs from MindSpore: it works without a launcher such as mpirun.
    """
    if backend_name is not None and not isinstance(backend_name, str):
        raise ArgumentTypeError(
            "For 'init', the argument 'backend_name' must be a string, but got the type : "
            f"{type(backend_name)}"
        )
    if backend_name not in ("hccl", "nccl", "mccl", None):
        raise EngineError(
            "For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', "
            f"but got 'backend_name' : {backend_name}"
        )
    connect()
    GlobalComm.INITED = True
    if world.size > 1:
        # As MindSpore names it on such devices.
        GlobalComm.BACKEND = "mccl" if jax.default_backend() == "cpu" else "nccl"
        GlobalComm.WORLD_COMM_GROUP = f"{GlobalComm.BACKEND}_world_group"


def release() -> None:
    """End communicating."""
    GlobalComm.INITED = False


def _ranks(name: str, group: Any, begun: bool = True) -> tuple[int, ...]:
    """Return the ranks of a group, checked."""
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
    return ranks_of(group)


def _count(ranks: tuple[int, ...], group: str) -> str:
    """Return how many processes a group has, for error texts."""
    if len(ranks) == 1:
        return f"There is one process in {group}, number {ranks[0]}"
    return f"There are {len(ranks)} processes in {group}, the ranks {list(ranks)}"


def _own(ranks: tuple[int, ...], rank: int, group: str) -> int:
    if rank not in ranks:
        raise EngineError(f"Group {group} doesn't contain the global rank {rank}")
    return ranks.index(rank)


def _is_here(rank: int) -> bool:
    """Whether a rank is on this machine: ranks are counted machine by machine."""
    first = world.rank - world.local_rank
    return first <= rank < first + world.local_size


def _of_group(
    name: str, what: str, value: Callable[[tuple[int, ...], str], Any], begun: bool = False
) -> Callable[..., Any]:
    def function(group: str = WORLD_GROUP) -> Any:
        return value(_ranks(name, group, begun), group)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Return {what}.\n\nArgs:\n    group: Name of the group.\n\n"
        "Raises:\n    TypeError: If it is not a str.\n"
        "    RuntimeError: If there is no such group, or this process is not in it."
    )
    return function


get_rank = _of_group(
    "get_rank",
    "the number of this process in a group",
    lambda ranks, group: _own(ranks, world.rank, group),
)
get_local_rank = _of_group(
    "get_local_rank",
    "the number of this process among those of a group on its machine",
    lambda ranks, group: _own(tuple(filter(_is_here, ranks)), world.rank, group),
)
get_group_size = _of_group(
    "get_group_size", "how many processes a group has", lambda ranks, _: len(ranks)
)
get_local_rank_size = _of_group(
    "get_local_rank_size",
    "how many processes a group has on this machine",
    lambda ranks, _: len([*filter(_is_here, ranks)]),
)
get_process_group_ranks = _of_group(
    "get_process_group_ranks",
    "the numbers of the processes in a group",
    lambda ranks, _: list(ranks),
    begun=True,
)


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """Return the number among all processes of one in a group.

    Args:
        group: Name of the group.
        group_rank_id: Its number in the group.

    Raises:
        ValueError: If it has no such number.
    """
    ranks = _ranks("get_world_rank_from_group_rank", group)
    if not 0 <= group_rank_id < len(ranks):
        raise ArgumentValueError(f"{_count(ranks, group)}, but got {group_rank_id}.")
    return ranks[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """Return the number in a group of one of all processes; see the reverse."""
    ranks = _ranks("get_group_rank_from_world_rank", group)
    if world_rank_id not in ranks:
        raise ArgumentValueError(f"{_count(ranks, group)}, but got {world_rank_id}.")
    return ranks.index(world_rank_id)


def create_group(group: str, rank_ids: list[int], options: Any = None) -> None:
    """Make a group of processes; only its members must call this.

    Args:
        group: Its name.
        rank_ids: The numbers of its processes.
        options: Accepted for compatibility.

    Raises:
        RuntimeError: Before ``init``, as of the functions above that look into a group; or if
            this process is not a member.
        ValueError: For processes that do not exist, or the name of the group of all.
        NotImplementedError: For others than this process where it is the only one.
    """
    _ranks("create_group", WORLD_GROUP if isinstance(group, str) else group)
    ranks = tuple(rank_ids)
    if world.size == 1 and ranks != (0,):
        raise UnsupportedError(
            f"create_group: there is one process, number 0, but got {rank_ids}; start several by "
            "'python -m msgrad launch'."
        )
    if not ranks or len(set(ranks)) < len(ranks) or not {*ranks} <= {*range(world.size)}:
        raise ArgumentValueError(
            f"create_group: rank_ids must be some of the ranks 0 to {world.size - 1}, each once, "
            f"but got {rank_ids}."
        )
    if group in WORLD_GROUPS:
        raise ArgumentValueError(f"create_group: '{group}' is the name of the group of all ranks.")
    _own(ranks, world.rank, group)
    add_group(group, ranks)


def destroy_group(group: str) -> None:
    """Forget a group of processes.

    Raises:
        ValueError: If it is that of all processes.
    """
    _ranks("destroy_group", group)
    if group in WORLD_GROUPS and world.size > 1:
        raise ArgumentValueError("destroy_group: the group of all ranks stays.")
    forget_group(group)


__all__ = public_names(
    globals(), "HCCL_WORLD_COMM_GROUP", "MCCL_WORLD_COMM_GROUP", "NCCL_WORLD_COMM_GROUP"
)
