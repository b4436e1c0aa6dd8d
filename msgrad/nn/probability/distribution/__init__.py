"""``mindspore.nn.probability.distribution``: distributions, as Cells.

This file only re-exports.
"""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.nn.probability.distribution.continuous import *  # noqa: F403
from msgrad.nn.probability.distribution.discrete import *  # noqa: F403
from msgrad.nn.probability.distribution.distribution import Distribution as Distribution
from msgrad.nn.probability.distribution.transformed_distribution import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
