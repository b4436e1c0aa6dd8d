"""``mindspore.nn.optim``: the optimizers."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.nn.optim._descent import *  # noqa: F403
from msgrad.nn.optim._of_moments import *  # noqa: F403
from msgrad.nn.optim._of_squares import *  # noqa: F403
from msgrad.nn.optim.adafactor import *  # noqa: F403
from msgrad.nn.optim.lars import *  # noqa: F403
from msgrad.nn.optim.optimizer import Optimizer as Optimizer
from msgrad.nn.optim.thor import *  # noqa: F403

__all__ = public_names(globals())
__getattr__ = missing_names(__name__)
