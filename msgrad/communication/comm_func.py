"""``mindspore.communication.comm_func``: collectives that return their results, in one process.

What each gives is what one process has. With ``async_op`` the second result has ``wait()``; else it
is None, as in MindSpore. Sending needs a second process.
"""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.declared import Word, checked
from msgrad._core.errors import ArgumentValueError
from msgrad._core.left_out import left_out_all
from msgrad.common.tensor import Tensor
from msgrad.communication._comm_helper import GlobalComm
from msgrad.mint._rows import rows
from msgrad.mint.distributed import CommHandle
from msgrad.mint.distributed import barrier as _barrier  # noqa: F401 - in the table
from msgrad._core.groups import WORLD_GROUP


@checked
def all_reduce(
    tensor: Tensor, op: Word = "sum", group: Word = WORLD_GROUP, async_op: bool = False
) -> tuple[Tensor, CommHandle | None]:
    """Return the sum, or what ``op`` says, of what all processes have, and a handle.

    Args:
        tensor: What this process has.
        op: ``'sum'``, ``'prod'``, ``'max'`` or ``'min'``.
        group: Name of the group of processes.
        async_op: Whether to return a handle.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: For another ``op``.
    """
    return ops.AllReduce(op, group)(tensor), CommHandle() if async_op else None


@checked
def _gathered(
    tensor: Tensor, group: Word = WORLD_GROUP, async_op: bool = False
) -> tuple[Tensor, CommHandle | None]:
    """Return what all processes have, joined along the first axis, and a handle."""
    return ops.AllGather(group)(tensor), CommHandle() if async_op else None


@checked
def _reduced(tensor: Tensor, dst: int, op: Word = "sum", group: Word = WORLD_GROUP) -> Tensor:
    """Return the sum, or what ``op`` says, of what all processes have, in the process ``dst``."""
    return broadcast(all_reduce(tensor, op, group)[0], dst, group)


@checked
def broadcast(tensor: Tensor, src: int = 0, group: Word = WORLD_GROUP) -> Tensor:
    """Return what the process ``src`` has.

    Args:
        tensor: What this process has.
        src: The number of a process; 0.
        group: Name of the group of processes.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If there is no such process.
    """
    if src != 0:
        raise ArgumentValueError(f"there is one process, number 0, but got {src}.")
    return ops.Broadcast(src, group)(tensor)


def all_to_all_single_with_output_shape(
    output_shape: Any,
    tensor: Tensor,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: str | None = None,
    async_op: bool = False,
) -> tuple[Tensor, CommHandle | None]:
    """Return what the processes send to this one, joined, and a handle.

    Args:
        output_shape: A shape, or a Tensor of that shape; that of ``tensor``.
        tensor: What is sent.
        output_split_sizes: Not used.
        input_split_sizes: Not used.
        group: Name of the group of processes.
        async_op: Whether to return a handle.

    Raises:
        ValueError: If the shape is another one.
    """
    shape = tuple(getattr(output_shape, "shape", output_shape))
    if shape != tensor.shape:
        raise ArgumentValueError(
            f"one process gets what it sends, {tensor.shape}, but the shape given is {shape}."
        )
    return _gathered(tensor, group or GlobalComm.WORLD_COMM_GROUP, async_op)


def all_to_all_with_output_shape(
    output_shape_list: Any, input_tensor_list: Any, group: str | None = None, async_op: bool = False
) -> tuple[tuple[Tensor, ...], CommHandle | None]:
    """Return a tuple of what each process sends to this one, and a handle.

    Args:
        output_shape_list: The shapes, or Tensors of the shapes.
        input_tensor_list: What is sent, a Tensor for each process.
        group: Name of the group of processes.
        async_op: Whether to return a handle.

    Raises:
        ValueError: If the lists are not of one, or the shape is another one.
    """
    if len(output_shape_list) != 1 or len(input_tensor_list) != 1:
        raise ArgumentValueError("one process needs lists of one.")
    found, handle = all_to_all_single_with_output_shape(
        output_shape_list[0], input_tensor_list[0], None, None, group, async_op
    )
    return (found,), handle


_TABLE = """
all_gather_into_tensor = _gathered(tensor, group='hccl_world_group', async_op=False)
reduce_scatter_tensor = all_reduce(tensor, op='sum', group='hccl_world_group', async_op=False)
gather_into_tensor = broadcast(tensor, dst: src = 0, group='hccl_world_group')
scatter_tensor = broadcast(tensor, src=0, group='hccl_world_group')
reduce = _reduced(tensor, dst, op='sum', group='hccl_world_group')
barrier = _barrier(group='hccl_world_group')
"""
_FOUND = rows(_TABLE, __name__, globals())
_FOUND |= left_out_all(
    __name__,
    "something between two processes",
    {
        "there is only one process": "P2POp batch_isend_irecv isend irecv send recv",
        "its counts are those of a device": "all_to_all_v_c",
    },
)
globals().update(_FOUND)
__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    *_FOUND,
    *("all_reduce", "all_to_all_single_with_output_shape", "all_to_all_with_output_shape"),
    "broadcast",
]
