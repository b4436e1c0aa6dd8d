"""The gate: differentiation of values that become traced only when they are needed.

``jax.vjp`` takes 110 us around a function, makes a tracer of every primal before it calls it (8 us
each), and must be told of all of them. A gradient call that is recorded (``_core/deferred``) needs
tracers only for what JAX itself is to differentiate, and one without weights learns on the way
which Parameters it uses. So JAX differentiates with respect to one number, the gate, and not even
that where nothing passes by. Values that pass by it become traced ones: their cotangents come back
to the gate and are caught there.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

from msgrad._core.deferred.recording import materialize
from msgrad._core.engine import vjp_of_number
from msgrad._core.op import Array, Operator, dispatch

GATE = np.float32(0)
Values = Callable[[], Sequence[Any]]
# Takes a cotangent for each value, or None; returns one for each tracer, or None.
Pull = Callable[[list[Any]], list[Any]]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def node(values: Values, pull: Pull, number: Any, traced: list[Any]) -> list[Any]:
    """Return values as differentiated ones.

    Args:
        values: Returns them, raw, as the trace around has them.
        pull: Is given their cotangents.
        number: What JAX differentiates with respect to.
        traced: The tracers that they were computed from.
    """
    return list(values())


def _node_forward(
    values: Values, pull: Pull, number: Any, traced: list[Any]
) -> tuple[list[Any], None]:
    return list(values()), None


def _node_backward(
    values: Values, pull: Pull, _: None, cotangents: list[Any]
) -> tuple[None, list[Any]]:
    given = [None if type(c) is SymbolicZero else c for c in cotangents]
    return None, [*map(materialize, pull(given))]


node.defvjp(_node_forward, _node_backward, symbolic_zeros=True)


class Gate:
    """The gate of one gradient call.

    Args:
        number: Returns what JAX differentiates with respect to.
        caught: Where the cotangents of primals go.
    """

    def __init__(self, number: Callable[[], Any], caught: _Caught) -> None:
        self._number = number
        self._caught = caught

    def through(
        self,
        values: Sequence[Any],
        traced: Sequence[Any],
        pull: Callable[[list[Any]], tuple[dict[int, Any], list[Any]]],
    ) -> list[Any]:
        """Return values as differentiated ones.

        Args:
            values: Raw, as the trace around this gradient call has them.
            traced: The tracers of this gradient call that they were computed from.
            pull: Takes a cotangent for each value, or None, and returns those of primals, by
                place, and one for each of ``traced``, or None.
        """

        def catch(given: list[Any]) -> list[Any]:
            primals, others = pull(given)
            self._caught.add(primals)
            return others

        return node(lambda: values, catch, self._number(), list(traced))

    def enter(self, values: Sequence[Any], first: int = 0) -> list[Any]:
        """Return the values of primals, of which this is the first, as differentiated ones."""

        def pull(cotangents: list[Any]) -> tuple[dict[int, Any], list[Any]]:
            given = enumerate(cotangents, first)
            return {~i: cotangent for i, cotangent in given if cotangent is not None}, []

        return self.through(values, [], pull)


class _Caught(threading.local):
    """What came back to a gate in the pullback that is running in this thread."""

    cotangents: dict[int, Any] | None = None

    def add(self, found: dict[int, Any]) -> None:
        """Add cotangents of primals."""
        if self.cotangents is not None:
            for place, cotangent in found.items():
                add_at(self.cotangents, place, cotangent)

    @contextmanager
    def catching(self) -> Iterator[dict[int, Any]]:
        """Collect the cotangents of primals, by place, while a pullback runs."""
        outer, self.cotangents = self.cotangents, {}
        try:
            yield self.cotangents
        finally:
            self.cotangents = outer


def _added(one: Array, other: Array) -> Array:
    return one + other


_sum = Operator(_added, "gradient", int_grad=False, view=False, autocast=False, product=False)


def add_at(found: dict[int, Any], place: int, cotangent: Any) -> None:
    """Add a cotangent to what is found at a place so far."""
    before = found.get(place)
    found[place] = cotangent if before is None else dispatch(_sum, (), (before, cotangent))


def vjp_on_demand(
    fn: Callable[[Gate], tuple[list[Any], list[Any]]], primals: Sequence[Any]
) -> tuple[list[Any], Callable[..., Any], list[Any]]:
    """Run a function, ready to pull back.

    Args:
        fn: Takes the gate; returns the results to differentiate and further values.
        primals: What has the shapes and dtypes of the primals.

    Returns:
        As ``jax.vjp(fn, primals, has_aux=True)``: the results, the pullback, the further values.
    """
    caught = _Caught()
    results, pull_gate, aux = vjp_of_number(lambda number: fn(Gate(number, caught)), GATE)

    def pull(cotangents: list[Any]) -> tuple[list[Any]]:
        with caught.catching() as found:
            pull_gate([*map(materialize, cotangents)])
        return (filled(found, [(p.shape, p.dtype) for p in primals]),)

    return results, pull, aux


def filled(found: dict[int, Any], specs: Sequence[Any]) -> list[Any]:
    """Return a cotangent for each primal, zeros where the results do not depend on it.

    Args:
        found: What arrives, by place: -1, -2, ...; behind the primals, what arrives at those that
            came later, or None.
        specs: Shapes and dtypes of the primals.
    """
    each = [found[~i] if ~i in found else jnp.zeros(*spec[:2]) for i, spec in enumerate(specs)]
    return each + [found.get(~i) for i in range(len(each), -min(found, default=0))]
