"""``mindspore.scipy`` on ``jax.scipy``: ``fft``, ``linalg`` and ``optimize``."""

from msgrad.scipy import fft as fft
from msgrad.scipy import linalg as linalg
from msgrad.scipy import optimize as optimize

__all__ = ["fft", "linalg", "optimize"]
