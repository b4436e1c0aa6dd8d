"""Learning rates computed from the step: Cells that an optimizer calls; lists are in
``dynamic_lr.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, dataclass_transform

import jax
import jax.numpy as jnp

from msgrad._core.bridge import too_large, unwrap, wrap
from msgrad._core.declared import check, guarded
from msgrad._core.docstrings import OF_NUMBERS, Documented
from msgrad._core.exports import public_names
from msgrad.common.tensor import Tensor
from msgrad.nn._hyper import (
    TEXTS,
    Count,
    Declaring,
    Flag,
    Rate,
    RateFromZero,
    StartRate,
    ascending,
    hyperparameters,
)
from msgrad.nn.cell import Cell


class LearningRateSchedule(Cell):
    """Base of schedules; a subclass computes the rate in ``construct(global_step)``.

    Inputs: global_step, int32 Tensor (1,), 0 in the first step. Output: a Tensor of one number.
    """

    def construct(self, global_step: Tensor) -> Any:
        """Compute the learning rate of a step.

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


@guarded
def _as_float(global_step: Any) -> jax.Array:
    check("LearningRateSchedule", "global_step", "Tensor | float", global_step)
    if type(global_step) is int and global_step >= 2**63:
        raise too_large("LearningRateSchedule", "global_step", global_step)
    return jnp.asarray(unwrap(global_step), jnp.float32)


@dataclass_transform()
class _Formula(Declaring, Documented, LearningRateSchedule):
    """Base of the schedules that are a formula of the step and of what their constructor takes."""

    _kinds = TEXTS
    _raises = OF_NUMBERS
    _formula: ClassVar[Callable[..., jax.Array]]

    def _begin(self, given: dict[str, Any]) -> None:
        Cell.__init__(self)
        vars(self).update(given, _numbers=tuple(given))

    def construct(self, global_step: Tensor) -> Tensor:
        numbers = [getattr(self, name) for name in self._numbers]
        return wrap(type(self)._formula(_as_float(global_step), *numbers))


class _Decay(_Formula):
    """Base of the schedules that decay from ``learning_rate`` at a ``decay_rate``."""

    _only_lists = True

    learning_rate: Rate
    decay_rate: Rate
    decay_steps: Count
    is_stair: Flag = False


class ExponentialDecayLR(_Decay):
    """``learning_rate * decay_rate ** (step / decay_steps)``.

    Args:
        is_stair: Whether the exponent is rounded down.
    """

    @staticmethod
    @jax.jit
    def _formula(step: jax.Array, rate: float, base: float, steps: int, stair: bool) -> jax.Array:
        return rate * jnp.power(base, jnp.where(stair, _periods(step, steps), step / steps))


class NaturalExpDecayLR(_Decay):
    """``learning_rate * exp(-decay_rate * step)``.

    Args:
        decay_steps: int above 0; without effect unless ``is_stair``, as in MindSpore.
        is_stair: Whether the step is rounded down to a multiple of ``decay_steps``.
    """

    @staticmethod
    @jax.jit
    def _formula(step: jax.Array, rate: float, decay: float, steps: int, stair: bool) -> jax.Array:
        return rate * jnp.exp(-decay * jnp.where(stair, _periods(step, steps) * steps, step))


class InverseDecayLR(_Decay):
    """``learning_rate / (1 + decay_rate * step / decay_steps)``.

    Args:
        is_stair: Whether ``step / decay_steps`` is rounded down.
    """

    @staticmethod
    @jax.jit
    def _formula(step: jax.Array, rate: float, decay: float, steps: int, stair: bool) -> jax.Array:
        return rate / (1 + decay * jnp.where(stair, _periods(step, steps), step / steps))


class CosineDecayLR(_Formula):
    """Half a cosine from ``max_lr`` in step 0 to ``min_lr`` in ``decay_steps``, and then flat.

    Args:
        max_lr: float above ``min_lr``.
    """

    @staticmethod
    @jax.jit
    def _formula(step: jax.Array, low: float, high: float, steps: int) -> jax.Array:
        share = jnp.minimum(step, steps) / steps
        return low + (high - low) * 0.5 * (1 + jnp.cos(math.pi * share))

    @hyperparameters
    def __init__(self, min_lr: RateFromZero, max_lr: Rate, decay_steps: Count) -> None:
        ascending(type(self).__name__, min_lr, max_lr)


class PolynomialDecayLR(_Formula):
    """From ``learning_rate`` to ``end_learning_rate`` along ``(1 - step / decay_steps) ** power``.

    Args:
        update_decay_steps: Whether to start anew, with ``decay_steps`` longer by itself, each time
            that the end was reached.
    """

    @staticmethod
    @jax.jit
    def _formula(
        step: jax.Array, rate: float, end: float, steps: int, power: float, cyclic: bool
    ) -> jax.Array:
        full = _periods(step, steps)
        cycles = jnp.maximum(full + (step > full * steps), 1)
        length = jnp.where(cyclic, steps * cycles, steps)
        left = length - jnp.minimum(step, length)
        return (rate - end) * jnp.power(left / length, power) + end

    learning_rate: StartRate
    end_learning_rate: RateFromZero
    decay_steps: Count
    power: Rate
    update_decay_steps: Flag = False

    def _begin(self, given: dict[str, Any]) -> None:
        super()._begin({"start_learning_rate": given.pop("learning_rate"), **given})


class WarmUpLR(_Formula):
    """From 0 in a straight line to ``learning_rate`` in step ``warmup_steps``, and then flat."""

    @staticmethod
    @jax.jit
    def _formula(step: jax.Array, rate: float, steps: int) -> jax.Array:
        return rate * jnp.minimum(step, steps) / steps

    learning_rate: RateFromZero
    warmup_steps: Count


__all__ = public_names(globals())
