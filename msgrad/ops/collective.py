"""Operators between ranks: what they compute, and its derivatives.

With one process each gives its input: a sum over one process is what the process has. Which ranks
a group has, and how programs on several run, is in ``_core/distributed``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from itertools import accumulate, groupby
from math import prod
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor
from msgrad._core.checks import one_of
from msgrad._core.declared import Word, checked
from msgrad._core.distributed.across import (
    Ranks,
    collective,
    differentiable,
    everyone,
    product_of_others,
)
from msgrad._core.distributed.devices import several
from msgrad._core.distributed.groups import WORLD_GROUP, ranks_of
from msgrad._core.distributed.layout import Layout
from msgrad._core.distributed.world import world
from msgrad._core.docstrings import Documented
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.op import Array, Arrays, Operator
from msgrad._core.registry import public
from msgrad.ops.control import identity
from msgrad.ops.primitive import Primitive
from msgrad.ops.spread import constrained


@public
class ReduceOp:
    """The names of what ``AllReduce`` may compute."""

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"


def check_one_process(name: str) -> None:
    """Raise ``NotImplementedError`` where there are several processes."""
    if world.size > 1:
        raise UnsupportedError(f"{name} is defined for one process only; there are {world.size}.")


class _Collective(Operator):
    """An operator that runs on the ranks of a group.

    Args:
        kernel: ``(x, ranks, *options)``.
        backward: ``(x, result, cotangent, ranks, *options) -> cotangent of x``.
    """

    collective = True

    def __init__(self, name: str, kernel: Callable[..., Any], backward: Callable[..., Any]) -> None:
        super().__init__(
            kernel, name, int_grad=False, view=False, autocast=False, product=False
        )  # fmt: skip
        self._backward = backward

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the collective for these options; it compiles what it runs itself."""
        found = self._compiled.get(options)
        if found is None:
            kernel, backward = self.kernel, self._backward
            found = self._compiled[options] = differentiable(
                lambda x: kernel(x, *options), lambda *kept: backward(*kept, *options)
            )
        return found


def _collective(name: str, what: str) -> Callable[[Callable[..., Any]], _Collective]:
    """Make the operator of a collective of a derivative, which is named as it is; a decorator."""

    def decorate(backward: Callable[..., Any]) -> _Collective:
        def kernel(x: Array, *options: Any) -> Array:
            return collective(what, x, *options)

        functools.update_wrapper(kernel, backward)
        x, _, _, *options = inspect.signature(backward).parameters.values()
        kernel.__signature__ = inspect.Signature([x, *options])  # type: ignore[attr-defined]
        return _Collective(name, kernel, backward)

    return decorate


@_collective("AllReduce", "all_reduce")
def all_reduce(x: Array, result: Array, given: Array, ranks: Ranks, op: str) -> Array:
    summed = all_reduce.compiled((ranks, "sum"))(given)
    if op == "sum":
        return summed
    if op == "prod":
        return summed * product_of_others(x, ranks)
    return summed * (x == result)


@_collective("AllGather", "all_gather")
def all_gather(x: Array, result: Array, given: Array, ranks: Ranks) -> Array:
    return reduce_scatter.compiled((ranks, "sum"))(given)


@_collective("ReduceScatter", "reduce_scatter")
def reduce_scatter(x: Array, result: Array, given: Array, ranks: Ranks, op: str) -> Array:
    whole = all_gather.compiled((ranks,))(given)
    if op == "sum":
        return whole
    if op == "prod":
        return whole * product_of_others(x, ranks)
    return whole * (x == all_gather.compiled((ranks,))(result))


@_collective("Broadcast", "broadcast")
def broadcast(x: Array, result: Array, given: Array, ranks: Ranks, root: int) -> Array:
    # As in MindSpore: every rank keeps its own.
    return given


@_collective("AlltoAll", "all_to_all")
def all_to_all(
    x: Array, result: Array, given: Array, ranks: Ranks, split: int, concat: int
) -> Array:
    return all_to_all.compiled((ranks, concat, split))(given)


@_collective("Reduce", "reduce")
def reduce(x: Array, result: Array, given: Array, ranks: Ranks, op: str, place: int) -> Array:
    if op != "sum":
        raise UnsupportedError(f"the gradient of Reduce is that of 'sum' only, not of '{op}'.")
    return collective("reduce_back", given, ranks, place)


@_collective("CollectiveGather", "gather")
def gather(x: Array, result: Array, given: Array, ranks: Ranks, place: int) -> Array:
    return collective("gather_back", given, ranks, place)


# Pairs of places in the group: who sends to whom. Who gets nothing has zeros.
@_collective("CollectivePermute", "permute")
def permute(x: Array, result: Array, given: Array, ranks: Ranks, pairs: Any) -> Array:
    return permute.compiled((ranks, tuple((to, start) for start, to in pairs)))(given)


