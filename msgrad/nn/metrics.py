"""``mindspore.nn.metrics``, an import path of MindSpore's: names of ``msgrad.train.metrics``."""

from msgrad._core.missing import missing_names
from msgrad.train import metrics as _metrics
from msgrad.train.metrics import *  # noqa: F403

__all__: list[str] = []
__all__ += _metrics.__all__

__getattr__ = missing_names(__name__)
