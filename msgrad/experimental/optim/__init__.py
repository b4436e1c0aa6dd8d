"""``mindspore.experimental.optim``: optimizers whose ``param_groups`` can be changed."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.experimental.optim import lr_scheduler as lr_scheduler
from msgrad.experimental.optim._descent import *  # noqa: F403
from msgrad.experimental.optim._of_moments import *  # noqa: F403
from msgrad.experimental.optim._of_squares import *  # noqa: F403
from msgrad.experimental.optim.optimizer import Optimizer as Optimizer

__all__ = public_names(globals(), "lr_scheduler")
__getattr__ = missing_names(__name__)
