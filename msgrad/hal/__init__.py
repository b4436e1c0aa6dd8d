"""``mindspore.hal``: devices, and the older names of ``runtime``. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.hal.device import *  # noqa: F403
from msgrad.hal.memory import *  # noqa: F403
from msgrad.runtime import event, stream
from msgrad.runtime.event import *  # noqa: F403
from msgrad.runtime.stream import *  # noqa: F403

__all__ = public_names(globals(), "empty_cache", *event.__all__, *stream.__all__)

__getattr__ = missing_names(__name__)
