"""``mindspore.dataset.audio``: transforms of sounds and their spectra. This file only re-exports.

A sound is an array of floats (..., time); it is computed with NumPy and ``scipy.signal``.
"""

from msgrad._core.exports import public_names
from msgrad._core.left_out import left_out_all
from msgrad._core.missing import missing_names
from msgrad.dataset.audio.transforms import *  # noqa: F403
from msgrad.dataset.audio.utils import *  # noqa: F403

_WHY = "2.10 finds no speech on its CPU: it returns the end of any sound; call a detector of speech"
globals().update(left_out_all(__name__, "a transform of sounds", {_WHY: "Vad"}))

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
