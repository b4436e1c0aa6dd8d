"""``MixedPrecisionType``: what a Cell is told to compute in, as MindSpore's C++ part calls it."""

from enum import Enum

MixedPrecisionType = Enum(
    "MixedPrecisionType", {"NOTSET": 0, "FP16": 1, "FP32": 2, "BF16": 3, "AUTOCAST": 4}
)
MixedPrecisionType.__doc__ = "A float dtype, or none."
