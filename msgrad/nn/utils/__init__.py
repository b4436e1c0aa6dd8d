"""``mindspore.nn.utils``: ``no_init_parameters``."""

from msgrad._core.exports import public_names
from msgrad.nn.utils.init import *  # noqa: F403

__all__ = public_names(globals())
