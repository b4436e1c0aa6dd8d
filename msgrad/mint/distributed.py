"""``mindspore.mint.distributed``: collectives that write into the Tensors and lists given for them.

With one process a sum is what the process has. Arrays go through the operators of
``ops/collective.py``; objects are pickled.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from msgrad import ops
from msgrad._core.context import context
from msgrad._core.declared import checked
from msgrad._core.distributed.groups import ranks_of
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad.common.tensor import Tensor
from msgrad.communication import GlobalComm
from msgrad.mint import _process_groups
from msgrad.mint._process_groups import *  # noqa: F403
from msgrad.mint._rows import rows
from msgrad.ops import collective as _collective
from msgrad.ops import exchange as _exchange

_REDUCTIONS = ("sum", "prod", "max", "min", "avg")


# Messages that were begun and not waited for: who sends to whom, and what does it.
_begun: list[tuple[tuple[int, int], Callable[[], Any]]] = []


class CommHandle:
    """What a call with ``async_op=True`` returns: JAX computes while the program goes on."""

    def __init__(self, *results: Tensor) -> None:
        self._results = results

    def wait(self) -> None:
        """Wait for the results; who reads one waits for it, too."""
        if context.lift is None and context.recorder is None:
            jax.block_until_ready([result._peek() for result in self._results])
        self._results = ()


class _Message(CommHandle):
    """What ``isend`` and ``irecv`` return."""

    def wait(self) -> None:
        """Send and receive all that was begun, in an order that is the same on all ranks."""
        waiting, _begun[:] = sorted(_begun, key=itemgetter(0)), []
        for _, run in waiting:
            run()
        super().wait()


def _begin(start: int, end: int, ranks: tuple[int, ...], run: Callable[[], Any]) -> None:
    _exchange.check_ends(start, end, ranks)
    _begun.append(((start, end), run))


def _ranks(group: Any) -> tuple[int, ...]:
    return ranks_of(group or GlobalComm.WORLD_COMM_GROUP)


def _place(rank: int, ranks: tuple[int, ...]) -> int:
    """Return the number in a group of a process that is given by that among all."""
    if rank not in ranks:
        raise ArgumentValueError(f"the group has the ranks {list(ranks)}, but got {rank}.")
    return ranks.index(rank)


def _done(async_op: bool, *results: Tensor) -> CommHandle | None:
    return CommHandle(*results) if async_op else None


def _put(output: Tensor, result: Tensor, async_op: bool = False) -> CommHandle | None:
    """Write a result into the Tensor given for it."""
    if output.shape != result.shape or output.dtype != result.dtype:
        count = "with one process, both Tensors need" if world.size == 1 else "the result needs"
        raise ArgumentValueError(
            f"{count} one shape and dtype, but got {output.dtype}, {output.shape} and "
            f"{result.dtype}, {result.shape}."
        )
    output._write(result._peek())
    return _done(async_op, output)


def _reduced(
    tensor: Tensor, ranks: tuple[int, ...], op: str, scattered: bool = False, sizes: Any = None
) -> Tensor:
    if op not in _REDUCTIONS:
        raise ArgumentTypeError(f"op must be one of {_REDUCTIONS}, but got {op!r}.")
    if len(ranks) == 1:
        return tensor
    what = "sum" if op == "avg" else op
    if sizes is not None:
        found = _exchange.reduce_scatter_uneven(tensor, ranks, tuple(sizes), what)
    else:
        function = _collective.reduce_scatter if scattered else _collective.all_reduce
        found = function(tensor, ranks, what)
    return (found / len(ranks)).astype(tensor.dtype) if op == "avg" else found


def _even(tensor: Tensor, ranks: tuple[int, ...]) -> tuple[int, ...]:
    size, rest = divmod(tensor.shape[0], len(ranks))
    if rest:
        raise ArgumentValueError(
            f"the first dimension of {tensor.shape} must be divisible by the number of ranks, "
            f"{len(ranks)}, or sizes be given."
        )
    return (size,) * len(ranks)


@checked
def _all_reduce(tensor: Tensor, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
    """Replace a Tensor by the sum, or what ``op`` says, of those of all processes."""
    return _put(tensor, _reduced(tensor, _ranks(group), op), async_op)


@checked
def _broadcast(tensor: Tensor, src: int, group: Any = None, async_op: bool = False) -> Any:
    """Replace a Tensor by that of the process ``src``."""
    ranks = _ranks(group)
    place = _place(src, ranks)
    if len(ranks) == 1:
        return _done(async_op)
    return _put(tensor, _collective.broadcast(tensor, ranks, place), async_op)


@checked
def _reduce(
    tensor: Tensor, dst: int, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Replace a Tensor by the sum of all in the process ``dst``; in the others it stays."""
    ranks = _ranks(group)
    place = _place(dst, ranks)
    if len(ranks) == 1:
        return _all_reduce(tensor, op, group, async_op)
    if op == "avg":
        found = _reduced(tensor, ranks, op)
        return _put(tensor, found, async_op) if world.rank == dst else _done(async_op)
    return _put(tensor, _collective.reduce(tensor, ranks, op, place), async_op)


