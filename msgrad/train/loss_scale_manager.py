"""``mindspore.train.loss_scale_manager``, an import path: names of ``msgrad.amp``."""

from msgrad.amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]
