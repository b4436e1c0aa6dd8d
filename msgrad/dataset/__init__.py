"""``mindspore.dataset``: a small part of it, in plain Python. This file only re-exports.

Datasets made of Python sources and NumPy arrays, and what is done to them. Everything runs in the
thread that asks for the next row: arguments about workers and processes have no effect.
Readers of file formats, audio and text are not here.
"""

from typing import TYPE_CHECKING

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.dataset import config as config
from msgrad.dataset.engine import *  # noqa: F403
from msgrad.dataset.engine.datasets import BatchInfo as BatchInfo

__all__ = public_names(globals(), "config")

__getattr__ = missing_names(__name__)

if TYPE_CHECKING:
    # Loaded when they are asked for.
    from msgrad.dataset import engine as engine
    from msgrad.dataset import transforms as transforms
    from msgrad.dataset import vision as vision
