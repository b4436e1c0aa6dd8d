"""``mindspore.communication.comm_func``: collectives that return their results.

With ``async_op`` the second result has ``wait()``; else it is None, as in MindSpore.
"""

from __future__ import annotations

from typing import Any

from msgrad import ops
from msgrad._core.declared import Word, checked
from msgrad._core.distributed.groups import WORLD_GROUP, ranks_of
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.communication._comm_helper import GlobalComm
from msgrad.mint import distributed as _distributed
from msgrad.mint._rows import rows
from msgrad.mint.distributed import CommHandle
from msgrad.mint.distributed import all_to_all_v_c as _all_to_all_v_c  # noqa: F401 - in the table
from msgrad.mint.distributed import barrier as _barrier  # noqa: F401 - in the table
from msgrad.mint.distributed import isend as _isend  # noqa: F401 - in the table


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
    return _with_handle(ops.AllReduce(op, group)(tensor), async_op)


def _with_handle(result: Tensor, async_op: bool) -> tuple[Tensor, CommHandle | None]:
    return result, CommHandle(result) if async_op else None


@checked
def all_gather_into_tensor(
    tensor: Tensor, group: Word = WORLD_GROUP, async_op: bool = False
) -> tuple[Tensor, CommHandle | None]:
    """Return what all processes have, joined along the first axis, and a handle."""
    return _with_handle(ops.AllGather(group)(tensor), async_op)


@checked
def reduce_scatter_tensor(
    tensor: Tensor, op: Word = "sum", group: Word = WORLD_GROUP, async_op: bool = False
) -> tuple[Tensor, CommHandle | None]:
    """Return this process's part of the sum, or what ``op`` says, and a handle."""
    return _with_handle(ops.ReduceScatter(op, group)(tensor), async_op)


@checked
def gather_into_tensor(tensor: Tensor, dst: int = 0, group: Word = WORLD_GROUP) -> Tensor:
    """Return what all processes have, joined, in the process ``dst``; zeros in the others."""
    _check_rank(dst, group)
    return ops.CollectiveGather(dst, group)(tensor)


@checked
def scatter_tensor(tensor: Tensor, src: int = 0, group: Word = WORLD_GROUP) -> Tensor:
    """Return this process's part of what the process ``src`` has."""
    _check_rank(src, group)
    return ops.CollectiveScatter(src, group)(tensor)


@checked
def reduce(tensor: Tensor, dst: int, op: Word = "sum", group: Word = WORLD_GROUP) -> Tensor:
    """Return the sum, or what ``op`` says, of what all processes have, in the process ``dst``."""
    _check_rank(dst, group)
    return ops.Reduce(dst, op, group)(tensor)


@checked
def broadcast(tensor: Tensor, src: int = 0, group: Word = WORLD_GROUP) -> Tensor:
    """Return what the process ``src`` has.

    Args:
        tensor: What this process has.
        src: The number of a process, among all.
        group: Name of the group of processes.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If there is no such process.
    """
    _check_rank(src, group)
    return ops.Broadcast(src, group)(tensor)


def _check_rank(rank: int, group: str) -> None:
    ranks = ranks_of(group)
    if rank not in ranks:
        count = "there is one process, number 0" if len(ranks) == 1 else (
            f"the group has the ranks {list(ranks)}"
        )  # fmt: skip
        raise ArgumentValueError(f"{count}, but got {rank}.")


@checked
def send(tensor: Tensor, dst: int = 0, group: Word = WORLD_GROUP, tag: int = 0) -> None:
    """Send a Tensor to the process ``dst``, which calls ``recv``."""
    _distributed.send(tensor, dst, group, tag)


@checked
def recv(tensor: Tensor, src: int = 0, group: Word = WORLD_GROUP, tag: int = 0) -> Tensor:
    """Return the Tensor that the process ``src`` sends, of the shape and dtype of ``tensor``."""
    found = tensor.copy()
    _distributed.recv(found, src, group, tag)
    return found


