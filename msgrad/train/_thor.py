"""What turns a network or Model into one for the optimizer THOR, which msgrad leaves out."""

from __future__ import annotations

from msgrad._core.left_out import left_out

_OTHER = "THOR is left out; train with another optimizer"

ConvertModelUtils = left_out(__name__, "ConvertModelUtils", "makes a Model for THOR", _OTHER)
ConvertNetUtils = left_out(__name__, "ConvertNetUtils", "makes a network for THOR", _OTHER)

__all__ = ["ConvertModelUtils", "ConvertNetUtils"]
