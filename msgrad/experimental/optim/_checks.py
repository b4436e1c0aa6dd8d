"""Checks of the options that the experimental optimizers share."""

from __future__ import annotations

from typing import Any

from msgrad._core.bridge import is_tensor
from msgrad._core.errors import ArgumentTypeError, ArgumentValueError, OptionError


def at_least(owner: str, name: str, value: Any, *, strictly: bool = False) -> None:
    """Raise unless ``value`` is a number (or a Tensor of one), 0 or more (``strictly``: more).

    Raises:
        TypeError: If it is not a number.
        ValueError: If it is too small.
    """
    if not isinstance(value, (int, float)) and not is_tensor(value):
        raise ArgumentTypeError(
            f"For {owner}, the {name} must be a number, but got {type(value).__name__}."
        )
    if value < 0 or (strictly and value == 0):
        wanted = "greater than 0.0" if strictly else "greater than or equal to 0.0"
        raise ArgumentValueError(f"For {owner}, the {name} must be {wanted}, but got {value}.")


def betas(owner: str, value: Any) -> None:
    """Raise unless ``value`` is a tuple or list of at least two numbers in [0, 1).

    Raises:
        TypeError: If it is not a tuple of numbers.
        ValueError: If one lies outside.
    """
    if not isinstance(value, (tuple, list)) or len(value) < 2:
        kind = OptionError if hasattr(value, "shape") else ArgumentTypeError
        raise kind(f"For {owner}, the betas must be a pair of floats, but got {value}.")
    for index, beta in enumerate(value[:2]):
        if not isinstance(beta, (int, float)):
            raise ArgumentTypeError(
                f"For '{owner}', the 'betas[{index}]' must be 'float', but got "
                f"'{type(beta).__name__}'."
            )
        if not 0 <= beta < 1:
            raise ArgumentValueError(f"Invalid beta parameter at index {index}: {beta}")
