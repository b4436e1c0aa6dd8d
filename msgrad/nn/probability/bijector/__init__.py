"""``mindspore.nn.probability.bijector``: bijectors, as Cells.

This file only re-exports.
"""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.nn.probability.bijector.bijector import Bijector as Bijector
from msgrad.nn.probability.bijector.bijectors import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
