"""``mindspore.scipy`` on ``jax.scipy``: ``linalg`` and ``optimize``."""

from msgrad.scipy import linalg as linalg
from msgrad.scipy import optimize as optimize

__all__ = ["linalg", "optimize"]
