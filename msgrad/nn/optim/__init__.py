"""``mindspore.nn.optim``: the optimizers."""

from msgrad._core.exports import public_names
from msgrad._core.left_out import refused
from msgrad._core.missing import missing_names
from msgrad.nn.optim._descent import *  # noqa: F403
from msgrad.nn.optim._of_moments import *  # noqa: F403
from msgrad.nn.optim._of_squares import *  # noqa: F403
from msgrad.nn.optim.adafactor import *  # noqa: F403
from msgrad.nn.optim.lars import *  # noqa: F403
from msgrad.nn.optim.optimizer import Optimizer as Optimizer

thor = refused(
    __name__,
    "thor",
    "its second-order statistics come from MindSpore's own layers for Ascend and GPU; use nn.Lamb "
    "or nn.LARS for large batches, nn.Momentum otherwise, or an optax transformation by "
    "msgrad.interop.from_optax",
)

__all__ = public_names(globals())
__getattr__ = missing_names(__name__)
