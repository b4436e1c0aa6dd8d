"""Operators that exchange parts of different sizes, and those between two ranks.

Ranks compile one program of a collective, so parts are filled up to the largest of them. Where a
rank knows its own sizes only, all of a group first tell theirs, outside of the program. A call of
``ms.jit`` or GRAPH_MODE has messages in its program instead, a permutation of two ranks for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import itemgetter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.context import context
from msgrad._core.declared import Word, checked
from msgrad._core.distributed.across import Ranks, collective, may_exchange_inside
from msgrad._core.distributed.groups import WORLD_GROUP, ranks_of
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Operator
from msgrad._core.scopes.discovery import value_needed
from msgrad.common import dtype as mstype
from msgrad.ops._checks import need
from msgrad.ops.collective import (
    _FLAGS,
    AllReduce,
    _joined,
    _OnGroup,
    _parted,
    _WithOne,
    all_gather,
    all_to_all,
    messages_inside,
    reduce_scatter,
)
from msgrad.ops.control import identity


def _spread(x: Array, sizes: tuple[int, ...], most: int) -> Array:
    """Cut along the first axis into parts, and fill each up."""
    ends = np.cumsum(sizes)
    rest = [(0, 0)] * (x.ndim - 1)
    return jnp.concatenate(
        [
            jnp.pad(x[end - size : end], [(0, most - size), *rest])
            for size, end in zip(sizes, ends, strict=True)
        ]
    )


def _picked(x: Array, sizes: tuple[int, ...], most: int) -> Array:
    return jnp.concatenate([x[i * most : i * most + size] for i, size in enumerate(sizes)])


_spread_out = Operator(_spread, "Spread", **_FLAGS)
_picked_from = Operator(_picked, "Picked", **_FLAGS)


def _at_once(name: str) -> None:
    """See to it that the call runs as plain Python where it would be part of a program."""
    if context.lift is not None:
        raise value_needed(f"{name} runs between programs of the ranks, not as a part of one.")


def _most(name: str, sends: tuple[int, ...], receives: tuple[int, ...], ranks: Ranks) -> int:
    """Return the size of the largest part that is sent, a power of 2; all ranks get the same.

    Raises:
        ValueError: If a rank does not send what this one expects.
    """
    _at_once(name)
    told = collective("all_gather", jnp.asarray(sends, jnp.int32), ranks)
    table = np.asarray(told).reshape(len(ranks), -1)
    for rank, size, expected in zip(
        ranks, table[:, ranks.index(world.rank)].tolist(), receives, strict=True
    ):
        if size != expected:
            raise ArgumentValueError(
                f"For '{name}', rank {rank} sends {size} to rank {world.rank}, which expects "
                f"{expected}."
            )
    return 1 << max(int(table.max()) - 1, 0).bit_length()


def exchange(
    x: Any,
    ranks: Ranks,
    sends: tuple[int, ...],
    receives: tuple[int, ...],
    name: str = "AlltoAllV",
    most: int = 0,
) -> Any:
    """Return the parts that the ranks of a group have for this one, joined along the first axis.

    Args:
        x: What this rank has.
        ranks: The group.
        sends: How much of it each of them gets.
        receives: How much this rank gets from each of them.
        name: For errors.
        most: A size that no part exceeds, where all ranks know one.

    Raises:
        ValueError: If the sizes are not those of ``x``, or not what the other ranks send.
    """
    for sizes in (sends, receives):
        if len(sizes) != len(ranks) or min(sizes) < 0:
            raise ArgumentValueError(
                f"For '{name}', there must be a size for each of {len(ranks)} ranks, but got "
                f"{list(sizes)}."
            )
    if x.ndim == 0 or sum(sends) != x.shape[0]:
        raise ArgumentValueError(
            f"For '{name}', the sizes {list(sends)} must add up to the first dimension of the "
            f"input, whose shape is {x.shape}."
        )
    if len(ranks) == 1:
        return identity(x)
    if context.lift is not None and not most and may_exchange_inside():
        return messages_inside(x, ranks, sends, receives)
    most = most or _most(name, sends, receives, ranks)
    got = all_to_all(_spread_out(x, sends, most), ranks, 0, 0)
    return _picked_from(got, receives, most)


def exchange_as(x: Any, ranks: Ranks, sizes: Any, block: int = 1, transpose: bool = False) -> Any:
    """Return what ``exchange`` does, by the sizes of what each rank sends to each."""
    name, found = "AlltoAllVC", _sizes("AlltoAllVC", sizes, block)
    if len(found) != len(ranks) ** 2:
        raise ArgumentValueError(
            f"For '{name}', there must be {len(ranks) ** 2} sizes, but got {len(found)}."
        )
    table = np.array(found).reshape(len(ranks), -1)
    table = table.T if transpose else table
    place = ranks.index(world.rank)
    sends, receives = table[place].tolist(), table[:, place].tolist()
    return exchange(x, ranks, tuple(sends), tuple(receives), name, max(int(table.max()), 1))


def gather_uneven(x: Any, ranks: Ranks, sizes: tuple[int, ...]) -> Any:
    """Return what the ranks of a group have, joined; sizes are those of all, in their order."""
    _check_sizes("AllGatherV", x, sizes[ranks.index(world.rank)], sizes, ranks)
    if len(ranks) == 1:
        return identity(x)
    most = max(*sizes, 1)
    return _picked_from(all_gather(_spread_out(x, (x.shape[0],), most), ranks), sizes, most)


def reduce_scatter_uneven(x: Any, ranks: Ranks, sizes: tuple[int, ...], op: str) -> Any:
    """Return this rank's part of what the ranks have together; sizes are those of all parts."""
    _check_sizes("ReduceScatterV", x, sum(sizes), sizes, ranks)
    if len(ranks) == 1:
        return identity(x)
    most, own = max(*sizes, 1), sizes[ranks.index(world.rank)]
    return _picked_from(reduce_scatter(_spread_out(x, sizes, most), ranks, op), (own,), most)


