"""``mindspore.dataset.vision.transforms``: the transforms of images. This file only re-exports."""

from msgrad._core.missing import missing_names
from msgrad.dataset.vision import _augment, _boxes, _color, _convert, _crop, _geometry
from msgrad.dataset.vision._augment import *  # noqa: F403
from msgrad.dataset.vision._boxes import *  # noqa: F403
from msgrad.dataset.vision._color import *  # noqa: F403
from msgrad.dataset.vision._convert import *  # noqa: F403
from msgrad.dataset.vision._crop import *  # noqa: F403
from msgrad.dataset.vision._geometry import *  # noqa: F403
from msgrad.dataset.vision._operation import ImageOperation as ImageTensorOperation  # noqa: F401

_MODULES = (_augment, _boxes, _color, _convert, _crop, _geometry)
__all__ = sorted(name for m in _MODULES for name in m.__all__)

__getattr__ = missing_names(__name__)
