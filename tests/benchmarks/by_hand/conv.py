"""The small convolutional classifier."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax


def params(weights: dict[str, Any]) -> Any:
    """Give weight and bias of each layer in turn; dense weights (in, out)."""
    return [w.T if w.ndim == 2 else w for w in weights.values()], ()


def convolution(x: jax.Array, kernel: jax.Array, stride: int = 1, pad: int = 1) -> jax.Array:
    """Convolve (N, C, H, W) with (O, I, h, w), in as many groups as I goes into C."""
    groups, pads = x.shape[1] // kernel.shape[1], [(pad, pad), (pad, pad)]
    return jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), pads, feature_group_count=groups
    )


def max_pool(x: jax.Array, size: int, stride: int, pad: int = 0) -> jax.Array:
    """Give the largest element of each window."""
    pads = ((0, 0), (0, 0), (pad, pad), (pad, pad))
    window, strides = (1, 1, size, size), (1, 1, stride, stride)
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, strides, pads)


def loss(params: list[jax.Array], stats: Any, x: jax.Array, y: jax.Array) -> Any:
    """Give the cross entropy."""
    k1, c1, k2, c2, w1, b1, w2, b2 = params
    x = max_pool(jax.nn.relu(convolution(x, k1) + c1[:, None, None]), 2, 2)
    x = max_pool(jax.nn.relu(convolution(x, k2) + c2[:, None, None]), 2, 2)
    x = jax.nn.relu(x.reshape(len(x), -1) @ w1 + b1) @ w2 + b2
    return optax.softmax_cross_entropy_with_integer_labels(x, y).mean(), stats
