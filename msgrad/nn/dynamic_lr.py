"""Learning rates as lists of floats, one for each step; Cells are in
``learning_rate_schedule.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgrad._core.checks import of_type, positive_int
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError
from msgrad._core.exports import public_names
from msgrad.nn._hyper import Count, Flag, Rate, RateFromZero, ascending, checked_rates


def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[float]:
    """Return ``learning_rates[i]`` for the steps below ``milestone[i]``.

    Args:
        milestone: list or tuple of rising ints above 0.
        learning_rates: list or tuple of floats, as many.

    Returns:
        ``milestone[-1]`` rates.

    Raises:
        TypeError: For arguments or elements of other types.
        ValueError: For different lengths, or milestones that do not rise.
    """
    of_type(None, "milestone", milestone, tuple, list)
    of_type(None, "learning_rates", learning_rates, tuple, list)
    if len(milestone) != len(learning_rates):
        raise ArgumentValueError(
            "For 'piecewise_constant_lr', the size of 'milestone' must be same with the size of "
            f"'learning_rates', but got 'milestone' size: {len(milestone)}, 'learning_rates' size: "
            f"{len(learning_rates)}."
        )
    rates: list[float] = []
    last = 0
    for index, (end, rate) in enumerate(zip(milestone, learning_rates, strict=True)):
        positive_int(None, f"milestone[{index}]", end)
        if not isinstance(rate, float):
            raise ArgumentTypeError(
                f"The type of 'learning_rates[{index}]' must be 'float', but got "
                f"'{type(rate).__name__}'."
            )
        if end < last:
            raise ArgumentValueError(
                f"For 'piecewise_constant_lr', the value of milestone[{index}] must be greater "
                f"than milestone[{index - 1}], but got milestone[{index}]: {end}, "
                f"milestone[{index - 1}]: {last}."
            )
        rates += [rate] * (end - last)
        last = end
    return rates


def _epochs(total_step: int, step_per_epoch: int) -> list[int]:
    return [step // step_per_epoch for step in range(total_step)]


@checked_rates
def exponential_decay_lr(
    learning_rate: Rate,
    decay_rate: Rate,
    total_step: Count,
    step_per_epoch: Count,
    decay_epoch: Count,
    is_stair: Flag = False,
) -> list[float]:
    """Return ``learning_rate * decay_rate ** (epoch / decay_epoch)`` for each step.

    Args:
        is_stair: Whether the exponent is rounded down.
    """
    epochs = _epochs(total_step, step_per_epoch)
    powers = [e // decay_epoch if is_stair else e / decay_epoch for e in epochs]
    return [learning_rate * decay_rate**power for power in powers]


@checked_rates
def natural_exp_decay_lr(
    learning_rate: Rate,
    decay_rate: Rate,
    total_step: Count,
    step_per_epoch: Count,
    decay_epoch: Count,
    is_stair: Flag = False,
) -> list[float]:
    """Return ``learning_rate * exp(-decay_rate * epoch)`` for each step.

    Args:
        decay_epoch: int above 0; without effect unless ``is_stair``, as in MindSpore.
        is_stair: Whether the epoch is rounded down to a multiple of ``decay_epoch``.
    """
    epochs = _epochs(total_step, step_per_epoch)
    passed = [e // decay_epoch * decay_epoch if is_stair else e for e in epochs]
    return [learning_rate * math.exp(-decay_rate * epoch) for epoch in passed]


@checked_rates
def inverse_decay_lr(
    learning_rate: Rate,
    decay_rate: Rate,
    total_step: Count,
    step_per_epoch: Count,
    decay_epoch: Count,
    is_stair: Flag = False,
) -> list[float]:
    """Return ``learning_rate / (1 + decay_rate * epoch / decay_epoch)`` for each step.

    Args:
        is_stair: Whether ``epoch / decay_epoch`` is rounded down.
    """
    epochs = _epochs(total_step, step_per_epoch)
    passed = [e // decay_epoch if is_stair else e / decay_epoch for e in epochs]
    return [learning_rate / (1 + decay_rate * periods) for periods in passed]


@checked_rates
def cosine_decay_lr(
    min_lr: RateFromZero, max_lr: Rate, total_step: Count, step_per_epoch: Count, decay_epoch: Count
) -> list[float]:
    """Return half a cosine from ``max_lr`` to ``min_lr`` in ``decay_epoch``, and then ``min_lr``.

    Args:
        max_lr: float above ``min_lr``.
    """
    ascending("cosine_decay_lr", min_lr, max_lr)
    shares = [min(e, decay_epoch) / decay_epoch for e in _epochs(total_step, step_per_epoch)]
    half = 0.5 * (max_lr - min_lr)
    return [min_lr + half * (1 + math.cos(math.pi * share)) for share in shares]


@checked_rates
def polynomial_decay_lr(
    learning_rate: Rate,
    end_learning_rate: RateFromZero,
    total_step: Count,
    step_per_epoch: Count,
    decay_epoch: Count,
    power: Rate,
    update_decay_epoch: Flag = False,
) -> list[float]:
    """Return rates along ``(1 - epoch / decay_epoch) ** power``.

    Args:
        learning_rate: float above 0, the rate of epoch 0.
        end_learning_rate: float, 0 or more, the rate from ``decay_epoch`` on.
        update_decay_epoch: Whether to start anew, with ``decay_epoch`` longer by itself, each
            time that the end was reached.
    """

    def rate_of(epoch: int) -> float:
        cycles = max(math.ceil(epoch / decay_epoch), 1) if update_decay_epoch else 1
        length = decay_epoch * cycles
        share = 1 - min(epoch, length) / length
        return (learning_rate - end_learning_rate) * share**power + end_learning_rate

    return [rate_of(epoch) for epoch in _epochs(total_step, step_per_epoch)]


@checked_rates
def warmup_lr(
    learning_rate: RateFromZero, total_step: Count, step_per_epoch: Count, warmup_epoch: Count
) -> list[float]:
    """Return a line from 0 to ``learning_rate`` in ``warmup_epoch``, and then a flat one."""
    epochs = _epochs(total_step, step_per_epoch)
    return [learning_rate * min(epoch, warmup_epoch) / warmup_epoch for epoch in epochs]


__all__ = public_names(globals())
