"""The residual network; the running statistics of BatchNorm are the ``stats``."""

from __future__ import annotations

from typing import Any

import jax
import optax

from tests.benchmarks.by_hand.conv import convolution, max_pool


def _layers(weights: dict[str, Any]) -> list[tuple[str, str]]:
    """Give the names of the convolutions and of their normalisations, in the order of use."""
    names, block = [("conv", "norm")], 0
    while f"blocks.{block}.conv1.weight" in weights:
        if f"blocks.{block}.down.0.weight" in weights:
            names.append((f"blocks.{block}.down.0", f"blocks.{block}.down.1"))
        names += [(f"blocks.{block}.conv{k}", f"blocks.{block}.norm{k}") for k in (1, 2)]
        block += 1
    return names


def params(weights: dict[str, Any]) -> Any:
    """Give kernel, scale and shift of each convolution, the dense layer; mean and variance each."""
    flat, stats = [], []
    for conv, norm in _layers(weights):
        flat += [weights[f"{conv}.weight"], weights[f"{norm}.gamma"], weights[f"{norm}.beta"]]
        stats += [weights[f"{norm}.moving_mean"], weights[f"{norm}.moving_variance"]]
    return [*flat, weights["head.weight"].T, weights["head.bias"]], stats


def loss(params: list[jax.Array], stats: list[jax.Array], x: jax.Array, y: jax.Array) -> Any:
    """Give the cross entropy, and the statistics after it."""
    weights, moving, after = iter(params), iter(stats), []

    def normalised(x: jax.Array, stride: int, pad: int) -> jax.Array:
        kernel, gamma, beta = next(weights), next(weights), next(weights)
        x = convolution(x, kernel, stride, pad)
        mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
        count = x.size // x.shape[1]
        after.append(0.9 * next(moving) + 0.1 * jax.lax.stop_gradient(mean))
        unbiased = jax.lax.stop_gradient(variance) * (count / (count - 1))
        after.append(0.9 * next(moving) + 0.1 * unbiased)
        scale = gamma * jax.lax.rsqrt(variance + 1e-5)
        return x * scale[:, None, None] + (beta - mean * scale)[:, None, None]

    x = max_pool(jax.nn.relu(normalised(x, 2, 3)), 3, 2, 1)
    kernels = params[:-2:3]
    while len(after) < len(stats):
        # A block that halves its image begins with the 1x1 convolution beside it.
        halves = kernels[len(after) // 2].shape[-1] == 1
        straight = normalised(x, 2, 0) if halves else x
        x = jax.nn.relu(normalised(x, 2 if halves else 1, 1))
        x = jax.nn.relu(normalised(x, 1, 1) + straight)
    logits = x.mean((2, 3)) @ next(weights) + next(weights)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), after
