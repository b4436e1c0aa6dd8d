"""Learning rates and weight decays of an optimizer: from arguments to Parameters and Cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp

from msgrad._core.bridge import is_tensor, wrap
from msgrad._core.checks import at_least_zero
from msgrad._core.engine import concrete, is_tracer
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, KernelError
from msgrad.common import dtype as mstype
from msgrad.common.parameter import Parameter
from msgrad.common.tensor import Tensor
from msgrad.nn._checks import check_tensor
from msgrad.nn.cell import Cell
from msgrad.nn.learning_rate_schedule import LearningRateSchedule


@jax.jit
def _pick(rates: jax.Array, step: jax.Array) -> jax.Array:
    # Past the end the rate is nan, where the caller could not look at the step.
    return rates.at[step].get(mode="fill", fill_value=jnp.nan)


class _IteratorLearningRate(LearningRateSchedule):
    """The learning rates of a list: one for each step."""

    def __init__(self, rates: Tensor, name: str) -> None:
        super().__init__(auto_prefix=False)
        self.learning_rate = Parameter(rates, name=name)

    def __len__(self) -> int:
        return self.learning_rate.size

    def __bool__(self) -> bool:
        return True

    def construct(self, global_step: Tensor) -> Tensor:
        step = check_tensor("LearningRateSchedule", "global_step", global_step)
        raw = concrete(step._read())
        if not is_tracer(raw):
            check_listed(int(raw.max()), len(self))
        return self.at(step)

    def at(self, step: Tensor) -> Tensor:
        """Return the rate of a step that need not be looked at."""
        return wrap(_pick(self.learning_rate._read(), step._read()))


def check_listed(step: int, listed: int) -> None:
    """Raise if a list of so many learning rates has none for a step."""
    if step >= listed:
        raise KernelError(
            f"For 'Optimizer', step {step} has no learning rate: the list holds {listed}, "
            f"for the steps in the range [0, {listed})."
        )


class _ConvertToCell(LearningRateSchedule):
    """A constant learning rate among ones that change."""

    def __init__(self, rate: Parameter) -> None:
        super().__init__(auto_prefix=False)
        self.learning_rate = rate

    def construct(self, global_step: Tensor) -> Tensor:
        return self.learning_rate.value()


class _WrappedWeightDecay(Cell):
    """A weight decay that is computed from the step, times the loss scale."""

    def __init__(self, weight_decay: Cell, loss_scale: float) -> None:
        super().__init__(auto_prefix=False)
        self.weight_decay = weight_decay
        self.loss_scale = loss_scale

    def construct(self, global_step: Tensor) -> Tensor:
        return self.weight_decay(global_step) * self.loss_scale


def learning_rate(owner: str, value: Any, name: str) -> Parameter | Cell:
    """Make what holds a learning rate.

    Args:
        owner: The optimizer's class, for error texts.
        value: Number, Tensor of rank 0 or 1, iterable of numbers, or LearningRateSchedule.
        name: The name of the Parameter.

    Raises:
        ValueError: For a negative number, or a Tensor of another rank.
    """
    if isinstance(value, (int, float)):
        rate = at_least_zero(owner, "learning rate", float(value))
        return Parameter(Tensor(rate, mstype.float32), name=name)
    if is_tensor(value):
        if value.ndim > 1:
            raise ArgumentValueError(
                "For 'Optimizer', if 'learning_rate' is Tensor type, then the dimension of it "
                f"should be 0 or 1, but got {value.ndim}."
            )
        rates = wrap(value._read().astype(jnp.float32))
        return (
            Parameter(rates, name=name) if value.ndim == 0 else _IteratorLearningRate(rates, name)
        )
    if isinstance(value, LearningRateSchedule):
        return value
    rates = [float(item) for item in value]
    return _IteratorLearningRate(Tensor(rates, mstype.float32), name)


def check_type(value: Any) -> None:
    """Raise TypeError for what is no learning rate."""
    schedule = isinstance(value, LearningRateSchedule)
    if not schedule and (isinstance(value, Cell) or not isinstance(value, (int, float, Iterable))):
        raise ArgumentTypeError(
            "For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, Iterable or "
            f"LearningRateSchedule, but got {type(value)}."
        )


def weight_decay(
    owner: str, value: Any, dynamic: bool, loss_scale: float
) -> float | _WrappedWeightDecay:
    """Return a weight decay as a float, or a Cell that computes it.

    Args:
        owner: The optimizer's class, for error texts.
        value: Number or Cell.
        dynamic: Whether a Cell is accepted.
        loss_scale: What the Cell's result is shown times.

    Raises:
        TypeError: For a value of another type, or a Cell where none is accepted.
        ValueError: For a negative number.
    """
    if isinstance(value, (int, float)):
        return at_least_zero(owner, "weight_decay", float(value))
    if isinstance(value, Cell):
        if not dynamic:
            raise ArgumentTypeError(
                f"For '{owner}', dynamic weight decay is currently not supported, the argument "
                "'weight_decay' or 'weight_decay' set in grouped 'params' must be float or int "
                "type."
            )
        return _WrappedWeightDecay(value, loss_scale)
    raise ArgumentTypeError(
        f"For 'Optimizer', the argument 'Weight_decay' must be int, float or Cell.but got "
        f"{type(value)}"
    )