def _messages(x: Array, ranks: Ranks, sends: Any, receives: Any) -> Array:
    return collective("messages", x, everyone(), ranks, sends, receives)


def _messages_back(
    x: Array, result: Array, given: Array, ranks: Ranks, sends: Any, receives: Any
) -> Array:
    return messages_inside.compiled((ranks, receives, sends))(given)


messages_inside = _Collective("Messages", _messages, _messages_back)


def barrier(ranks: Ranks) -> None:
    """Wait for the ranks of a group."""
    if len(ranks) > 1:
        # It must not be left out, nor be waited for later.
        jax.block_until_ready(collective("all_reduce", jnp.zeros((1,), jnp.float32), ranks, "sum"))


class _OnGroup(Documented, Primitive):
    """Base of the Primitives; in a group of one the result is the input.

    Args:
        group: Name of the group of processes.
    """

    @checked
    def __init__(self, group: Word = WORLD_GROUP) -> None:
        super().__init__(type(self).__name__)
        self.group = group

    def _run(self, x: Any, ranks: Ranks) -> Any:
        raise NotImplementedError

    def __call__(self, x: Any) -> Any:
        tensors = x if isinstance(x, tuple) else (x,)
        if not all(map(is_tensor, tensors)):
            raise ArgumentTypeError(
                f"For '{self.name}', the input must be a Tensor, but got {type(x)}."
            )
        ranks = ranks_of(self.group)
        if len(ranks) == 1:
            return identity(x)
        done = tuple([self._run(tensor, ranks) for tensor in tensors])
        return done if isinstance(x, tuple) else done[0]

    def _divided(self, x: Any, axis: int, size: int) -> None:
        if x.ndim <= axis or x.shape[axis] % size:
            raise ArgumentValueError(
                f"For '{self.name}', axis {axis} of the input must be divisible by the number of "
                f"ranks, {size}, but its shape is {x.shape}."
            )


class AllGather(_OnGroup):
    """Return what all processes have, joined along the first axis."""

    def _run(self, x: Any, ranks: Ranks) -> Any:
        if x.ndim == 0:
            raise ArgumentValueError(f"For '{self.name}', the input must have an axis.")
        return all_gather(x, ranks)


