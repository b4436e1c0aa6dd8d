"""``mindspore.amp``: mixed precision and loss scales."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.amp.build import *  # noqa: F403
from msgrad.amp.loss_scale_manager import *  # noqa: F403
from msgrad.amp.loss_scaler import *  # noqa: F403
from msgrad.amp.loss_scaler import _grad_scale_map as _grad_scale_map
from msgrad.amp.loss_scaler import _grad_unscale_map as _grad_unscale_map
from msgrad.amp.mixed_precision import *  # noqa: F403

__all__ = public_names(globals())

__getattr__ = missing_names(__name__)
