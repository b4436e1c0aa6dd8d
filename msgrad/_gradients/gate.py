"""The gate: values that become traced only when they are needed.

``jax.vjp`` makes a tracer of every primal before it calls the function (8 us each), and must be
told of all of them. A gradient call that is recorded (``_core/deferred``) needs tracers only where
it is replayed, and one without weights learns on the way which Parameters it uses. So JAX
differentiates with respect to one number, the gate. Values that pass by it become traced ones:
their cotangents come back to the gate and are caught there. ``jax.jvp`` and ``jax.vmap`` have gates
as well: a number that moves, and the numbers of the examples.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_batching import custom_vmap

from msgrad._core.deferred.recording import Pending, Spec, materialize
from msgrad._core.engine import current_trace, in_trace

GATE = np.float32(0)
Catch = Callable[[Any], None]
Enter = Callable[[Sequence[Any]], list[Any]]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def enter(catch: Catch, gate: Any, value: Any) -> Any:
    """Return ``value`` as differentiated; ``catch`` gets its cotangent, if the result needs it."""
    del catch, gate
    return value


def _enter_forward(catch: Catch, gate: Any, value: Any) -> tuple[Any, None]:
    del catch, gate
    return value, None


def _enter_backward(catch: Catch, _: None, cotangent: Any) -> tuple[Any, None]:
    catch(cotangent)
    return jnp.zeros_like(GATE), None


enter.defvjp(_enter_forward, _enter_backward)


class _Caught(threading.local):
    """What came back to a gate in the pullback that is running."""

    cotangents: list[Any] | None = None

    def catch(self, cotangents: list[Any]) -> None:
        """Take over the cotangents."""
        self.cotangents = list(cotangents)


def vjp_on_demand(
    fn: Callable[[Enter], tuple[list[Any], list[Any]]], primals: Sequence[Any]
) -> tuple[list[Any], Callable[..., Any], list[Any]]:
    """Run a function, ready to pull back.

    Args:
        fn: Takes a function that returns the values of the primals as traced ones, to be called
            once at most; returns the results to differentiate and further values.
        primals: What has the shapes and dtypes of the primals.

    Returns:
        As ``jax.vjp(fn, primals, has_aux=True)``: the results, the pullback, the further values.
    """
    caught = _Caught()
    results, pull_gate, aux = jax.vjp(
        lambda gate: fn(lambda values: enter(caught.catch, gate, list(values))), GATE, has_aux=True
    )

    def pull(cotangents: list[Any]) -> tuple[list[Any]]:
        caught.cotangents = None
        pull_gate(cotangents)
        found, caught.cotangents = caught.cotangents, None
        if found is None:
            found = [jnp.zeros(primal.shape, primal.dtype) for primal in primals]
        return (found,)

    return results, pull, aux


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
        fn: As for ``vjp_on_demand``.
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
        # What a Recorder has: there is nothing recorded.
        self.open = False
        self.pending = [Pending(self, place, spec) for place, spec in enumerate(specs)]  # pyright: ignore[reportArgumentType]

    def replay(self) -> None:
        """Give everything its traced value."""
        with in_trace(self._trace):
            for pending, value in zip(self.pending, self._values(), strict=True):
                pending.set_value(_example(self._number, value))
