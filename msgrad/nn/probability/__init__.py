"""``mindspore.nn.probability``: distributions, and bijectors that transform them.

This file only re-exports; the package is loaded when it is first used.
"""

from msgrad._core.missing import missing_names
from msgrad.nn.probability import bijector as bijector
from msgrad.nn.probability import distribution as distribution

__all__ = ["bijector", "distribution"]

__getattr__ = missing_names(__name__)
