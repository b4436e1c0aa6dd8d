"""Pieces of a recording as programs: forward with residuals, and the pullback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
from jax.core import ShapedArray
from jax.extend.core import Literal

from msgrad._core.deferred.recording import Recorder, evaluated, run_eagerly
from msgrad._core.distributed.across import axes
from msgrad._core.engine import current_trace, is_tracer, plain_evaluation, trace_of
from msgrad._core.kept_programs import NotDescribable
from msgrad._core.promotion import is_inexact
from msgrad._gradients.recorded_program import RecordedProgram, call_compiled

FORWARD, BACKWARD = ("forward",), ("backward",)
_NOTHING: frozenset[int] = frozenset()


class PieceProgram(RecordedProgram):
    """The compiled form of one structure that is a piece, forward pass and pullback.

    Args:
        recorder: A recording of it.
        live: Which results it gives.
        moving: Which of the primals and leaves are differentiated.
        count: How many primals and leaves there are.
    """

    name = "gradient"
    _tree: Any = None

    def __init__(
        self, recorder: Recorder, live: frozenset[int], moving: Sequence[int], count: int
    ) -> None:
        super().__init__(recorder, (), live)
        self.moving = moving
        # Primals that the piece does not use are no inputs of it.
        first = len(recorder.primals)
        self.still = [i for i in range(first, count) if i not in set(moving)]
        self._count = count
        # Per result whether it is differentiated.
        self.moves: list[bool] = []
        # Per input the results that its gradient comes from.
        self._reach: list[frozenset[int]] | None = None
        self._run = call_compiled
        self.compiles = True

    def described(self) -> str:
        """Raise: how its passes fit together is known once they are traced."""
        raise NotDescribable(self)

    @cached_property
    def forward(self) -> Callable[..., Any]:
        return self._compiled(self._forward)

    @cached_property
    def backward(self) -> Callable[..., Any]:
        return self._compiled(self._backward)

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return one of the two functions, as operators do.

        Args:
            options: ``FORWARD`` for ``(moving, still) -> (results that move, others, residuals)``,
                ``BACKWARD`` for ``(residuals, cotangents) -> gradients``.
        """
        return self.forward if options == FORWARD else self.backward

    def eagerly(self) -> PieceProgram:
        """Make it run operator by operator, for once."""
        self.compiles, self._run = False, run_eagerly
        self.forward, self.backward = self._forward, self._backward
        return self

    def _forward(self, moving: tuple[Any, ...], still: tuple[Any, ...]) -> Any:
        def run(moving: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            leaves: list[Any] = [None] * self._count
            for places, values in ((self.moving, moving), (self.still, still)):
                for place, value in zip(places, values, strict=True):
                    leaves[place] = value
            results = list(evaluated(self._ops, leaves, self._run))
            live, trace = [results[place] for place in self.aux_order], current_trace()
            self.moves = [
                is_tracer(v) and trace_of(v) is trace and is_inexact(v.dtype) for v in live
            ]
            outs = [v for v, moves in zip(live, self.moves, strict=True) if moves]
            return outs, [v for v, moves in zip(live, self.moves, strict=True) if not moves]

        outs, pull, rest = jax.vjp(run, moving, has_aux=True)
        residuals, self._tree = jax.tree.flatten(pull)
        self._specs = [(out.shape, out.dtype) for out in outs]
        return outs, rest, residuals

    def _backward(self, residuals: Sequence[Any], cotangents: Sequence[Any]) -> Any:
        given = [
            jnp.zeros(*spec) if cotangent is None else cotangent
            for cotangent, spec in zip(cotangents, self._specs, strict=True)
        ]
        return self._pulled(residuals, given)

    def _pulled(self, residuals: Sequence[Any], cotangents: Sequence[Any]) -> Any:
        return jax.tree.unflatten(self._tree, residuals)(list(cotangents))[0]

    def reached(
        self, gradients: Sequence[Any], cotangents: Sequence[Any], residuals: Sequence[Any]
    ) -> list[Any]:
        """Return what the pullback gave, but None where no cotangent leads, as JAX has it."""
        if self._reach is None:
            # As in a recording: a ShapeDtypeStruct would be narrowed to 32 bits.
            specs = [ShapedArray(r.shape, r.dtype, weak_type=r.weak_type) for r in residuals]
            given = [ShapedArray(*spec) for spec in self._specs]
            with plain_evaluation():
                closed = jax.make_jaxpr(self._pulled, axis_env=axes())(specs, given)
            each = [frozenset([number]) for number in range(len(given))]
            self._reach = _dependences(closed.jaxpr, [_NOTHING] * len(specs) + each)
        there = {i for i, cotangent in enumerate(cotangents) if cotangent is not None}
        return [
            g if there & reach else None for g, reach in zip(gradients, self._reach, strict=True)
        ]


def _dependences(jaxpr: Any, given: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Return what the outputs of a program depend on.

    Args:
        jaxpr: The program.
        given: What each of its inputs depends on.
    """
    found = dict(zip(jaxpr.invars, given, strict=True))

    def of(atom: Any) -> frozenset[int]:
        return _NOTHING if isinstance(atom, Literal) else found.get(atom, _NOTHING)

    for eqn in jaxpr.eqns:
        used = [*map(of, eqn.invars)]
        if eqn.primitive.name == "jit":
            made = _dependences(eqn.params["jaxpr"].jaxpr, used)
        else:
            made = [_NOTHING.union(*used)] * len(eqn.outvars)
        found.update(zip(eqn.outvars, made, strict=True))
    return [*map(of, jaxpr.outvars)]
