"""``mindspore.communication.management``: this process is number 0 of 1.

Programs ask for their rank to choose their part of the data; running on several processes is left
to JAX.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgrad._core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EngineError,
    UnsupportedError,
)
from msgrad._core.exports import public_names
from msgrad.communication._comm_helper import GlobalComm
from msgrad.ops.collective import WORLD_GROUP, check_one_process

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"


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
    if backend_name not in ("hccl", "nccl", "mccl", None):
        raise EngineError(
            "For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', "
            f"but got 'backend_name' : {backend_name}"
        )
    check_one_process("mindspore.communication")
    GlobalComm.INITED = True


def release() -> None:
    """End communicating."""
    GlobalComm.INITED = False


def _check_group(name: str, group: Any, begun: bool = True) -> None:
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


def _of_group(name: str, what: str, value: Any, begun: bool = False) -> Callable[..., Any]:
    def function(group: str = WORLD_GROUP) -> Any:
        _check_group(name, group, begun)
        return list(value) if isinstance(value, tuple) else value

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Return {what}.\n\nArgs:\n    group: Name of the group.\n\n"
        "Raises:\n    TypeError: If it is not a str."
    )
    return function


get_rank = _of_group("get_rank", "the number of this process in a group: 0", 0)
get_local_rank = _of_group("get_local_rank", "the number of this process on its machine: 0", 0)
get_group_size = _of_group("get_group_size", "how many processes a group has: 1", 1)
get_local_rank_size = _of_group(
    "get_local_rank_size", "how many processes a group has on this machine: 1", 1
)
get_process_group_ranks = _of_group(
    "get_process_group_ranks", "the numbers of the processes in a group: ``[0]``", (0,), begun=True
)


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """Return the number among all processes of one in a group.

    Args:
        group: Name of the group.
        group_rank_id: Its number in the group; 0.

    Raises:
        ValueError: For another number.
    """
    _check_group("get_world_rank_from_group_rank", group)
    if group_rank_id != 0:
        raise ArgumentValueError(f"There is one process, number 0, but got {group_rank_id}.")
    return 0


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """Return the number in a group of one of all processes; see the reverse."""
    return get_world_rank_from_group_rank(group, world_rank_id)


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
    _check_group("create_group", group)
    if list(rank_ids) != [0]:
        raise UnsupportedError(
            f"create_group: there is one process, number 0, but got {rank_ids}; shard arrays over "
            "devices with jax.sharding instead."
        )


def destroy_group(group: str) -> None:
    """Forget a group of processes."""
    _check_group("destroy_group", group)


__all__ = public_names(
    globals(), "HCCL_WORLD_COMM_GROUP", "MCCL_WORLD_COMM_GROUP", "NCCL_WORLD_COMM_GROUP"
)
