"""``mindspore.nn.loss``: the losses."""

from msgrad._core.exports import public_names
from msgrad.nn.loss.dice import *  # noqa: F403
from msgrad.nn.loss.likelihood import *  # noqa: F403
from msgrad.nn.loss.loss import *  # noqa: F403  # noqa: F403
from msgrad.nn.loss.margins import *  # noqa: F403

__all__ = public_names(globals())
