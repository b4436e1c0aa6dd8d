"""One training step in JAX and Optax, compiled whole with its state donated, or not compiled."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax


def make_optimizer(name: str, rate: float) -> optax.GradientTransformation:
    """Make ``momentum`` (0.9) or ``adam``."""
    return optax.sgd(rate, momentum=0.9) if name == "momentum" else optax.adam(rate)


class Training:
    """State and step.

    Args:
        code: The workload's module.
        weights: The first weights by their names in the MindSpore program.
        rule: The optimizer.
        compiled: Whether to compile the step.
        call: What a step is, see ``Workload``.
    """

    def __init__(
        self,
        code: ModuleType,
        weights: dict[str, np.ndarray],
        rule: optax.GradientTransformation,
        compiled: bool,
        call: str = "step",
    ) -> None:
        params, stats = code.params(weights)
        self.params = jax.tree.map(jnp.array, params)
        self.stats = jax.tree.map(jnp.array, stats)
        self.moments = rule.init(self.params)
        differentiate = jax.value_and_grad(code.loss, has_aux=True)

        def step(params: Any, stats: Any, moments: Any, x: jax.Array, y: jax.Array) -> Any:
            (loss, stats), gradients = differentiate(params, stats, x, y)
            updates, moments = rule.update(gradients, moments, params)
            return optax.apply_updates(params, updates), stats, moments, loss

        def forward(params: Any, stats: Any, moments: Any, x: jax.Array, y: jax.Array) -> Any:
            return params, stats, moments, code.loss(params, stats, x, y)[0]

        def mapped(params: Any, stats: Any, moments: Any, x: jax.Array, y: jax.Array) -> Any:
            one = jax.grad(lambda x, y: code.loss(params, stats, x, y)[0])
            return params, stats, moments, jnp.abs(jax.vmap(one)(x, y)).sum()

        made = {"step": step, "forward": forward, "vmap": mapped}[call]
        self._step: Callable[..., Any] = (
            jax.jit(made, donate_argnums=(0, 1, 2)) if compiled else made
        )

    def step(self, x: jax.Array, y: jax.Array) -> jax.Array:
        """Make a step and give the loss before it."""
        self.params, self.stats, self.moments, loss = self._step(
            self.params, self.stats, self.moments, x, y
        )
        return loss
