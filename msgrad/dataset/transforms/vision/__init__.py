"""``mindspore.dataset.transforms.vision``: a path from before MindSpore 1.0."""

from msgrad._core.missing import missing_names
from msgrad.dataset.vision import *  # noqa: F403

__getattr__ = missing_names(__name__)
