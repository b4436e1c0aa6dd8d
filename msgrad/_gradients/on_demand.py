"""Gates of ``jax.jvp`` and ``jax.vmap``: values that become traced only when they are needed.

What a gate is for, and that of ``jax.vjp``, is in ``gate.py``. Here it is a number that moves, and
the numbers of the examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.custom_batching import custom_vmap

from msgrad._core.deferred.recording import Pending, Spec, materialize
from msgrad._core.engine import current_trace, in_trace
from msgrad._gradients.gate import GATE

Enter = Callable[[Sequence[Any]], list[Any]]


@jax.custom_jvp
def _moving(gate: Any, value: Any, tangent: Any) -> Any:
    """Return ``value``, which moves along ``tangent``."""
    del gate, tangent
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


@custom_vmap
def _example(number: Any, values: Any) -> Any:
    """Return the example of this number."""
    return values[number]


@_example.def_vmap
def _all_examples(size: int, batched: list[bool], number: Any, values: Any) -> tuple[Any, bool]:
    del size, batched, number
    return values, True


class Examples:
    """Mapped values, traced once somebody needs them; to be made inside of ``jax.vmap``.

    Args:
        number: The traced number of the example.
        values: Returns the values, with the mapped dimension in front.
        specs: Shapes and dtypes of one example.

    Attributes:
        pending: What stands for one example of each.
    """

    def __init__(self, number: Any, values: Callable[[], list[Any]], specs: Sequence[Spec]) -> None:
        self._number, self._values = number, values
        self._trace = current_trace()
        self.pending = [Pending(self, place, spec) for place, spec in enumerate(specs)]

    def value_of(self, pending: Pending) -> Pending:
        """Give everything its traced value."""
        with in_trace(self._trace):
            for each, value in zip(self.pending, self._values(), strict=True):
                each.set_value(_example(self._number, value))
        return pending

    number_of = value_of
