"""``mindspore.runtime``: streams, events, memory and the executor. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.runtime.event import *  # noqa: F403
from msgrad.runtime.executor import *  # noqa: F403
from msgrad.runtime.memory import *  # noqa: F403
from msgrad.runtime.stream import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
