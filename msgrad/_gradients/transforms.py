"""Recordings under ``vmap``, ``jvp`` and whole Jacobians, as compiled programs.

A transform of a recording is a function of its ``Evaluate``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from msgrad._core.deferred.recording import Recorder
from msgrad._core.distributed.across import transformed_error
from msgrad._core.op import dispatch
from msgrad._gradients.recorded_program import BoundCall, RecordedProgram, bind, code_of

__all__ = []


# Takes the values of the primals and of what came from outside; returns results, further ones.
Evaluate = Callable[[Sequence[Any], Sequence[Any]], tuple[list[Any], list[Any]]]
Outcome = tuple[list[Any], list[Any], Any]


def as_it_is(evaluate: Evaluate, primals: Sequence[Any], inputs: Sequence[Any]) -> Outcome:
    """Return the results and nothing else."""
    return *evaluate(primals, inputs), ()


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
    del size
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
    blocks, start = [], 0
    for x in inputs:
        block = stack[..., start : start + x.size]
        blocks.append(block.reshape(stack.shape[:-1] + x.shape))
        start += x.size
    return blocks


def by_row(stacks: Sequence[Any], outs: Sequence[Any]) -> list[list[Any]]:
    """Return for each result its Jacobian by each input, of which ``stacks`` has all rows."""
    found, start = [], 0
    for out in outs:
        blocks = [stack[start : start + out.size] for stack in stacks]
        found.append([b.reshape(out.shape + b.shape[1:]) for b in blocks])
        start += out.size
    return found


class TransformedProgram(RecordedProgram):
    """The compiled form of one structure under one transform.

    Args:
        recorder, outs, aux: See ``RecordedProgram``.
        transform: Takes an ``Evaluate``, ``form``, then the operands: values for the primals, what
            came from outside, more. Returns the results, the further ones, and what else it gives.
        form: What stands for the transform beside its code; hashable.

    Raises:
        NotImplementedError: If the recording has collectives.
    """

    name = "transform"

    def __init__(
        self,
        recorder: Recorder,
        outs: tuple[int | None, ...],
        aux: frozenset[int],
        transform: Callable[..., Any],
        *form: Hashable,
    ) -> None:
        super().__init__(recorder, outs, aux, transform, form)
        if self.collective and transform is not as_it_is:
            raise transformed_error()
        self._call = self._compiled(functools.partial(transform, self._evaluate, *form), self)

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the transform as a function of raw arrays, as operators do."""
        del options
        return self._call


class BoundTransform(BoundCall):
    """One call of a ``TransformedProgram``."""

    @property
    def constant(self) -> list[bool]:
        """For each result whether it is a constant, on which the transform has no effect."""
        return [place is None for place in self._program.outs]

    def transformed(
        self, primals: Sequence[Any], *operands: Any
    ) -> tuple[list[Any], list[Any], Any]:
        """Run the program.

        Args:
            primals: What the transform takes for the primals; may be ``Pending``.
            operands: What else it takes, behind what came from outside.

        Returns:
            The results, the further values that are needed, and what else the transform gives.
            Inside a call that records, all of this is recorded.
        """
        program: Any = self._program
        outs, aux, more = dispatch(program, (), (tuple(primals), self._inputs, *operands))
        outs = [out for out in outs if out is not None]
        return *self._values(list(primals), outs, aux), more


class CountedBy(NamedTuple):
    """By what new structures in a row are counted, as by a function.

    Attributes:
        code: That of the function.
        of: What is counted apart for one function.
    """

    code: Any
    of: Hashable

    @property
    def __code__(self) -> Any:
        return tuple(self)


def bind_transform(
    fn: Any,
    recorder: Recorder,
    results: list[Any],
    kept: list[Any],
    transform: Callable[..., Any],
    *form: Hashable,
) -> BoundTransform | None:
    """Return a finished recording as one call, see ``bind`` and ``TransformedProgram``."""

    def make(*recorded: Any) -> TransformedProgram:
        return TransformedProgram(*recorded, transform, *form)

    counted = CountedBy(code_of(fn), transform)
    return bind(BoundTransform, counted, recorder, results, kept, make, transform, *form)
