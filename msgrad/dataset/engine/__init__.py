"""``mindspore.dataset.engine``: datasets. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset import config as config
from msgrad.dataset.engine._image_annotations import *  # noqa: F403
from msgrad.dataset.engine._image_folders import *  # noqa: F403
from msgrad.dataset.engine.cache_client import *  # noqa: F403
from msgrad.dataset.engine.datasets import *  # noqa: F403
from msgrad.dataset.engine.datasets import STEPS
from msgrad.dataset.engine.datasets_audio import *  # noqa: F403
from msgrad.dataset.engine.datasets_mindrecord import *  # noqa: F403
from msgrad.dataset.engine.datasets_standard_format import *  # noqa: F403
from msgrad.dataset.engine.datasets_text import *  # noqa: F403
from msgrad.dataset.engine.datasets_user_defined import *  # noqa: F403
from msgrad.dataset.engine.datasets_vision import *  # noqa: F403
from msgrad.dataset.engine.samplers import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__, STEPS)
