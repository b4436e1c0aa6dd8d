"""The physics-informed network."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp


def params(weights: dict[str, Any]) -> Any:
    """Give ``[w0, b0, w1, b1, ...]``, the weights (in, out)."""
    return [w.T if w.ndim == 2 else w for w in weights.values()], ()


def loss(params: list[jax.Array], stats: Any, x: jax.Array, y: jax.Array) -> Any:
    """Give the mean squared error of the second derivative."""
    w1, b1, w2, b2, w3, b3 = params

    # The points do not see each other, so the gradient of the sum is the derivative at each.
    def total(x: jax.Array) -> jax.Array:
        return (jnp.tanh(jnp.tanh(x @ w1 + b1) @ w2 + b2) @ w3 + b3).sum()

    curvature = jax.grad(lambda x: jax.grad(total)(x).sum())(x)
    return jnp.mean((curvature - y) ** 2), stats
