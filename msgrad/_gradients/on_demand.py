"""``jax.jvp`` and ``jax.vmap`` of values that become traced only when they are needed.

Why, and the gate of ``jax.vjp``, is in ``gate.py``. That of ``jax.jvp`` is a number that moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.deferred.recording import Pending, Spec, materialize
from msgrad._core.engine import all_examples, batch_trace, in_trace, one_example
from msgrad._gradients.gate import GATE

Enter = Callable[[Sequence[Any]], list[Any]]


@jax.custom_jvp
def _moving(gate: Any, value: Any, tangent: Any) -> Any:
    """Return ``value``, which moves along ``tangent``."""
    return value


@_moving.defjvp
def _moving_jvp(primals: tuple[Any, ...], _: tuple[Any, ...]) -> tuple[Any, Any]:
    return primals[1], primals[2]


def jvp_on_demand(
    fn: Callable[[Enter], tuple[list[Any], list[Any]]], tangents: Sequence[Any]
) -> tuple[list[Any], list[Any], list[Any]]:
    """Run a function together with its derivative.

    Args:
        fn: Takes a function that returns the values of the primals as traced ones; returns the
            results to differentiate and further values.
        tangents: The direction, one for each primal; may be ``Pending``.

    Returns:
        As ``jax.jvp(fn, primals, tangents, has_aux=True)``: the results, their tangents, the
        further values.
    """

    def run(gate: Any) -> tuple[list[Any], list[Any]]:
        return fn(
            lambda values: [
                _moving(gate, value, materialize(tangent))
                for value, tangent in zip(values, tangents, strict=True)
            ]
        )

    return jax.jvp(run, (GATE,), (np.ones_like(GATE),), has_aux=True)


class Examples:
    """Mapped values, traced once somebody needs them.

    Args:
        size: How many examples there are.
        values: Returns the values, with the examples in front.
        specs: Shapes and dtypes of one example.

    Attributes:
        trace: What maps over the examples.
        pending: What stands for one example of each value.
    """

    def __init__(self, size: int, values: Callable[[], list[Any]], specs: Sequence[Spec]) -> None:
        self.trace = batch_trace(size)
        self.pending = [Pending(self, place, spec) for place, spec in enumerate(specs)]
        self._size, self._values = size, values

    def value_of(self, pending: Pending) -> Pending:
        """Give everything its traced value."""
        with in_trace(self.trace.parent_trace):
            values = self._values()
        for each, value in zip(self.pending, values, strict=True):
            each.set_value(one_example(self.trace, value))
        return pending

    number_of = value_of

    def differs(self, value: Any) -> bool:
        """Whether a value that was computed inside is not the same for all examples."""
        return all_examples(self.trace, value)[1] is not None

    def all(self, value: Any, axis: int = 0) -> Any:
        """Return what a value that was computed inside is for all examples, along ``axis``."""
        values, found = all_examples(self.trace, value)
        if found is None:
            values, found = jnp.broadcast_to(values, (self._size, *values.shape)), 0
        return jnp.moveaxis(values, found, axis)