def _check_sizes(name: str, x: Any, size: int, sizes: tuple[int, ...], ranks: Ranks) -> None:
    if len(sizes) != len(ranks) or x.ndim == 0 or x.shape[0] != size:
        raise ArgumentValueError(
            f"For '{name}', the sizes {list(sizes)} do not fit {len(ranks)} ranks and an input of "
            f"shape {x.shape}."
        )


def messages(
    name: str,
    ranks: Ranks,
    sent: Sequence[tuple[int, Any]],
    received: Sequence[tuple[int, Sequence[int]]],
    dtype: Any,
) -> list[Any]:
    """Send Tensors of one dtype to ranks of a group and return those that come, at once.

    Args:
        name: For errors.
        ranks: The group; all of its ranks call this.
        sent: Places in the group, and Tensors for them.
        received: Places in the group, and the shapes of what comes from them, in their order.
        dtype: Of all of them.
    """
    for _, tensor in sent:
        if tensor.dtype != dtype:
            raise UnsupportedError(
                f"{name}: what is exchanged at once must be of one dtype, but got {tensor.dtype} "
                f"and {dtype}."
            )
    in_order = [x for _, x in sorted(sent, key=itemgetter(0))]
    flat = _joined(in_order) if sent else wrap(jnp.zeros((0,), mstype.to_numpy(dtype)))

    def sizes(each: Any) -> tuple[int, ...]:
        found = [0] * len(ranks)
        for place, size in each:
            found[place] += size
        return tuple(found)

    came = exchange(
        flat,
        ranks,
        sizes([(place, x.size) for place, x in sent]),
        sizes([(place, prod(shape)) for place, shape in received]),
        name,
    )
    order = sorted(range(len(received)), key=lambda number: received[number][0])
    if not order:
        return []
    parts = _parted(came, tuple([tuple(received[number][1]) for number in order]), None)
    found = dict(zip(order, parts, strict=True))
    return [found[number] for number in range(len(received))]


def _sizes(name: str, sizes: Any, block: int = 1) -> tuple[int, ...]:
    """Return sizes that are given as a tuple, a list or a Tensor."""
    if is_tensor(sizes):
        sizes = sizes.asnumpy().reshape(-1).tolist()
    if not isinstance(sizes, (tuple, list)):
        raise ArgumentTypeError(
            f"For '{name}', the sizes must be a tuple, a list or a Tensor, but got {type(sizes)}."
        )
    return tuple([int(size) * block for size in sizes])


