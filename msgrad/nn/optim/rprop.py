"""Rprop: steps by the signs of the gradients, longer while a sign stays, else shorter."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.nn._checks import inside, of_type
from msgrad.nn._hyper import hyperparameters
from msgrad.nn.optim._rule import Array, Rule, Slot, Slots
from msgrad.nn.optim.optimizer import Optimizer

__all__ = ["Rprop"]


def rprop(own: Any, grad: Array, param: Array, slots: Slots) -> tuple[Array, Slots]:
    """``w -= size * sign(g)``; ``size`` begins with the rate and is multiplied by ``etas[0]`` where
    the sign has turned, and then ``g`` counts as 0, and by ``etas[1]`` where it has not.
    """
    turned = jnp.sign(grad * slots["prev"])
    factor = jnp.where(turned > 0, own.etas[1], jnp.where(turned < 0, own.etas[0], 1.0))
    size = slots["step_size"]
    size = jnp.where(own.step == 1, own.lr.astype(size.dtype), size)
    size = jnp.clip(size * factor.astype(size.dtype), *own.step_sizes)
    grad = jnp.where(turned < 0, 0, grad)
    return -jnp.sign(grad) * size, {"prev": grad, "step_size": size}


class Rprop(Optimizer):
    """Resilient backpropagation.

    Args:
        learning_rate: As for ``Optimizer``; only the size of the first step.
        etas: tuple of a float in (0, 1) and one above 1: the factors of a step.
        step_sizes: tuple of two floats: the smallest and the largest step.

    Inputs: gradients, a tuple or list of Tensor. Output: True.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range, or tuples of another length.

    State: ``prev.*``, ``step_size.*`` (0).
    """

    _takes_lists = True
    _rule = Rule(rprop, (Slot("prev"), Slot("step_size")))

    @hyperparameters
    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: Any = 0.0,
    ) -> None:
        _check_pair("etas", etas, f"got {type(etas)}")
        for name, value, low, high in (
            ("etaminus", etas[0], 0.0, 1.0),
            ("etaplus", etas[1], 1.0, float("inf")),
        ):
            if not isinstance(value, float):
                raise ArgumentTypeError(
                    f"For 'Rprop', the '{name}' must be 'float',  but got '{type(value).__name__}'."
                )
            inside("Rprop", name, value, low, high)
        # MindSpore's text; what came stands behind it.
        came = f"got <class 'tuple'>; got {type(step_sizes).__name__}"
        _check_pair("step_sizes", step_sizes, came)
        of_type("Rprop", "min_step_sizes", step_sizes[0], float)
        of_type("Rprop", "max_step_sizes", step_sizes[1], float)
        if step_sizes[0] > step_sizes[1]:
            raise ArgumentValueError(
                "For Rprop, maximal step size should not be less than minimal step size, but got "
                f"{step_sizes[0]} > {step_sizes[1]}."
            )


def _check_pair(name: str, value: Any, came: str) -> None:
    if not isinstance(value, tuple):
        raise ArgumentTypeError(f"For Rprop, {name} must be a tuple, but {came}.")
    if len(value) != 2:
        raise ArgumentValueError(
            f"For Rprop, {name} must be a tuple with the size of 2, but got {len(value)}."
        )
