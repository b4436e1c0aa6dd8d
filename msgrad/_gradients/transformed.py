"""Recordings under ``vmap``, ``jvp`` and whole Jacobians, as compiled programs.

A transform of a recording is a function of its ``Evaluate``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from msgrad._core.deferred.recording import Recorder
from msgrad._core.distributed.across import transformed_error
from msgrad._core.op import dispatch
from msgrad._gradients.recorded_program import BoundCall, RecordedProgram, bind, code_of
from msgrad._gradients.transforms import as_it_is


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
