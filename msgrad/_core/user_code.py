"""Which lines of code are the user's, to name them in warnings."""

from __future__ import annotations

import os
from pathlib import Path

import flax
import jax

_LIBRARIES = tuple(str(Path(module.__file__ or "").parent) + os.sep for module in (jax, flax))
_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_PROGRAMS = str(Path(__file__).parents[1] / "porting" / "programs") + os.sep


def is_ours(filename: str) -> bool:
    """Whether a line of code is not the user's: msgrad's, JAX's or Flax's."""
    if filename.startswith(_PACKAGE):
        return not filename.startswith(_PROGRAMS)
    return filename.startswith((*_LIBRARIES, "<frozen"))