class AllReduce(_OnGroup):
    """Reduce what all processes have to their sum, maximum, minimum or product.

    Args:
        op: ``ReduceOp.SUM``, ``MAX``, ``MIN`` or ``PROD``.

    Raises:
        TypeError: If ``op`` is not a str.
        ValueError: For another ``op``.
    """

    @checked
    def __init__(self, op: Word = ReduceOp.SUM, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        one_of(self.name, "op", op, "sum", "max", "min", "prod")
        self.op = op

    def _run(self, x: Any, ranks: Ranks) -> Any:
        return all_reduce(x, ranks, self.op)


class ReduceScatter(AllReduce):
    """Return this process's part of what ``AllReduce`` would."""

    def _run(self, x: Any, ranks: Ranks) -> Any:
        self._divided(x, 0, len(ranks))
        return reduce_scatter(x, ranks, self.op)


class _WithOne(_OnGroup):
    """Base of those in which one process is another than the rest."""

    def _place(self, rank: int, what: str, ranks: Ranks) -> int:
        """Return the number in the group of a process that is given by that among all."""
        one_of(self.name, what, rank, *ranks)
        return ranks.index(rank)


class Broadcast(_WithOne):
    """Return what the root process has.

    Args:
        root_rank: Number of the root process, among all.
    """

    def __init__(self, root_rank: int, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        if not isinstance(root_rank, int):
            raise ArgumentTypeError(
                f"the 'root_rank' must be int, but got {type(root_rank).__name__}."
            )
        self.root_rank = root_rank

    def _run(self, x: Any, ranks: Ranks) -> Any:
        return broadcast(x, ranks, self._place(self.root_rank, "root_rank", ranks))


class Reduce(AllReduce, _WithOne):
    """Return what ``AllReduce`` does in one process; in the others, what they have.

    Args:
        dest_rank: Number of the process that gets the result, among all.
    """

    @checked
    def __init__(self, dest_rank: int, op: Word = ReduceOp.SUM, group: Word = WORLD_GROUP) -> None:
        super().__init__(op, group)
        self.dest_rank = dest_rank

    def _run(self, x: Any, ranks: Ranks) -> Any:
        return reduce(x, ranks, self.op, self._place(self.dest_rank, "dest_rank", ranks))


class CollectiveGather(_WithOne):
    """Return what all processes have, joined along the first axis; in the others, zeros.

    Args:
        dest_rank: Number of that process, among all.
    """

    @checked
    def __init__(self, dest_rank: int, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        self.dest_rank = dest_rank

    def _run(self, x: Any, ranks: Ranks) -> Any:
        return gather(x, ranks, self._place(self.dest_rank, "dest_rank", ranks))


class CollectiveScatter(_WithOne):
    """Return this process's part of what one of them has.

    Args:
        src_rank: Number of that process, among all.
    """

    @checked
    def __init__(self, src_rank: int = 0, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        self.src_rank = src_rank

    def _run(self, x: Any, ranks: Ranks) -> Any:
        size = len(ranks)
        self._divided(x, 0, size)
        place = self._place(self.src_rank, "src_rank", ranks)
        part = x.shape[0] // size
        return all_to_all(x, ranks, 0, 0)[place * part : (place + 1) * part]


class AlltoAll(_OnGroup):
    """Return the parts that the processes have for this one, joined.

    Args:
        split_count: Into how many parts the input is cut: the number of processes.
        split_dim: The axis that is cut.
        concat_dim: The axis to join along.

    Raises:
        ValueError: If ``split_count`` is not the number of processes.
    """

    @checked
    def __init__(
        self, split_count: int, split_dim: int, concat_dim: int, group: Word = WORLD_GROUP
    ) -> None:
        super().__init__(group)
        size = len(ranks_of(group))
        if split_count != size:
            raise ArgumentValueError(
                f"For '{self.name}', the 'split_count' must be the number of processes, {size}, "
                f"but got {split_count}."
            )
        self.split_count, self.split_dim, self.concat_dim = split_count, split_dim, concat_dim

    def _run(self, x: Any, ranks: Ranks) -> Any:
        self._divided(x, self.split_dim, len(ranks))
        return all_to_all(x, ranks, self.split_dim, self.concat_dim)


class Barrier(_OnGroup):
    """Wait for all processes."""

    def __call__(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return when all have come here."""
        barrier(ranks_of(self.group))


@public
def reshard(tensor: Any, layout: Any) -> Any:
    """Return the Tensor, cut into parts for several devices as a ``Layout`` says.

    Counts where ``Primitive.shard`` does; on one device it is the Tensor, whatever is given.

    Args:
        tensor: A Tensor.
        layout: A ``Layout``, called with the names of axes.

    Raises:
        TypeError: If they are something else.
        ValueError: If the Layout was not called.
    """
    check_one_process("ops.reshard")
    if not several():
        return tensor
    if not is_tensor(tensor) or not isinstance(layout, Layout):
        raise ArgumentTypeError(
            f"Reshard takes a Tensor and a Layout, but got {type(tensor)} and {type(layout)}."
        )
    layout.to_dict()
    return constrained(tensor, (layout,), "reshard")


# From how many elements on an array is written into the buffer by itself. XLA's CPU makes one loop
# of a concatenation and what its operands are made of, whose threads wait for one another: a step
# of 930,000 weights takes 9 to 60 ms of CPU time with it, from run to run, and 9 ms without.
_LARGE = 1 << 12


def _join(tensors: Arrays) -> Array:
    pieces: list[Any] = []
    for large, some in groupby(tensors, lambda x: x.size >= _LARGE):
        flat = [x.reshape(-1) for x in some]
        pieces.extend(flat if large else [jnp.concatenate(flat)])
    if len(pieces) == 1:
        return pieces[0]
    joined, start = jnp.zeros((sum(x.size for x in pieces),), pieces[0].dtype), 0
    for piece in pieces:
        joined = jax.lax.dynamic_update_slice_in_dim(joined, piece, start, 0)
        start += piece.size
    return joined


def _part(flat: Array, shapes: tuple[tuple[int, ...], ...], factor: Any) -> tuple[Array, ...]:
    if factor is not None:
        flat = flat * jnp.asarray(factor, flat.dtype)
    ends = [*accumulate(map(prod, shapes))]
    parts = jnp.split(flat, ends[:-1])
    return tuple(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True))


_FLAGS: dict[str, Any] = {"int_grad": False, "view": False, "autocast": False, "product": False}
_joined, _parted = Operator(_join, "Join", **_FLAGS), Operator(_part, "Part", **_FLAGS)


def reduce_together(
    tensors: Sequence[Any], ranks: Ranks, op: str = "sum", factor: float | None = None
) -> list[Any]:
    """Return the reduced Tensors: one buffer for each dtype, since each collective has its price.

    Args:
        tensors: Those of one rank; all ranks have the same shapes and dtypes.
        ranks: The group.
        op: As of ``AllReduce``.
        factor: What to multiply the results by.
    """
    by_dtype: dict[Any, list[int]] = {}
    for number, tensor in enumerate(tensors):
        by_dtype.setdefault(tensor.dtype, []).append(number)
    done = list(tensors)
    for numbers in by_dtype.values():
        some = [tensors[number] for number in numbers]
        shapes = tuple([tuple(tensor.shape) for tensor in some])
        for number, part in zip(
            numbers, _parted(all_reduce(_joined(some), ranks, op), shapes, factor), strict=True
        ):
            done[number] = part
    return done
