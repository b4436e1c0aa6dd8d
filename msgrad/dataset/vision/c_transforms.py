"""``mindspore.dataset.vision.c_transforms``: the transforms by their names before MindSpore 2.0."""

from __future__ import annotations

import warnings
from typing import Any

from msgrad._core.missing import missing_names
from msgrad.dataset.vision.transforms import *  # noqa: F403 # pyright: ignore
from msgrad.dataset.vision.transforms import Decode as _Decode
from msgrad.dataset.vision.utils import ConvertMode as ConvertMode

warnings.warn(
    "mindspore.dataset.vision.c_transforms is no more in MindSpore 2; import "
    "mindspore.dataset.vision.",
    DeprecationWarning,
    stacklevel=2,
)


class Decode(_Decode):
    """Read an image file's bytes as an array; ``rgb`` must be True."""

    def __init__(self, rgb: bool = True) -> None:
        if not rgb:
            raise NotImplementedError("Decode reads RGB only; reverse the channels afterwards.")
        super().__init__(False)


def __getattr__(name: str) -> Any:
    # What is for arrays of any kind stood here, too.
    from msgrad.dataset import transforms

    return getattr(transforms, name, None) or missing_names(__name__)(name)
