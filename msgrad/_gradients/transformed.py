"""Recordings under ``vmap``, ``jvp`` and whole Jacobians, as compiled programs.

As in ``gradient_program.py``, which has the pullback, a program is kept by structure and is itself
an operator, so that a transform inside a recorded call becomes a part of that call's program. A
transform of a recording is a function of its ``Evaluate``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import jax

from msgrad._core.across import Across, transformed_error
from msgrad._core.deferred.recording import NotRecordable, Recorder, fetch
from msgrad._core.effort import compiled
from msgrad._core.op import dispatch
from msgrad._gradients.gradient_program import BoundGradient, _code_of, _programs, structures


class TransformedProgram:
    """The compiled form of one structure under one transform.

    Args:
        recorder: A recording of it.
        outs: Where its results come from, see ``Recorder.source``.
        aux: Which further results it gives.
        transform: Takes an ``Evaluate``, ``form``, then the operands: values for the primals, what
            came from outside, more. Returns the results, the further ones, and what else it gives.
        form: What stands for the transform beside its code; hashable.

    Attributes:
        structure, other_shapes: As ``GradientProgram`` has them.
    """

    name = "transform"

    def __init__(
        self,
        recorder: Recorder,
        outs: tuple[int | None, ...],
        aux: frozenset[int],
        transform: Callable[..., Any],
        form: tuple[Hashable, ...],
    ) -> None:
        self._ops = recorder.ops
        self.outs = outs
        self.aux = aux
        self.aux_order = sorted(aux)
        structure, shapes = recorder.structure()
        self.structure = (structure, outs, aux, transform, form)
        self.other_shapes = structures.comes_again(self.structure, shapes)
        run = functools.partial(transform, self._evaluate, *form)
        self.collective = any(getattr(op, "collective", False) for op, _, _ in self._ops)
        self._call = Across(run) if self.collective else compiled(run, self.other_shapes)

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the transform as a function of raw arrays, as operators do."""
        del options
        return self._call

    def _evaluate(
        self, primals: Sequence[Any], inputs: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        leaves = [*primals, *inputs]
        results: list[Any] = []
        for op, options, wiring in self._ops:
            operands = [fetch(place, results, leaves) for place in wiring]
            results += jax.tree.leaves(op.compiled(options)(*operands))
        # None for a constant is no leaf, and keeps the places of the others.
        outs = [None if place is None else fetch(place, results, leaves) for place in self.outs]
        return outs, [results[place] for place in self.aux_order]


class BoundTransform(BoundGradient):
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
    """Return a finished recording as one call; None where it must be replayed.

    Args:
        fn: The transformed function, by whose code new structures are counted.
        recorder: The recording.
        results: The results of the function: ``Pending``, traced primals or constants.
        kept: Further values that are needed.
        transform: See ``TransformedProgram``; with it and ``form`` the program is found again.
        form: Its further arguments, behind the ``Evaluate``.
    """
    if not recorder.open or not recorder.ops:
        return None
    try:
        outs = tuple([recorder.source(value) for value in results])
        sourced = [(value, recorder.source(value)) for value in kept]
    except NotRecordable:
        return None
    waiting = recorder.waiting()
    aux = frozenset([pending.place for pending in waiting]).difference(outs)

    def make(more: frozenset[int]) -> Any:
        return TransformedProgram(recorder, outs, more, transform, form)

    if any(getattr(op, "collective", False) for op, _, _ in recorder.ops):
        raise transformed_error()
    key = (recorder.state, outs, transform, *form)
    program: Any = _programs.find(CountedBy(_code_of(fn), transform), key, aux, make)
    return None if program is None else BoundTransform(program, recorder, results, sourced, waiting)
