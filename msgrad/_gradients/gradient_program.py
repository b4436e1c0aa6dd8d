"""Recordings as gradients: the forward pass, the pullback, and both in one compiled program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._compiled.reroll import rerolled
from msgrad._compiled.scans import MIN_TURNS
from msgrad._core.deferred.recording import Recorder
from msgrad._core.op import dispatch
from msgrad._gradients.recorded_program import BoundCall, RecordedProgram, bind

FORWARD, BACKWARD = ("forward",), ("backward",)


class GradientProgram(RecordedProgram):
    """A recorded forward pass with its pullback."""

    name = "gradient"
    _tree: Any = None

    @cached_property
    def forward(self) -> Callable[..., Any]:
        return self._compiled(self._forward)

    @cached_property
    def backward(self) -> Callable[..., Any]:
        return self._compiled(self._backward)

    @cached_property
    def _gradient(self) -> Callable[..., Any]:
        run = self._forward_and_backward
        often = max(Counter(op for op, _, _ in self._ops).values(), default=0) >= MIN_TURNS
        return self._compiled(rerolled(run) if often and not self.collective else run, self)

    def compiled(self, options: tuple[Any, ...]) -> Callable[..., Any]:
        """Return one of the three functions, as operators do.

        Args:
            options: Empty for ``(primals, inputs, cotangents) -> (outs, aux, gradients)``,
                ``FORWARD`` for ``(primals, inputs) -> (outs, aux, residuals)``, ``BACKWARD`` for
                ``(residuals, cotangents) -> gradients``.
        """
        if not options:
            return self._gradient
        return self.forward if options == FORWARD else self.backward

    def _evaluate(
        self, primals: Sequence[Any], inputs: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        outs, aux = super()._evaluate(primals, inputs)
        return self.differentiated(outs), aux

    def differentiated(self, values: Sequence[Any]) -> list[Any]:
        """Take those of one value per result whose result is not a constant."""
        return [v for v, place in zip(values, self.outs, strict=True) if place is not None]

    def _linearized(self, primals: tuple[Any, ...], inputs: tuple[Any, ...]) -> Any:
        return jax.vjp(lambda p: self._evaluate(p, inputs), primals, has_aux=True)

    def _forward(self, primals: tuple[Any, ...], inputs: tuple[Any, ...]) -> Any:
        outs, pull, aux = self._linearized(primals, inputs)
        residuals, self._tree = jax.tree.flatten(pull)
        return outs, aux, residuals

    def _backward(self, residuals: Sequence[Any], cotangents: Sequence[Any]) -> Any:
        return jax.tree.unflatten(self._tree, residuals)(list(cotangents))[0]

    def _forward_and_backward(
        self, primals: tuple[Any, ...], inputs: tuple[Any, ...], cotangents: tuple[Any, ...] | None
    ) -> Any:
        outs, pull, aux = self._linearized(primals, inputs)
        given = [jnp.ones_like(out) for out in outs] if cotangents is None else list(cotangents)
        return outs, aux, list(pull(given)[0])


class BoundGradient(BoundCall):
    """One call of a ``GradientProgram``."""

    def run(self, primals: list[Any]) -> tuple[list[Any], Callable[..., Any], list[Any]]:
        """Run the forward pass at the values of the primals.

        Returns:
            As ``jax.vjp(..., has_aux=True)``: the results, the pullback, the further values.
            Inside a gradient call that records, both passes are recorded.
        """
        program: Any = self._program
        outs, aux, residuals = dispatch(program, FORWARD, (tuple(primals), self._inputs))

        def pull(cotangents: list[Any]) -> tuple[Any]:
            given = tuple(program.differentiated(cotangents))
            return (dispatch(program, BACKWARD, (tuple(residuals), given)),)

        results, kept = self._values(primals, outs, aux)
        return results, pull, kept

    def run_with_gradient(
        self, primals: list[Any], cotangents: Sequence[Any] | None
    ) -> tuple[list[Any], list[Any]]:
        """Run the forward pass and pull back, as one program.

        Args:
            primals: Their values.
            cotangents: One cotangent per result; None for ones everywhere.

        Returns:
            The further values, and one gradient per primal. Inside a gradient call that records,
            all of this is recorded.
        """
        program: Any = self._program
        chosen = None if cotangents is None else tuple(program.differentiated(cotangents))
        outs, aux, gradients = dispatch(program, (), (tuple(primals), self._inputs, chosen))
        return self._values(primals, outs, aux)[1], gradients


def bind_gradient(
    fn: Any, recorder: Recorder, results: list[Any], kept: list[Any]
) -> BoundGradient | None:
    """Return a finished recording as one call, see ``bind``."""
    return bind(BoundGradient, fn, recorder, results, kept, GradientProgram)
