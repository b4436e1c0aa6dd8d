"""The chain of dense layers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp


def params(weights: dict[str, Any]) -> Any:
    """Give ``[w0, b0, w1, b1, ...]``, the weights (in, out)."""
    return [w.T if w.ndim == 2 else w for w in weights.values()], ()


def loss(params: list[jax.Array], stats: Any, x: jax.Array, y: jax.Array) -> Any:
    """Give the mean squared error."""
    *hidden, last = zip(params[::2], params[1::2], strict=True)
    for w, b in hidden:
        x = jax.nn.relu(x @ w + b)
    w, b = last
    return jnp.mean((x @ w + b - y) ** 2), stats
