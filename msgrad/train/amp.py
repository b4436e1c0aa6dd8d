"""``mindspore.train.amp``, an import path of MindSpore's: names of ``msgrad.amp``."""

from msgrad.amp import build, mixed_precision
from msgrad.amp.build import *  # noqa: F403
from msgrad.amp.mixed_precision import *  # noqa: F403

__all__ = [*build.__all__, *mixed_precision.__all__]
