"""Operators between processes, in the one process there is: each gives its input.

A sum over one process, or what all of one process send, is what the process has. Spreading a
program over several devices is left to JAX's own sharding of the arrays.
"""

from __future__ import annotations

from typing import Any

import jax

from msgrad._core.bridge import is_tensor
from msgrad._core.declared import Word, checked
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from msgrad._core.registry import public
from msgrad.ops.control import identity
from msgrad.ops.primitive import Primitive

WORLD_GROUP = "hccl_world_group"


@public
class ReduceOp:
    """The names of what ``AllReduce`` may compute."""

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"


def check_one_process(name: str) -> None:
    """Raise ``NotImplementedError`` where JAX runs in several processes."""
    if jax.process_count() > 1:
        raise UnsupportedError(
            f"{name} is defined for one process only, but JAX runs in {jax.process_count()}; "
            "shard the arrays with jax.sharding instead."
        )


class _Collective(Primitive):
    """Base of the operators; in one process the result is the input."""

    @checked
    def __init__(self, group: Word = WORLD_GROUP) -> None:
        super().__init__(type(self).__name__)
        self.group = group

    def __call__(self, x: Any) -> Any:
        check_one_process(f"ops.{self.name}")
        tensors = x if isinstance(x, tuple) else (x,)
        if not all(map(is_tensor, tensors)):
            raise ArgumentTypeError(
                f"For '{self.name}', the input must be a Tensor, but got {type(x)}."
            )
        return identity(x)


class AllGather(_Collective):
    """Return what all processes have, joined along the first axis.

    Args:
        group: Name of the group of processes.
    """


class AllReduce(_Collective):
    """Reduce what all processes have to their sum, maximum, minimum or product.

    Args:
        op: ``ReduceOp.SUM``, ``MAX``, ``MIN`` or ``PROD``.
        group: Name of the group of processes.

    Raises:
        TypeError: If ``op`` is not a str.
        ValueError: For another ``op``.
    """

    @checked
    def __init__(self, op: Word = ReduceOp.SUM, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        if op not in ("sum", "max", "min", "prod"):
            raise ArgumentValueError(
                f"For '{self.name}', the 'op' must be 'sum', 'max', 'min' or 'prod', but got {op}."
            )
        self.op = op


class ReduceScatter(AllReduce):
    """Return this process's part of what ``AllReduce`` would.

    Args:
        op: As for ``AllReduce``.
        group: Name of the group of processes.
    """


class Broadcast(_Collective):
    """Return what the root process has.

    Args:
        root_rank: Number of the root process; 0.
        group: Name of the group of processes.
    """

    def __init__(self, root_rank: int, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        if not isinstance(root_rank, int):
            raise ArgumentTypeError(
                f"the 'root_rank' must be int, but got {type(root_rank).__name__}."
            )
        self.root_rank = root_rank


class Reduce(AllReduce):
    """Return, in one process, what ``AllReduce`` does.

    Args:
        dest_rank: Number of the process that gets the result; 0.
        op: As for ``AllReduce``.
        group: Name of the group of processes.
    """

    @checked
    def __init__(self, dest_rank: int, op: Word = ReduceOp.SUM, group: Word = WORLD_GROUP) -> None:
        super().__init__(op, group)
        self.dest_rank = dest_rank


class CollectiveGather(_Collective):
    """Return what all processes have, joined along the first axis, in one of them.

    Args:
        dest_rank: Number of that process; 0.
        group: Name of the group of processes.
    """

    @checked
    def __init__(self, dest_rank: int, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        self.dest_rank = dest_rank


class CollectiveScatter(_Collective):
    """Return this process's part of what one of them has.

    Args:
        src_rank: Number of that process; 0.
        group: Name of the group of processes.
    """

    @checked
    def __init__(self, src_rank: int = 0, group: Word = WORLD_GROUP) -> None:
        super().__init__(group)
        self.src_rank = src_rank


class AlltoAll(_Collective):
    """Return the parts that the processes have for this one, joined.

    Args:
        split_count: Into how many parts the input is cut: the number of processes, 1.
        split_dim: The axis that is cut.
        concat_dim: The axis to join along.
        group: Name of the group of processes.

    Raises:
        ValueError: If ``split_count`` is not the number of processes.
    """

    @checked
    def __init__(
        self, split_count: int, split_dim: int, concat_dim: int, group: Word = WORLD_GROUP
    ) -> None:
        super().__init__(group)
        if split_count != 1:
            raise ArgumentValueError(
                f"For '{self.name}', the 'split_count' must be the number of processes, 1, but "
                f"got {split_count}."
            )
        self.split_count, self.split_dim, self.concat_dim = split_count, split_dim, concat_dim


class Barrier(_Collective):
    """Wait for all processes: there is one.

    Args:
        group: Name of the group of processes.
    """

    def __call__(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return at once."""
        check_one_process("ops.Barrier")


@public
def reshard(tensor: Any, layout: Any) -> Any:
    """Return the Tensor: with one process, each layout is that of the whole.

    Args:
        tensor: A Tensor.
        layout: A ``Layout``.
    """
    check_one_process("ops.reshard")
    return tensor
