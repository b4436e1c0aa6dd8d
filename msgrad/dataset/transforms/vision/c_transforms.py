"""``mindspore.dataset.transforms.vision.c_transforms``: a path from before MindSpore 1.0."""

from msgrad.dataset.vision.c_transforms import *  # noqa: F403
