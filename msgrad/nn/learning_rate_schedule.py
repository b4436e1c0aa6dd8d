"""Learning rates computed from the step: Cells that an optimizer calls; lists are in
``dynamic_lr.py``.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import unwrap, wrap
from msgrad._core.declared import guarded
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import at_least_zero, of_type, positive_float, positive_int
from msgrad.nn.cell import Cell

__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]


class LearningRateSchedule(Cell):
    """Base of schedules; a subclass computes the rate in ``construct(global_step)``.

    Inputs: global_step, int32 Tensor (1,), 0 in the first step. Output: a Tensor of one number.
    """

    def construct(self, global_step: Tensor) -> Any:
        """Compute the learning rate; to be defined by the subclass.

        Raises:
            NotImplementedError: If a subclass does not define it.
        """
        raise NotImplementedError(
            f"{type(self).__name__} must define construct(self, global_step), which gives the "
            "learning rate of a step."
        )


# With a constant number of steps XLA multiplies by its reciprocal, and contracts the product and a
# sum into one instruction: a quotient that should be 1 is then a little off, by which a floor loses
# a whole period and the base of a power falls below 0. So these are of exact differences.


def _periods(step: jax.Array, steps: int) -> jax.Array:
    """Return how many whole times ``steps`` fits into the step, whatever the rounding."""
    near = jnp.floor(step / steps)
    return near + (step >= (near + 1) * steps) - (step < near * steps)


@jax.jit
def _exponential(step: jax.Array, rate: float, base: float, steps: int, stair: bool) -> jax.Array:
    return rate * jnp.power(base, jnp.where(stair, _periods(step, steps), step / steps))


@jax.jit
def _natural(step: jax.Array, rate: float, decay: float, steps: int, stair: bool) -> jax.Array:
    return rate * jnp.exp(-decay * jnp.where(stair, _periods(step, steps) * steps, step))


@jax.jit
def _inverse(step: jax.Array, rate: float, decay: float, steps: int, stair: bool) -> jax.Array:
    return rate / (1 + decay * jnp.where(stair, _periods(step, steps), step / steps))


@jax.jit
def _cosine(step: jax.Array, low: float, high: float, steps: int) -> jax.Array:
    share = jnp.minimum(step, steps) / steps
    return low + (high - low) * 0.5 * (1 + jnp.cos(math.pi * share))


@jax.jit
def _polynomial(
    step: jax.Array, rate: float, end: float, steps: int, power: float, cyclic: bool
) -> jax.Array:
    full = _periods(step, steps)
    cycles = jnp.maximum(full + (step > full * steps), 1)
    length = jnp.where(cyclic, steps * cycles, steps)
    left = length - jnp.minimum(step, length)
    return (rate - end) * jnp.power(left / length, power) + end


@jax.jit
def _warm_up(step: jax.Array, rate: float, steps: int) -> jax.Array:
    return rate * jnp.minimum(step, steps) / steps


@guarded
def _as_float(global_step: Any) -> jax.Array:
    return jnp.asarray(unwrap(global_step), jnp.float32)


def zero_or_more(owner: str | None, cell: str, name: str, value: Any) -> float:
    """Give a rate that may be 0; ``owner`` is None where MindSpore's text does not say it.

    Raises:
        TypeError: If it is not a float.
        ValueError: If it is negative.
    """
    if not isinstance(value, float):
        raise ArgumentTypeError(
            f"For '{cell}', the argument '{name}' must be type of float, but got '{name}' type: "
            f"{type(value)}."
        )
    return at_least_zero(owner, name, value)


def ascending(cell: str, min_lr: float, max_lr: float) -> None:
    """Raise ``ValueError`` unless ``min_lr < max_lr``."""
    if min_lr >= max_lr:
        raise ArgumentValueError(
            f"For '{cell}', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' "
            f"value: {max_lr}, 'min_lr' value: {min_lr}."
        )


class _Decay(LearningRateSchedule):
    """Base of the schedules that decay from ``learning_rate`` at a ``decay_rate``."""

    def __init__(
        self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        self.learning_rate = positive_float(owner, "learning_rate", learning_rate)
        self.decay_rate = positive_float(owner, "decay_rate", decay_rate)
        self.decay_steps = positive_int(owner, "decay_steps", decay_steps)
        self.is_stair = of_type(owner, "is_stair", is_stair, bool)


class ExponentialDecayLR(_Decay):
    """``learning_rate * decay_rate ** (step / decay_steps)``.

    Args:
        learning_rate: float above 0, the rate of step 0.
        decay_rate: float above 0.
        decay_steps: int above 0.
        is_stair: Whether the exponent is rounded down.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers that are not positive.
    """

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        step = _as_float(global_step)
        rates = self.learning_rate, self.decay_rate
        return wrap(_exponential(step, *rates, self.decay_steps, self.is_stair))


class NaturalExpDecayLR(_Decay):
    """``learning_rate * exp(-decay_rate * step)``.

    Args:
        learning_rate: float above 0, the rate of step 0.
        decay_rate: float above 0.
        decay_steps: int above 0; without effect unless ``is_stair``, as in MindSpore.
        is_stair: Whether the step is rounded down to a multiple of ``decay_steps``.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers that are not positive.
    """

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        step = _as_float(global_step)
        rates = self.learning_rate, self.decay_rate
        return wrap(_natural(step, *rates, self.decay_steps, self.is_stair))


class InverseDecayLR(_Decay):
    """``learning_rate / (1 + decay_rate * step / decay_steps)``.

    Args:
        learning_rate: float above 0, the rate of step 0.
        decay_rate: float above 0.
        decay_steps: int above 0.
        is_stair: Whether ``step / decay_steps`` is rounded down.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers that are not positive.
    """

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        step = _as_float(global_step)
        rates = self.learning_rate, self.decay_rate
        return wrap(_inverse(step, *rates, self.decay_steps, self.is_stair))


class CosineDecayLR(LearningRateSchedule):
    """Half a cosine from ``max_lr`` in step 0 to ``min_lr`` in ``decay_steps``, and then flat.

    Args:
        min_lr: float, 0 or more.
        max_lr: float above ``min_lr``.
        decay_steps: int above 0.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.
    """

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        owner = type(self).__name__
        self.min_lr = zero_or_more(owner, owner, "min_lr", min_lr)
        self.max_lr = positive_float(owner, "max_lr", max_lr)
        self.decay_steps = positive_int(owner, "decay_steps", decay_steps)
        ascending(owner, min_lr, max_lr)

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        step = _as_float(global_step)
        return wrap(_cosine(step, self.min_lr, self.max_lr, self.decay_steps))


class PolynomialDecayLR(LearningRateSchedule):
    """From ``learning_rate`` to ``end_learning_rate`` along ``(1 - step / decay_steps) ** power``.

    Args:
        learning_rate: float above 0, the rate of step 0.
        end_learning_rate: float, 0 or more.
        decay_steps: int above 0.
        power: float above 0.
        update_decay_steps: Whether to start anew, with ``decay_steps`` longer by itself, each time
            that the end was reached.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.
    """

    def __init__(
        self,
        learning_rate: float,
        end_learning_rate: float,
        decay_steps: int,
        power: float,
        update_decay_steps: bool = False,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        self.start_learning_rate = positive_float(None, "learning_rate", learning_rate)
        self.end_learning_rate = zero_or_more(owner, owner, "end_learning_rate", end_learning_rate)
        self.decay_steps = positive_int(owner, "decay_steps", decay_steps)
        self.power = positive_float(owner, "power", power)
        self.update_decay_steps = of_type(owner, "update_decay_steps", update_decay_steps, bool)

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        step = _as_float(global_step)
        ends = self.start_learning_rate, self.end_learning_rate
        form = self.decay_steps, self.power, self.update_decay_steps
        return wrap(_polynomial(step, *ends, *form))


class WarmUpLR(LearningRateSchedule):
    """From 0 in a straight line to ``learning_rate`` in step ``warmup_steps``, and then flat.

    Args:
        learning_rate: float, 0 or more.
        warmup_steps: int above 0.

    Raises:
        TypeError: For arguments of other types.
        ValueError: For numbers outside their range.
    """

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        owner = type(self).__name__
        self.learning_rate = zero_or_more(owner, owner, "learning_rate", learning_rate)
        self.warmup_steps = positive_int(owner, "warmup_steps", warmup_steps)

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        return wrap(_warm_up(_as_float(global_step), self.learning_rate, self.warmup_steps))
