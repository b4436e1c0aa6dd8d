"""``mindspore.nn.metrics``, an import path of MindSpore's: names of ``msgrad.train.metrics``."""

from msgrad._core.missing import missing_names
from msgrad.train import metrics
from msgrad.train.metrics import *  # noqa: F403

__all__ = list(metrics.__all__)

__getattr__ = missing_names(__name__)
