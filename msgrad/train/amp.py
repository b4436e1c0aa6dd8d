"""``mindspore.train.amp``, an import path of MindSpore's: names of ``msgrad.amp``."""

from msgrad.amp import build, mixed_precision
from msgrad.amp.build import *  # noqa: F403
from msgrad.amp.mixed_precision import *  # noqa: F403
from msgrad.amp.mixed_precision import _lowered as _auto_black_list  # noqa: F401
from msgrad.amp.mixed_precision import _OutputTo16 as _OutputTo16
from msgrad.amp.mixed_precision import _OutputTo32 as _OutputTo32

AMP_WHITE_LIST = mixed_precision.get_white_list()
AMP_BLACK_LIST = mixed_precision.get_black_list()

__all__ = [*build.__all__, *mixed_precision.__all__]
