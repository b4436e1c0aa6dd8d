"""``mindspore.dataset.transforms.c_transforms``: the transforms as before MindSpore 2.0."""

import warnings

from msgrad._core.missing import missing_names
from msgrad.dataset.transforms.transforms import *  # noqa: F403

warnings.warn(
    "mindspore.dataset.transforms.c_transforms is no more in MindSpore 2; import "
    "mindspore.dataset.transforms.",
    DeprecationWarning,
    stacklevel=2,
)

__getattr__ = missing_names(__name__)
