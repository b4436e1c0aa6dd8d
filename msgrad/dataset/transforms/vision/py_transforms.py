"""``mindspore.dataset.transforms.vision.py_transforms``: a path from before MindSpore 1.0."""

from msgrad.dataset.vision.py_transforms import *  # noqa: F403
