"""``enable_parallel_optimizer``: each rank keeps and computes its part of the optimizer's state.

Every parameter is cut into as many parts as there are ranks, flat and filled up with zeros. A step
adds up the gradients so that a rank gets its parts only (a reduce-scatter), updates these, and
gathers the parameters. A rule that looks at one element at a time gives the same numbers as it
does whole.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.distributed.across import Across, collective, everyone
from msgrad._core.distributed.world import AXIS, world
from msgrad._core.errors import EngineError, UnsupportedError
from msgrad.context import ParallelMode, get_auto_parallel_context
from msgrad.nn.optim._base import RuleOptimizer
from msgrad.nn.optim._step import Plan

Array = jax.Array


class Unreduced(tuple):
    """Gradients of one rank, which the step of a sharded optimizer is to add up.

    Attributes:
        factor: What to multiply the sums by, or None.
    """

    factor: float | None = None


def unreduced(gradients: Sequence[Any], factor: float | None) -> Unreduced:
    """Return gradients that are to be added up over the ranks."""
    made = Unreduced(gradients)
    made.factor = factor
    return made


def count_of_parts(optimizer: Any) -> int:
    """Return into how many parts an optimizer's state is to be cut, as the context says.

    Raises:
        RuntimeError: In a mode of which this is no part.
        NotImplementedError: For an optimizer that looks at whole parameters.
    """
    if not get_auto_parallel_context("enable_parallel_optimizer"):
        return 1
    mode = get_auto_parallel_context("parallel_mode")
    if mode in (ParallelMode.STAND_ALONE, ParallelMode.HYBRID_PARALLEL):
        raise EngineError(
            f"For 'Optimizer', parallel optimizer is not supported in {mode}, you should set "
            "parallel mode to 'data_parallel', 'semi_auto_parallel' or 'auto_parallel'."
        )
    if world.size == 1 or mode != ParallelMode.DATA_PARALLEL:
        return 1
    name, rule = type(optimizer).__name__, optimizer._rule
    if rule is None or rule.whole or type(optimizer).construct is not RuleOptimizer.construct:
        raise UnsupportedError(
            f"{name} cannot be sharded over ranks: its step needs whole parameters. Use Adam, "
            "AdamWeightDecay, Lamb, Momentum, SGD or another that has no construct of its own, or "
            "leave enable_parallel_optimizer out."
        )
    return world.size


def part_size(shape: Sequence[int], parts: int) -> int:
    """Return how many elements a part of an array has."""
    return -(-math.prod(shape) // parts)


def _rows(x: Array, parts: int) -> Array:
    """Return an array as one row for each part."""
    width = part_size(x.shape, parts)
    return jnp.pad(x.reshape(-1), (0, parts * width - x.size)).reshape(parts, width)


def own_parts(arrays: Sequence[Array]) -> list[Array]:
    """Return this rank's parts of arrays, outside of programs."""
    return [_rows(x, world.size)[world.rank] for x in arrays]


def _by_dtype(run: Callable[[Array], Array], arrays: Sequence[Array], axis: int) -> list[Array]:
    """Join arrays of one dtype along an axis, run, and return what became of each."""
    found: list[Any] = [None] * len(arrays)
    for dtype in dict.fromkeys(x.dtype for x in arrays):
        numbers = [i for i, x in enumerate(arrays) if x.dtype == dtype]
        joined = run(jnp.concatenate([arrays[i] for i in numbers], axis))
        start = 0
        for i in numbers:
            width = arrays[i].shape[axis]
            found[i] = jax.lax.slice_in_dim(joined, start, start + width, axis=joined.ndim - 1)
            start += width
    return found


def _add_up(rows: Array) -> Array:
    return collective("reduce_scatter", rows.reshape(-1), everyone(), "sum")


def _gather(part: Array) -> Array:
    return collective("all_gather", part, everyone()).reshape(world.size, -1)


@dataclass(frozen=True)
class ShardedPlan(Plan):
    """A step on the parts that a rank has.

    Attributes:
        reduces: Whether gradients are to be added up; else they are sums already.
        factor: What the sums are multiplied by, or None.
    """

    reduces: bool = False
    factor: float | None = None

    def reducing(self, factor: float | None) -> ShardedPlan:
        """Return the plan that adds up the gradients, and multiplies."""
        return make_sharded_plan(*[getattr(self, f.name) for f in fields(Plan)], True, factor)

    def update(self, params: list[Array], *given: Any) -> tuple[list[Array], Any, Array]:
        """Return the parameters, this rank's state and the step counter after a step.

        Args:
            params: The parameters, whole.
            *given: As for ``Plan.changes``, the state in parts and the gradients whole.
        """
        state, grads, rates, decays, hyper, step = given
        place = jax.lax.axis_index(AXIS)

        def mine(arrays: Sequence[Array]) -> list[Array]:
            rows = (_rows(x, world.size) for x in arrays)
            return [jax.lax.dynamic_index_in_dim(x, place, keepdims=False) for x in rows]

        if self.reduces:
            parts = _by_dtype(_add_up, [_rows(g, world.size) for g in grads], 1)
            if self.factor is not None:
                parts = [part * jnp.asarray(self.factor, part.dtype) for part in parts]
        else:
            parts = mine(grads)
        more = {**hyper, "total": _total}
        new, state, step = super().update(mine(params), state, parts, rates, decays, more, step)
        gathered = _by_dtype(_gather, new, 0)
        whole = [
            rows.reshape(-1)[: x.size].reshape(x.shape)
            for rows, x in zip(gathered, params, strict=True)
        ]
        return whole, state, step

    @functools.cached_property
    def compiled(self) -> Callable[..., Any]:
        """``update``, compiled for all ranks."""
        return Across(self.update)

    def _donating(self, function: Callable[..., list[Array]]) -> Any:
        return Across(function, donates=True)


def _total(x: Array) -> Array:
    """Return the sum over all parts of something along the parameter."""
    return collective("all_reduce", x, everyone(), "sum")


make_sharded_plan = functools.lru_cache(maxsize=256)(ShardedPlan)
