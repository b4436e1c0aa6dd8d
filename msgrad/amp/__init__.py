"""``mindspore.amp``: mixed precision and loss scales."""

from msgrad._core.missing import missing_names
from msgrad.amp.build import build_train_network
from msgrad.amp.loss_scale_manager import (
    DynamicLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
)
from msgrad.amp.loss_scaler import DynamicLossScaler, LossScaler, StaticLossScaler, all_finite
from msgrad.amp.mixed_precision import (
    auto_mixed_precision,
    custom_mixed_precision,
    get_black_list,
    get_white_list,
)

__all__ = [
    "DynamicLossScaleManager",
    "DynamicLossScaler",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaler",
    "StaticLossScaler",
    "all_finite",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
]

__getattr__ = missing_names(__name__)