@checked
def irecv(
    tensor: Tensor, src: int = 0, group: Word = WORLD_GROUP, tag: int = 0
) -> tuple[Tensor, CommHandle]:
    """Return a Tensor that gets what the process ``src`` sends, once the handle is waited for."""
    found = tensor.copy()
    return found, _distributed.irecv(found, src, group, tag)


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
        output_shape: The shape of what comes, or a Tensor of that shape.
        tensor: What is sent.
        output_split_sizes: How much comes from each process; None for equal parts.
        input_split_sizes: How much goes to each process; None for equal parts.
        group: Name of the group of processes.
        async_op: Whether to return a handle.

    Raises:
        ValueError: If the shape is another one.
    """
    shape = tuple(getattr(output_shape, "shape", output_shape))
    if world.size == 1 and shape != tensor.shape:
        count = "one process gets what it sends"
        raise ArgumentValueError(f"{count}, {tensor.shape}, but the shape given is {shape}.")
    found = ops.zeros(shape, tensor.dtype)
    group = group or GlobalComm.WORLD_COMM_GROUP
    return found, _distributed.all_to_all_single(
        found, tensor, output_split_sizes, input_split_sizes, group, async_op
    )


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
    ranks = ranks_of(group or GlobalComm.WORLD_COMM_GROUP)
    if len(output_shape_list) != len(ranks) or len(input_tensor_list) != len(ranks):
        count = "one process needs lists of one" if len(ranks) == 1 else (
            f"{len(ranks)} processes need lists of {len(ranks)}"
        )  # fmt: skip
        raise ArgumentValueError(f"{count}.")
    shapes = [tuple(getattr(shape, "shape", shape)) for shape in output_shape_list]
    if len(ranks) == 1 and shapes[0] != input_tensor_list[0].shape:
        raise ArgumentValueError(
            f"one process gets what it sends, {input_tensor_list[0].shape}, but the shape given is "
            f"{shapes[0]}."
        )
    found = tuple([ops.zeros(shape, input_tensor_list[0].dtype) for shape in shapes])
    return found, _distributed.all_to_all(found, input_tensor_list, group, async_op)


class P2POp(_distributed.P2POp):
    """One message for ``batch_isend_irecv``.

    Args:
        op: ``'isend'`` or ``'irecv'``, or the function of this name.
        tensor: What is sent; of what comes a Tensor like it, or the shape.
        peer: Number of the process at the other end, among all.
        group: Name of the group of processes.
        tag: Must be 0.
        recv_dtype: The dtype of what comes, where ``tensor`` is its shape.

    Raises:
        TypeError: For arguments of other types.
        NotImplementedError: For another ``tag``.
    """

    def __init__(
        self,
        op: Any,
        tensor: Any,
        peer: int,
        group: str | None = None,
        tag: int = 0,
        recv_dtype: Any = None,
    ) -> None:
        if isinstance(tensor, (tuple, list)) and recv_dtype is not None:
            tensor = ops.zeros(tuple(tensor), recv_dtype)
        given: Any = tensor
        super().__init__(op, given, peer, group, tag)


def batch_isend_irecv(p2p_op_list: list) -> tuple[Tensor, ...]:
    """Send and receive Tensors of one dtype, all of them at once.

    Args:
        p2p_op_list: A list of ``P2POp`` of one group, whose processes all call this.

    Returns:
        A tuple with what came, and the Tensor that was sent where one was.

    Raises:
        TypeError: If it is empty, or has something else in it, or several groups.
        ValueError: If what two processes expect of each other does not fit.
    """
    for one in p2p_op_list if isinstance(p2p_op_list, list) else ():
        if isinstance(one, P2POp) and one.op == "irecv":
            one.tensor = one.tensor.copy()
    _distributed.batch_isend_irecv(p2p_op_list)
    return tuple([one.tensor for one in p2p_op_list])


_TABLE = """
barrier = _barrier(group='hccl_world_group')
all_to_all_v_c = _all_to_all_v_c(output, input, send_count_matrix, group=None, async_op=False)
isend = _isend(tensor, dst=0, group='hccl_world_group', tag=0)
"""
globals().update(rows(_TABLE, __name__, globals()))
__all__ = public_names(globals())
