"""Which lines of code are the user's, to name them in warnings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import FrameType

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


def stack(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame and those that have called it, the innermost first."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def user_frame(frame: FrameType | None) -> FrameType | None:
    """Return the innermost frame of the user's code from which ``frame`` was called."""
    return next((f for f in stack(frame) if not is_ours(f.f_code.co_filename)), None)


def user_level(frame: FrameType | None) -> int:
    """Return the ``stacklevel`` at which a warning made in ``frame`` names the user's line."""
    return 1 + sum(1 for _ in takewhile(lambda f: is_ours(f.f_code.co_filename), stack(frame)))
