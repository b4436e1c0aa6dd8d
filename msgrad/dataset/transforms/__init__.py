"""``mindspore.dataset.transforms``: transforms of arrays of any kind. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out
from msgrad._core.missing import missing_names
from msgrad.dataset.transforms.transforms import *  # noqa: F403
from msgrad.dataset.transforms.transforms import not_random as not_random

Plugin = left_out(__name__, "Plugin", "runs compiled code", "map with a Python function")

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
