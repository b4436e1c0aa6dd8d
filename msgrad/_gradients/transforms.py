"""What becomes of a recording in a program: its gradient, ``vmap``, ``jvp``, whole Jacobians.

A transform of a recording is a function of its ``Evaluate``; the programs are in
``recorded_program.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import jax
import jax.numpy as jnp

__all__ = []


# Takes the values of the primals and of what came from outside; returns results, further ones.
Evaluate = Callable[[Sequence[Any], Sequence[Any]], tuple[list[Any], list[Any]]]
Outcome = tuple[list[Any], list[Any], Any]


def as_it_is(evaluate: Evaluate, primals: Sequence[Any], inputs: Sequence[Any]) -> Outcome:
    """Return the results and nothing else."""
    return *evaluate(primals, inputs), ()


def pulled(
    evaluate: Evaluate,
    primals: Sequence[Any],
    inputs: Sequence[Any],
    cotangents: Sequence[Any] | None,
) -> Outcome:
    """Return also the gradient by each primal.

    Args:
        evaluate: The forward pass.
        primals: Their values.
        inputs: What came from outside.
        cotangents: One for each result that is no constant; None for ones everywhere.
    """
    outs, pull, aux = jax.vjp(lambda p: evaluate(p, inputs), primals, has_aux=True)
    leaves, tree = jax.tree.flatten(outs)
    given = [*map(jnp.ones_like, leaves)] if cotangents is None else cotangents
    return outs, aux, list(pull(tree.unflatten(given))[0])


def mapped(
    evaluate: Evaluate,
    axes: tuple[int, ...],
    fronts: tuple[int | None, ...],
    size: int,
    values: Sequence[Any],
    inputs: Sequence[Any],
) -> Outcome:
    """Map over examples.

    Args:
        evaluate: For one example.
        axes: Which dimension of each value is mapped.
        fronts: For each result 0, or None where it is the same for all examples.
        size: How many examples there are.
        values: All examples of the primals.
        inputs: What came from outside.
    """
    each = jax.vmap(evaluate, in_axes=(axes, None), out_axes=(list(fronts), 0))
    return *each(values, inputs), ()


def pushed(
    evaluate: Evaluate, primals: Sequence[Any], inputs: Sequence[Any], tangents: Sequence[Any]
) -> Outcome:
    """Return also the tangent of each result."""

    def run(primals: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        return evaluate(primals, inputs)

    outs, found, aux = jax.jvp(run, (primals,), (tangents,), has_aux=True)
    return outs, aux, found


def columns(evaluate: Evaluate, primals: Sequence[Any], inputs: Sequence[Any]) -> Outcome:
    """Return also for each result its Jacobian by each primal, column by column."""

    def along(tangents: Sequence[Any]) -> tuple[list[Any], tuple[list[Any], list[Any]]]:
        outs, aux, found = pushed(evaluate, primals, inputs, tangents)
        return found, (outs, aux)

    each = jax.vmap(along, out_axes=(-1, None))
    found, (outs, aux) = each(tuple(basis(primals)))
    return outs, aux, [None if stack is None else by_column(stack, primals) for stack in found]


def rows(evaluate: Evaluate, primals: Sequence[Any], inputs: Sequence[Any]) -> Outcome:
    """Return also for each result its Jacobian by each primal, row by row."""
    outs, pull, aux = jax.vjp(lambda p: evaluate(p, inputs), primals, has_aux=True)
    leaves, tree = jax.tree.flatten(outs)
    if not leaves:
        return outs, aux, list(outs)
    stacks = jax.vmap(lambda *given: pull(tree.unflatten(given))[0])(*basis(leaves))
    found = iter(by_row(stacks, leaves))
    return outs, aux, [None if out is None else next(found) for out in outs]


def basis(arrays: Sequence[Any]) -> list[Any]:
    """Return, stacked, one direction per element of all arrays together."""
    total = sum(a.size for a in arrays)
    stacks, start = [], 0
    for array in arrays:
        eye = jnp.eye(total, array.size, -start, dtype=array.dtype)
        stacks.append(eye.reshape(total, *array.shape))
        start += array.size
    return stacks


def by_column(stack: Any, inputs: Sequence[Any]) -> list[Any]:
    """Return the Jacobian of one result by each input; its columns are in the last dimension."""
    blocks = jnp.split(stack, [*accumulate(x.size for x in inputs)][:-1], -1)
    return [b.reshape(b.shape[:-1] + x.shape) for b, x in zip(blocks, inputs, strict=True)]


def by_row(stacks: Sequence[Any], outs: Sequence[Any]) -> list[list[Any]]:
    """Return for each result its Jacobian by each input, of which ``stacks`` has all rows."""
    ends = [*accumulate(out.size for out in outs)][:-1]
    rows = zip(*(jnp.split(stack, ends) for stack in stacks), strict=True)
    return [
        [b.reshape(out.shape + b.shape[1:]) for b in row]
        for out, row in zip(outs, rows, strict=True)
    ]
