"""Rprop: steps by the signs of the gradients, longer while a sign stays, else shorter."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import optax

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.nn._checks import of_type
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Rprop"]


@functools.cache
def rprop(
    etas: tuple[float, float], step_sizes: tuple[float, float]
) -> optax.GradientTransformationExtraArgs:
    """Give the rule ``w -= size * sign(g)``; ``size`` begins with the learning rate.

    Args:
        etas: What ``size`` is multiplied by where the sign has turned, and where it has not;
            where it has turned, ``g`` also counts as 0.
        step_sizes: The bounds of ``size``.
    """

    def init(params: Any) -> dict[str, Any]:
        return {name: [jnp.zeros_like(p) for p in params] for name in ("prev", "step_size")}

    def update(
        grads: Any, state: Any, params: Any = None, *, lr: Any, step: Any, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        changes, new = [], {"prev": [], "step_size": []}
        for rate, g, old, size in zip(lr, grads, state["prev"], state["step_size"], strict=True):
            turned = jnp.sign(g * old)
            factor = jnp.where(turned > 0, etas[1], jnp.where(turned < 0, etas[0], 1.0))
            size = jnp.where(step.reshape(()) == 0, rate.astype(size.dtype), size)
            size = jnp.clip(size * factor.astype(size.dtype), *step_sizes)
            g = jnp.where(turned < 0, 0, g)
            changes.append(-jnp.sign(g) * size)
            new["prev"].append(g)
            new["step_size"].append(size)
        return changes, new

    return optax.GradientTransformationExtraArgs(init, update)  # pyright: ignore


class Rprop(Optimizer):
    """Resilient backpropagation.

    Args:
        params: As for ``Optimizer``.
        learning_rate: As for ``Optimizer``; only the size of the first step.
        etas: tuple of a float in (0, 1) and one above 1: the factors of a step.
        step_sizes: tuple of two floats: the smallest and the largest step.
        weight_decay: As for ``Optimizer``.

    Inputs: gradients, a tuple or list of Tensor. Output: True.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range, or tuples of another length.

    State: ``prev.*``, ``step_size.*`` (0).
    """

    _takes_lists = True

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        check_etas(etas)
        check_step_sizes(step_sizes)
        self.etas, self.step_sizes = etas, step_sizes
        self._add_state(self._rule())

    def _rule(self) -> optax.GradientTransformationExtraArgs:
        return rprop(self.etas, self.step_sizes)


def check_etas(etas: Any) -> None:
    """Raise ``TypeError`` or ``ValueError`` unless ``etas`` are two factors of a step."""
    if not isinstance(etas, tuple):
        raise ArgumentTypeError(f"For Rprop, etas must be a tuple, but got {type(etas)}.")
    if len(etas) != 2:
        raise ArgumentValueError(
            f"For Rprop, etas must be a tuple with the size of 2, but got {len(etas)}."
        )
    for name, value, low, high in (
        ("etaminus", etas[0], 0.0, 1.0),
        ("etaplus", etas[1], 1.0, float("inf")),
    ):
        if not isinstance(value, float):
            raise ArgumentTypeError(
                f"For 'Rprop', the '{name}' must be 'float',  but got '{type(value).__name__}'."
            )
        if not low < value < high:
            raise ArgumentValueError(
                f"For 'Rprop', the '{name}' must be in range of ({low}, {high}), but got {value} "
                "with type 'float'."
            )


def check_step_sizes(sizes: Any) -> None:
    """Raise ``TypeError`` or ``ValueError`` unless ``sizes`` are two bounds of a step."""
    if not isinstance(sizes, tuple):
        raise ArgumentTypeError(
            # MindSpore's text; what came stands behind it.
            "For Rprop, step_sizes must be a tuple, but got <class 'tuple'>; got "
            f"{type(sizes).__name__}."
        )
    if len(sizes) != 2:
        raise ArgumentValueError(
            f"For Rprop, step_sizes must be a tuple with the size of 2, but got {len(sizes)}."
        )
    of_type("Rprop", "min_step_sizes", sizes[0], float)
    of_type("Rprop", "max_step_sizes", sizes[1], float)
    if sizes[0] > sizes[1]:
        raise ArgumentValueError(
            "For Rprop, maximal step size should not be less than minimal step size, but got "
            f"{sizes[0]} > {sizes[1]}."
        )
