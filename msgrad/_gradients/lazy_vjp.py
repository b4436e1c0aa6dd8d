"""``vjp_on_demand``: ``jax.vjp`` for a function that seldom needs the traced values.

``jax.vjp`` makes a tracer of every primal before it calls the function (8 us each), while a
gradient call that is recorded (``_core/deferred``) needs them only where it must be replayed. So
JAX differentiates with respect to one number, the gate. Values that pass by it on demand become
traced ones: their cotangents come back to the gate and are caught there.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Enter = Callable[[Sequence[Any]], list[Any]]

_CLOSED = np.float32(0)


class _Caught(threading.local):
    """What came back to a gate in the pullback that is running."""

    cotangents: list[Any] | None = None


def vjp_on_demand(
    fn: Callable[[Enter], tuple[list[Any], list[Any]]], primals: Sequence[Any]
) -> tuple[list[Any], Callable[..., Any], list[Any]]:
    """Run a function, ready to pull back.

    Args:
        fn: Takes a function that gives the values of the primals as traced ones, to be called once
            at most; gives the results to differentiate and further values.
        primals: What has the shapes and dtypes of the primals.

    Returns:
        As ``jax.vjp(fn, primals, has_aux=True)``: the results, the pullback, the further values.
    """
    caught = _Caught()
    results, pull_gate, aux = jax.vjp(
        lambda gate: fn(lambda values: _enter(caught, gate, list(values))), _CLOSED, has_aux=True
    )

    def pull(seeds: list[Any]) -> tuple[list[Any]]:
        caught.cotangents = None
        pull_gate(seeds)
        found, caught.cotangents = caught.cotangents, None
        if found is None:
            found = [jnp.zeros(primal.shape, primal.dtype) for primal in primals]
        return (found,)

    return results, pull, aux


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _enter(caught: _Caught, gate: Any, values: list[Any]) -> list[Any]:
    del caught, gate
    return values


def _enter_forward(caught: _Caught, gate: Any, values: list[Any]) -> tuple[list[Any], None]:
    del caught, gate
    return values, None


def _enter_backward(caught: _Caught, residuals: None, cotangents: list[Any]) -> tuple[Any, None]:
    del residuals
    caught.cotangents = list(cotangents)
    return jnp.zeros_like(_CLOSED), None


_enter.defvjp(_enter_forward, _enter_backward)
