"""``mindspore.mint.distributed``: this process is number 0 of 1, and has what all have.

A sum over one process is what the process has; results are written into the Tensors and lists that
are given for them. Sending needs a second process; several are left to JAX's own sharding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgrad import communication
from msgrad._core.declared import checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.left_out import left_out
from msgrad.common.tensor import Tensor
from msgrad.communication import GlobalComm, management
from msgrad.mint._rows import rows
from msgrad._core.world import world

_REDUCTIONS = ("sum", "prod", "max", "min", "avg")


class CommHandle:
    """What a call with ``async_op=True`` returns: it is done."""

    def wait(self) -> None:
        """Return at once."""


def _alone() -> None:
    if world.size > 1:
        raise UnsupportedError(
            f"this function of mint.distributed is there for one process only, of {world.size}; "
            "use the Primitives: ops.AllReduce, AllGather, ReduceScatter, Broadcast, AlltoAll."
        )


def _done(async_op: bool) -> CommHandle | None:
    _alone()
    return CommHandle() if async_op else None


@checked
def _unchanged(tensor: Tensor, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Leave a Tensor as it is: what all processes have together."""
    _check_reduction(op)
    return _done(async_op)


@checked
def _copied(
    output: Tensor, input: Tensor, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Write a Tensor into another one: what this process has of what all have."""
    _check_reduction(op)
    if output.shape != input.shape or output.dtype != input.dtype:
        raise ArgumentValueError(
            f"with one process, both Tensors need one shape and dtype, but got {output.dtype}, "
            f"{output.shape} and {input.dtype}, {input.shape}."
        )
    done = _done(async_op)
    output._write(input._peek())
    return done


def _check_reduction(op: Any) -> None:
    if op not in _REDUCTIONS:
        raise ArgumentTypeError(f"op must be one of {_REDUCTIONS}, but got {op!r}.")


def _only(items: Any) -> Any:
    if not isinstance(items, (list, tuple)) or len(items) != 1:
        raise ArgumentTypeError(f"one process needs a list of one, but got {items!r}.")
    return items[0]


def _copied_lists(
    output_list: Any, input_list: Any, group: Any = None, async_op: Any = False
) -> Any:
    """Write the one Tensor of a list into that of another."""
    return _copied(_only(output_list), _only(input_list), "sum", group, async_op)


def _to_list(tensor: Tensor, tensor_list: Any, group: Any = None, async_op: bool = False) -> Any:
    """Write a Tensor into the one of a list."""
    return _copied(_only(tensor_list), tensor, "sum", group, async_op)


def _from_list(
    tensor: Tensor, tensor_list: Any, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Write the one Tensor of a list into a Tensor."""
    return _copied(tensor, _only(tensor_list), op, group, async_op)


def _object(object_list: Any, obj: Any, group: Any = None) -> None:
    """Put an object into a list of one."""
    if object_list is not None:
        _only(object_list)
        object_list[0] = obj


def scatter_object_list(
    scatter_object_output_list: list,
    scatter_object_input_list: list,
    src: int = 0,
    group: Any = None,
) -> None:
    """Put the one object of a list into another list."""
    _object(scatter_object_output_list, _only(scatter_object_input_list))


def broadcast_object_list(
    object_list: list, src: int = 0, group: Any = None, device: Any = None
) -> None:
    """Leave the objects of a list as they are."""
    _alone()


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """Wait for nobody."""
    return _done(async_op)


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
    """Begin to communicate, with nobody; all but the backend is accepted.

    Args:
        backend: ``'hccl'``, the only name that MindSpore takes.
        init_method: Where to meet.
        timeout: How long to wait.
        world_size: The number of processes; 1, or -1 for what there are.
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
    if world_size not in (-1, 1):
        raise ArgumentValueError(f"there is one process, but world_size is {world_size}.")
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
    """Return the name of the group of the one process, or "" of one without it."""
    return GlobalComm.WORLD_COMM_GROUP if 0 in (ranks or [0]) else ""


def get_rank(group: str | None = None) -> int:
    """Return the number of this process, 0."""
    return management.get_rank(group or GlobalComm.WORLD_COMM_GROUP)


def get_world_size(group: str | None = None) -> int:
    """Return the number of processes, 1."""
    return management.get_group_size(group or GlobalComm.WORLD_COMM_GROUP)


def get_backend(group: str | None = None) -> str:
    """Return the name of the library, ``'hccl'``."""
    return GlobalComm.BACKEND


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """Return the numbers of the processes, ``[0]``."""
    return management.get_process_group_ranks(group or GlobalComm.WORLD_COMM_GROUP)


def get_global_rank(group: str, group_rank: int) -> int:
    """Return the number of a process of a group among all."""
    return management.get_world_rank_from_group_rank(group, group_rank)


def get_group_rank(group: str, global_rank: int) -> int:
    """Return the number of a process in a group."""
    return management.get_group_rank_from_world_rank(global_rank, group)


_TABLE = """
all_reduce = _unchanged(tensor, op='sum', group=None, async_op=False)
broadcast = _unchanged(tensor, src: _, group=None, async_op=False)
reduce = _unchanged(tensor, dst: _, op='sum', group=None, async_op=False)
all_gather_into_tensor = _copied(output_tensor: output, input_tensor: input, group=None, async_op=False)
all_gather_into_tensor_uneven = _copied(output, input, output_split_sizes: _ = None, group=None, async_op=False)
all_to_all_single = _copied(output, input, output_split_sizes: _ = None, input_split_sizes: _ = None, group=None, async_op=False)
reduce_scatter_tensor = _copied(output, input, op='sum', group=None, async_op=False)
reduce_scatter_tensor_uneven = _copied(output, input, input_split_sizes: _ = None, op='sum', group=None, async_op=False)
all_to_all = _copied_lists(output_tensor_list: output_list, input_tensor_list: input_list, group=None, async_op=False)
all_gather = _to_list(tensor_list, tensor, group=None, async_op=False)
gather = _to_list(tensor, gather_list: tensor_list, dst: _ = 0, group=None, async_op=False)
scatter = _from_list(tensor, scatter_list: tensor_list, src: _ = 0, group=None, async_op=False)
reduce_scatter = _from_list(output: tensor, input_list: tensor_list, op='sum', group=None, async_op=False)
all_gather_object = _object(object_list, obj, group=None)
gather_object = _object(obj, object_gather_list: object_list = None, dst: _ = 0, group=None)
"""  # noqa: E501
_FOUND = rows(_TABLE, __name__, globals())
_FOUND |= {
    name: left_out(__name__, name, "something between two processes", "there is only one")
    for name in (
        *("send", "recv", "isend", "irecv", "send_object_list", "recv_object_list"),
        *("P2POp", "batch_isend_irecv"),
    )
}
globals().update(_FOUND)
# Of ``ops.communication`` alone.
_OF_OPS = """
gather_into_tensor = _copied(output_tensor: output, input_tensor: input, dst: _ = 0, group=None, async_op=False)
scatter_tensor = _copied(output_tensor: output, input_tensor: input, src: _ = 0, group=None, async_op=False)
"""  # noqa: E501
globals().update(rows(_OF_OPS, __name__, globals()))
__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    *_FOUND,
    *("barrier", "broadcast_object_list", "destroy_process_group", "get_backend", "get_rank"),
    *("get_global_rank", "get_group_rank", "get_process_group_ranks", "get_world_size"),
    *("init_process_group", "is_available", "is_initialized", "new_group", "scatter_object_list"),
]

if TYPE_CHECKING:
    # What is made from rows.
    def __getattr__(name: str) -> Any: ...
