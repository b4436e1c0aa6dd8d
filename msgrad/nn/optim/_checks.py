"""Checks of hyperparameters that several optimizers share."""

from __future__ import annotations

from typing import Any

from msgrad.nn._checks import at_least_zero, inside, of_type


def betas(owner: str, beta1: Any, beta2: Any, eps: Any) -> tuple[float, float, float]:
    """Give the three numbers of the Adam family: floats in (0, 1), (0, 1) and above 0.

    Raises:
        TypeError: If one is not a float.
        ValueError: If one lies outside.
    """
    return (
        inside(owner, "beta1", beta1, 0.0, 1.0),
        inside(owner, "beta2", beta2, 0.0, 1.0),
        a_float(owner, "eps", eps, strictly=True),
    )


def a_float(owner: str, name: str, value: Any, *, strictly: bool = False) -> float:
    """Give ``value`` if it is a float, 0 or more (``strictly``: more).

    Raises:
        TypeError: If it is not a float.
        ValueError: If it is too small.
    """
    of_type(owner, name, value, float)
    return at_least_zero(owner, name, value, strictly=strictly)
