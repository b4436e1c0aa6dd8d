"""The classifier whose convolutions have several groups."""

from __future__ import annotations

from typing import Any

import jax
import optax

from tests.benchmarks.by_hand.conv import convolution, params

__all__ = ["loss", "params"]


def loss(params: list[jax.Array], stats: Any, x: jax.Array, y: jax.Array) -> Any:
    """Give the cross entropy."""
    *kernels, weight, bias = params
    x = jax.nn.relu(convolution(x, kernels[0], 2))
    for number, kernel in enumerate(kernels[1:]):
        halves = number % 4 == 2 and kernel.shape[1] == 1
        pad = kernel.shape[-1] // 2
        x = jax.nn.relu(convolution(x, kernel, 2 if halves else 1, pad))
    logits = x.mean((2, 3)) @ weight + bias
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), stats
