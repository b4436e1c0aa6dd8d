"""``mindspore.ops.composite``, an import path of MindSpore's: the names of ``msgrad.ops``."""

from msgrad.ops import *  # noqa: F403
from msgrad.ops import __all__ as __all__
