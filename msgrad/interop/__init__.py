"""The way out to native JAX: pure functions, networks of Flax, checkpoints, Optax rules.

This file only re-exports.
"""

from msgrad._core.exports import public_names
from msgrad.interop.ckpt import *  # noqa: F403
from msgrad.interop.formats import *  # noqa: F403
from msgrad.interop.functional import *  # noqa: F403
from msgrad.interop.native import *  # noqa: F403
from msgrad.interop.optax import *  # noqa: F403
from msgrad.interop.orbax_io import *  # noqa: F403
from msgrad.interop.safetensors_io import *  # noqa: F403

__all__ = public_names(globals())
