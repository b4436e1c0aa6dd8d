"""``mindspore.dataset.callback``: what a ``map`` calls. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset.callback.ds_callback import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