@checked
def _all_gather(
    output: Tensor, input: Tensor, sizes: Any = None, group: Any = None, async_op: bool = False
) -> Any:
    """Write what all processes have, joined along the first axis, into a Tensor."""
    ranks = _ranks(group)
    if sizes is not None:
        return _put(output, _exchange.gather_uneven(input, ranks, tuple(sizes)), async_op)
    return _put(output, _gathered(input, ranks), async_op)


def _gathered(tensor: Tensor, ranks: tuple[int, ...]) -> Tensor:
    return tensor if len(ranks) == 1 else _collective.all_gather(tensor, ranks)


@checked
def _reduce_scatter(
    output: Tensor,
    input: Tensor,
    sizes: Any = None,
    op: str = "sum",
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Write this process's part of the sum over all processes into a Tensor."""
    ranks = _ranks(group)
    return _put(output, _reduced(input, ranks, op, True, sizes), async_op)


@checked
def _exchanged(
    output: Tensor,
    input: Tensor,
    output_sizes: Any = None,
    input_sizes: Any = None,
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Write the parts that the processes have for this one, joined, into a Tensor."""
    ranks = _ranks(group)
    if output_sizes is not None or input_sizes is not None:
        sends = _even(input, ranks) if input_sizes is None else tuple(input_sizes)
        receives = _even(output, ranks) if output_sizes is None else tuple(output_sizes)
        input = _exchange.exchange(input, ranks, sends, receives, "all_to_all_single")
    elif len(ranks) > 1:
        _even(input, ranks)
        input = _collective.all_to_all(input, ranks, 0, 0)
    return _put(output, input, async_op)


def _exchanged_as(
    output: Tensor, input: Tensor, send_count_matrix: Any, group: Any = None, async_op: bool = False
) -> Any:
    """Write the parts for this one, joined, into a Tensor; sizes are what each sends to each."""
    ranks = _ranks(group)
    return _put(output, _exchange.exchange_as(input, ranks, send_count_matrix), async_op)


def _one_each(items: Any, ranks: tuple[int, ...]) -> Sequence[Any]:
    """Check a list that has an item for each process."""
    if not isinstance(items, (list, tuple)) or len(items) != len(ranks):
        count = "one process needs a list of one" if len(ranks) == 1 else (
            f"{len(ranks)} processes need a list of {len(ranks)}"
        )  # fmt: skip
        raise ArgumentTypeError(f"{count}, but got {items!r}.")
    return items


def _put_all(outputs: Sequence[Tensor], stacked: Any, async_op: bool) -> CommHandle | None:
    for output, result in zip(outputs, stacked, strict=True):
        _put(output, result)
    return _done(async_op, *outputs)


def _stacked(items: Sequence[Tensor]) -> Tensor:
    if len({(item.shape, item.dtype) for item in items}) > 1:
        raise UnsupportedError("Tensors of different shapes cannot be stacked; use all_to_all.")
    return ops.stack(list(items))


def _copied_lists(
    output_list: Any, input_list: Any, group: Any = None, async_op: Any = False
) -> Any:
    """Write the Tensors that the processes have for this one into those of a list."""
    ranks = _ranks(group)
    sent = [*enumerate(_one_each(input_list, ranks))]
    received = [(place, one.shape) for place, one in enumerate(_one_each(output_list, ranks))]
    found = _exchange.messages("all_to_all", ranks, sent, received, sent[0][1].dtype)
    return _put_all(output_list, found, async_op)


def _to_list(tensor: Tensor, tensor_list: Any, group: Any = None, async_op: bool = False) -> Any:
    """Write the Tensors of all processes into those of a list."""
    ranks = _ranks(group)
    return _put_all(_one_each(tensor_list, ranks), _gathered(ops.stack([tensor]), ranks), async_op)


def _gather(
    tensor: Tensor, gather_list: Any, dst: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write the Tensors of all processes into those of a list, in the process ``dst``."""
    ranks = _ranks(group)
    _place(dst, ranks)
    found = _gathered(ops.stack([tensor]), ranks)
    if world.rank != dst:
        return _done(async_op)
    return _put_all(_one_each(gather_list, ranks), found, async_op)


def _scatter(
    tensor: Tensor, scatter_list: Any, src: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write this process's Tensor of a list that the process ``src`` has into a Tensor."""
    ranks = _ranks(group)
    place = _place(src, ranks)
    items = _one_each(scatter_list, ranks) if world.rank == src else [tensor] * len(ranks)
    given = _stacked(items)
    if len(ranks) > 1:
        given = _collective.all_to_all(given, ranks, 0, 0)
    return _put(tensor, given[place], async_op)


def _gather_whole(
    output: Tensor, input: Tensor, dst: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write what all processes have, joined, into a Tensor, in the process ``dst``."""
    ranks = _ranks(group)
    _place(dst, ranks)
    found = _gathered(input, ranks)
    return _put(output, found, async_op) if world.rank == dst else _done(async_op)


def _scatter_whole(
    output: Tensor, input: Tensor, src: int = 0, group: Any = None, async_op: bool = False
) -> Any:
    """Write this process's part of what the process ``src`` has into a Tensor."""
    ranks = _ranks(group)
    place = _place(src, ranks)
    if len(ranks) > 1:
        part = input.shape[0] // len(ranks)
        input = _collective.all_to_all(input, ranks, 0, 0)[place * part : (place + 1) * part]
    return _put(output, input, async_op)


def _from_list(
    tensor: Tensor, tensor_list: Any, op: str = "sum", group: Any = None, async_op: bool = False
) -> Any:
    """Write the sum of this process's Tensors in the lists of all processes into a Tensor."""
    ranks = _ranks(group)
    found = _reduced(_stacked(_one_each(tensor_list, ranks)), ranks, op, scattered=True)
    return _put(tensor, found[0], async_op)


def _send(tensor: Tensor, dst: int = 0, group: Any = None, tag: int = 0) -> None:
    """Send a Tensor to the process ``dst``, which calls ``recv``."""
    _exchange.pair("send", _exchange.payload(tensor, "send"), world.rank, dst, _ranks(group))


def _receive(tensor: Tensor, src: int = 0, group: Any = None, tag: int = 0) -> int:
    """Write the Tensor that the process ``src`` sends into one of its shape."""
    raw = _exchange.payload(tensor, "recv")
    _put(tensor, _exchange.pair("recv", raw, src, world.rank, _ranks(group)))
    return 0


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to send a Tensor to the process ``dst``, and return a handle.

    Args:
        tensor: What is sent, as it is now.
        dst: Number of the other process, among all.
        group: Name of the group of both.
        tag: Accepted for compatibility: what two processes send each other comes in its order.

    Differs from MindSpore: it is sent when a process first waits for one of its messages.
    """
    ranks, raw = _ranks(group), tensor._concrete("isend")
    _begin(world.rank, dst, ranks, lambda: _exchange.pair("isend", raw, world.rank, dst, ranks))
    return _Message()


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to receive the Tensor that the process ``src`` sends into one of its shape.

    Args:
        tensor: Where it is written, once it is waited for.
        src: Number of the other process, among all.
        group: Name of the group of both.
        tag: Accepted for compatibility.
    """
    _begin(src, world.rank, _ranks(group), lambda: _receive(tensor, src, group))
    return _Message(tensor)


class P2POp:
    """One message for ``batch_isend_irecv``.

    Args:
        op: ``'isend'`` or ``'irecv'``, or the function of this name.
        tensor: What is sent, or where it is to be written.
        peer: Number of the process at the other end, among all.
        group: Name of the group of processes.
        tag: Must be 0.

    Raises:
        TypeError: For arguments of other types.
        NotImplementedError: For another ``tag``.
    """

    def __init__(
        self, op: Any, tensor: Tensor, peer: int, group: str | None = None, tag: int = 0
    ) -> None:
        self.op = op if isinstance(op, str) else getattr(op, "__name__", None)
        if self.op not in ("isend", "irecv"):
            raise ArgumentTypeError(f"op must be 'isend' or 'irecv', but got {op!r}.")
        if not isinstance(tensor, Tensor) or not isinstance(peer, int):
            raise ArgumentTypeError(f"P2POp takes a Tensor and an int, but got {tensor!r}, {peer}.")
        if tag:
            raise UnsupportedError("P2POp has no tags: messages come in their order.")
        self.tensor, self.peer, self.group, self.tag = tensor, peer, group, tag


def batch_isend_irecv(p2p_op_list: list) -> list[CommHandle]:
    """Send and receive Tensors of one dtype, all of them at once; return a list of one handle.

    Args:
        p2p_op_list: A list of ``P2POp`` of one group, whose processes all call this.

    Raises:
        TypeError: If it is empty, or has something else in it, or several groups.
        ValueError: If what two processes expect of each other does not fit.
    """
    ops_given = p2p_op_list if isinstance(p2p_op_list, (list, tuple)) else []
    groups = {one.group for one in ops_given if isinstance(one, P2POp)}
    if len(groups) != 1 or not all(isinstance(one, P2POp) for one in ops_given):
        raise ArgumentTypeError(
            f"p2p_op_list must be a list of P2POp of one group, but got {p2p_op_list!r}."
        )
    ranks = _ranks(groups.pop())
    sent = [(_place(one.peer, ranks), one.tensor) for one in ops_given if one.op == "isend"]
    rooms = [one.tensor for one in ops_given if one.op == "irecv"]
    places = [_place(one.peer, ranks) for one in ops_given if one.op == "irecv"]
    shapes = [(place, room.shape) for place, room in zip(places, rooms, strict=True)]
    dtype = ops_given[0].tensor.dtype
    found = _exchange.messages("batch_isend_irecv", ranks, sent, shapes, dtype)
    _put_all(rooms, found, False)
    return [CommHandle(*rooms)]


def send_object_list(
    object_list: list, dst: int = 0, group: Any = None, device: Any = None
) -> None:
    """Send objects to the process ``dst``, which calls ``recv_object_list``."""
    data = np.frombuffer(pickle.dumps(object_list), np.uint8)
    _send(Tensor(np.array([data.size], np.int32)), dst, group)
    _send(Tensor(data), dst, group)


def recv_object_list(object_list: list, src: int = 0, group: Any = None, device: Any = None) -> int:
    """Replace the objects of a list by those that the process ``src`` sends."""
    size = Tensor(np.zeros(1, np.int32))
    _receive(size, src, group)
    data = Tensor(np.zeros(int(size.asnumpy()[0]), np.uint8))
    _receive(data, src, group)
    object_list[:] = pickle.loads(data.asnumpy().tobytes())
    return src


def _objects(obj: Any, ranks: tuple[int, ...]) -> list[Any]:
    """Return the objects of all processes of a group."""
    if len(ranks) == 1:
        return [obj]
    data = np.frombuffer(pickle.dumps(obj), np.uint8)
    lengths = _collective.all_gather(Tensor(np.array([data.size], np.int32)), ranks).asnumpy()
    padded = np.zeros(int(lengths.max()), np.uint8)
    padded[: data.size] = data
    found = _collective.all_gather(Tensor(padded), ranks).asnumpy().reshape(len(ranks), -1)
    return [pickle.loads(row[:n].tobytes()) for row, n in zip(found, lengths, strict=True)]


def _all_objects(object_list: Any, obj: Any, group: Any = None) -> None:
    """Put the objects of all processes into a list."""
    ranks = _ranks(group)
    _one_each(object_list, ranks)
    object_list[:] = _objects(obj, ranks)


def _gather_objects(
    obj: Any, object_gather_list: Any = None, dst: int = 0, group: Any = None
) -> None:
    """Put the objects of all processes into a list, in the process ``dst``."""
    ranks = _ranks(group)
    _place(dst, ranks)
    if world.rank == dst and object_gather_list is not None:
        _one_each(object_gather_list, ranks)
    found = _objects(obj, ranks)
    if world.rank == dst and object_gather_list is not None:
        object_gather_list[:] = found


def scatter_object_list(
    scatter_object_output_list: list,
    scatter_object_input_list: list,
    src: int = 0,
    group: Any = None,
) -> None:
    """Put this process's object of a list that the process ``src`` has into another list."""
    ranks = _ranks(group)
    place = _place(src, ranks)
    own = _one_each(scatter_object_input_list, ranks) if world.rank == src else None
    scatter_object_output_list[0] = _objects(own, ranks)[place][ranks.index(world.rank)]


def broadcast_object_list(
    object_list: list, src: int = 0, group: Any = None, device: Any = None
) -> None:
    """Replace the objects of a list by those of the process ``src``."""
    ranks = _ranks(group)
    place = _place(src, ranks)
    object_list[:] = _objects(object_list if world.rank == src else None, ranks)[place]


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """Wait for all processes of a group."""
    _collective.barrier(_ranks(group))
    return _done(async_op)


_TABLE = """
all_reduce = _all_reduce(tensor, op='sum', group=None, async_op=False)
broadcast = _broadcast(tensor, src, group=None, async_op=False)
reduce = _reduce(tensor, dst, op='sum', group=None, async_op=False)
all_gather_into_tensor = _all_gather(output_tensor: output, input_tensor: input, group=None, async_op=False)
all_gather_into_tensor_uneven = _all_gather(output, input, output_split_sizes: sizes = None, group=None, async_op=False)
all_to_all_single = _exchanged(output, input, output_split_sizes: output_sizes = None, input_split_sizes: input_sizes = None, group=None, async_op=False)
reduce_scatter_tensor = _reduce_scatter(output, input, op='sum', group=None, async_op=False)
reduce_scatter_tensor_uneven = _reduce_scatter(output, input, input_split_sizes: sizes = None, op='sum', group=None, async_op=False)
all_to_all = _copied_lists(output_tensor_list: output_list, input_tensor_list: input_list, group=None, async_op=False)
all_gather = _to_list(tensor_list, tensor, group=None, async_op=False)
gather = _gather(tensor, gather_list, dst=0, group=None, async_op=False)
scatter = _scatter(tensor, scatter_list, src=0, group=None, async_op=False)
reduce_scatter = _from_list(output: tensor, input_list: tensor_list, op='sum', group=None, async_op=False)
all_gather_object = _all_objects(object_list, obj, group=None)
gather_object = _gather_objects(obj, object_gather_list=None, dst=0, group=None)
send = _send(tensor, dst=0, group=None, tag=0)
recv = _receive(tensor, src=0, group=None, tag=0)
"""  # noqa: E501
_FOUND = rows(_TABLE, __name__, globals())
globals().update(_FOUND)
# Of ``ops.communication`` alone.
_OF_OPS = """
all_to_all_v_c = _exchanged_as(output, input, send_count_matrix, group=None, async_op=False)
gather_into_tensor = _gather_whole(output_tensor: output, input_tensor: input, dst=0, group=None, async_op=False)
scatter_tensor = _scatter_whole(output_tensor: output, input_tensor: input, src=0, group=None, async_op=False)
"""  # noqa: E501
globals().update(rows(_OF_OPS, __name__, globals()))
# The modules below it stand in a table, ``_core/path_tables.py``.
__path__: list[str] = []
__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    *_FOUND,
    *("P2POp", "batch_isend_irecv", "irecv", "isend", "recv_object_list", "send_object_list"),
    *("barrier", "broadcast_object_list", "scatter_object_list"),
    *_process_groups.__all__,
]

if TYPE_CHECKING:
    # What is made from rows.
    def __getattr__(name: str) -> Any: ...
