"""The gate: differentiation of values that become traced only when they are needed.

``jax.vjp`` makes a tracer of every primal before it calls the function (8 us each), and must be
told of all of them. A gradient call that is recorded (``_core/deferred``) needs tracers only where
it is replayed, and one without weights learns on the way which Parameters it uses. So JAX
differentiates with respect to one number, the gate. Values that pass by it become traced ones:
their cotangents come back to the gate and are caught there.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

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
