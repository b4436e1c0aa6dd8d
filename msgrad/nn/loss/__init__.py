"""``mindspore.nn.loss``: the losses."""

from msgrad.nn.loss.loss import *  # noqa: F403
from msgrad.nn.loss.loss import __all__ as __all__