class AlltoAllV(_OnGroup):
    """Return the parts that the ranks have for this one, of any sizes, joined.

    Args:
        block_size: What the sizes count in.

    Inputs: a Tensor (N,), how much of it goes to each rank, and how much comes from each.

    Differs from MindSpore: where nothing comes, the result has the shape (0,). Sizes in a
    Tensor make a compiled call run as plain Python.
    """

    @checked
    def __init__(self, group: Word = WORLD_GROUP, block_size: int = 1) -> None:
        super().__init__(group)
        self.block_size = block_size

    def __call__(self, x: Any, sends: Any, receives: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Exchange."""
        name, ranks = self.name, ranks_of(self.group)
        to, of = (_sizes(name, sizes, self.block_size) for sizes in (sends, receives))
        return exchange(x, ranks, to, of, name)


class AlltoAllVC(AlltoAllV):
    """As ``AlltoAllV``, with the sizes of all ranks: what each of them sends to each.

    Args:
        transpose: Whether they say what each of them gets from each.
    """

    @checked
    def __init__(
        self, group: Word = WORLD_GROUP, block_size: int = 1, transpose: bool = False
    ) -> None:
        super().__init__(group, block_size)
        self.transpose = transpose

    def __call__(self, x: Any, send_count_matrix: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Exchange."""
        ranks = ranks_of(self.group)
        return exchange_as(x, ranks, send_count_matrix, self.block_size, self.transpose)


class AllGatherV(_OnGroup):
    """Return what all ranks have, of any sizes, joined.

    Inputs: a Tensor (N,), and the sizes of all ranks.
    """

    def __call__(self, x: Any, output_split_sizes: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Gather."""
        return gather_uneven(x, ranks_of(self.group), _sizes(self.name, output_split_sizes))


class ReduceScatterV(AllReduce):
    """Return this rank's part of what ``AllReduce`` would, parts being of any sizes.

    Inputs: a Tensor (N,), and the sizes of all parts.
    """

    def __call__(self, x: Any, input_split_sizes: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Reduce."""
        sizes = _sizes(self.name, input_split_sizes)
        return reduce_scatter_uneven(x, ranks_of(self.group), sizes, self.op)


class NeighborExchange(_WithOne):
    """Send Tensors to some ranks and return those that others send.

    Args:
        send_rank_ids: Numbers of the ranks that get something, among all.
        recv_rank_ids: Numbers of those that send something.
        recv_shapes: The shapes of what comes.
        send_shapes: The shapes of what is sent.
        recv_type: The dtype of all of it.
        group: Name of the group of ranks, which all call this, also those that do neither.

    Inputs: a tuple of Tensors. Output: a tuple of Tensors.
    """

    @checked
    def __init__(
        self,
        send_rank_ids: Any,
        recv_rank_ids: Any,
        recv_shapes: Any,
        send_shapes: Any,
        recv_type: Any,
        group: Word = WORLD_GROUP,
    ) -> None:
        super().__init__(group)
        self.send_rank_ids, self.recv_rank_ids = list(send_rank_ids), list(recv_rank_ids)
        self.recv_shapes, self.send_shapes = recv_shapes, send_shapes
        self.recv_type = recv_type
        if len(self.recv_rank_ids) != len(recv_shapes) or len(send_shapes) != len(send_rank_ids):
            raise ArgumentValueError(
                f"For '{self.name}', there must be a shape for each rank, but got {send_rank_ids}, "
                f"{send_shapes} and {recv_rank_ids}, {recv_shapes}."
            )

    def __call__(self, x: Any) -> Any:
        """Exchange."""
        if [tuple(one.shape) for one in x] != [tuple(shape) for shape in self.send_shapes]:
            raise ArgumentValueError(
                f"For '{self.name}', the inputs must have the shapes {self.send_shapes}, but got "
                f"{[one.shape for one in x]}."
            )
        ranks = ranks_of(self.group)
        to = [self._place(rank, "send_rank_ids", ranks) for rank in self.send_rank_ids]
        of = [self._place(rank, "recv_rank_ids", ranks) for rank in self.recv_rank_ids]
        shapes = zip(of, self.recv_shapes, strict=True)
        sent = [*zip(to, x, strict=True)]
        return tuple(messages(self.name, ranks, sent, [*shapes], self.recv_type))


class BatchISendIRecv(_WithOne):
    """Send Tensors to some ranks and return those that others send, in a list of both.

    Args:
        op_types: ``'isend'`` or ``'irecv'`` for each of them.
        remote_ranks: Numbers of the ranks at the other end.
        receive_shapes: The shapes of what comes.
        receive_dtypes: Its dtypes, all of one.
        group: Name of the group of ranks, which all call this.

    Inputs: a tuple of what is sent. Output: a tuple with what came, and zeros () where something
    was sent.

    Raises:
        TypeError, ValueError: For lists that do not fit.
    """

    @checked
    def __init__(
        self,
        op_types: Any,
        remote_ranks: Any,
        receive_shapes: Any = None,
        receive_dtypes: Any = None,
        group: Word = WORLD_GROUP,
    ) -> None:
        super().__init__(group)
        shapes, dtypes = receive_shapes or [], receive_dtypes or []
        for given in (op_types, remote_ranks, shapes, dtypes):
            if not isinstance(given, (tuple, list)):
                raise ArgumentTypeError(
                    f"For '{self.name}', the arguments must be tuples or lists, but got {given!r}."
                )
        if len(shapes) != len(dtypes) or len(op_types) != len(remote_ranks):
            raise ArgumentValueError(f"For '{self.name}', the lists must be of one length.")
        if {*op_types} - {"isend", "irecv"} or [*op_types].count("irecv") != len(shapes):
            raise ArgumentValueError(
                f"For '{self.name}', there must be a shape for each 'irecv', but got {op_types} "
                f"and {shapes}."
            )
        self.op_types, self.remote_ranks = tuple(op_types), tuple(remote_ranks)
        self.receive_shapes, self.receive_dtypes = shapes, dtypes

    def __call__(self, x: Any = ()) -> Any:
        """Exchange."""
        ranks, given, shapes = ranks_of(self.group), iter(x), iter(self.receive_shapes)
        sent: list[Any] = []
        received: list[Any] = []
        for kind, rank in zip(self.op_types, self.remote_ranks, strict=True):
            place = self._place(rank, "remote_ranks", ranks)
            of, items = (sent, given) if kind == "isend" else (received, shapes)
            of.append((place, next(items)))
        dtype = [*self.receive_dtypes, *(one.dtype for _, one in sent)][0]
        came = iter(messages(self.name, ranks, sent, received, dtype))
        none = wrap(jnp.zeros((), mstype.to_numpy(dtype)))
        return tuple([none if kind == "isend" else next(came) for kind in self.op_types])


def payload(x: Any, name: str) -> Any:
    """Return the array of a Tensor that is to be sent."""
    return x._read() if context.lift is not None else x._concrete(name)


def check_ends(start: int, end: int, ranks: Ranks) -> None:
    """Raise where one rank cannot send to another."""
    if world.size == 1:
        raise UnsupportedError("sending is something between two processes: there is only one.")
    for rank in (start, end):
        need(rank in ranks, f"the group has the ranks {list(ranks)}", rank)
    if start == end:
        raise ArgumentValueError(f"rank {start} cannot send to itself.")


def pair(name: str, x: Any, start: int, end: int, ranks: Ranks) -> Any:
    """Send the array ``x`` from one rank to another, at once; both call this."""
    check_ends(start, end, ranks)
    if context.lift is not None and may_exchange_inside():
        sizes, mine = [0] * len(ranks), world.rank == start
        sizes[ranks.index(end if mine else start)] = x.size
        none = (0,) * len(ranks)
        x = jax.lax.stop_gradient(x)
        given = wrap(x.reshape(-1) if mine else x.reshape(-1)[:0])
        came = messages_inside(
            given, ranks, *((tuple(sizes), none) if mine else (none, tuple(sizes)))
        )
        return came if mine else wrap(came._read().reshape(x.shape))
    _at_once(name)
    two = (min(start, end), max(start, end))
    return wrap(collective("permute", x, two, ((two.index(start), two.index(end)),)))


class Send(_OnGroup):
    """Send a Tensor to another rank, which calls ``Receive``; no gradient comes back.

    Args:
        sr_tag: Accepted for compatibility: what two ranks send each other comes in its order.
        dest_rank: Number of the other rank, among all.
        group: Name of the group of both.
        group_back: Not used.

    Output: what was sent.
    """

    @checked
    def __init__(
        self,
        sr_tag: int,
        dest_rank: int,
        group: Word = WORLD_GROUP,
        group_back: Word = WORLD_GROUP,
    ) -> None:
        super().__init__(group)
        self.sr_tag, self.dest_rank = sr_tag, dest_rank

    def __call__(self, x: Any) -> Any:
        """Send."""
        pair(self.name, payload(x, self.name), world.rank, self.dest_rank, ranks_of(self.group))
        return x


class Receive(_OnGroup):
    """Return the Tensor that another rank sends by ``Send``; no gradient goes back.

    Args:
        sr_tag: Accepted for compatibility.
        src_rank: Number of the other rank, among all.
        shape: Of what comes.
        dtype: Of what comes.
        group: Name of the group of both.
        group_back: Not used.
    """

    @checked
    def __init__(
        self,
        sr_tag: int,
        src_rank: int,
        shape: Any,
        dtype: Any,
        group: Word = WORLD_GROUP,
        group_back: Word = WORLD_GROUP,
    ) -> None:
        super().__init__(group)
        self.sr_tag, self.src_rank = sr_tag, src_rank
        self.shape, self.dtype = tuple(shape), dtype

    def __call__(self, x: Any = None) -> Any:
        """Receive."""
        room = jnp.zeros(self.shape, mstype.to_numpy(self.dtype))
        return pair(self.name, room, self.src_rank, world.rank, ranks_of(self.group))
